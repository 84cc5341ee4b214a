#include "probmix/mix/lambda_law.hpp"

#include <cmath>
#include <numbers>

#include "probmix/base/error.hpp"
#include "probmix/kernel/symmetric_beta.hpp"

namespace probmix {

LambdaLaw::LambdaLaw(double alpha) : alpha_(alpha) {
  check_positive("alpha (of λ ~ Beta(alpha, alpha))", alpha);
}

// With W = cos(2πV) √(U^(−1/α) − 1), √(2α) W follows Student's t with 2α degrees of freedom
// (Bailey, Mathematics of Computation 62, 1994), and ½ (1 + W / √(1 + W²)) is Beta(α, α) (Devroye,
// Random variate generation in one line of code, 1996). Exact, without rejection; it replaces the
// ratio of two gamma draws, which is 0/0 for small α.
double LambdaLaw::draw(Stream& stream) const {
  const double exponent = -std::log(stream.uniform()) / alpha_;
  const double cosine = std::cos(2 * std::numbers::pi * stream.uniform());
  const double w2 = cosine * cosine * std::expm1(exponent);
  // The smaller of λ and 1 − λ, free of cancellation; W² = 0 gives ½ and W² = ∞ gives 0.
  const double root = 1 / std::sqrt(1 + 1 / w2);
  const double smaller = 0.5 / ((1 + w2) * (1 + root));
  return cosine < 0 ? smaller : 1 - smaller;
}

void LambdaLaw::draw_many(const double* u, const double* v, double* lambda, Index n) const {
  kernel::symmetric_beta(alpha_, u, v, lambda, n);
}

}  // namespace probmix
