// Rows of a file as input to a model, and the table of predictions.
#include "probmix/model/model_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/model_support.hpp"
#include "probmix/model/model_predictor.hpp"
#include "probmix/model/prediction_table.hpp"
#include "support/message.hpp"

namespace probmix::test {
namespace {

using Names = std::vector<std::string>;

struct Read {
  std::vector<std::vector<float>> x;
  std::vector<std::vector<double>> y;
  std::vector<Names> kept;
  Names unused;
  InputOddities oddities;
  TargetOddities targets;
};

Read read(const Model& model, TableRows& table, const RowOptions& options = {}) {
  ModelRows rows(model, table, options);
  Read read;
  while (rows.next()) {
    for (Index r = 0; r < rows.rows(); ++r) {
      read.x.emplace_back(rows.x().row(r), rows.x().row(r) + rows.x().cols);
      if (options.wants_targets) {
        read.y.emplace_back(rows.y().row(r), rows.y().row(r) + rows.y().cols);
      }
      if (!options.keep.empty()) read.kept.push_back(rows.kept(r));
    }
  }
  read.unused = rows.unused();
  read.oddities = rows.oddities();
  read.targets = rows.target_oddities();
  return read;
}

Read read(const Model& model, const std::string& text, const RowOptions& options = {}) {
  CsvRows table(text_source(text, "new.csv"));
  return read(model, table, options);
}

Model house_model(const SeriesShape& series = {}) {
  FitOptions options = quick();
  options.series = series;
  options.train.epochs = 1;
  return fitted(houses(), options);
}

TEST(ModelRows, AreWhatTrainingSaw) {
  const Model model = house_model();
  const Read found = read(model, house_table(120), {.wants_targets = true, .block = 50});
  const Frame frame = houses();
  InputOddities oddities;
  const Matrix<float> x = model.inputs.encode(frame, oddities);
  ASSERT_EQ(std::ssize(found.x), frame.rows());
  for (Index r = 0; r < x.rows(); ++r) {
    EXPECT_EQ(found.x[to_size(r)], std::vector<float>(x.row(r), x.row(r) + x.cols()));
    const double y = model.target.shift[0] + model.target.scale[0] * found.y[to_size(r)][0];
    EXPECT_NEAR(y, frame.column("y").values[to_size(r)], 1e-9);
  }
}

TEST(ModelRows, ColumnsAreFoundByTheirNames) {
  const Model model = house_model();
  const Read given = read(model, "x,town,day\n1,Gent,2024-03-01\n");
  const Read other =
      read(model, "id,day,town,colour,x\n7,2024-03-01,Gent,red,1\n", {.keep = {"id"}});
  EXPECT_EQ(other.x, given.x);
  EXPECT_EQ(other.unused, (Names{"id", "colour"}));
  EXPECT_EQ(other.kept, (std::vector<Names>{{"7"}}));
  EXPECT_EQ(message_of<Error>([&] { read(model, "x,colour\n1,red\n"); }),
            "'new.csv' lacks the columns 'town', 'day' that the model needs; it has 'x', 'colour'");
  EXPECT_EQ(message_of<UsageError>(
                [&] { read(model, "x,town,day\n1,Gent,2024-03-01\n", {.keep = {"id"}}); }),
            "'new.csv' has no column 'id' to keep; it has 'x', 'town', 'day'");
  const Read filled = read(model, "x,town\n1,Gent\n2,Gent\n", {.fills_columns = true});
  EXPECT_EQ(filled.oddities.missing, 2);
  EXPECT_EQ(filled.oddities.first_missing, "new.csv: line 2, column 'day'");
}

TEST(ModelRows, WithoutATargetAreLeftOutWhereOneIsWanted) {
  const Model model = house_model();
  const Read found = read(model, "x,town,day,y\n1,Gent,2024-03-01,50\n2,Gent,2024-03-01,\n",
                          {.wants_targets = true});
  EXPECT_EQ(found.x.size(), 1U);
  EXPECT_EQ(found.targets.missing, 1);
  EXPECT_EQ(found.targets.unknown, 0);
  EXPECT_EQ(message_of<Error>([&] {
              read(model, "x,town,day,y\n1,Gent,2024-03-01,dear\n", {.wants_targets = true});
            }).find("new.csv: line 2, column 'y': 'dear'"),
            0U);
}

TEST(ModelRows, WithATargetThatTheModelDoesNotKnowAreLeftOut) {
  FitOptions options = quick({"town"});
  options.train.epochs = 1;
  const Read classes = read(fitted(houses(), options),
                            "x,town,day,y\n1,Gent,2024-03-01,50\n2,Paris,2024-03-01,1\n"
                            "2,Rome,2024-03-01,1\n3,Aalst,2024-03-01,1\n",
                            {.wants_targets = true});
  EXPECT_EQ(classes.x.size(), 2U);
  EXPECT_EQ(classes.targets.unknown, 2);
  EXPECT_EQ(classes.targets.first_unknown,
            "new.csv: line 3, column 'town': the class 'Paris' is not one of 'Aalst', 'Brugge', "
            "'Gent'");
  std::string text = "x,y\n";
  for (int r = 0; r < 60; ++r) text += fmt::format("{},{}\n", r % 11, (r * 7) % 5);
  options.targets = {"y"};
  options.family = "poisson";
  const Read counts = read(fitted(parse_frame(text, "t.csv"), options), "x,y\n1,2.5\n2,3\n3,-1\n",
                           {.wants_targets = true});
  EXPECT_EQ(counts.x.size(), 1U);
  EXPECT_EQ(counts.targets.unknown, 2);
  EXPECT_EQ(counts.targets.first_unknown,
            "new.csv: line 2, column 'y': '2.5' is outside the support of the poisson family: 0, "
            "1, 2, ...");
}

TEST(ModelRows, OfASeriesAreWindows) {
  // In file order, whatever the dates.
  const Model model = house_model({.window = 3, .horizon = 2});
  const std::string text = house_table(20);
  const Read one = read(house_model(), text);  // other scales, but windows consist of such rows
  const Read all = read(model, text, {.keep = {"x"}});
  EXPECT_EQ(all.x.size(), 18U);
  const std::size_t width = all.x[0].size() / 3;
  for (std::size_t w = 0; w + 1 < all.x.size(); ++w) {  // the next window has two rows of this one
    EXPECT_TRUE(std::equal(all.x[w].begin() + static_cast<Index>(width), all.x[w].end(),
                           all.x[w + 1].begin()));
  }
  const Frame frame = parse_frame(text, "t");
  EXPECT_EQ(std::stod(all.kept[0][0]), frame.column("x").values[2]);  // of a window's last row
  const Read judged = read(model, text, {.wants_targets = true, .block = 7});
  ASSERT_EQ(judged.y.size(), 16U);
  for (std::size_t w = 0; w < judged.y.size(); ++w) {
    EXPECT_EQ(judged.x[w], all.x[w]);
    const double y = model.target.shift[0] + model.target.scale[0] * judged.y[w][0];
    EXPECT_NEAR(y, frame.column("y").values[w + 4], 1e-9);
  }
}

TEST(ModelRows, OfASeriesKeepToTheirGroupAndAscend) {
  std::string text = "g,t,v\n";
  for (int r = 0; r < 60; ++r) text += fmt::format("{},{},{}\n", r < 30 ? "a" : "b", r % 30, r % 7);
  FitOptions options = quick({"v"});
  options.family = "gaussian";
  options.series = {.window = 2, .horizon = 1, .time = "t", .group = "g"};
  options.train.epochs = 1;
  const Model model = fitted(parse_frame(text, "t.csv"), options);
  EXPECT_EQ(read(model, "g,t,v\na,1,1\na,2,2\na,3,3\nb,1,4\nb,2,5\n").x.size(), 3U);
  EXPECT_EQ(
      read(model, "g,t,v\na,1,1\na,2,2\na,3,3\nb,1,4\nb,2,5\n", {.wants_targets = true}).x.size(),
      1U);
  EXPECT_EQ(message_of<Error>([&] { read(model, "g,t,v\na,1,1\na,2,2\na,2,3\n"); }),
            "new.csv: line 4, column 't': 2 is not later than 2 in the row before (line 3); sort "
            "the rows of a series by time, and keep one row per time");
}

TEST(ModelRows, OfASeriesDoNotDependOnTheBlocks) {
  std::string text = "g,t,v,note\n";
  for (int r = 0; r < 60; ++r) {
    text += fmt::format("{},{},{},n{}\n", "abc"[r / 20], r % 20, r % 7 == 6 ? "" : "1234567890", r);
  }
  FitOptions options = quick({"v"});
  options.family = "gaussian";
  options.series = {.window = 3, .horizon = 2, .time = "t", .group = "g"};
  options.train.epochs = 1;
  std::string varied = "g,t,v,note\n";
  for (int r = 0; r < 60; ++r) {
    varied += fmt::format("{},{},{},n{}\n", "abc"[r / 20], r % 20, r * r % 11, r);
  }
  const Model model = fitted(parse_frame(varied, "t.csv"), options);
  for (const bool wants_targets : {false, true}) {
    const Read whole = read(model, text, {.wants_targets = wants_targets, .keep = {"note"}});
    ASSERT_GT(whole.x.size(), 20U);
    for (const Index block : {1, 2, 7, 19}) {
      const Read parts =
          read(model, text, {.wants_targets = wants_targets, .keep = {"note"}, .block = block});
      EXPECT_EQ(parts.x, whole.x) << block;
      EXPECT_EQ(parts.y, whole.y) << block;
      EXPECT_EQ(parts.kept, whole.kept) << block;
      EXPECT_EQ(parts.oddities.missing, whole.oddities.missing) << block;
      EXPECT_EQ(parts.targets.missing, whole.targets.missing) << block;
    }
  }
}

TEST(ModelRows, OfAnotherKindThanInTrainingAreNamed) {
  const Model model = house_model();
  EXPECT_EQ(message_of<Error>([&] { read(model, "x,town,day\nfar,Gent,2024-03-01\n"); }),
            "new.csv: line 2, column 'x': 'far' is not a number; write numbers as 1234.5 or "
            "1.2345e3");
  const std::string message = message_of<Error>([&] { read(model, "x,town,day\n1,Gent,soon\n"); });
  EXPECT_TRUE(message.starts_with("new.csv: line 2, column 'day': 'soon' is not a date; write "))
      << message;
}

// A table of numbers, dates and categories instead of their text.
TEST(ModelRows, OfAFrameAreThoseOfItsFile) {
  const Model model = house_model();
  const RowOptions options{.wants_targets = true, .keep = {"town", "x"}, .block = 50};
  const Read expected = read(model, house_table(120), options);
  FrameRows table(houses());
  const Read found = read(model, table, options);
  EXPECT_EQ(found.x, expected.x);
  EXPECT_EQ(found.y, expected.y);
  EXPECT_EQ(found.oddities.missing, expected.oddities.missing);
  EXPECT_EQ(std::ssize(found.kept), std::ssize(expected.kept));
  EXPECT_EQ(found.kept.front()[0], expected.kept.front()[0]);
}

TEST(ModelRows, OfAFrameMayHoldTheirValuesAsText) {
  const Model model = house_model();
  Frame text = houses();
  const std::vector<std::string> all = {"x", "town", "day"};
  make_categories(text, all);
  EXPECT_EQ(text.column("x").kind, ColumnKind::category);
  FrameRows as_text(text), as_they_are(houses());
  EXPECT_EQ(read(model, as_text).x, read(model, as_they_are).x);
}

TEST(ModelRows, OfAFrameNameTheirPlace) {
  const Model model = house_model();
  Frame frame = parse_frame("x,town,day\n1,Gent,2024-03-01\nfar,Gent,2024-03-01\n", "new");
  FrameRows in_lines(frame);
  EXPECT_EQ(message_of<Error>([&] { read(model, in_lines); }),
            "new: line 3, column 'x': 'far' is not a number; write numbers as 1234.5 or 1.2345e3");
  frame.line = {1, 2};
  frame.unit = "row";
  FrameRows in_rows(frame);
  EXPECT_TRUE(message_of<Error>([&] { read(model, in_rows); }).starts_with("new: row 2, column"));
}

std::vector<std::string> fields_of(const std::string& line) {
  CsvReader reader(text_source(line + "\n", "line"), {.separator = ',', .header = false});
  reader.next();
  const auto fields = reader.fields();
  return {fields.begin(), fields.end()};
}

TEST(PredictionTable, TellsWhatIsAskedFor) {
  const Model model = house_model();
  const PredictionTable table(
      model, {.quantiles = {0.1, 0.5}, .intervals = {0.8}, .grid = {50, 60.5}, .samples = 2});
  EXPECT_EQ(table.columns(),
            (Names{"y_mean", "y_sd", "y_q0.1", "y_q0.5", "y_low80", "y_high80", "y_density_at_50",
                   "y_density_at_60.5", "y_sample1", "y_sample2"}));
  const Read rows = read(model, house_table(3));
  ModelPredictor predict(model, 1);
  Matrix<float> x(1, std::ssize(rows.x[0]));
  std::ranges::copy(rows.x[1], x.row(0));
  predict.outputs(x.view());
  const Predictive density = predict.density(0);
  std::string text;
  table.add(density, 0, text);
  const std::vector<std::string> fields = fields_of(text);
  ASSERT_EQ(fields.size(), table.columns().size());
  const auto value = [&](std::size_t k) { return std::stod(fields[k]); };
  // A Gaussian with one member: everything follows from mean and deviation.
  const double mean = value(0), sd = value(1);
  EXPECT_NEAR(value(2), mean - 1.2815515655446004 * sd, 1e-5 * sd);
  EXPECT_NEAR(value(3), mean, 1e-5 * sd);
  EXPECT_NEAR(value(4), value(2), 1e-5 * sd);
  EXPECT_NEAR(value(5), mean + 1.2815515655446004 * sd, 1e-5 * sd);
  const double z = (50 - mean) / sd;
  EXPECT_NEAR(value(6), std::exp(-z * z / 2) / (sd * std::sqrt(2 * M_PI)), 1e-6);
  EXPECT_NE(fields[8], fields[9]);
  std::string again, another;
  table.add(density, 0, again);
  table.add(density, 1, another);
  EXPECT_EQ(again, text);
  EXPECT_NE(another, text);  // other samples for another row
}

// For 1.7e9 ± 10, eight digits would leave nothing.
TEST(PredictionTable, HasTheDigitsThatALargeOffsetNeeds) {
  std::string text = "x,y\n";
  for (int r = 0; r < 80; ++r) text += fmt::format("{},{}\n", r % 9, 1'700'000'000 + 3 * (r % 9));
  FitOptions options = quick();
  options.train.epochs = 1;
  const Model model = fitted(parse_frame(text, "t.csv"), options);
  const PredictionTable table(model, {.samples = 1});
  ModelPredictor predict(model, 1);
  Matrix<float> x(1, 1);
  x(0, 0) = 0.5F;
  predict.outputs(x.view());
  const Predictive density = predict.density(0);
  std::string line;
  table.add(density, 0, line);
  const std::vector<std::string> fields = fields_of(line);
  EXPECT_NEAR(std::stod(fields[0]), density.mean(0), 1e-5);
  EXPECT_NEAR(std::stod(fields[2]), density.quantile(0, 0.05), 1e-5);
  EXPECT_NE(fields[5], fields[0]);
  EXPECT_LE(fields[1].size(), 10U);  // the deviation needs no more
}

TEST(PredictionTable, OfClassesTellsTheirProbabilities) {
  FitOptions options = quick({"town"});
  options.train.epochs = 1;
  const Model model = fitted(houses(), options);
  const PredictionTable table(model, {.samples = 1});
  EXPECT_EQ(table.columns(),
            (Names{"town_class", "town_p_Aalst", "town_p_Brugge", "town_p_Gent", "town_sample1"}));
  const Read rows = read(model, house_table(1));
  ModelPredictor predict(model, 1);
  Matrix<float> x(1, std::ssize(rows.x[0]));
  std::ranges::copy(rows.x[0], x.row(0));
  predict.outputs(x.view());
  std::string text;
  table.add(predict.density(0), 0, text);
  const std::vector<std::string> fields = fields_of(text);
  EXPECT_NEAR(std::stod(fields[1]) + std::stod(fields[2]) + std::stod(fields[3]), 1, 1e-6);
  EXPECT_EQ(message_of<UsageError>([&] { PredictionTable(model, {.grid = {1}}); }),
            "classes have no density on a grid; their probabilities are always given");
}

TEST(PredictionTable, RefusesWhatIsNoProbability) {
  const Model model = house_model();
  EXPECT_EQ(message_of<UsageError>([&] {
              PredictionTable(model, {.quantiles = {0.5, 1}});
            }),
            "quantiles need probabilities between 0 and 1, not 1");
  EXPECT_EQ(message_of<UsageError>([&] { PredictionTable(model, {.intervals = {90}}); }),
            "intervals need probabilities between 0 and 1, not 90");
}

// The densities refer to the model.
template <class M>
concept CanBeAsked = requires(M&& model, const Frame& frame) {
  predict(std::forward<M>(model), frame);
  ModelPredictor(std::forward<M>(model), 1);
};
static_assert(CanBeAsked<const Model&> && CanBeAsked<Model&>);
static_assert(!CanBeAsked<Model> && !CanBeAsked<const Model>);

// An empty column, or one whose categories are all numbers, does not reveal its kind.
TEST(ModelPredictor, TakesFramesAsTheRowsOfAFile) {
  std::string text = "code,day,y\n";
  for (int r = 0; r < 60; ++r) {
    text += fmt::format("{},2024-01-{:02},{}.5\n",
                        r % 3 == 0   ? "7"
                        : r % 3 == 1 ? "9a"
                                     : "x",
                        1 + r % 28, r % 3 * 20);
  }
  FitOptions options = quick();
  options.train.epochs = 5;
  const Model model = fitted(parse_frame(text, "t.csv", {.categories = {"code"}}), options);
  const std::string asked = "code,day\n7,\nNA,\n8,\n";
  InputOddities oddities;
  const std::vector<Predictive> densities =
      predict(model, parse_frame(asked, "new.csv"), 1, &oddities);
  const Read rows = read(model, asked);
  ModelPredictor of_rows(model, 1);
  Matrix<float> x(3, std::ssize(rows.x[0]));
  for (Index r = 0; r < 3; ++r) std::ranges::copy(rows.x[to_size(r)], x.row(r));
  of_rows.outputs(x.view());
  for (Index r = 0; r < 3; ++r) {
    EXPECT_EQ(densities[to_size(r)].mean(0), of_rows.density(r).mean(0));
  }
  EXPECT_EQ(oddities.unseen, 1);
  EXPECT_EQ(oddities.first_unseen, rows.oddities.first_unseen);
  EXPECT_EQ(oddities.missing, rows.oddities.missing);
  EXPECT_EQ(message_of<Error>([&] {
              predict(model, parse_frame("code,day\n7,soon\n7,2024-01-01\n", "new.csv"));
            }),
            "new.csv: column 'day' is a category column, but in training it was a date column; see "
            "new.csv: line 2, column 'day': 'soon'");
}

// Equal rows have equal densities, wherever they are and whatever else is asked for.
TEST(ModelPredictor, IsAFunctionOfTheRow) {
  FitOptions options = quick();
  options.method = find_method("m-probmix");
  const Model model = fitted(houses(), options);
  Matrix<float> x(700, model.inputs.width());
  for (Index r = 0; r < x.rows(); ++r) x(r, 0) = 0.5F;
  ModelPredictor one(model, 1), two(model, 2);
  one.outputs(x.view());
  two.outputs(x.view());
  for (const Index r : {0, 1, 255, 256, 699}) {
    EXPECT_EQ(one.density(r).quantile(0, 0.9), one.density(0).quantile(0, 0.9));
    EXPECT_EQ(two.density(r).quantile(0, 0.9), one.density(0).quantile(0, 0.9));
  }
}

}  // namespace
}  // namespace probmix::test
