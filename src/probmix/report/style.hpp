// The style sheets of the report: colours are variables, so that light, dark and print differ in
// one place. Data colours are from Okabe and Ito's palette, which colour-blind readers can tell
// apart; in the dark their lighter relatives keep the contrast.
#pragma once

#include <string_view>

namespace probmix {

// Colour variables, text, tables, figures, details.
std::string_view page_css();

// The chart's frame and its marks: of bands.hpp `mean`, `interval`, `truth`, `train`, `test`,
// `gap`; of series.hpp `series`, `forecast`, `outer`, `inner`, `period`, `validation`, `boundary`;
// of density.hpp `density`, `observed`.
std::string_view chart_css();

}  // namespace probmix
