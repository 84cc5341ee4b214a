// Figures of other methods on the UCI sets, for comparison with ours (docs/results/published).
#pragma once

#include <span>
#include <string>

namespace probmix {

struct PublishedFigure {
  std::string dataset;
  std::string method;
  std::string score;  // its key in the layout: "test_nll"
  double value = 0;
  bool is_pretrained = false;  // the method has seen other tables before
};

std::span<const PublishedFigure> published_figures();

}  // namespace probmix
