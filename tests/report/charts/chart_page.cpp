// Writes a page with one chart of every kind to standard output, for tests/cli/page_test.py.
// `chart_page broken` adds one with an invalid specification, `chart_page hostile` texts that try
// to break out of the page's data.
#include <fmt/format.h>

#include <cstdio>
#include <string_view>

#include "probmix/report/page/html.hpp"
#include "report/charts/chart_samples.hpp"

int main(int argc, char** argv) {
  using namespace probmix::report;
  const std::string_view what = argc > 1 ? argv[1] : "";
  HtmlReport page("Charts", "One of every kind.");
  std::vector<Figure> figures = samples::all();
  if (what == "broken") {
    Figure broken = band_chart(samples::bands());
    broken.spec["layer"][0]["mark"]["type"] = "no such mark";
    figures.push_back(broken);
  }
  if (what == "hostile") {
    const std::string text =
        "</script><script>document.title='hostile'</script><!--<script>\"'\\ \u2028\u2029\xFF{{}}";
    BandPicture bands = samples::bands();
    bands.title = bands.caption = bands.x_label = bands.y_label = text;
    BoxPicture boxes = samples::boxes(ScoreScale::linear);
    boxes.groups[0].name = boxes.score = text;
    figures = {band_chart(bands), box_chart(boxes)};
    figures[0].legend = {{Swatch::line, text, text}};
  }
  page.add_figures(figures, band_legend(std::vector{samples::bands()}), FigureGrid::wide);
  page.add_figures(
      std::vector{density_chart(samples::density()), density_chart(samples::density()),
                  density_chart(samples::density()), density_chart(samples::density())},
      density_legend(), FigureGrid::rows_of_four);
  fmt::print("{}", page.html());
  return std::fflush(stdout) == 0 ? 0 : 1;
}
