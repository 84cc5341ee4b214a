// The choices a mix can make, beyond the method. Defaults are the paper's, where it states them.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace probmix {

// g_λ: the density proportional to p_i^λ p_j^(1−λ), or λ p_i + (1−λ) p_j.
enum class Pooling { log_linear, linear };
inline constexpr std::array<std::string_view, 2> pooling_names = {"log-linear", "linear"};

// Over K draws: the mean of the log-likelihoods, or the log of the mean likelihood (appendix B).
enum class Criterion { mean_log, log_mean };
inline constexpr std::array<std::string_view, 2> criterion_names = {"mean-log", "log-mean"};

// What the K draws of a pair differ in: λ, target and embedding, or the embedding alone. With
// log-mean the latter is the likelihood of one fused target under E_q[p(y|z)], as in prediction.
enum class DrawsOf { all, embedding };
inline constexpr std::array<std::string_view, 2> draws_of_names = {"all", "embedding"};

// The expectation over the fused target ỹ: one draw, or taken exactly.
enum class Expectation { sampled, exact };
inline constexpr std::array<std::string_view, 2> expectation_names = {"sampled", "exact"};

// One λ for all pairs of a step, or one for each pair.
enum class LambdaPer { step, pair };
inline constexpr std::array<std::string_view, 2> lambda_per_names = {"step", "pair"};

// Partners on the complete graph: a permutation of the batch, or drawn with replacement from all
// rows. (Other graphs always draw with replacement from the neighbours of a row.)
enum class Pairing { permutation, replacement };
inline constexpr std::array<std::string_view, 2> pairing_names = {"permutation", "replacement"};

struct MixOptions {
  static constexpr int most_draws = 1 << 16, most_neighbours = 1 << 20;

  double alpha = 0.1;  // λ ~ Beta(α, α)
  double beta = 0;     // width of the response kernel
  Pooling pooling = Pooling::log_linear;
  // Fusion of the targets. By default as the densities, but with β = 0 classes take the soft labels
  // λ δ_i + (1−λ) δ_j of Assumption 2, as log-linear fusion would leave only the majority label.
  std::optional<Pooling> target_pooling = std::nullopt;
  // By default classes take the exact expectation and all others one draw.
  std::optional<Expectation> expectation = std::nullopt;
  Criterion criterion = Criterion::mean_log;
  int draws = 1;  // K draws for a pair
  DrawsOf draws_of = DrawsOf::all;
  LambdaPer lambda_per = LambdaPer::step;
  Pairing pairing = Pairing::permutation;
  int neighbours = 5;           // K of the Loc variants
  bool propagate_mean = false;  // z = mean of q instead of a draw
};

// Throws a UsageError that names the option, its value and what is accepted.
void check_options(const MixOptions& options);

}  // namespace probmix
