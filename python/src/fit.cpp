// A training that Python runs for a while at a time, so that it can show progress and be
// interrupted between epochs.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <numeric>

#include "arrays.hpp"
#include "bindings.hpp"
#include "options.hpp"
#include "probmix/base/error.hpp"
#include "probmix/data/memory_frame.hpp"
#include "probmix/model/judge_fit.hpp"
#include "table.hpp"

namespace nb = nanobind;

namespace probmix::python {
namespace {

// The last rows are for validation.
Fold fold_of(Index rows, Index validation) {
  if (validation == 0) return {};
  Fold fold{.train = std::vector<Index>(to_size(rows - validation)),
            .validation = std::vector<Index>(to_size(validation))};
  std::iota(fold.train.begin(), fold.train.end(), Index{0});
  std::iota(fold.validation->begin(), fold.validation->end(), rows - validation);
  return fold;
}

class Fit {
 public:
  // The rows of a second table choose the epoch; all of them need a target.
  Fit(const Table& table, const Table* validation, const FitOptions& options) {
    Frame frame = memory_frame(table.columns, table.name);
    const Index own = frame.rows();
    if (validation != nullptr) {
      frame = stacked(frame, memory_frame(validation->columns, validation->name));
    }
    fit_ = std::make_unique<ModelFit>(frame, options, fold_of(frame.rows(), frame.rows() - own));
  }

  void run(double seconds) {
    const nb::gil_scoped_release unlocked;
    fit_->run(seconds);
  }
  bool done() const { return fit_->done(); }
  Index epochs() const { return fit_->epochs(); }

  // (epochs, of how many); a network that stops early counts as if it had run all.
  std::pair<Index, Index> progress() const {
    const Index each = *fit_->options().train.epochs;
    Index sum = 0;
    for (Index k = 0; k < fit_->networks(); ++k) {
      sum += fit_->done(k) ? each : std::ssize(fit_->progress(k).history);
    }
    return {sum, std::max(sum, fit_->needed() * each)};
  }

  // What was decided about the table, and the networks that diverged, one line each.
  std::vector<std::string> remarks() const {
    std::vector<std::string> lines;
    for (const std::string& remark : fit_->data().remarks) lines.push_back(with_parameters(remark));
    if (!fit_->choice().empty()) lines.push_back(fit_->choice());
    for (const std::string& line : fit_->diverged()) lines.push_back(with_parameters(line));
    return lines;
  }

  // For each network: an epoch's training loss and validation NLL.
  nb::list histories() const {
    nb::list all;
    for (Index k = 0; k < fit_->networks(); ++k) {
      const auto& history = fit_->progress(k).history;
      Matrix<double> losses(std::ssize(history), 2);
      for (Index e = 0; e < losses.rows(); ++e) {
        losses(e, 0) = history[to_size(e)].loss;
        losses(e, 1) = history[to_size(e)].validation_nll;
      }
      all.append(to_numpy(std::move(losses)));
    }
    return all;
  }

  // The model kept from the epochs so far, and whether it is worse than one density for all rows.
  std::pair<std::shared_ptr<const Model>, bool> model() const {
    const nb::gil_scoped_release unlocked;
    Model model = fit_->model();
    const FitJudgement judgement = judge_fit(*fit_, model);
    return {std::make_shared<const Model>(std::move(model)), judgement.is_worse_than_marginal()};
  }

 private:
  std::unique_ptr<ModelFit> fit_;
};

}  // namespace

void bind_fit(nb::module_& m) {
  nb::class_<Fit>(m, "Fit")
      .def(
          "__init__",
          [](Fit* at, const Table& table, const Table* validation, const nb::dict& given) {
            const FitOptions options = options_from(given);
            const nb::gil_scoped_release unlocked;
            new (at) Fit(table, validation, options);
          },
          nb::arg(), nb::arg().none(), nb::arg())
      .def("run", &Fit::run)
      .def_prop_ro("done", &Fit::done)
      .def_prop_ro("epochs", &Fit::epochs)
      .def("progress",
           [](const Fit& fit) {
             const auto [done, all] = fit.progress();
             return nb::make_tuple(done, all);
           })
      .def("remarks", &Fit::remarks)
      .def("histories", &Fit::histories)
      .def("model", [](const Fit& fit) {
        auto [model, is_worse] = fit.model();
        return nb::make_tuple(std::move(model), is_worse);
      });
}

}  // namespace probmix::python
