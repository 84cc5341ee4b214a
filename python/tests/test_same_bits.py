"""The same options and data give the same model and predictions through Python and the command line."""

import csv
import subprocess

import numpy as np
import pytest

import probmix


def write_csv(path, names, columns):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows(zip(*columns))


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def tensors(path):
    """The parameters of a model file: all behind its JSON header."""
    data = path.read_bytes()
    return data[8 + int.from_bytes(data[:8], "little"):]


@pytest.mark.parametrize("options", [{"preset": "fast", "epochs": 15}, {"epochs": 4, "patience": 4},
                                     {"preset": "fast", "epochs": 10, "method": "loc-m-probmix", "pooling": "log-linear",
                                      "family": "gaussian", "validation": 0.3, "hidden": [12, 6], "random_state": 7}])
def test_a_regression(options, numbers, program, tmp_path):
    X, y = numbers
    fitted = probmix.ProbMixRegressor(**options).fit(X, y)
    fitted.save(tmp_path / "python.safetensors")
    names = [f"x{k}" for k in range(X.shape[1])] + ["y"]
    write_csv(tmp_path / "data.csv", names, [map(repr, map(float, column)) for column in (*X.T, y)])
    arguments = []
    for name, value in options.items():
        text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
        arguments += ["--seed" if name == "random_state" else "--" + name.replace("_", "-"), text]
    subprocess.run([program, "train", tmp_path / "data.csv", "--target", "y", "--out", tmp_path / "program.safetensors",
                    *arguments], check=True, capture_output=True)
    assert tensors(tmp_path / "python.safetensors") == tensors(tmp_path / "program.safetensors")
    # Either reads the other's file, and predicts the same.
    loaded = probmix.load(tmp_path / "program.safetensors")
    assert np.array_equal(loaded.predict_dist(X).logpdf(y), fitted.predict_dist(X).logpdf(y))
    subprocess.run([program, "predict", tmp_path / "python.safetensors", tmp_path / "data.csv", "--samples", "2", "--out",
                    tmp_path / "predicted.csv"], check=True, capture_output=True)
    rows = read_csv(tmp_path / "predicted.csv")
    dist = fitted.predict_dist(X)
    for column, values in (("y_mean", dist.mean()), ("y_sd", dist.std()), ("y_q0.05", dist.ppf(0.05)),
                           ("y_sample2", dist.sample(2)[:, 1])):
        assert np.allclose([float(row[column]) for row in rows], values, rtol=1e-5, atol=1e-6), column


def test_classes_categories_and_dates(program, tmp_path):
    pandas = pytest.importorskip("pandas")
    generator = np.random.default_rng(8)
    frame = pandas.DataFrame({"town": generator.choice(["Gent", "Lier", "Mol"], 120),
                              "day": pandas.Timestamp("2024-01-01") + pandas.to_timedelta(generator.integers(0, 200, 120), unit="D"),
                              "x": generator.normal(size=120)})
    frame.loc[::9, "x"] = np.nan
    y = np.where(frame["x"].fillna(0) + (frame["town"] == "Mol") > 0, "on", "off")
    fitted = probmix.ProbMixClassifier(preset="fast", epochs=10).fit(frame, y)
    fitted.save(tmp_path / "python.safetensors")
    frame.assign(y=y).to_csv(tmp_path / "data.csv", index=False)
    subprocess.run([program, "train", tmp_path / "data.csv", "--target", "y", "--preset", "fast", "--epochs", "10", "--out",
                    tmp_path / "program.safetensors"], check=True, capture_output=True)
    assert tensors(tmp_path / "python.safetensors") == tensors(tmp_path / "program.safetensors")
    assert np.array_equal(probmix.load(tmp_path / "program.safetensors").predict_proba(frame), fitted.predict_proba(frame))
    again = probmix.ProbMixClassifier(preset="fast", epochs=10).fit(pandas.read_csv(tmp_path / "data.csv").drop(columns="y"), y)
    assert again.model_.to_bytes() == fitted.model_.to_bytes()


def test_the_type_and_order_of_an_array_do_not_matter(numbers):
    X, y = numbers
    X, y = X.astype(np.float32), y.astype(np.float32)
    expected = probmix.ProbMixRegressor(preset="fast", epochs=5).fit(X, y).model_.to_bytes()
    for other in (np.asfortranarray(X), X.astype(np.float64), X.astype(">f4"), np.repeat(X, 2, axis=0)[::2], X[::-1][::-1],
                  X.tolist(), X.astype(object)):
        assert probmix.ProbMixRegressor(preset="fast", epochs=5).fit(other, y).model_.to_bytes() == expected
