// A density that a program brings along, without touching the library: a struct that satisfies
// `Density`, wrapped into a shared object and handed in through FamilyOptions.
//
//   FitOptions options{.targets = {"y"}, .family = "laplace"};
//   options.family_options.custom = custom_density(Laplace{});
//
// It is trained, predicts and is judged as the library's own, one virtual call for each function of
// a row. Having no natural parameters that the library could see, it is not pooled log-linearly,
// even if it is an exponential family.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "probmix/base/matrix.hpp"
#include "probmix/family/closed_crps.hpp"
#include "probmix/family/density.hpp"
#include "probmix/family/exponential.hpp"

namespace probmix {

// The functions of density.hpp behind one pointer.
class AnyDensity {
 public:
  virtual ~AnyDensity() = default;

  virtual std::string_view name() const = 0;
  virtual bool discrete() const = 0;
  virtual std::shared_ptr<const AnyDensity> make(const FamilyOptions& options) const = 0;
  virtual std::string support_text() const = 0;
  virtual int outputs() const = 0;
  virtual int free_outputs() const = 0;
  virtual int parameters() const = 0;
  virtual int responses() const = 0;
  virtual int classes() const = 0;
  virtual int moments() const = 0;

  virtual bool in_support(const double* y) const = 0;
  virtual void link(const double* out, double* phi) const = 0;
  virtual void link_backward(const double* out, const double* dphi, double* dout) const = 0;
  virtual double log_density(const double* phi, const double* y) const = 0;
  virtual void add_gradient(double weight, const double* phi, const double* y,
                            double* dphi) const = 0;
  virtual void sample(const double* phi, Stream& stream, double* y) const = 0;
  virtual void mean(const double* phi, double* m) const = 0;
  virtual void variance(const double* phi, double* v) const = 0;
  virtual double cdf(const double* phi, int column, double y) const = 0;
  virtual double quantile(const double* phi, int column, double u) const = 0;

  virtual double log_marginal(const double* phi, int column, double y) const = 0;
  virtual std::optional<double> closed_crps(View<const double> phi, std::span<const double> weights,
                                            int column, double y) const = 0;
  virtual double kernel_coordinate(double y) const = 0;
  virtual double from_kernel_coordinate(double v) const = 0;
  virtual Scaling scaling(const Spread& spread) const = 0;
  virtual bool responses_are_intervals() const = 0;
};

template <Density F>
class DensityAdapter final : public AnyDensity {
 public:
  explicit DensityAdapter(F f) : f_(std::move(f)) {}

  std::string_view name() const override { return f_.name; }
  bool discrete() const override { return f_.discrete; }
  std::shared_ptr<const AnyDensity> make(const FamilyOptions& options) const override {
    return std::make_shared<DensityAdapter>(f_.make(options));
  }
  std::string support_text() const override { return f_.support_text(); }
  int outputs() const override { return f_.outputs(); }
  int free_outputs() const override { return f_.free_outputs(); }
  int parameters() const override { return f_.parameters(); }
  int responses() const override { return f_.responses(); }
  int classes() const override { return f_.classes(); }
  int moments() const override { return f_.moments(); }

  bool in_support(const double* y) const override { return f_.in_support(y); }
  void link(const double* out, double* phi) const override { f_.link(out, phi); }
  void link_backward(const double* out, const double* dphi, double* dout) const override {
    f_.link_backward(out, dphi, dout);
  }
  double log_density(const double* phi, const double* y) const override {
    return probmix::log_density(f_, phi, y);
  }
  void add_gradient(double weight, const double* phi, const double* y,
                    double* dphi) const override {
    probmix::add_gradient(f_, weight, phi, y, dphi);
  }
  void sample(const double* phi, Stream& stream, double* y) const override {
    f_.sample(phi, stream, y);
  }
  void mean(const double* phi, double* m) const override { f_.mean(phi, m); }
  void variance(const double* phi, double* v) const override { f_.variance(phi, v); }
  double cdf(const double* phi, int column, double y) const override {
    return f_.cdf(phi, column, y);
  }
  double quantile(const double* phi, int column, double u) const override {
    return f_.quantile(phi, column, u);
  }

  double log_marginal(const double* phi, int column, double y) const override {
    return probmix::log_marginal(f_, phi, column, y);
  }
  std::optional<double> closed_crps(View<const double> phi, std::span<const double> weights,
                                    int column, double y) const override {
    return probmix::closed_crps(f_, phi, weights, column, y);
  }
  double kernel_coordinate(double y) const override { return probmix::kernel_coordinate(f_, y); }
  double from_kernel_coordinate(double v) const override {
    return probmix::from_kernel_coordinate(f_, v);
  }
  Scaling scaling(const Spread& spread) const override { return probmix::scaling(f_, spread); }
  bool responses_are_intervals() const override {
    return requires { F::responses_are_intervals; };
  }

 private:
  F f_;
};

template <Density F>
std::shared_ptr<const AnyDensity> custom_density(F density) {
  return std::make_shared<DensityAdapter<F>>(std::move(density));
}

// The density behind the pointer as a family among the others.
class CustomDensity {
 public:
  std::string_view name = "custom";
  bool discrete = false;

  CustomDensity() = default;
  explicit CustomDensity(std::shared_ptr<const AnyDensity> density)
      : name(density->name()), discrete(density->discrete()), density_(std::move(density)) {}

  static CustomDensity make(const FamilyOptions& options) {
    check_usage(options.custom != nullptr, "there is no density in FamilyOptions::custom");
    CustomDensity made(options.custom->make(options));
    check_usage(made.responses() == options.responses,
                "the {} density models {} response columns, not {}", made.name, made.responses(),
                options.responses);
    return made;
  }

  std::string support_text() const { return density_->support_text(); }
  int outputs() const { return density_->outputs(); }
  int free_outputs() const { return density_->free_outputs(); }
  int parameters() const { return density_->parameters(); }
  int responses() const { return density_->responses(); }
  int classes() const { return density_->classes(); }
  int moments() const { return density_->moments(); }

  bool in_support(const double* y) const { return density_->in_support(y); }
  void link(const double* out, double* phi) const { density_->link(out, phi); }
  void link_backward(const double* out, const double* dphi, double* dout) const {
    density_->link_backward(out, dphi, dout);
  }
  double log_density(const double* phi, const double* y) const {
    return density_->log_density(phi, y);
  }
  void add_gradient(double weight, const double* phi, const double* y, double* dphi) const {
    density_->add_gradient(weight, phi, y, dphi);
  }
  void sample(const double* phi, Stream& stream, double* y) const {
    density_->sample(phi, stream, y);
  }
  void mean(const double* phi, double* m) const { density_->mean(phi, m); }
  void variance(const double* phi, double* v) const { density_->variance(phi, v); }
  double cdf(const double* phi, int column, double y) const {
    return density_->cdf(phi, column, y);
  }
  double quantile(const double* phi, int column, double u) const {
    return density_->quantile(phi, column, u);
  }

  double log_marginal(const double* phi, int column, double y) const {
    return density_->log_marginal(phi, column, y);
  }
  std::optional<double> closed_crps(View<const double> phi, std::span<const double> weights,
                                    int column, double y) const {
    return density_->closed_crps(phi, weights, column, y);
  }
  double kernel_coordinate(double y) const { return density_->kernel_coordinate(y); }
  double from_kernel_coordinate(double v) const { return density_->from_kernel_coordinate(v); }
  Scaling scaling(const Spread& spread) const { return density_->scaling(spread); }
  bool has_intervals() const { return density_->responses_are_intervals(); }

 private:
  std::shared_ptr<const AnyDensity> density_;
};

}  // namespace probmix
