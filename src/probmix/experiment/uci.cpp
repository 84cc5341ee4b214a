#include "probmix/experiment/uci.hpp"

#include <algorithm>

#include "probmix/base/error.hpp"
#include "probmix/base/fingerprint.hpp"
#include "probmix/data/scaling.hpp"
#include "probmix/data/split.hpp"

namespace probmix {

namespace {

// The training rows of a published split, cut once more.
Split inner_split(const UciStudy& study, const UciData& data, Index split) {
  const std::vector<Index>& rows = data.splits[to_size(split)].train;
  Split inner = random_split(std::ssize(rows), study.validation,
                             derive_seed(study.seed, 2 * static_cast<std::uint64_t>(split)));
  for (Index& k : inner.train) k = rows[to_size(k)];
  for (Index& k : inner.validation) k = rows[to_size(k)];
  return inner;
}

Index fewest_training_rows(const UciStudy& study, const UciData& data) {
  const auto smallest = std::ranges::min_element(
      data.splits, {}, [](const UciSplit& split) { return split.train.size(); });
  return std::ssize(inner_split(study, data, smallest - data.splits.begin()).train);
}

// Rows of a data set, standardised by those of the training part.
class ScaledRows {
 public:
  ScaledRows(const UciData& data, const std::vector<Index>& train)
      : x_(data.x.view()),
        y_(data.y.view()),
        scale_x_(take_rows(x_, train).view()),
        scale_y_(take_rows(y_, train).view()) {}

  Dataset<float> operator()(const std::vector<Index>& rows) const {
    return {scale_x_.apply<float>(take_rows(x_, rows).view()),
            scale_y_.apply<double>(take_rows(y_, rows).view())};
  }
  double unit() const { return scale_y_.scale(0); }

 private:
  View<const double> x_, y_;
  Scaler scale_x_, scale_y_;
};

Network<float> network_of(const UciStudy& study, const UciData& data, const Method& method) {
  return make_mlp<float>(study.network, method.embedding, data.x.cols(),
                         make_family("gaussian", study.family));
}

std::string fingerprint(const UciData& data, Index split) {
  Fingerprint print;
  const UciSplit& parts = data.splits[to_size(split)];
  for (const auto* rows : {&parts.train, &parts.test}) {
    print.add(rows->size());
    for (const Index row : *rows) print.add(static_cast<std::uint64_t>(row));
  }
  print.add({data.x.data(), to_size(data.x.rows() * data.x.cols())});
  print.add({data.y.data(), to_size(data.y.rows())});
  return print.text();
}

}  // namespace

Json configuration_of(const UciStudy& study, const UciData& data, const Method& method,
                      Index split) {
  Json json = {{"dataset", data.name},
               {"rows", data.x.rows()},
               {"fingerprint", fingerprint(data, split)},
               {"split", split},
               {"validation", study.validation},
               {"seed", study.seed}};
  json.update(configuration_of(study.trial, method));
  json.update(configuration_of(study.network));
  json.update(configuration_of("gaussian", study.family));
  return json;
}

Json run_uci(const UciStudy& study, const UciData& data, const Method& method, Index split) {
  const Split inner = inner_split(study, data, split);
  const ScaledRows scaled(data, inner.train);
  const Dataset<float> train = scaled(inner.train);
  const Dataset<float> validation = scaled(inner.validation);
  const Dataset<float> test = scaled(data.splits[to_size(split)].test);
  Trial trial(network_of(study, data, method), make_family("gaussian", study.family), method,
              study.trial, train, validation,
              derive_seed(study.seed, 2 * static_cast<std::uint64_t>(split) + 1));
  Json result = {{"train", trial.scores(train, scaled.unit())},
                 {"validation", trial.scores(validation, scaled.unit())},
                 {"test", trial.scores(test, scaled.unit())}};
  result.update(trial.training(split == 0, scaled.unit()));
  return result;
}

std::vector<StudyCell> uci_cells(const UciStudy& study, const std::vector<UciData>& sets,
                                 const std::vector<const Method*>& chosen) {
  std::vector<StudyCell> cells;
  for (const UciData& data : sets) {
    for (const Method* const method : chosen) {
      const auto with = [study](const MixOptions& mix) {
        UciStudy at = study;
        at.trial.mix = mix;
        return at;
      };
      cells.push_back(
          {.name = fmt::format("{} {}", data.name, method->name),
           .check =
               [with, &data, method](const MixOptions& mix) {
                 const UciStudy at = with(mix);
                 check_trial(at.trial, *method, fewest_training_rows(at, data), at.validation > 0);
                 network_of(at, data, *method);
               },
           .run =
               [with, &data, method](const MixOptions& mix, Index split) {
                 check_range("split", split, 0, std::ssize(data.splits) - 1);
                 const UciStudy at = with(mix);
                 return StudyRun{
                     configuration_of(at, data, *method, split),
                     [at, &data, method, split] { return run_uci(at, data, *method, split); }};
               }});
    }
  }
  return cells;
}

}  // namespace probmix
