// The heart of the method for networks that live in Python: what a step draws, fused targets, the
// risk of outputs with its gradient, and fused embeddings with theirs.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <numeric>

#include "arrays.hpp"
#include "bindings.hpp"
#include "options.hpp"
#include "probmix/base/error.hpp"
#include "probmix/kernel/block_stream.hpp"
#include "probmix/mix/draw.hpp"
#include "probmix/mix/risk.hpp"
#include "probmix/mix/site.hpp"

namespace nb = nanobind;

namespace probmix::python {
namespace {

using Partners = Array1<std::int64_t>;

// Who is paired with whom, and with what weights.
struct Pairing {
  std::vector<Index> rows, partner;
  std::vector<double> lambda;
  Index draws = 1;  // K

  Index count() const { return std::ssize(partner); }
};

Pairing pairing_of(Index rows, const Partners& partner, const Array2<double>& lambda) {
  Pairing pairing{.rows = std::vector<Index>(to_size(rows)),
                  .partner = {partner.data(), partner.data() + partner.size()},
                  .lambda = {lambda.data(), lambda.data() + lambda.size()},
                  .draws = static_cast<Index>(lambda.shape(1))};
  std::iota(pairing.rows.begin(), pairing.rows.end(), Index{0});
  check_usage(pairing.count() == rows && static_cast<Index>(lambda.shape(0)) == rows,
              "{} rows need as many partners and λ, not {} and {}", rows, pairing.count(),
              lambda.shape(0));
  check_range("the draws of a pair", pairing.draws, 1, MixOptions::most_draws);
  for (const Index j : pairing.partner) check_range("a partner", j, 0, rows - 1);
  for (const double l : pairing.lambda) check_probability("λ", l);
  return pairing;
}

// The options of a mix from the names that the library's own options have.
FitOptions mix_options(const nb::dict& given) {
  FitOptions options = options_from(given);
  if (options.family.empty()) options.family = Gaussian::name;
  check_options(options.mix);
  return options;
}

Family family_of(const FitOptions& options, Index responses, Index outputs) {
  FamilyOptions family = options.family_options;
  family.responses = static_cast<int>(responses);
  if (options.family == Categorical::name) family.classes = static_cast<int>(outputs);
  return make_family(options.family, family);
}

void check_responses(const Family& family, View<const double> y) {
  std::visit(
      [&](const auto& f) {
        check_usage(y.cols == f.responses(), "the {} family has {} response columns, not {}",
                    f.name, f.responses(), y.cols);
        for (Index r = 0; r < y.rows; ++r) {
          check_usage(f.in_support(y.row(r)),
                      "row {}: {} is outside the support of the {} family: {}", r, y(r, 0), f.name,
                      f.support_text());
        }
      },
      family);
}

Targets fuse(const FitOptions& options, const Family& family, View<const double> y,
             const Pairing& pairing, std::uint64_t step) {
  check_usage(pairing.count() > 0, "there are no pairs");
  check_responses(family, y);
  const TargetFusion fusion(family, method_of(options), options.mix);
  const Index mixed = pairing.count() * pairing.draws;
  Targets targets(mixed, fusion.atoms(), fusion.responses());
  std::vector<double> uniform(to_size(mixed));
  std::vector<float> normal;
  if (fusion.needs_uniform()) {
    kernel::BlockStream stream(options.seed, Purpose::target, step, 1);
    for (double& u : uniform) u = stream.uniform();
  }
  if (fusion.needs_normal()) {
    normal.resize(to_size(mixed * fusion.responses()));
    kernel::fill_normal(options.seed, static_cast<std::uint32_t>(Purpose::target), step,
                        normal.data(), std::ssize(normal));
  }
  fusion({pairing.count(), pairing.draws, y, pairing.rows.data(), pairing.partner.data(),
          pairing.lambda.data()},
         {uniform.data(), normal.data()}, targets);
  return targets;
}

nb::tuple fuse_targets(const Array2<double>& y, const Partners& partner,
                       const Array2<double>& lambda, const nb::dict& given, Index outputs,
                       std::uint64_t step) {
  const FitOptions options = mix_options(given);
  const View<const double> responses = view_of(y);
  const Family family = family_of(options, responses.cols, outputs);
  Targets targets =
      fuse(options, family, responses, pairing_of(responses.rows, partner, lambda), step);
  return nb::make_tuple(to_numpy(std::move(targets.y)), to_numpy(std::move(targets.weight)));
}

// Without pairs: of the rows as they are, whose targets are y.
Targets plain_targets(View<const double> y) {
  Targets targets(y.rows, 1, y.cols);
  std::copy_n(y.data, y.size(), targets.y.data());
  std::fill_n(targets.weight.data(), y.rows, 1.0);
  return targets;
}

template <class Real>
nb::tuple risk(const Array2<Real>& outputs, const Array2<double>& y,
               const std::optional<Partners>& partner, const std::optional<Array2<double>>& lambda,
               const std::optional<Array1<double>>& weight, bool fused, const nb::dict& given,
               std::uint64_t step) {
  const FitOptions options = mix_options(given);
  const View<const Real> out = view_of(outputs);
  const View<const double> responses = view_of(y);
  const Family family = family_of(options, responses.cols, out.cols);
  const Index wanted = std::visit([](const auto& f) { return Index{f.outputs()}; }, family);
  check_usage(out.cols == wanted, "the {} family needs {} outputs, not {}", family_name(family),
              wanted, out.cols);
  const Index rows = responses.rows;
  check_usage(rows > 0, "there are no rows");
  Pairing pairing;
  Targets targets;
  if (partner) {
    pairing = pairing_of(rows, *partner, *lambda);
    targets = fuse(options, family, responses, pairing, step);
  } else {
    check_responses(family, responses);
    targets = plain_targets(responses);
  }
  const Index needed = fused || !partner ? rows : rows * pairing.draws;
  check_usage(out.rows == needed, "{} rows of responses need {} rows of outputs, not {}", rows,
              needed, out.rows);
  if (weight) {
    check_usage(static_cast<Index>(weight->size()) == rows, "{} rows need as many weights, not {}",
                rows, weight->size());
    for (std::size_t r = 0; r < weight->size(); ++r) {
      check_non_negative("a weight", weight->data()[r]);
    }
  }
  const Pairs pairs{.count = rows,
                    .total = rows,
                    .weight = weight ? weight->data() : nullptr,
                    .fused = fused && partner,
                    .partner = pairing.partner.data(),
                    .lambda = pairing.lambda.data()};
  const Risk risk(family, options.mix.pooling, options.mix.criterion,
                  static_cast<int>(pairing.draws));
  Matrix<Real> gradient(out.rows, out.cols);
  double loss = 0;
  {
    const nb::gil_scoped_release unlocked;
    Risk::Scratch scratch(risk, out.rows);
    loss = risk(out, pairs, targets, gradient.data(), scratch);
  }
  return nb::make_tuple(loss, to_numpy(std::move(gradient)));
}

// (partner, λ) of a step, as training draws them on a complete graph.
nb::tuple draw(Index rows, Index draws, const nb::dict& given, std::uint64_t step) {
  FitOptions options = mix_options(given);
  options.mix.draws = static_cast<int>(draws);
  check_options(options.mix);
  check_range("the number of rows", rows, 1, 1LL << 31);
  const Graph graph = Graph::complete(rows);
  const Matrix<double> y(rows, 1);
  Drawer<double> drawer(find_method("probmix"), options.mix, make_family("gaussian"), graph, y, rows,
                        options.seed);
  std::vector<Index> batch(to_size(rows));
  std::iota(batch.begin(), batch.end(), Index{0});
  const Draw<double>& drawn = drawer(step, batch);
  return nb::make_tuple(to_numpy(std::vector<Index>(drawn.partner), {rows}),
                        to_numpy(std::vector<double>(drawn.lambda), {rows, draws}));
}

// λ where embeddings are mixed, 0 or 1 for linear pooling, and the noise of the draws.
nb::tuple draw_embedding(const Array2<double>& lambda, bool picks, Index width, std::uint64_t seed,
                         std::uint64_t step) {
  const Index mixed = static_cast<Index>(lambda.size());
  std::vector<double> site(lambda.data(), lambda.data() + mixed);
  if (picks) {
    kernel::BlockStream stream(seed, Purpose::component, step);
    for (double& l : site) l = stream.uniform() < l ? 1 : 0;
  }
  check_range("the width of an embedding", width, 1, 1 << 20);
  Matrix<float> noise(mixed, width);
  Noise<float>(seed, step).fill(0, mixed * width, noise.data());
  return nb::make_tuple(
      to_numpy(std::move(site),
               {static_cast<Index>(lambda.shape(0)), static_cast<Index>(lambda.shape(1))}),
      to_numpy(std::move(noise)));
}

// A random embedding: rows of [mean, log-variance].
struct Embeddings {
  Pairing pairing;
  std::vector<float> lambda;
  View<const float> v;

  Embeddings(const Array2<float>& values, const Partners& partner, const Array2<double>& given)
      : pairing(pairing_of(static_cast<Index>(values.shape(0)), partner, given)),
        lambda(pairing.lambda.begin(), pairing.lambda.end()),
        v(view_of(values)) {
    check_usage(v.cols > 0 && v.cols % 2 == 0,
                "an embedding is a row of means and as many log-variances, not {} numbers", v.cols);
  }
  Index width() const { return v.cols / 2; }
  Index mixed() const { return pairing.count() * pairing.draws; }
  SiteDraw<float> draw(const float* noise) const {
    return {.pairs = {0, pairing.count()},
            .draws = pairing.draws,
            .partner = pairing.partner.data(),
            .lambda = lambda.data(),
            .noise = noise};
  }
};

nb::tuple fuse_embeddings(const Array2<float>& values, const Partners& partner,
                          const Array2<double>& lambda, const Array2<float>& noise) {
  const Embeddings at(values, partner, lambda);
  const View<const float> normals = view_of(noise);
  check_usage(normals.rows == at.mixed() && normals.cols == at.width(),
              "noise of shape {} x {} does not fit {} draws of width {}", normals.rows,
              normals.cols, at.mixed(), at.width());
  Matrix<float> z(at.mixed(), at.width()), weight(at.mixed(), at.width()),
      spread(at.mixed(), at.width());
  mix_forward(Embedding::gaussian, at.draw(normals.data), at.v, z.view(),
              SiteKept<float>{weight.data(), spread.data()});
  return nb::make_tuple(to_numpy(std::move(z)), to_numpy(std::move(weight)),
                        to_numpy(std::move(spread)));
}

nb::object fuse_embeddings_backward(const Array2<float>& values, const Partners& partner,
                                    const Array2<double>& lambda, const Array2<float>& weight,
                                    const Array2<float>& spread, const Array2<float>& dz) {
  const Embeddings at(values, partner, lambda);
  for (const Array2<float>* const kept : {&weight, &spread, &dz}) {
    const View<const float> view = view_of(*kept);
    check_usage(view.rows == at.mixed() && view.cols == at.width(),
                "an array of {} x {} does not fit {} draws of width {}", view.rows, view.cols,
                at.mixed(), at.width());
  }
  Matrix<float> own(at.v.rows, at.v.cols), other(at.v.rows, at.v.cols);
  // Only read here, though a SiteKept could write them.
  const SiteKept<float> kept{const_cast<float*>(weight.data()), const_cast<float*>(spread.data())};
  mix_backward(Embedding::gaussian, at.draw(nullptr), at.v, kept, view_of(dz), own.view(),
               other.view());
  for (Index r = 0; r < at.v.rows; ++r) {
    const Index j = at.pairing.partner[to_size(r)];
    for (Index c = 0; c < at.v.cols; ++c) own(j, c) += other(r, c);
  }
  return to_numpy(std::move(own));
}

}  // namespace

void bind_mix(nb::module_& m) {
  m.def("draw", draw);
  m.def("draw_embedding", draw_embedding);
  m.def("fuse_targets", fuse_targets);
  m.def("risk", risk<float>, nb::arg().noconvert(), nb::arg(), nb::arg().none(), nb::arg().none(),
        nb::arg().none(), nb::arg(), nb::arg(), nb::arg());
  m.def("risk", risk<double>, nb::arg().noconvert(), nb::arg(), nb::arg().none(), nb::arg().none(),
        nb::arg().none(), nb::arg(), nb::arg(), nb::arg());
  m.def("fuse_embeddings", fuse_embeddings);
  m.def("fuse_embeddings_backward", fuse_embeddings_backward);
  m.def("outputs", [](const nb::dict& given, Index responses, Index classes) {
    const Family family = family_of(mix_options(given), responses, classes);
    return std::visit([](const auto& f) { return Index{f.outputs()}; }, family);
  });
}

}  // namespace probmix::python
