"""The risk and its gradient against PyTorch's autograd of formulas written separately."""

import math
import re

import numpy as np
import pytest

from probmix import draw_lambda, draw_pairs, fuse_targets, mixing, risk

torch = pytest.importorskip("torch")
import reference  # noqa: E402

from probmix.torch import risk as torch_risk  # noqa: E402


def test_draws_are_functions_of_seed_and_step():
    assert np.array_equal(np.sort(draw_pairs(100)), np.arange(100))
    assert np.array_equal(draw_pairs(100, seed=2, step=5), draw_pairs(100, seed=2, step=5))
    assert not np.array_equal(draw_pairs(100, step=5), draw_pairs(100, step=6))
    lam = draw_lambda(50, alpha=0.3, draws=4, per="pair")
    assert lam.shape == (50, 4) and ((lam >= 0) & (lam <= 1)).all()
    assert len(np.unique(draw_lambda(50))) == 1
    assert set(np.unique(draw_lambda(1000, alpha=1e-32, per="pair"))) == {0.0, 1.0}
    assert (draw_lambda(5, alpha=math.inf) == 0.5).all()


SETTINGS = {
    "gaussian, two responses": ("gaussian", {}, 2),
    "gaussian, homoscedastic": ("gaussian", {"homoscedastic": True}, 2),
    "gaussian, softplus": ("gaussian", {"variance_link": "softplus", "variance_floor": 0.01}, 1),
    "student-t, two responses": ("student-t", {}, 2),
    "gaussian-full, three responses": ("gaussian-full", {}, 3),
    "gaussian-full, homoscedastic": ("gaussian-full", {"homoscedastic": True}, 2),
    "gaussian-mixture, two components": ("gaussian-mixture", {"components": 2}, 1),
    **{family: (family, {}, 1) for family in reference.FAMILIES},
}
WITHOUT_POOL = "cannot be pooled log-linearly"
ROWS, DRAWS = 9, 3


def test_the_reference_has_every_family():
    with pytest.raises(ValueError, match="accepted") as refused:
        risk(np.zeros((1, 1)), [0.0], family="nonsense")
    names = str(refused.value).split("accepted: ")[1]
    assert set(re.findall(r"[a-z][a-z-]+", names)) == set(reference.FAMILIES)


def example(setting, seed=1):
    name, options, responses = SETTINGS[setting]
    family = reference.FAMILIES[name](responses, **options)
    assert mixing.outputs_of(name, responses=responses, classes=family.classes or 2, **options) == family.width
    generator = np.random.default_rng(seed)
    out = torch.tensor(generator.normal(size=(ROWS, family.width)), requires_grad=True)
    return family, {"family": name, **options}, out, family.draw(generator, ROWS), generator.uniform(0.5, 2, ROWS)


def check(out, expected, y, *arguments, loss_tolerance=1e-10, **options):
    """The risk in both precisions, and as a function of torch, against the expected one and its gradient."""
    expected.backward()
    wanted = out.grad.numpy()
    for dtype, tolerance in ((np.float64, 1e-10), (np.float32, 2e-5)):
        loss, gradient = risk(out.detach().numpy().astype(dtype), y, *arguments, **options)
        assert gradient.dtype == dtype
        assert loss == pytest.approx(expected.item(), rel=max(tolerance, loss_tolerance), abs=max(tolerance, loss_tolerance))
        assert np.allclose(gradient, wanted, rtol=10 * tolerance, atol=tolerance * max(1, np.abs(wanted).max()))
    again = out.detach().clone().requires_grad_()
    loss = torch_risk(again, torch.as_tensor(y), *arguments, **options)
    loss.backward()
    assert loss.item() == pytest.approx(expected.item(), rel=loss_tolerance, abs=loss_tolerance)
    assert np.allclose(again.grad.numpy(), wanted, rtol=1e-9, atol=1e-10 * max(1, np.abs(wanted).max()))


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_plain_risk(setting):
    family, options, out, y, weight = example(setting)
    expected = -(torch.tensor(weight) * family.log_density(family.parameters(out), torch.tensor(y))).mean()
    check(out, expected, y, weight=weight, **options)


# Where the kernels have a width, the library takes the expectation exactly only of sums of statistics.
def is_integrable(setting, pooling, criterion):
    family, _, responses = SETTINGS[setting]
    is_separate = family != "gaussian-full" or responses == 1
    return pooling == "log-linear" and criterion == "mean-log" and is_separate


@pytest.mark.parametrize("beta", [0.0, 0.1])
@pytest.mark.parametrize("expectation", ["exact", "sampled"])
@pytest.mark.parametrize("criterion", ["mean-log", "log-mean"])
@pytest.mark.parametrize("target_pooling", [None, "linear", "log-linear"])
@pytest.mark.parametrize("pooling", ["linear", "log-linear"])
@pytest.mark.parametrize("setting", SETTINGS)
def test_the_risk_of_fused_densities(setting, pooling, target_pooling, criterion, expectation, beta):
    family, options, out, y, row_weight = example(setting, seed=2)
    partner = draw_pairs(ROWS, step=3)
    lam = draw_lambda(ROWS, alpha=1, draws=DRAWS, per="pair", step=3)
    lam[:3] = np.array([0, 0.5, 1])[:, None]
    options |= {"pooling": pooling, "target_pooling": target_pooling, "criterion": criterion, "beta": beta,
                "expectation": expectation, "step": 3}
    if pooling == "log-linear" and family.pool is None:
        with pytest.raises(ValueError, match=WITHOUT_POOL):
            risk(out.detach().numpy(), y, partner, lam, **options)
        return
    if expectation == "exact":
        if beta > 0 and not family.classes and not is_integrable(setting, pooling, criterion):
            with pytest.raises(ValueError, match="use the sampled expectation"):
                risk(out.detach().numpy(), y, partner, lam, **options)
            return
        fused_as = target_pooling or ("linear" if family.classes and beta == 0 else pooling)
        atoms, weight = reference.exact_targets(family, y, partner, lam, beta, fused_as)
    else:
        step = {name: value for name, value in options.items() if name not in SETTINGS[setting][1]}
        atoms, weight = fuse_targets(y, partner, lam, classes=family.classes, **step)
        assert atoms.shape[2] == 1
    expected = reference.reference_risk(family, out, atoms, weight, partner, lam, pooling=pooling, criterion=criterion,
                                        row_weight=row_weight)
    # Seven nodes do not integrate log y!, which has no gradient, and to about 1e-7 the statistics of gamma and beta.
    inexact = expectation == "exact" and beta > 0
    if inexact and setting in ("gamma", "beta"):
        expected.backward()
        loss, gradient = risk(out.detach().numpy(), y, partner, lam, weight=row_weight, **options)
        assert loss == pytest.approx(expected.item(), rel=1e-5)
        assert np.allclose(gradient, out.grad.numpy(), rtol=1e-5, atol=1e-5)
        return
    check(out, expected, y, partner, lam, weight=row_weight, loss_tolerance=0.02 if inexact and setting == "poisson" else 1e-10,
          **options)


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_risk_of_fused_embeddings(setting):
    family, options, _, y, row_weight = example(setting)
    partner, lam = draw_pairs(ROWS), draw_lambda(ROWS, alpha=1, draws=DRAWS, per="pair")
    out = torch.tensor(np.random.default_rng(3).normal(size=(ROWS * DRAWS, family.width)), requires_grad=True)
    atoms, weight = reference.exact_targets(family, y, partner, lam, 0, "linear")
    logs = family.log_density([p[:, None] for p in family.parameters(out)], torch.tensor(atoms).flatten(0, 1))
    losses = -(torch.tensor(weight).flatten(0, 1) * logs).sum(dim=1).reshape(ROWS, DRAWS).mean(dim=1)
    expected = (torch.tensor(row_weight) * losses).mean()
    check(out, expected, y, partner, lam, weight=row_weight, embedding=True, target_pooling="linear", expectation="exact", **options)


# 20,000 draws: means and variances are within five standard errors but once in a million.
@pytest.mark.parametrize("pooling", ["linear", "log-linear"])
@pytest.mark.parametrize("setting", SETTINGS)
def test_drawn_targets_follow_their_law(setting, pooling):
    name, options, responses = SETTINGS[setting]
    family = reference.FAMILIES[name](responses, **options)
    draws, beta, lam = 20_000, 0.05, np.full((2, 20_000), 0.3)
    y = np.array([[1.0] * responses, [3.0 if name not in ("beta", "bernoulli") else 0.0] * responses])
    if name == "beta":
        y = np.array([[0.2], [0.6]])
    partner = np.array([1, 0])
    drawn, _ = fuse_targets(y, partner, lam, classes=family.classes, family=name, target_pooling=pooling, beta=beta,
                            expectation="sampled")
    atoms, weight = reference.exact_targets(family, y, partner, lam[:, :1], beta, pooling)
    if not family.classes:
        drawn, atoms = family.coordinate(drawn), family.coordinate(atoms)
    mean = (weight[..., None] * atoms).sum(axis=(1, 2))
    variance = (weight[..., None] * (atoms - mean[:, None, None]) ** 2).sum(axis=(1, 2))
    assert (np.abs(drawn.mean(axis=(1, 2)) - mean) <= 5 * np.sqrt(variance / draws)).all()
    assert np.allclose(drawn.var(axis=(1, 2)), variance, rtol=5 * np.sqrt(2 / draws), atol=1e-12)


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


# Better than the best straight line with one deviation, and not better than the noise allows but for 200 rows' luck.
def test_a_torch_model_learns():
    from probmix.torch import GaussianEmbedding, ProbMixLoss

    torch.manual_seed(5)
    x = torch.linspace(-1, 1, 200)[:, None]
    noise = 0.1 * torch.randn(200)
    y = torch.sin(3 * x[:, 0]) + noise
    beside_line = y - y.mean() - (x[:, 0] @ y) / (x[:, 0] @ x[:, 0]) * x[:, 0]

    def loss_of(residuals):
        return 0.5 * torch.log(2 * math.pi * math.e * residuals.var())

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
            assert loss_of(noise) - 0.1 < loss(network(x), y) < loss_of(beside_line)
            assert (network(x)[:, 0] - y).var() < 0.5 * beside_line.var()


def test_a_half_precision_and_a_scaled_gradient():
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
        ({"censored_below": 0.0}, "censored_below is an option of the estimators"),
        ({"method": "mix"}, "method is an option of the estimators"),
        ({"family": "student-t", "outputs": np.zeros((5, 3)), "pooling": "log-linear"}, "log-linear"),
    ],
)
def test_arguments_that_are_refused(change, message):
    arguments = {"outputs": np.zeros((5, 2)), "y": np.zeros(5), "partner": np.arange(5), "lam": np.full(5, 0.5), **change}
    with pytest.raises((ValueError, TypeError), match=message):
        risk(arguments.pop("outputs"), arguments.pop("y"), arguments.pop("partner"), arguments.pop("lam"), **arguments)
