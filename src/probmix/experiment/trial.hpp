// One training and what is said of it: the part that the runs of all studies share.
#pragma once

#include <cstdint>

#include "probmix/data/dataset.hpp"
#include "probmix/model/configuration.hpp"
#include "probmix/train/fit.hpp"

namespace probmix {

struct TrialOptions {
  MixOptions mix = {};
  TrainOptions train = {};
  Index members = 100;  // draws of z of a prediction
};

// Throws a UsageError for what can be told to be wrong before any training on `rows` rows.
void check_trial(const TrialOptions& options, const Method& method, Index rows,
                 bool has_validation);

// But for the options of which the method makes no use.
Json configuration_of(const TrialOptions& options, const Method& method);

class Trial {
 public:
  // Trains. Throws a Diverged if that fails.
  Trial(const Network<float>& network, const Family& family, const Method& method,
        const TrialOptions& options, const Dataset<float>& train, const Dataset<float>& validation,
        std::uint64_t seed);

  const Family& family() const { return family_; }
  Index members() const { return predict_.members(); }

  // The network's outputs, members() rows for each row of x.
  Matrix<float> predict(View<const float> x);

  // {"rows", "nll", "draws_nll"}, and "mse", "rmse" and "pit" (the shares of its bins) or, for
  // classes, "brier", "accuracy", "ece" and "reliability": [{"count", "confidence", "accuracy"}].
  // The responses of a regression were divided by `unit`; its scores are for those before.
  Json scores(const Dataset<float>& rows, double unit = 1);

  // {"best_epoch"}, and with `curve` the mixed loss and the validation NLL over epochs, thinned
  // out, in the units of scores().
  Json training(bool curve, double unit = 1) const;

 private:
  Family family_;
  FitResult<float> fitted_;
  Predictor<float> predict_;
  Index outputs_;
  std::uint64_t seed_;
};

}  // namespace probmix
