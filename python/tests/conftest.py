"""Data for the tests: small, so that a training takes a fraction of a second."""

import os
import pathlib

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
QUICK = {"preset": "fast", "epochs": 30, "hidden": [16, 8]}


@pytest.fixture(scope="session")
def numbers():
    """(X, y) with y = x0 + noise that grows with x1."""
    generator = np.random.default_rng(1)
    X = generator.normal(size=(200, 3))
    y = X[:, 0] + 0.3 * (1 + np.abs(X[:, 1])) * generator.normal(size=200)
    return X, y


@pytest.fixture(scope="session")
def classes():
    generator = np.random.default_rng(2)
    X = generator.normal(size=(200, 3))
    y = np.array(["no", "perhaps", "yes"])[np.digitize(X[:, 0] + 0.3 * generator.normal(size=200), [-0.5, 0.5])]
    return X, y


@pytest.fixture(scope="session")
def program():
    """The command line tool; the environment's PROBMIX_PROGRAM may name another."""
    path = pathlib.Path(os.environ.get("PROBMIX_PROGRAM", ROOT / "build" / "probmix"))
    if not path.exists():
        pytest.skip(f"there is no {path}")
    return path
