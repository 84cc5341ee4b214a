// A results line is checked as a whole before a report uses it.
#include "probmix/sweep/result_check.hpp"

#include <gtest/gtest.h>

namespace probmix {
namespace {

Json good() {
  const Json two = {1.0, 2.0};
  return {{"test", {{"nll", 1.5}}},
          {"best_epoch", 3},
          {"curve", {{"epoch", {1, 2}}, {"loss", two}, {"validation_nll", two}}},
          {"pictures",
           {{"bands",
             {{"x", two},
              {"mean", two},
              {"lower", two},
              {"upper", two},
              {"train_x", Json::array()},
              {"train_y", Json::array()}}},
            {"regions",
             {{"from", -1},
              {"to", 1},
              {"points", 2},
              {"class", {0, 1, 2, 0}},
              {"probability", {1, 1, 1, 0.5}},
              {"train_x1", two},
              {"train_x2", two},
              {"train_class", {0, 2}}}},
            {"series", {{"time", two}, {"value", two}, {"name", "GOOG"}}},
            {"densities",
             {{{"time", 1},
               {"nll", 2},
               {"observed", 3},
               {"which", "a"},
               {"part", "b"},
               {"y", two},
               {"density", two}}}}}}};
}

TEST(ResultFault, AGoodResultHasNone) {
  EXPECT_EQ(result_fault(good()), "");
  EXPECT_EQ(result_fault(Json()), "");  // of a run that diverged
  EXPECT_EQ(result_fault({{"test", {{"nll", 1.5}}}}), "");
}

TEST(ResultFault, NamesWhatIsWrong) {
  const auto with = [](const char* place, const Json& value) {
    Json result = good();
    result[Json::json_pointer(place)] = value;
    return result_fault(result);
  };
  EXPECT_EQ(with("/curve/validation_nll", Json::array()),
            "curve: epoch and validation_nll differ in length");
  EXPECT_EQ(with("/curve/epoch", {2, 1}), "curve: the epochs do not ascend");
  EXPECT_EQ(with("/curve/loss", "x"), "curve: loss is not a list of numbers");
  EXPECT_EQ(with("/curve", 1), "curve: is not an object");
  EXPECT_EQ(with("/best_epoch", -1),
            "result: best_epoch is not a whole number from 0 to 1000000000");
  EXPECT_EQ(with("/pictures/bands/x", Json::array()), "bands: x and mean differ in length");
  EXPECT_EQ(with("/pictures/regions/points", 3), "regions: the classes do not fill the grid");
  EXPECT_EQ(with("/pictures/regions/class", {0, 1, 2, 7}),
            "regions: class has a class that does not exist");
  EXPECT_EQ(with("/pictures/regions/to", -1), "regions: from is not below to");
  EXPECT_EQ(with("/pictures/series/name", 1), "series: name is not text");
  EXPECT_EQ(with("/pictures/densities/0/y", {1}), "densities: y and density differ in length");
  EXPECT_EQ(with("/pictures", Json::array()), "pictures: is not an object");
}

// Each value of a good result replaced by each of these in turn: an answer, never a crash.
TEST(ResultFault, NoValueIsACrash) {
  const Json flat = good().flatten();
  for (const auto& [place, ignored] : flat.items()) {
    for (const Json& value : {Json(), Json(-1), Json(1e308), Json("x"), Json::array(),
                              Json::object(), Json({1, "2"}), Json(true)}) {
      Json result = good();
      result[Json::json_pointer(place)] = value;
      result_fault(result);
    }
  }
}

}  // namespace
}  // namespace probmix
