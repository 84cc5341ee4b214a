#include "probmix/train/step.hpp"

#include <algorithm>

#include "probmix/base/error.hpp"

namespace probmix {

namespace {

// The layers before and after the site.
template <class Real>
std::shared_ptr<Sequence<Real>> front_of(const Network<Real>& network, Site site) {
  if (site == Site::embedding) return network.encoder();
  auto front = std::make_shared<Sequence<Real>>(network.inputs());
  if (site == Site::response) {
    front->add(network.encoder());
    front->add(network.decoder());
  }
  return front;
}

template <class Real>
std::shared_ptr<Sequence<Real>> back_of(const Network<Real>& network, Site site) {
  if (site == Site::embedding) return network.decoder();
  if (site == Site::response) return std::make_shared<Sequence<Real>>(network.outputs());
  return front_of(network, Site::response);
}

}  // namespace

template <class Real>
Step<Real>::Part::Part(std::shared_ptr<Sequence<Real>> run, Index max_rows)
    : layers(std::move(run)),
      y_(to_size(layers->empty() ? 0 : max_rows * layers->outputs())),
      dy_(to_size(max_rows * layers->outputs())),
      keep_(to_size(layers->kept(max_rows))) {}

template <class Real>
View<const Real> Step<Real>::Part::forward(const Real* parameters, View<const Real> x) {
  x_ = x;
  if (layers->empty()) return x;
  const View<Real> y{y_.data(), x.rows, layers->outputs()};
  layers->forward(parameters, x, y, keep_.data());
  return y;
}

template <class Real>
void Step<Real>::Part::backward(const Real* parameters, Real* dx, Real* gradient) {
  const View<const Real> y{y_.data(), x_.rows, layers->outputs()};
  layers->backward(parameters, x_, y, keep_.data(), dy(), dx, gradient);
}

template <class Real>
Step<Real>::Step(const Network<Real>& network, const Family& family, const Method& method,
                 const MixOptions& options, Index max_batch)
    : site_(method.site),
      mixed_(method.site == Site::embedding ? method.embedding : Embedding::point),
      draws_(options.draws),
      max_batch_(max_batch),
      parameters_(network.parameters().size()),
      front_(front_of(network, site_), 2 * max_batch),
      back_(back_of(network, site_), max_batch * draws_),
      risk_(family, options.pooling, options.criterion, options.draws,
            max_batch * std::max<Index>(2, draws_)),
      x_(2 * max_batch, network.inputs()),
      u_(site_ == Site::response ? 0 : max_batch * draws_, back_.layers->inputs()),
      du_(u_.rows(), u_.cols()) {}

template <class Real>
double Step<Real>::operator()(const Real* parameters, const Matrix<Real>& x, const Draw<Real>& draw,
                              Real* gradient) {
  const auto rows = static_cast<Index>(draw.rows.size());
  check(draw.pairs <= max_batch_ && rows <= 2 * max_batch_ && x.cols() == x_.cols(),
        "a step of {} pairs and {} features was asked to take {} and {}", max_batch_, x_.cols(),
        draw.pairs, x.cols());
  for (Index r = 0; r < rows; ++r) std::copy_n(x.row(draw.rows[to_size(r)]), x.cols(), x_.row(r));
  if (gradient != nullptr) std::fill_n(gradient, parameters_, Real{0});
  const auto risk = [&](View<const Real> out, const Pairs& pairs, View<Real> dout) {
    return risk_(out, pairs, draw.pairs, draw.targets, draw.weight.data(),
                 gradient == nullptr ? nullptr : dout.data);
  };

  const View<const Real> v = front_.forward(parameters, x_.view().first(rows));
  if (site_ == Site::response) {
    const double loss = risk(v, {true, draw.partner.data(), draw.lambda.data()}, front_.dy());
    if (gradient != nullptr) front_.backward(parameters, nullptr, gradient);
    return loss;
  }

  const SiteDraw<Real> site{draw.pairs, draws_, draw.partner.data(), draw.site_lambda.data(),
                            draw.noise.data()};
  const View<Real> u = u_.view().first(draw.pairs * draws_);
  mix_forward(mixed_, site, v, u);
  const View<const Real> out = back_.forward(parameters, u);
  const double loss = risk(out, {}, back_.dy());
  if (gradient != nullptr) {
    const bool has_front = !front_.layers->empty();
    back_.backward(parameters, has_front ? du_.data() : nullptr, gradient);
    if (has_front) {
      mix_backward(mixed_, site, v, {du_.data(), u.rows, u.cols}, front_.dy());
      front_.backward(parameters, nullptr, gradient);
    }
  }
  return loss;
}

template class Step<float>;
template class Step<double>;

}  // namespace probmix
