// Scores of predictions against NumPy and SciPy (golden/make_evaluation_golden.py).
#include "probmix/model/evaluation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "probmix/metric/crps.hpp"
#include "probmix/model/predictive.hpp"
#include "support/golden.hpp"
#include "support/message.hpp"

namespace probmix::test {
namespace {

using Numbers = std::vector<double>;

template <class Real>
Matrix<Real> matrix_of(const std::vector<Numbers>& rows) {
  Matrix<Real> values(std::ssize(rows), std::ssize(rows.front()));
  for (Index r = 0; r < values.rows(); ++r) {
    std::ranges::transform(rows[to_size(r)], values.row(r),
                           [](double value) { return static_cast<Real>(value); });
  }
  return values;
}

struct Judged {
  Target target;
  Index members;
  Matrix<float> out;
  Matrix<double> y;

  explicit Judged(const nlohmann::json& entry)
      : members(entry.at("members")),
        out(matrix_of<float>(entry.at("out").get<std::vector<Numbers>>())),
        y(matrix_of<double>(entry.at("y").get<std::vector<Numbers>>())) {
    const nlohmann::json& given = entry.at("options");
    target.family = entry.at("family");
    target.options = {
        .responses = given.at("responses"),
        .classes = given.at("classes"),
        .positive = {golden_choice<Positive::Kind>(given, "positive", Positive::kind_names),
                     given.at("floor")}};
    target.shift = entry.at("shift").get<Numbers>();
    target.scale = entry.at("scale").get<Numbers>();
    for (std::size_t k = 0; k < target.shift.size(); ++k)
      target.names.push_back(fmt::format("y{}", k));
    if (has_classes(target.make())) {
      for (int c = 0; c < target.options.classes; ++c)
        target.classes.push_back(fmt::format("{}", c));
    }
  }

  // In blocks of 5 rows.
  Evaluation evaluate(Index threads) const {
    Evaluator evaluator(target, members, threads);
    constexpr Index block = 5;
    for (Index first = 0; first < y.rows(); first += block) {
      const Index rows = std::min(block, y.rows() - first);
      evaluator.add({out.row(first * members), rows * members, out.cols()},
                    {y.row(first), rows, y.cols()});
    }
    return evaluator.result();
  }
};

// SciPy's inverses and integrals are accurate to about 1e-9.
void expect_close(double actual, double expected) {
  EXPECT_NEAR(actual, expected, 1e-8 * std::max(1.0, std::abs(expected)));
}

// All twelve rows are in the picture: the scores follow from them.
void expect_same_rows(const Evaluation::TargetScores& scores) {
  ASSERT_EQ(scores.some.size(), 12U);
  double squares = 0, covered = 0, width = 0;
  for (const Evaluation::Judged& row : scores.some) {
    squares += (row.observed - row.mean) * (row.observed - row.mean) / 12;
    covered += row.low <= row.observed && row.observed <= row.high ? 1.0 / 12 : 0;
    width += (row.high - row.low) / 12;
  }
  EXPECT_NEAR(std::sqrt(squares), scores.rmse, 1e-9 * scores.rmse);
  EXPECT_NEAR(covered, scores.coverage[2], 1e-12);
  EXPECT_NEAR(width, scores.width[2], 1e-9 * width);
}

TEST(Evaluation, OfNumbersAgreesWithSciPy) {
  int n = 0;
  const nlohmann::json document = read_golden("evaluation_golden.json");
  for (const nlohmann::json& entry : document.at("numbers")) {
    SCOPED_TRACE(fmt::format("entry {}, {}", n++, entry.at("family").get<std::string>()));
    const Evaluation found = Judged(entry).evaluate(2);
    EXPECT_EQ(found.rows, 12);
    expect_close(found.nll, entry.at("nll"));
    ASSERT_EQ(found.columns.size(), entry.at("columns").size());
    for (std::size_t k = 0; k < found.columns.size(); ++k) {
      const nlohmann::json& expected = entry.at("columns").at(k);
      expect_close(found.columns[k].rmse, expected.at("rmse"));
      expect_close(found.columns[k].mae, expected.at("mae"));
      expect_close(found.columns[k].crps, expected.at("crps"));
      for (std::size_t l = 0; l < Evaluation::levels.size(); ++l) {
        expect_close(found.columns[k].coverage[l], expected.at("coverage").at(l));
        expect_close(found.columns[k].width[l], expected.at("width").at(l));
      }
      expect_same_rows(found.columns[k]);
    }
  }
  EXPECT_EQ(n, 9);
}

TEST(Evaluation, OfClassesAgreesWithNumPy) {
  int n = 0;
  const nlohmann::json document = read_golden("evaluation_golden.json");
  for (const nlohmann::json& entry : document.at("classes")) {
    SCOPED_TRACE(fmt::format("entry {}, {}", n++, entry.at("family").get<std::string>()));
    const Evaluation found = Judged(entry).evaluate(1);
    expect_close(found.nll, entry.at("nll"));
    expect_close(found.brier, entry.at("brier"));
    expect_close(found.classes.accuracy, entry.at("accuracy"));
    const std::size_t classes = static_cast<std::size_t>(std::sqrt(found.confusion.size()));
    Index right = 0, all = 0;
    for (std::size_t k = 0; k < found.confusion.size(); ++k) {
      all += found.confusion[k];
      right += k % (classes + 1) == 0 ? found.confusion[k] : 0;
    }
    EXPECT_EQ(all, found.rows);
    expect_close(static_cast<double>(right) / static_cast<double>(all), entry.at("accuracy"));
  }
  EXPECT_EQ(n, 4);
}

// Blocks and threads change nothing: to the last bit for threads, to rounding for blocks.
TEST(Evaluation, DoesNotDependOnThreadsOrBlocks) {
  const nlohmann::json document = read_golden("evaluation_golden.json");
  const Judged judged(document.at("numbers").at(2));
  const Evaluation one = judged.evaluate(1);
  const Evaluation two = judged.evaluate(2);
  EXPECT_EQ(to_json(one, judged.target), to_json(two, judged.target));
  Evaluator whole(judged.target, judged.members);
  whole.add(judged.out.view(), judged.y.view());
  const Evaluation all = whole.result();
  for (std::size_t b = 0; b < PitHistogram::bins; ++b) {
    EXPECT_NEAR(all.columns[1].pit.share[b], one.columns[1].pit.share[b], 1e-12);
  }
  EXPECT_NEAR(all.nll, one.nll, 1e-12 * std::abs(all.nll));
}

TEST(Evaluation, NoRowsAreAnError) {
  const Target target{.names = {"y"}, .shift = {0}, .scale = {1}};
  EXPECT_EQ(message_of<Error>([&] { Evaluator(target, 1).result(); }),
            "there are no rows with a target to evaluate on");
}

// A point prediction's CRPS is its absolute error. For a Poisson rate of 1e14, where the sum over
// counts takes strides, it is that of the normal law which approximates it.
TEST(Crps, OfVeryNarrowAndVeryLargeLaws) {
  const Gaussian gaussian{.d = 1, .positive = {Positive::Kind::exp, 1e-12}};
  Matrix<double> narrow(1, 2);
  narrow(0, 0) = 3;
  narrow(0, 1) = -40;  // σ = 1e-6
  EXPECT_NEAR(crps(Mixture(gaussian, View<const double>(narrow.view())), 0, 5), 2, 1e-5);
  Matrix<double> rate(1, 1);
  rate(0, 0) = std::log(1e14);
  const Mixture counts(Poisson{}, View<const double>(rate.view()));
  const double deviation = 1e7;
  const double expected = deviation * (std::sqrt(2 / M_PI) - std::sqrt(1 / M_PI));
  EXPECT_NEAR(crps(counts, 0, std::exp(rate(0, 0))), expected, 1e-3 * expected);
}

}  // namespace
}  // namespace probmix::test
