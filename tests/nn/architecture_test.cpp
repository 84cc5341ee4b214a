// Networks by name: their shapes, and what is refused.
#include "probmix/nn/architecture.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

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
  const auto network =
      make_network<float>({.mlp = {.hidden = {7}}}, Embedding::point, 5, 3, gaussian);
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
  for (const double bias : {100.5, -101.0, 1e300, std::nan("")}) {
    refused({.kind = lstm, .lstm = {.forget_bias = bias}});
  }
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

// Refused before anything is computed from them or allocated.
TEST(Architecture, RefusesRowsThatAreNone) {
  constexpr Index huge = std::numeric_limits<Index>::max();
  constexpr Index most = 1 << 24;
  for (const ArchitectureKind kind :
       {ArchitectureKind::mlp, ArchitectureKind::lstm, ArchitectureKind::transformer}) {
    const auto refused = [&](Index steps, Index channels) {
      EXPECT_THROW(make_network<float>({.kind = kind}, Embedding::point, steps, channels, gaussian),
                   UsageError)
          << steps << ' ' << channels;
    };
    for (const Index wrong : {Index{0}, Index{-1}, -huge, huge, most + 1}) {
      refused(wrong, 3);
      refused(5, wrong);
      refused(wrong, wrong);
    }
    refused(most, 2);
  }
}

TEST(Architecture, RefusesATransformerThatNoMemoryHolds) {
  const auto refused = [](const TransformerOptions& options, Index steps) {
    EXPECT_THROW(
        make_network<float>({.kind = ArchitectureKind::transformer, .transformer = options},
                            Embedding::point, steps, 1, gaussian),
        UsageError);
    EXPECT_THROW(TransformerEncoder<float>(options, steps), UsageError);
  };
  refused({.width = 65536}, 1025);  // positions
  refused({.feedforward = 65536}, 1025);
  refused({.width = 64, .heads = 64}, 1025);  // weights of attention
  refused({.width = 1, .heads = 1}, 1 << 20);
  EXPECT_NO_THROW(TransformerEncoder<float>({.width = 64, .heads = 64}, 1024));
}

}  // namespace
}  // namespace probmix::test
