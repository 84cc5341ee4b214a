// Logs of tail probabilities and their slopes, finite far beyond where the probability itself
// underflows: what the likelihood of a censored response is made of.
#pragma once

namespace probmix {

// log of a probability, and its derivative in the argument.
struct LogTail {
  double log = 0;
  double slope = 0;
};

// P(Z <= z), standard normal.
LogTail log_normal_cdf(double z);

// P(T <= z), Student's t with location 0, scale 1 and ν degrees of freedom.
LogTail log_student_t_cdf(double freedom, double z);

// P(G <= x) and P(G > x), gamma with unit rate, x > 0.
LogTail log_gamma_cdf(double shape, double x);
LogTail log_gamma_survival(double shape, double x);

}  // namespace probmix
