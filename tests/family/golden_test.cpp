// Every family against torch.distributions, scipy.stats and mpmath: make_family_golden.py,
// make_student_t_golden.py, make_density_golden.py and make_gaussian_full_golden.py in
// tests/golden.
#include "support/golden.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

// Calls body(family, row) for every row of every entry's table.
template <class Body>
void for_each_row(const std::string& table, Body body) {
  const json document = read_families();
  for (const auto& [name, entry] : document.items()) {
    const Family family = golden_family(entry);
    if (table == "log_linear" && !is_exponential(family)) continue;
    int n = 0;
    for (const json& row : entry[table]) {
      SCOPED_TRACE(fmt::format("{} {} {}", name, table, n++));
      std::visit([&](const auto& f) { body(f, row); }, family);
    }
    EXPECT_GT(n, 3) << name << ' ' << table;
  }
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

// A family's functions on whole vectors, as the paper writes them.
template <class F>
struct Notation {
  const F& family;

  Numbers link(const Numbers& out) const {
    Numbers phi(static_cast<std::size_t>(family.parameters()));
    family.link(out.data(), phi.data());
    return phi;
  }
  double log_density(const Numbers& phi, const Numbers& y) const {
    return probmix::log_density(family, phi.data(), y.data());
  }
  // −weight · Jᵀ · ∂log p(y)/∂φ, J of the link at `out`.
  Numbers gradient(const Numbers& out, const Numbers& phi, const Numbers& y, double weight) const {
    Numbers dphi(phi.size());
    add_gradient(family, -weight, phi.data(), y.data(), dphi.data());
    Numbers dout(out.size());
    family.link_backward(out.data(), dphi.data(), dout.data());
    return dout;
  }
};
template <class F>
Notation(const F&) -> Notation<F>;  // clang 14 needs it

TEST(FamilyGolden, EveryFamilyHasAnEntry) {
  std::set<std::string> found;
  const json document = read_families();
  for (const auto& [name, entry] : document.items()) found.insert(entry["family"]);
  for (const auto name : family_names()) EXPECT_TRUE(found.count(std::string(name))) << name;
}

TEST(FamilyGolden, NegativeLogLikelihoodAndGradient) {
  for_each_row("single", [](const auto& family, const json& row) {
    const Notation at{family};
    const Numbers out = row["out"];
    const Numbers y = row["y"];
    const Numbers phi = at.link(out);
    expect_all_near({-at.log_density(phi, y)}, {row["nll"]});
    expect_all_near(at.gradient(out, phi, y, 1), row["dout"]);
  });
}

// The paper's theorem: one straight line, and each member receives its share of the gradient.
TEST(FamilyGolden, LogLinearPooling) {
  for_each_row("log_linear", [](const auto& family, const json& row) {
    const Notation at{family};
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
  for_each_row("linear", [](const auto& family, const json& row) {
    const Notation at{family};
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
  for_each_row("distribution", [](const auto& family, const json& row) {
    const Numbers phi = Notation{family}.link(row["out"]);
    Numbers moment(static_cast<std::size_t>(family.moments()));
    family.mean(phi.data(), moment.data());
    expect_all_near(moment, row["mean"]);
    family.variance(phi.data(), moment.data());
    expect_all_near(moment, row["variance"]);
    for (const json& at : row["cdf"]) {
      const double p = at[2];
      EXPECT_NEAR(family.cdf(phi.data(), at[0], at[1]), p, golden * p);
    }
    for (const json& at : row["quantile"]) {
      const double y = at[2];
      EXPECT_NEAR(family.quantile(phi.data(), at[0], at[1]), y, golden * std::abs(y));
    }
  });
}

}  // namespace
}  // namespace probmix::test
