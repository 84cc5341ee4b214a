// The law of the mixing weight: λ ~ Beta(α, α), for every α from 0⁺ (a fair coin on {0, 1}) to
// infinity (exactly ½).
//
// A draw takes two uniforms from the stream whatever α is, so two runs that differ only in α see
// the same underlying randomness. It lies in [0, 1] and is never NaN.
#pragma once

#include "probmix/base/matrix.hpp"
#include "probmix/base/random.hpp"

namespace probmix {

class LambdaLaw {
 public:
  // Throws a UsageError unless alpha > 0; infinity is accepted.
  explicit LambdaLaw(double alpha);

  double alpha() const { return alpha_; }
  double draw(Stream& stream) const;
  // lambda[m] from the uniforms u[m], v[m]; lambda may be u or v. In double lanes.
  void draw_many(const double* u, const double* v, double* lambda, Index n) const;

 private:
  double alpha_;
};

}  // namespace probmix
