// Lstm against torch.nn.LSTM, one layer and two: tests/golden/make_lstm_golden.py.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "nn/lstm_support.hpp"
#include "support/golden.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

using nlohmann::json;

Matrix<double> golden_matrix(const json& list, Index rows) {
  const auto values = list.get<std::vector<double>>();
  Matrix<double> matrix(rows, std::ssize(values) / rows);
  std::ranges::copy(values, matrix.data());
  return matrix;
}

template <class Real>
void expect_golden(double tolerance) {
  const json document = read_golden("lstm_golden.json");
  ASSERT_EQ(document.at("cases").size(), 2U);
  for (const json& entry : document.at("cases")) {
    SCOPED_TRACE(sorted_json_text(entry.at("layers")) + " layers");
    const auto layer = stacked<Real>(entry.at("layers"), entry.at("channels"), entry.at("hidden"),
                                     entry.at("steps"));
    const Index rows = entry.at("rows");
    Passes<Real> run(*layer, entry.at("parameters").get<std::vector<double>>(),
                     golden_matrix(entry.at("x"), rows));
    run.backward(golden_matrix(entry.at("c"), rows));
    const auto expect = [&](const char* key, const Real* actual, Index n) {
      SCOPED_TRACE(key);
      const auto expected = entry.at(key).get<std::vector<double>>();
      ASSERT_EQ(std::ssize(expected), n);
      expect_near(actual, expected.data(), n, tolerance);
    };
    expect("y", run.y.data(), run.y.view().size());
    expect("gradient", run.gradient.data(), std::ssize(run.gradient));
    expect("dx", run.dx.data(), run.dx.view().size());
  }
}

TEST(LstmGolden, EqualsTorch) { expect_golden<double>(double_rounding); }
TEST(LstmGolden, EqualsTorchInFloat) { expect_golden<float>(float_rounding); }

}  // namespace
}  // namespace probmix::test
