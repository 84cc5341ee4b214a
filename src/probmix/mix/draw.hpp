// Everything random in one training step: pairs (i, j) of the graph, λ, fused targets, noise of the
// embeddings. The rest of the step is deterministic.
//
// A draw is a pure function of (seed, step, batch): counter-based numbers, nothing carried over.
// The numbers of a stream go to the positions of the batch in order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "probmix/base/matrix.hpp"
#include "probmix/base/random.hpp"
#include "probmix/graph/graph.hpp"
#include "probmix/mix/lambda_law.hpp"
#include "probmix/mix/method.hpp"
#include "probmix/mix/noise.hpp"
#include "probmix/mix/options.hpp"
#include "probmix/mix/targets.hpp"
#include "probmix/nn/layer.hpp"

namespace probmix {

template <class Real>
struct Draw {
  Index pairs = 0;             // B
  std::vector<Index> rows;     // rows of the data in play: the B of the batch, then other partners
  std::vector<Index> partner;  // [B] position in `rows`; the pair b is (rows[b], rows[partner[b]])
  std::vector<double> weight;  // [B] weight of the pair, 1 on average over all rows
  std::vector<double> lambda;  // [B K] pair by pair
  std::vector<Real> site_lambda;  // [B K] λ where values are mixed: 0 or 1 for linear pooling
  Noise<Real> noise;              // [B K d_z] of random embeddings
  Randomness random;              // of layers that are random in training
  Targets targets;                // [B K]
};

template <class Real>
class Drawer {
 public:
  // The graph, y and the weights of rows (empty: all 1) must outlive the drawer.
  Drawer(const Method& method, const MixOptions& options, const Family& family, const Graph& graph,
         const Matrix<double>& y, Index max_batch, std::uint64_t seed,
         std::span<const double> row_weight = {});

  // The draw of training step number `step` for the rows of a batch; valid until the next call.
  const Draw<Real>& operator()(std::uint64_t step, std::span<const Index> batch);

 private:
  void draw_pairs(std::uint64_t step, std::span<const Index> batch);
  void draw_partners(std::uint64_t step, std::span<const Index> batch);
  void draw_lambda(std::uint64_t step);
  void draw_targets(std::uint64_t step);
  void weigh_rows();
  void fill_uniform(Purpose purpose, std::uint64_t step, std::uint32_t minor, double* out,
                    Index n) const;
  // Values are mixed where the embedding is random and pooling linear: a draw picks one of the two.
  bool picks_component() const {
    return method_.embedding != Embedding::point && options_.pooling == Pooling::linear;
  }

  // The draws of a pair have one λ and one target, and differ in z alone.
  bool shares_targets() const { return options_.draws_of == DrawsOf::embedding; }

  Method method_;
  MixOptions options_;
  LambdaLaw law_;
  TargetFusion fusion_;
  const Graph& graph_;
  const Matrix<double>& y_;
  Index max_batch_;
  std::uint64_t seed_;
  std::span<const double> row_weight_;
  std::vector<Index> position_;  // of a row of the data in draw_.rows, or -1
  std::vector<double> uniform_;  // [B K] of what is being drawn
  std::vector<float> normal_;    // [B K responses], if any: the noise of targets
  Draw<Real> draw_;
};

extern template class Drawer<float>;
extern template class Drawer<double>;

}  // namespace probmix
