#include "probmix/model/judge_fit.hpp"

#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/metric/marginal.hpp"
#include "probmix/model/baseline.hpp"
#include "probmix/model/evaluation.hpp"
#include "probmix/model/held_out.hpp"
#include "probmix/model/model_predictor.hpp"

namespace probmix {

FitJudgement judge_fit(const ModelFit& fit, Model& model) {
  const Prepared& data = fit.data();
  const Index threads = fit.options().train.threads;
  const Index most = affordable_rows(model);
  {
    ModelPredictor predictor(model, threads);
    const Dataset<float> some =
        data.part(evenly_spaced(data.splits.front().train, most), fit.response());
    evaluate(predictor, model.target, some.x.view(), some.y.view(), Judging::briefly,
             threads);  // throws
  }
  const HeldOut judged = held_out(data, fit.response(), model, threads, most);
  const double nll = -weighted_mean(data, judged.examples, judged.logs);
  check_converges(std::isfinite(nll),
                  "the predicted density of a validation row is not finite: the model is of no "
                  "use; train with a smaller `learning-rate`, or `clip` 1");
  const Family family = model.target.likelihood();
  const Dataset<float> rows = data.part(judged.examples, fit.response());
  const double observed =
      static_cast<double>(model.target.observed(rows.y.view())) / static_cast<double>(rows.rows());
  const double marginal =
      marginal_nll(family, fit_marginal(family, data.train(0, fit.response()).y.view()),
                   rows.y.view()) +
      observed * model.target.log_scale();
  model.training["predictive-nll"] = nll;
  model.training["marginal-nll"] = marginal;
  model.baseline = fit_baseline(fit, model);
  return {nll, marginal};
}

Model fit_model(const Frame& frame, const FitOptions& options, const Fold& fold) {
  ModelFit fit(frame, options, fold);
  fit.finish();
  Model model = fit.model();
  judge_fit(fit, model);
  return model;
}

}  // namespace probmix
