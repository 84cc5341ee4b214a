"""The risk and its gradient against PyTorch's autograd of formulas written separately."""

import math

import numpy as np
import pytest

from probmix import draw_lambda, draw_pairs, fuse_targets, mixing, risk

torch = pytest.importorskip("torch")
FLOOR = 1e-4


def test_draws_are_functions_of_seed_and_step():
    assert np.array_equal(np.sort(draw_pairs(100)), np.arange(100))
    assert np.array_equal(draw_pairs(100, seed=2, step=5), draw_pairs(100, seed=2, step=5))
    assert not np.array_equal(draw_pairs(100, step=5), draw_pairs(100, step=6))
    lam = draw_lambda(50, alpha=0.3, draws=4, per="pair")
    assert lam.shape == (50, 4) and ((lam >= 0) & (lam <= 1)).all()
    assert len(np.unique(draw_lambda(50))) == 1
    assert set(np.unique(draw_lambda(1000, alpha=1e-32, per="pair"))) == {0.0, 1.0}
    assert (draw_lambda(5, alpha=math.inf) == 0.5).all()


def positive(x):
    return x.exp() + FLOOR


def gaussian(out, y):
    return -0.5 * ((y - out[..., 0]) ** 2 / positive(out[..., 1]) + torch.log(2 * math.pi * positive(out[..., 1])))


def categorical(out, y):
    return torch.log_softmax(out, dim=-1).gather(-1, y.long()[..., None])[..., 0]


def bernoulli(out, y):
    return y * out[..., 0] - torch.nn.functional.softplus(out[..., 0])


def poisson(out, y):
    rate = out[..., 0]
    return y * rate - rate.exp() - torch.lgamma(y + 1)


FAMILIES = {"gaussian": (gaussian, 2, lambda g, n: g.normal(size=n)),
            "categorical": (categorical, 4, lambda g, n: g.integers(0, 4, n)),
            "bernoulli": (bernoulli, 1, lambda g, n: g.integers(0, 2, n))}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("family", FAMILIES)
def test_the_plain_risk(family, dtype):
    log_density, width, draw = FAMILIES[family]
    generator = np.random.default_rng(1)
    out = torch.tensor(generator.normal(size=(20, width)), requires_grad=True)
    y = torch.tensor(draw(generator, 20), dtype=torch.float64)
    weight = torch.tensor(generator.uniform(size=20))
    expected = -(weight * log_density(out, y)).mean()
    expected.backward()
    loss, gradient = risk(out.detach().numpy().astype(dtype), y.numpy(), family=family, weight=weight.numpy())
    tolerance = 1e-5 if dtype == np.float32 else 1e-10
    assert gradient.dtype == dtype
    assert loss == pytest.approx(expected.item(), rel=tolerance)
    assert np.allclose(gradient, out.grad.numpy(), rtol=tolerance, atol=tolerance)


# Log-linear fusion, as formulas of the moments: the precisions are mixed, and so are precision-weighted means.
def fused_gaussian(out, partner, lam):
    precision = 1 / positive(out[:, 1])
    mixed = lam * precision + (1 - lam) * precision[partner]
    mean = (lam * precision * out[:, 0] + (1 - lam) * (precision * out[:, 0])[partner]) / mixed
    return lambda y: -0.5 * ((y - mean) ** 2 * mixed + math.log(2 * math.pi) - torch.log(mixed))


def fused_categorical(out, partner, lam):
    logits = torch.log_softmax(lam[:, None] * out + (1 - lam[:, None]) * out[partner], dim=1)
    return lambda y: logits.gather(1, y.long()[:, None])[:, 0]


def fused_bernoulli(out, partner, lam):
    logit = lam * out[:, 0] + (1 - lam) * out[partner, 0]
    return lambda y: y * logit - torch.nn.functional.softplus(logit)


FUSED = {"gaussian": fused_gaussian, "categorical": fused_categorical, "bernoulli": fused_bernoulli}


@pytest.mark.parametrize("criterion", ["mean-log", "log-mean"])
@pytest.mark.parametrize("pooling", ["linear", "log-linear"])
@pytest.mark.parametrize("family", FAMILIES)
def test_the_risk_of_fused_densities(family, pooling, criterion):
    log_density, width, draw = FAMILIES[family]
    generator = np.random.default_rng(2)
    rows, draws = 15, 3
    out = torch.tensor(generator.normal(size=(rows, width)), requires_grad=True)
    y = draw(generator, rows).astype(float)
    partner = draw_pairs(rows, step=3)
    lam = draw_lambda(rows, alpha=1, draws=draws, per="pair", step=3)
    options = {"family": family, "pooling": pooling, "criterion": criterion, "beta": 0.0}
    atoms, weight = fuse_targets(y, partner, lam, **options, **({"classes": width} if family == "categorical" else {}))
    assert np.allclose(weight.sum(axis=-1), 1)
    logs = []
    for k in range(draws):
        share = torch.tensor(lam[:, k])
        terms = []
        for a in range(weight.shape[-1]):
            at = torch.tensor(atoms[:, k, a, 0])
            if pooling == "linear":
                log_p = torch.logaddexp(torch.log(share) + log_density(out, at),
                                        torch.log1p(-share) + log_density(out[partner], at))
            else:
                log_p = FUSED[family](out, partner, share)(at)
            terms.append((torch.tensor(weight[:, k, a]), log_p))
        logs.append(terms)
    if criterion == "mean-log":
        expected = -sum((w * log_p).mean() for terms in logs for w, log_p in terms) / draws
    else:
        expected = -torch.log(sum(w * log_p.exp() for terms in logs for w, log_p in terms) / draws).mean()
    expected.backward()
    loss, gradient = risk(out.detach().numpy(), y, partner, lam, **options)
    assert loss == pytest.approx(expected.item(), rel=1e-9)
    assert np.allclose(gradient, out.grad.numpy(), rtol=1e-8, atol=1e-10)


def test_fused_targets_of_numbers():
    y, partner, lam = np.array([0.0, 10.0]), np.array([1, 0]), np.array([0.25, 0.25])
    atoms, weight = fuse_targets(y, partner, lam, pooling="log-linear")
    assert atoms.ravel().tolist() == [7.5, 2.5] and weight.ravel().tolist() == [1, 1]
    linear, _ = fuse_targets(np.tile(y, 500), np.arange(1000)[::-1].copy(), np.full(1000, 0.25), pooling="linear")
    assert set(linear.ravel()) == {0.0, 10.0}


def separate_fusion(v, partner, lam, noise):
    """A draw from the log-linear fusion of two diagonal Gaussians."""
    width = v.shape[1] // 2
    mean, precision = v[:, :width], torch.exp(-v[:, width:])
    lam = lam[:, :, None]
    mixed = lam * precision[:, None] + (1 - lam) * precision[partner][:, None]
    centre = (lam * (precision * mean)[:, None] + (1 - lam) * (precision * mean)[partner][:, None]) / mixed
    return (centre + noise.reshape(mixed.shape) / mixed.sqrt()).reshape(-1, width)


def test_fused_embeddings():
    from probmix import torch as layers

    generator = torch.Generator().manual_seed(3)
    v = torch.randn(12, 8, generator=generator).requires_grad_()
    partner = draw_pairs(12)
    lam = draw_lambda(12, alpha=1, draws=3, per="pair")
    at_site, noise = mixing.draw_embedding(lam, 4, pooling="log-linear")
    assert np.array_equal(at_site, lam)
    factor = torch.randn(36, 4, generator=generator)
    z = layers._FuseEmbeddings.apply(v, partner, at_site, noise)
    (z * factor).sum().backward()
    again = v.detach().double().requires_grad_()
    expected = separate_fusion(again, partner, torch.tensor(lam), torch.tensor(noise).double())
    (expected * factor).sum().backward()
    assert torch.allclose(z.double(), expected, atol=1e-5)
    assert torch.allclose(v.grad.double(), again.grad, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("lam", [0.0, 1.0])
def test_linear_pooling_picks_one_embedding(lam):
    values = np.random.default_rng(4).normal(size=(6, 4)).astype(np.float32)
    partner = draw_pairs(6)
    site, noise = mixing.draw_embedding(np.full((6, 1), lam), 2)
    z, _ = mixing.fuse_embeddings(values, partner, site, noise)
    chosen = values if lam == 1 else values[partner]
    assert np.allclose(z, chosen[:, :2] + np.exp(chosen[:, 2:] / 2) * noise, atol=1e-6)


def test_a_torch_model_learns():
    from probmix.torch import GaussianEmbedding, ProbMixLoss

    torch.manual_seed(5)
    x = torch.linspace(-1, 1, 200)[:, None]
    y = torch.sin(3 * x[:, 0]) + 0.1 * torch.randn(200)
    plain = torch.nn.Sequential(torch.nn.Linear(1, 32), torch.nn.ReLU(), torch.nn.Linear(32, 2))
    embed = GaussianEmbedding(32, 16)
    random = torch.nn.Sequential(torch.nn.Linear(1, 32), torch.nn.ReLU(), embed, torch.nn.ReLU(), torch.nn.Linear(16, 2))
    for network, embedding in ((plain, None), (random, embed)):
        loss = ProbMixLoss("gaussian", alpha=0.1)
        optimiser = torch.optim.Adam(network.parameters(), 0.01)
        for _ in range(400):
            optimiser.zero_grad()
            loss(network(x), y, embedding).backward()
            optimiser.step()
        network.eval(), loss.eval()
        with torch.no_grad():
            assert loss(network(x), y) < 0.7  # that of one density for all rows is 1.05
            assert ((network(x)[:, 0] - y) ** 2).mean() < 0.1


def test_a_half_precision_and_a_scaled_gradient():
    from probmix.torch import risk as torch_risk

    out = torch.randn(8, 2, dtype=torch.bfloat16, requires_grad=True)
    y = torch.randn(8)
    (3 * torch_risk(out, y)).backward()
    _, gradient = risk(out.detach().float().numpy(), y.numpy())
    assert out.grad.dtype == torch.bfloat16
    assert np.allclose(out.grad.float().numpy(), 3 * gradient, rtol=0.02, atol=0.01)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"outputs": np.zeros((5, 3))}, "needs 2 outputs, not 3"),
        ({"outputs": np.zeros(5)}, "shape"),
        ({"outputs": np.full((5, 2), np.nan)}, "NaN or infinity"),
        ({"y": np.full(5, np.inf)}, "NaN or infinity"),
        ({"y": np.zeros(4)}, "rows"),
        ({"partner": np.array([0, 1, 2, 3, 5])}, "a partner must lie in .0, 4., but it is 5"),
        ({"partner": np.array([0, 1, 2, 3, -1])}, "but it is -1"),
        ({"partner": np.zeros(5)}, "row numbers"),
        ({"partner": None}, "partner and lam"),
        ({"lam": np.full(5, 1.5)}, "λ"),
        ({"lam": np.full(5, np.nan)}, "λ"),
        ({"lam": np.zeros(3)}, "5 rows need as many"),
        ({"weight": np.full(5, -1)}, "weight"),
        ({"weight": np.ones(4)}, "5 rows need as many weights"),
        ({"family": "cauchy"}, "accepted"),
        ({"family": "poisson", "y": np.full(5, -1), "outputs": np.zeros((5, 1))}, "support"),
        ({"nonsense": 1}, "there is no option 'nonsense'"),
        ({"family": "student-t", "outputs": np.zeros((5, 3)), "pooling": "log-linear"}, "log-linear"),
    ],
)
def test_arguments_that_are_refused(change, message):
    arguments = {"outputs": np.zeros((5, 2)), "y": np.zeros(5), "partner": np.arange(5), "lam": np.full(5, 0.5), **change}
    with pytest.raises((ValueError, TypeError), match=message):
        risk(arguments.pop("outputs"), arguments.pop("y"), arguments.pop("partner"), arguments.pop("lam"), **arguments)
