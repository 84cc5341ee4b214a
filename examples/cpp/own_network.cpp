// ProbMix for a network of one's own: here the smallest, two straight lines for the mean and the
// log-variance of a Gaussian, trained by gradient descent.
#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <probmix/probmix.hpp>

using namespace probmix;

int main() {
  constexpr Index rows = 200;
  Matrix<double> x(rows, 1), y(rows, 1);
  Stream stream(1, Purpose::data);
  for (Index r = 0; r < rows; ++r) {
    x(r, 0) = stream.normal();
    y(r, 0) = 1 + 2 * x(r, 0) + 0.3 * stream.normal();
  }

  const Family family = make_family("gaussian");
  const Method& method = find_method("probmix");
  const MixOptions mix{.alpha = 0.1};
  const Graph graph = Graph::complete(rows);
  Drawer<double> drawer(method, mix, family, graph, y, rows, /*seed=*/1);
  const Risk risk(family, mix.pooling, mix.criterion, mix.draws);
  Risk::Scratch scratch(risk, rows);

  std::vector<Index> batch(rows);  // all rows
  std::iota(batch.begin(), batch.end(), Index{0});
  double weight[4] = {};  // mean = w0 + w1 x, log-variance = w2 + w3 x
  Matrix<double> out(rows, 2), dout(rows, 2);
  double loss = 0;
  for (std::uint64_t step = 0; step < 2000; ++step) {
    const Draw<double>& draw = drawer(step, batch);
    for (Index r = 0; r < rows; ++r) {
      const double at = x(draw.rows[to_size(r)], 0);
      out(r, 0) = weight[0] + weight[1] * at;
      out(r, 1) = weight[2] + weight[3] * at;
    }
    const Pairs pairs{.count = draw.pairs,
                      .total = draw.pairs,
                      .weight = draw.weight.data(),
                      .fused = true,
                      .partner = draw.partner.data(),
                      .lambda = draw.lambda.data()};
    loss = risk(View<const double>(out.view()), pairs, draw.targets, dout.data(), scratch);
    for (Index r = 0; r < rows; ++r) {
      const double at = x(draw.rows[to_size(r)], 0);
      for (Index k = 0; k < 2; ++k) {
        weight[2 * k] -= 0.05 * dout(r, k);
        weight[2 * k + 1] -= 0.05 * dout(r, k) * at;
      }
    }
  }
  fmt::print("mean {:.2f} + {:.2f} x, deviation {:.2f} at 0, loss {:.2f}\n", weight[0], weight[1],
             std::exp(weight[2] / 2), loss);
}
