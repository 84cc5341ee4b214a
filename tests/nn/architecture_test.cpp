// Networks by name: their shapes, and what is refused.
#include "probmix/nn/architecture.hpp"

#include <gtest/gtest.h>

#include "probmix/base/error.hpp"

namespace probmix::test {
namespace {

const Family gaussian = make_family("gaussian");

TEST(Architecture, SequencesAreFlattenedAndCompressedToTheEmbedding) {
  for (const ArchitectureKind kind : {ArchitectureKind::lstm, ArchitectureKind::transformer}) {
    const auto with = [&](Embedding embedding) {
      return make_network<float>({.kind = kind}, embedding, 42, 4, gaussian);
    };
    const auto point = with(Embedding::point);
    EXPECT_EQ(point.inputs(), 168);
    EXPECT_EQ(point.embedding_width(), 64);
    EXPECT_EQ(point.encoder()->outputs(), 64);
    EXPECT_EQ(point.outputs(), 2);
    EXPECT_EQ(point.encoder()->steps(), 42);
    EXPECT_EQ(with(Embedding::gaussian).encoder()->outputs(), 128);
    EXPECT_EQ(with(Embedding::gaussian_separate).embedding_width(), 32);
    EXPECT_EQ(with(Embedding::gaussian_separate).encoder()->steps(), 42);
  }
}

TEST(Architecture, HasTheParametersOneCounts) {
  const Index head = 42 * 64 * 64 + 64 + 64 * 64 + 64 + 64 * 2 + 2;
  const auto lstm =
      make_network<float>({.kind = ArchitectureKind::lstm}, Embedding::point, 42, 4, gaussian);
  EXPECT_EQ(lstm.parameters().size(), 4 * 64 * (4 + 64 + 1) + head);
  const auto transformer = make_network<float>({.kind = ArchitectureKind::transformer},
                                               Embedding::point, 42, 4, gaussian);
  const Index attention = 4 * 64 * (64 + 1);
  const Index feedforward = 2 * 64 * (64 + 1);
  const Index norm = 2 * 64;
  EXPECT_EQ(transformer.parameters().size(),
            64 * (4 + 1) + 2 * (attention + feedforward + 2 * norm) + norm +
                2 * (2 * attention + feedforward + 3 * norm) + norm + head);
}

TEST(Architecture, AnMlpTakesASequenceAsItIs) {
  const auto network = make_network<float>({.mlp = {.hidden = {7}}}, Embedding::point, 5, 3,
                                           gaussian);
  EXPECT_EQ(network.inputs(), 15);
  EXPECT_EQ(network.parameters().size(), 16 * 7 + 8 * 2);
}

TEST(Architecture, RefusesWrongOptions) {
  const auto refused = [](const Architecture& architecture) {
    EXPECT_THROW(make_network<float>(architecture, Embedding::point, 5, 3, gaussian), UsageError);
  };
  const auto lstm = ArchitectureKind::lstm;
  refused({.kind = lstm, .lstm = {.layers = 0}});
  refused({.kind = lstm, .lstm = {.hidden = 0}});
  refused({.kind = lstm, .lstm = {.dropout = 1}});
  refused({.kind = lstm, .lstm = {.forget_bias = std::numeric_limits<double>::infinity()}});
  refused({.kind = lstm, .head = {.embedding = 0}});
  refused({.kind = lstm, .head = {.hidden = {3, 0}}});
  const auto transformer = ArchitectureKind::transformer;
  refused({.kind = transformer, .transformer = {.width = 64, .heads = 3}});
  refused({.kind = transformer, .transformer = {.heads = 0}});
  refused({.kind = transformer, .transformer = {.encoder_layers = 0}});
  refused({.kind = transformer, .transformer = {.decoder_layers = -1}});
  refused({.kind = transformer, .transformer = {.feedforward = 0}});
  refused({.kind = transformer, .transformer = {.dropout = 1.5}});
}

}  // namespace
}  // namespace probmix::test
