#include "probmix/paper/published.hpp"

#include <string_view>
#include <vector>

#include "probmix/data/frame.hpp"

namespace probmix {

namespace embedded {
std::string_view published_uci();
}

std::span<const PublishedFigure> published_figures() {
  static const std::vector<PublishedFigure> all = [] {
    const Frame table = parse_frame(embedded::published_uci(), "the published figures",
                                    {.format = {.separator = ',', .header = true}});
    const auto text = [&](const char* column, Index row) {
      return value_text(table.column(column), row);
    };
    std::vector<PublishedFigure> figures;
    for (Index r = 0; r < table.rows(); ++r) {
      figures.push_back({.dataset = text("dataset", r),
                         .method = text("method", r),
                         .score = text("score", r),
                         .value = table.column("value").values[to_size(r)],
                         .is_pretrained = text("kind", r) == "pretrained"});
    }
    return figures;
  }();
  return all;
}

}  // namespace probmix
