"""Densities, their pools and the risk, written again in plain torch: what `probmix.risk` is compared with.

A family is three functions. `parameters` makes the usual parameters from the outputs of a network, `log_density`
takes these and y of shape (..., responses), and `pool` gives the parameters of the density proportional to
p_i^λ p_j^(1−λ), where that is one of the family.
"""

import math

import numpy as np
import torch
from torch import distributions as law

torch.set_num_threads(1)  # the batches are small
softplus = torch.nn.functional.softplus


class Reference:
    """The options that change the link of a family; `responses` columns of y."""

    responses = 1
    pool = None
    classes = 0
    has_atom = False

    def __init__(self, responses=1, homoscedastic=False, variance_link="exp", variance_floor=1e-4, components=3):
        self.responses = responses
        self.homoscedastic = homoscedastic
        self.components = components
        self.positive = lambda x: (x.exp() if variance_link == "exp" else softplus(x)) + variance_floor

    # Where the response kernel is a Gaussian.
    def coordinate(self, y):
        return y

    def from_coordinate(self, v):
        return v


class Gaussian(Reference):
    def draw(self, generator, rows):
        return generator.normal(size=(rows, self.responses))

    @property
    def width(self):
        return self.responses + 1 if self.homoscedastic else 2 * self.responses

    def parameters(self, out):
        mean, s = out[..., :self.responses], out[..., self.responses:]
        return mean, self.positive(s).expand_as(mean)

    def log_density(self, p, y):
        return law.Normal(p[0], p[1].sqrt()).log_prob(y).sum(dim=-1)

    def pool(self, i, j, lam):
        lam = lam[..., None]
        precision = lam / i[1] + (1 - lam) / j[1]
        return (lam * i[0] / i[1] + (1 - lam) * j[0] / j[1]) / precision, 1 / precision


class Lognormal(Gaussian):
    def draw(self, generator, rows):
        return np.exp(super().draw(generator, rows))

    def log_density(self, p, y):
        return super().log_density(p, y.log()) - y[..., 0].log()

    def coordinate(self, y):
        return np.log(y)

    def from_coordinate(self, v):
        return np.exp(v)


class GaussianFull(Gaussian):
    @property
    def width(self):
        return 2 * self.responses + self.responses * (self.responses - 1) // 2

    def parameters(self, out):
        d = self.responses
        root = self.positive(out[..., d:2 * d]).rsqrt()
        factor = torch.diag_embed(root)
        dependence = out[..., 2 * d:]
        dependence = dependence / (1 + (dependence / 32) ** 2).sqrt()
        low = torch.zeros_like(factor)
        k, j = torch.tril_indices(d, d, -1)
        low[..., k, j] = -dependence * root[..., k]
        factor = factor + low
        return out[..., :d], factor @ factor.mT

    def log_density(self, p, y):
        return law.MultivariateNormal(p[0], precision_matrix=p[1]).log_prob(y)

    def pool(self, i, j, lam):
        lam = lam[..., None, None]
        precision = lam * i[1] + (1 - lam) * j[1]
        natural = lam * i[1] @ i[0][..., None] + (1 - lam) * j[1] @ j[0][..., None]
        return torch.linalg.solve(precision, natural)[..., 0], precision


class Categorical(Reference):
    width = classes = 4

    def draw(self, generator, rows):
        return generator.integers(0, self.classes, (rows, 1)).astype(float)

    def parameters(self, out):
        return (out.log_softmax(dim=-1),)

    def log_density(self, p, y):
        return law.Categorical(logits=p[0]).log_prob(y[..., 0])

    def pool(self, i, j, lam):
        return ((lam[..., None] * i[0] + (1 - lam[..., None]) * j[0]).log_softmax(dim=-1),)


class Bernoulli(Reference):
    width, classes = 1, 2

    def draw(self, generator, rows):
        return generator.integers(0, 2, (rows, 1)).astype(float)

    def parameters(self, out):
        return (out[..., 0],)

    def log_density(self, p, y):
        return law.Bernoulli(logits=p[0]).log_prob(y[..., 0])

    def pool(self, i, j, lam):
        return (lam * i[0] + (1 - lam) * j[0],)


class Poisson(Reference):
    """For soft counts the factorial goes along the gamma function, and ends at 0."""

    width = 1

    def draw(self, generator, rows):
        return generator.poisson(3, (rows, 1)).astype(float)

    def parameters(self, out):
        return (out[..., 0],)

    def log_density(self, p, y):
        y = y[..., 0]
        return y * p[0] - p[0].exp() - torch.lgamma(y.clamp(min=0) + 1)

    def pool(self, i, j, lam):
        return (lam * i[0] + (1 - lam) * j[0],)


class NegativeBinomial(Poisson):
    width = 2
    pool = None

    def parameters(self, out):
        return out[..., 0].exp(), self.positive(out[..., 1])

    def log_density(self, p, y):
        (mean, size), y = p, y[..., 0]
        ways = torch.lgamma(size + y.clamp(min=0)) - torch.lgamma(size) - torch.lgamma(y.clamp(min=0) + 1)
        return ways + size * (size / (size + mean)).log() + y * (mean / (size + mean)).log()


class Gamma(Lognormal):
    width = 2

    def parameters(self, out):
        mean, shape = self.positive(out[..., 0]), self.positive(out[..., 1])
        return shape, shape / mean

    def log_density(self, p, y):
        return law.Gamma(*p).log_prob(y[..., 0])

    def pool(self, i, j, lam):
        return tuple(lam * a + (1 - lam) * b for a, b in zip(i, j, strict=True))


class Beta(Gamma):
    def draw(self, generator, rows):
        return generator.uniform(0.05, 0.95, (rows, 1))

    def parameters(self, out):
        size = self.positive(out[..., 1])
        return out[..., 0].sigmoid() * size, (-out[..., 0]).sigmoid() * size

    def log_density(self, p, y):
        return law.Beta(*p).log_prob(y[..., 0])

    def coordinate(self, y):
        return np.log(y) - np.log1p(-y)

    def from_coordinate(self, v):
        return 1 / (1 + np.exp(-v))


class StudentT(Gaussian):
    pool = None

    @property
    def width(self):
        return 3 * self.responses

    def parameters(self, out):
        mean, s, w = out.unflatten(-1, (3, self.responses)).unbind(dim=-2)
        return mean, self.positive(s).sqrt(), 2.1 + 3 * softplus(w)

    def log_density(self, p, y):
        return law.StudentT(p[2], p[0], p[1]).log_prob(y).sum(dim=-1)


class GaussianMixture(Gaussian):
    pool = None

    @property
    def width(self):
        return 3 * self.components

    def parameters(self, out):
        count = self.components
        m, s, a = out.unflatten(-1, (3, count)).unbind(dim=-2)
        return m + torch.linspace(-1 + 1 / count, 1 - 1 / count, count, dtype=out.dtype), self.positive(s), a

    def log_density(self, p, y):
        return torch.logsumexp(p[2].log_softmax(dim=-1) + law.Normal(p[0], p[1].sqrt()).log_prob(y), dim=-1)


def zero_inflated(base):
    """Counts: the log of what the extra zeros add fades until y = 1. Others: an atom beside a density."""

    class ZeroInflated(base):
        pool = None
        width = base(1).width + 1
        has_atom = base in (Gamma, Lognormal)

        def draw(self, generator, rows):
            return super().draw(generator, rows) * generator.integers(0, 2, (rows, 1))

        def parameters(self, out):
            return (*super().parameters(out[..., :-1]), out[..., -1])

        def log_density(self, p, y):
            *of_base, z = p
            if self.has_atom:
                positive = super().log_density(of_base, y.where(y > 0, torch.ones_like(y))) + (-z).sigmoid().log()
                return torch.where(y[..., 0] > 0, positive, z.sigmoid().log())
            zero = super().log_density(of_base, torch.zeros_like(y))
            extra = (z.exp() + zero.exp()).log() - zero
            return super().log_density(of_base, y) + (1 - y[..., 0]).clamp(min=0) * extra - softplus(z)

    return ZeroInflated


FAMILIES = {
    "gaussian": Gaussian, "categorical": Categorical, "bernoulli": Bernoulli, "poisson": Poisson, "gamma": Gamma,
    "beta": Beta, "student-t": StudentT, "lognormal": Lognormal, "negative-binomial": NegativeBinomial,
    "zero-inflated-poisson": zero_inflated(Poisson), "zero-inflated-negative-binomial": zero_inflated(NegativeBinomial),
    "zero-inflated-gamma": zero_inflated(Gamma), "zero-inflated-lognormal": zero_inflated(Lognormal),
    "gaussian-mixture": GaussianMixture, "gaussian-full": GaussianFull,
}


def exact_targets(family, y, partner, lam, beta, pooling):
    """The law of the fused target of each pair as atoms (rows, draws, atoms, responses) and weights (rows, draws, atoms)."""
    rows, draws = lam.shape
    if family.classes:
        kernel = (y == np.arange(family.classes)) + beta
        kernel = kernel / kernel.sum(axis=1, keepdims=True)
        i, j, share = kernel[:, None], kernel[partner][:, None], lam[..., None]
        if pooling == "linear":
            weight = share * i + (1 - share) * j
        elif beta > 0:
            weight = i ** share * j ** (1 - share)
        else:  # the limit: the label of the larger share, or both
            weight = np.where(share > 0.5, i, np.where(share < 0.5, j, i + j))
        weight = weight / weight.sum(axis=-1, keepdims=True)
        return np.broadcast_to(np.arange(family.classes)[:, None], (*weight.shape, 1)).astype(float), weight
    at, node_weight = np.polynomial.hermite_e.hermegauss(40) if beta > 0 else (np.zeros(1), np.ones(1))
    node_weight = node_weight / node_weight.sum()
    with np.errstate(divide="ignore"):
        v = family.coordinate(y)
    i, j, share = v[:, None, None], v[partner][:, None, None], lam[:, :, None, None]
    noise = math.sqrt(beta) * at[:, None]
    if pooling == "log-linear":
        between = share * i + (1 - share) * j
        if family.has_atom:  # an atom has no width: the larger share decides
            between = np.where(np.isfinite(i) & np.isfinite(j), between, np.where(share < 0.5, j, i))
        return family.from_coordinate(between + noise), np.broadcast_to(node_weight, (rows, draws, len(at)))
    both = np.broadcast_arrays(i + noise, j + noise, lam[:, :, None, None])[:2]
    shares = [share[..., 0] * node_weight, (1 - share[..., 0]) * node_weight]
    return family.from_coordinate(np.concatenate(both, axis=2)), np.concatenate(shares, axis=2)


def reference_risk(family, out, y, weight, partner, lam, *, pooling, criterion, row_weight):
    """The mean over rows of the risk for targets y (rows, draws, atoms, responses) with weights (rows, draws, atoms)."""
    p = [value[:, None, None] for value in family.parameters(out)]
    other = [value[partner] for value in p]
    lam = torch.tensor(lam)[:, :, None]
    y, weight = torch.tensor(y), torch.tensor(np.array(weight))
    if pooling == "linear":
        logs = torch.logaddexp(lam.log() + family.log_density(p, y), torch.log1p(-lam) + family.log_density(other, y))
    else:
        logs = family.log_density(family.pool(p, other, lam), y)
    if criterion == "mean-log":
        loss = -(weight * logs).sum(dim=2).mean(dim=1)
    else:
        loss = -(weight * logs.exp()).sum(dim=2).mean(dim=1).log()
    return (torch.tensor(row_weight) * loss).mean()
