// Every family against torch.distributions, scipy.stats and mpmath: make_family_golden.py,
// make_student_t_golden.py, make_density_golden.py and make_gaussian_full_golden.py in
// tests/golden.
#include "support/golden.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "probmix/family/families.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

using nlohmann::json;
using Numbers = std::vector<double>;

json read_families() {
  json document = read_golden("family_golden.json");
  document.update(read_golden("student_t_golden.json"));
  document.update(read_golden("density_golden.json"));
  document.update(read_golden("gaussian_full_golden.json"));
  return document;
}

void expect_all_near(const Numbers& actual, const Numbers& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t k = 0; k < actual.size(); ++k) {
    EXPECT_NEAR(actual[k], expected[k], golden * std::max(1.0, std::abs(expected[k]))) << k;
  }
}

// φ = λφ_i + (1−λ)φ_j.
Numbers line(double lambda, const Numbers& phi_i, const Numbers& phi_j) {
  Numbers phi(phi_i.size());
  for (std::size_t k = 0; k < phi.size(); ++k) phi[k] = lambda * phi_i[k] + (1 - lambda) * phi_j[k];
  return phi;
}

// A family's functions on whole vectors, as the paper writes them. Virtual, so that the tests are
// compiled once for all families.
struct Notation {
  virtual ~Notation() = default;
  virtual Numbers link(const Numbers& out) const = 0;
  virtual double log_density(const Numbers& phi, const Numbers& y) const = 0;
  // −weight · Jᵀ · ∂log p(y)/∂φ, J of the link at `out`.
  virtual Numbers gradient(const Numbers& out, const Numbers& phi, const Numbers& y,
                           double weight) const = 0;
  virtual Numbers mean(const Numbers& phi) const = 0;
  virtual Numbers variance(const Numbers& phi) const = 0;
  virtual double cdf(const Numbers& phi, int column, double y) const = 0;
  virtual double quantile(const Numbers& phi, int column, double u) const = 0;
};

template <class F>
struct NotationOf final : Notation {
  F family;

  explicit NotationOf(const F& f) : family(f) {}

  Numbers link(const Numbers& out) const override {
    Numbers phi(static_cast<std::size_t>(family.parameters()));
    family.link(out.data(), phi.data());
    return phi;
  }
  double log_density(const Numbers& phi, const Numbers& y) const override {
    return probmix::log_density(family, phi.data(), y.data());
  }
  Numbers gradient(const Numbers& out, const Numbers& phi, const Numbers& y,
                   double weight) const override {
    Numbers dphi(phi.size());
    add_gradient(family, -weight, phi.data(), y.data(), dphi.data());
    Numbers dout(out.size());
    family.link_backward(out.data(), dphi.data(), dout.data());
    return dout;
  }
  Numbers mean(const Numbers& phi) const override {
    Numbers moment(static_cast<std::size_t>(family.moments()));
    family.mean(phi.data(), moment.data());
    return moment;
  }
  Numbers variance(const Numbers& phi) const override {
    Numbers moment(static_cast<std::size_t>(family.moments()));
    family.variance(phi.data(), moment.data());
    return moment;
  }
  double cdf(const Numbers& phi, int column, double y) const override {
    return family.cdf(phi.data(), column, y);
  }
  double quantile(const Numbers& phi, int column, double u) const override {
    return family.quantile(phi.data(), column, u);
  }
};

// Calls body(notation, row) for every row of every entry's table.
void for_each_row(const std::string& table,
                  const std::function<void(const Notation&, const json&)>& body) {
  const json document = read_families();
  for (const auto& [name, entry] : document.items()) {
    const Family family = golden_family(entry);
    if (table == "log_linear" && !is_exponential(family)) continue;
    const auto notation = std::visit(
        []<class F>(const F& f) -> std::unique_ptr<Notation> {
          return std::make_unique<NotationOf<F>>(f);
        },
        family);
    int n = 0;
    for (const json& row : entry[table]) {
      SCOPED_TRACE(fmt::format("{} {} {}", name, table, n++));
      body(*notation, row);
    }
    EXPECT_GT(n, 3) << name << ' ' << table;
  }
}

TEST(FamilyGolden, EveryFamilyHasAnEntry) {
  std::set<std::string> found;
  const json document = read_families();
  for (const auto& [name, entry] : document.items()) found.insert(entry["family"]);
  for (const auto name : family_names()) EXPECT_TRUE(found.count(std::string(name))) << name;
}

TEST(FamilyGolden, NegativeLogLikelihoodAndGradient) {
  for_each_row("single", [](const Notation& at, const json& row) {
    const Numbers out = row["out"];
    const Numbers y = row["y"];
    const Numbers phi = at.link(out);
    expect_all_near({-at.log_density(phi, y)}, {row["nll"]});
    expect_all_near(at.gradient(out, phi, y, 1), row["dout"]);
  });
}

// The paper's theorem: one straight line, and each member receives its share of the gradient.
TEST(FamilyGolden, LogLinearPooling) {
  for_each_row("log_linear", [](const Notation& at, const json& row) {
    const double lambda = row["lambda"];
    const Numbers out_i = row["out_i"];
    const Numbers out_j = row["out_j"];
    const Numbers y = row["y"];
    const Numbers phi = line(lambda, at.link(out_i), at.link(out_j));
    expect_all_near({-at.log_density(phi, y)}, {row["nll"]});
    expect_all_near(at.gradient(out_i, phi, y, lambda), row["dout_i"]);
    expect_all_near(at.gradient(out_j, phi, y, 1 - lambda), row["dout_j"]);
  });
}

// −log(λ p_i + (1−λ) p_j): each member weighs in with its posterior probability.
TEST(FamilyGolden, LinearPooling) {
  for_each_row("linear", [](const Notation& at, const json& row) {
    const double lambda = row["lambda"];
    const Numbers out_i = row["out_i"];
    const Numbers out_j = row["out_j"];
    const Numbers y = row["y"];
    const Numbers phi_i = at.link(out_i);
    const Numbers phi_j = at.link(out_j);
    const double terms[] = {std::log(lambda) + at.log_density(phi_i, y),
                            std::log1p(-lambda) + at.log_density(phi_j, y)};
    const double log_p = log_sum_exp(terms, 2);
    expect_all_near({-log_p}, {row["nll"]});
    expect_all_near(at.gradient(out_i, phi_i, y, std::exp(terms[0] - log_p)), row["dout_i"]);
    expect_all_near(at.gradient(out_j, phi_j, y, std::exp(terms[1] - log_p)), row["dout_j"]);
  });
}

TEST(FamilyGolden, MomentsCdfAndQuantile) {
  for_each_row("distribution", [](const Notation& at, const json& row) {
    const Numbers phi = at.link(row["out"]);
    expect_all_near(at.mean(phi), row["mean"]);
    expect_all_near(at.variance(phi), row["variance"]);
    for (const json& entry : row["cdf"]) {
      const double p = entry[2];
      EXPECT_NEAR(at.cdf(phi, entry[0], entry[1]), p, golden * p);
    }
    for (const json& entry : row["quantile"]) {
      const double y = entry[2];
      EXPECT_NEAR(at.quantile(phi, entry[0], entry[1]), y, golden * std::abs(y));
    }
  });
}

}  // namespace
}  // namespace probmix::test
