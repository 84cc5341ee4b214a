// How good a model is, as its training can tell.
#pragma once

#include "probmix/model/fit_model.hpp"

namespace probmix {

// What training tells of a finished model: the mean NLL of its validation rows (without any, of its
// training rows), beside that of the marginal density of the training rows. Each row is judged by
// the networks that did not learn from it: a few of an ensemble, whose mixture is better.
struct FitJudgement {
  double nll = 0;
  double marginal_nll = 0;

  bool is_worse_than_marginal() const { return nll > marginal_nll; }
};
// Writes both into the model's description. Throws Diverged if the predicted density of a row is
// not finite.
FitJudgement judge_fit(const ModelFit& fit, Model& model);

}  // namespace probmix
