// Families, data and draws for tests that run over all of them.
#pragma once

#include <string>
#include <vector>

#include "probmix/base/random.hpp"
#include "probmix/data/dataset.hpp"
#include "probmix/family/families.hpp"
#include "probmix/mix/options.hpp"

namespace probmix::test {

struct FamilyCase {
  std::string label;
  Family family;
};

// Every family of the list with its default options, and the variants with separate code.
inline std::vector<FamilyCase> family_cases() {
  std::vector<FamilyCase> cases;
  for (const std::string_view name : family_names()) {
    cases.push_back({std::string(name), make_family(name)});
  }
  const Positive softplus{Positive::Kind::softplus, 1e-2};
  cases.push_back({"gaussian2", make_family("gaussian", {.responses = 2, .positive = softplus})});
  cases.push_back(
      {"homoscedastic", make_family("gaussian", {.responses = 2, .homoscedastic = true})});
  cases.push_back({"full2", make_family("gaussian-full", {.responses = 2})});
  cases.push_back({"categorical4", make_family("categorical", {.classes = 4})});
  return cases;
}

// How two members of the family can be pooled.
inline std::vector<Pooling> poolings(const Family& family) {
  if (!is_exponential(family)) return {Pooling::linear};
  return {Pooling::log_linear, Pooling::linear};
}

inline int outputs(const Family& family) {
  return std::visit([](const auto& f) { return f.outputs(); }, family);
}
inline int free_outputs(const Family& family) {
  return std::visit([](const auto& f) { return f.free_outputs(); }, family);
}
inline int responses(const Family& family) {
  return std::visit([](const auto& f) { return f.responses(); }, family);
}

inline Matrix<double> random_matrix(Index rows, Index cols, Stream& stream, double scale = 1) {
  Matrix<double> m(rows, cols);
  for (Index k = 0; k < rows * cols; ++k) m.data()[k] = scale * stream.normal();
  return m;
}

// Features from N(0, 1), responses drawn from random members of the family.
inline Dataset<double> random_data(const Family& family, Index rows, Index features,
                                   std::uint64_t seed) {
  Stream stream(seed, Purpose::test);
  Dataset<double> data{random_matrix(rows, features, stream),
                       Matrix<double>(rows, responses(family))};
  std::visit(
      [&](const auto& f) {
        std::vector<double> phi(static_cast<std::size_t>(f.parameters()));
        for (Index r = 0; r < rows; ++r) {
          const auto out = random_matrix(1, f.outputs(), stream);
          f.link(out.data(), phi.data());
          f.sample(phi.data(), stream, data.y.row(r));
        }
      },
      family);
  return data;
}

}  // namespace probmix::test
