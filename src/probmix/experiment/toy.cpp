#include "probmix/experiment/toy.hpp"

#include "probmix/base/error.hpp"

namespace probmix {

Json configuration_of(const ToyOptions& toy, const Method& method, Index run) {
  Json json = {{"run", run},
               {"seed", toy.seed},
               {"new-data", toy.new_data},
               {"rows", toy.rows},
               {"validation", toy.validation},
               {"test-rows", toy.test_rows}};
  json.update(configuration_of(toy.trial, method));
  json.update(configuration_of(toy.network));
  return json;
}

void check_toy_options(const ToyOptions& toy, const Method& method) {
  check_range("rows", toy.rows, 2, 1'000'000);
  check_range("test rows", toy.test_rows, 1, 1'000'000);
  const Split split = random_split(toy.rows, toy.validation, toy.seed);  // for its sizes
  check_trial(toy.trial, method, std::ssize(split.train), !split.validation.empty());
}

}  // namespace probmix
