"""Fitted estimators in notebooks."""

import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import probmix

from conftest import QUICK

EVIL = "<script>alert(1)</script>&\"'"


def as_tree(shown):
    """Parses as XML, so unescaped text or an open tag would be an error."""
    return ElementTree.fromstring(re.sub(r"<td colspan=3>", "<td>", shown))


def test_it_shows_columns_curve_and_scores(numbers):
    model = probmix.ProbMixRegressor(**{**QUICK, "patience": 1000}).fit(*numbers)
    shown = model._repr_mimebundle_()["text/html"]
    tree = as_tree(shown)
    text = "".join(tree.itertext())
    assert "ProbMixRegressor" in text and "validation NLL" in text
    table, scores = tree.findall("table")
    assert [row[0].text for row in table.find("tbody")] == ["x0", "x1", "x2"]
    (line,) = tree.iter("{http://www.w3.org/2000/svg}polyline")
    assert len(line.get("points").split()) == len(model.histories_[0])
    best = np.nanmin(model.histories_[0][:, 1])
    assert scores.find("tbody")[0][3].text == f"{best:.4f}"


def test_text_from_tables_is_escaped(numbers):
    X, y = numbers
    frame = pd.DataFrame({EVIL: X[:, 0], "g": np.where(X[:, 1] > 0, EVIL, "b")})
    model = probmix.ProbMixRegressor(**QUICK).fit(frame, y)
    shown = model._repr_html_()
    assert "<script>" not in shown
    assert EVIL in "".join(as_tree(shown).itertext())


def test_classes_series_and_loaded_models_are_shown(classes, tmp_path):
    model = probmix.ProbMixClassifier(**QUICK).fit(*classes)
    as_tree(model._repr_html_())
    model.save(tmp_path / "m.safetensors")
    assert "<svg" not in probmix.load(tmp_path / "m.safetensors")._repr_html_()  # its history is not in the file
    series = probmix.ProbMixForecaster(window=3, horizon=1, preset="fast", epochs=2).fit(np.sin(np.arange(80.0)))
    as_tree(series._repr_html_())


def test_dates_and_missing_values_are_described(numbers):
    X, y = numbers
    days = np.datetime64("2024-01-01") + np.arange(200).astype("timedelta64[D]")
    frame = pd.DataFrame({"day": days, "x": np.where(X[:, 0] > 1, np.nan, X[:, 0])})
    text = "".join(as_tree(probmix.ProbMixRegressor(**QUICK).fit(frame, y)._repr_html_()).itertext())
    assert "around 2024-0" in text and "some missing" in text


def test_an_unfitted_estimator_is_shown_by_scikit_learn():
    pytest.importorskip("sklearn")
    from sklearn.linear_model import LinearRegression

    model = probmix.ProbMixRegressor(preset="fast")
    assert "sk-" in model._repr_html_() and 'class="probmix"' not in model._repr_html_()
    assert set(model._repr_mimebundle_()) == set(LinearRegression()._repr_mimebundle_())
