// Prediction: the members of a row do not depend on the other rows of the call.
#include "probmix/train/predictor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "probmix/nn/architecture.hpp"
#include "support/cases.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

struct PredictCase {
  explicit PredictCase(Embedding embedding)
      : network(make_mlp<double>({.hidden = {6, 5}}, embedding, 3, make_family("gaussian"))),
        parameters(network.initial_parameters(1)) {
    Stream stream(1, Purpose::test);
    x = random_matrix(150, 3, stream);
  }

  Matrix<double> operator()(Index members, Index first = 0, Index rows = 150) const {
    Predictor<double> predict(network, members);
    Matrix<double> out(rows * predict.members(), 2);
    predict(parameters.data(), {x.row(first), rows, 3}, 7, first, out.view());
    return out;
  }

  Network<double> network;
  AlignedVector<double> parameters;
  Matrix<double> x;
};

TEST(Predictor, PointEmbeddingHasOneMember) {
  const PredictCase c(Embedding::point);
  EXPECT_EQ(c(100).rows(), 150);
}

TEST(Predictor, IsTheNetworkForAPointEmbedding) {
  const PredictCase c(Embedding::point);
  const Matrix<double> out = c(0);
  Sequence<double> whole(3);
  whole.add(c.network.encoder());
  whole.add(c.network.decoder());
  Matrix<double> expected(150, 2);
  std::vector<double> keep(static_cast<std::size_t>(150 * whole.kept()));
  std::vector<double> scratch(static_cast<std::size_t>(150 * whole.scratch()));
  whole.forward(c.parameters.data(), c.x.view(), expected.view(), {keep.data(), scratch.data()});
  for (Index k = 0; k < 300; ++k) {
    EXPECT_NEAR(out.data()[k], expected.data()[k], double_rounding);
  }
}

TEST(Predictor, RowsDoNotDependOnEachOther) {
  for (const Embedding embedding : {Embedding::gaussian, Embedding::gaussian_separate}) {
    const PredictCase c(embedding);
    const Matrix<double> all = c(5);
    const Matrix<double> some = c(5, 70, 30);
    for (Index k = 0; k < 30 * 5 * 2; ++k) {
      EXPECT_NEAR(some.data()[k], all.data()[70 * 5 * 2 + k], double_rounding);
    }
  }
}

TEST(Predictor, MembersAverageToTheMeanOfALinearDecoder) {
  // One hidden layer: the decoder is linear, so the mean over z is the output at the mean of z.
  const auto network = make_mlp<double>({.hidden = {6}, .embedding_layer = 1}, Embedding::gaussian,
                                        3, make_family("poisson"));
  const AlignedVector<double> parameters = network.initial_parameters(1);
  Stream stream(1, Purpose::test);
  const Matrix<double> x = random_matrix(1, 3, stream);
  constexpr Index members = 40'000;
  Predictor<double> draws(network, members);
  Predictor<double> mean(network, 0);
  Matrix<double> out(members, 1);
  Matrix<double> expected(1, 1);
  draws(parameters.data(), x.view(), 1, 0, out.view());
  mean(parameters.data(), x.view(), 1, 0, expected.view());
  double sum = 0;
  double squares = 0;
  for (Index s = 0; s < members; ++s) {
    sum += out(s, 0);
    squares += out(s, 0) * out(s, 0);
  }
  const double average = sum / members;
  const double deviation = std::sqrt(squares / members - average * average);
  EXPECT_GT(deviation, 0.1);
  // 5 standard errors: false failure 6e-7.
  EXPECT_NEAR(average, expected(0, 0), 5 * deviation / std::sqrt(static_cast<double>(members)));
}

struct MaskCase {
  MaskCase() {
    Stream stream(1, Purpose::test);
    x = random_matrix(20, 3, stream);
    std::copy_n(x.row(2), 3, x.row(17));
  }

  Matrix<double> operator()(Index members, Index first = 0, Index rows = 20,
                            std::uint64_t seed = 7) const {
    Predictor<double> predict(network, members, PredictorDraws::for_all_rows, true);
    Matrix<double> out(rows * predict.members(), network.outputs());
    predict(parameters.data(), {x.row(first), rows, 3}, seed, first, out.view());
    return out;
  }

  // Masks in encoder and decoder.
  Network<double> network =
      make_mlp<double>({.hidden = {8, 6, 5}, .embedding_layer = 2, .dropout = 0.3},
                       Embedding::point, 3, make_family("gaussian"));
  AlignedVector<double> parameters = network.initial_parameters(1);
  Matrix<double> x;
};

TEST(Predictor, DropoutMasksAreTheSameForAllRows) {
  const MaskCase c;
  constexpr Index members = 70, width = members * 2;  // more than a block
  const Matrix<double> all = c(members);
  const Matrix<double> some = c(members, 15, 5);
  const std::vector<double> row(all.row(2 * members), all.row(2 * members) + width);
  EXPECT_EQ(row, std::vector<double>(all.row(17 * members), all.row(17 * members) + width));
  EXPECT_EQ(row, std::vector<double>(some.row(2 * members), some.row(2 * members) + width));
  const Matrix<double> other = c(members, 0, 20, 8);
  EXPECT_NE(row, std::vector<double>(other.row(2 * members), other.row(2 * members) + width));
  EXPECT_GT(std::set<double>(row.begin(), row.end()).size(), to_size(members));
  EXPECT_NE(std::vector(row.begin(), row.begin() + 12), std::vector(row.end() - 12, row.end()));
}

TEST(Predictor, WithoutMasksDropoutIsOff) {
  MaskCase c;
  const Matrix<double> out = c(0);
  ASSERT_EQ(out.rows(), 20);
  Predictor<double> plain(c.network, 5);
  Matrix<double> expected(20, 2);
  plain(c.parameters.data(), c.x.view(), 1, 0, expected.view());
  for (Index k = 0; k < 40; ++k) EXPECT_EQ(out.data()[k], expected.data()[k]);
}

TEST(Predictor, MasksAverageToTheOutputOfALinearDecoder) {
  MaskCase c;
  c.network = make_mlp<double>({.hidden = {6}, .dropout = 0.4}, Embedding::point, 3,
                               make_family("poisson"));
  c.parameters = c.network.initial_parameters(1);
  constexpr Index members = 10'000;
  const Matrix<double> out = c(members, 0, 1), expected = c(0, 0, 1);
  double sum = 0, squares = 0;
  for (Index s = 0; s < members; ++s) {
    sum += out(s, 0);
    squares += out(s, 0) * out(s, 0);
  }
  const double average = sum / members;
  const double deviation = std::sqrt(squares / members - average * average);
  EXPECT_GT(deviation, 0.01);
  // 5 standard errors: false failure 6e-7.
  EXPECT_NEAR(average, expected(0, 0), 5 * deviation / std::sqrt(static_cast<double>(members)));
}

}  // namespace
}  // namespace probmix::test
