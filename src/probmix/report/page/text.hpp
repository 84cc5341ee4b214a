// Text for people: UTF-8 width, escaping for markup, and numbers rounded to what they mean.
#pragma once

#include <string>
#include <string_view>

namespace probmix::report {

// Removes the first code point from `rest` (not empty) and returns it; U+FFFD for malformed UTF-8.
char32_t take_code_point(std::string_view& rest);

// Terminal cells: combining marks take none, East Asian wide characters two, all others one.
int display_width(std::string_view text);

// Safe between tags and inside quoted attributes of HTML and SVG. What XML does not allow (control
// characters, malformed UTF-8) becomes U+FFFD.
std::string escape_markup(std::string_view text);

// "2020-04-08" for days since 1970-01-01; the number itself outside the years 1 to 9999.
std::string day_text(double days);

// A finite number with `decimals` digits and a true minus sign; never "−0".
std::string format_fixed(double value, int decimals);

// A difference: "+0.31", "−1.2e-05", "+∞", three digits. Not NaN.
std::string format_difference(double value);

// A difference between scores with its standard error: "+0.208 ± 0.037", "−260 ± 63"; "−0.500" if
// the error is NaN. Two digits of the error, but nothing finer than a thousandth, or than the third
// digit of `score`, the size of the scores, if that is smaller. What rounds to zero has no sign.
std::string format_mean_difference(double mean, double se, double score = 1);

// "p 0.0016", "p < 0.0001".
std::string format_p(double p);

// "17.3 ± 2.7", "173 ± 27", "−0.66 ± 0.01", "0.0012 ± 0.0001", "3.1e+08 ± 2.0e+07".
// The larger of |mean| and se sets the decimals; up to two more show the first digit of a small se,
// and there are none if se is 10 or more. A mean that is not finite is "diverged"; with an se of
// NaN (a single run) the mean stands alone.
std::string format_mean_se(double mean, double se);

}  // namespace probmix::report
