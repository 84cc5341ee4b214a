"""The splits that `probmix reproduce tables --export-splits` wrote, and the scores of predictions, in
the units of the data."""

import json
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import norm

from peers import LEVELS


@dataclass
class Task:
    x: pd.DataFrame
    y: np.ndarray  # numbers, or numbers of classes
    test_x: pd.DataFrame
    test_y: np.ndarray
    categories: list  # columns of x
    classes: int  # 0: the target is a number
    is_series: bool
    seed: int
    threads: int


def read_task(folder, name, split, threads):
    about = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    kinds = {c: str for c in about["categories"]}
    table = pd.read_csv(folder / f"{name}.csv", dtype=kinds, keep_default_na=False, na_values=[""])
    target = table[about["target"]]
    classes = 0
    if about["kind"] == "classes":
        target = target.astype("category").cat
        classes, target = len(target.categories), target.codes
    rows = next(s for s in about["splits"] if s["split"] == split)

    def inputs(part):
        last = np.array(rows[part]["last"])
        steps = [table[about["inputs"]].iloc[last - back].reset_index(drop=True).add_suffix(
            f"@{back}") for back in range(about["window"])]
        return pd.concat(steps, axis=1)

    x = inputs("train")
    return Task(x=x, y=target.to_numpy()[rows["train"]["target"]],
                test_x=inputs("test"), test_y=target.to_numpy()[rows["test"]["target"]],
                categories=[c for c in x if c.rsplit("@")[0] in kinds], classes=classes,
                is_series=about["kind"] == "series", seed=split, threads=threads)


def scores(task, found):
    y = task.test_y
    if task.classes:
        p = np.maximum(found["p"], 1e-12)
        p = p / p.sum(axis=1, keepdims=True)
        return {"nll": -np.log(p[np.arange(len(y)), y]).mean(), "accuracy": (p.argmax(1) == y).mean()}
    result = {"rmse": np.sqrt(((found["mean"] - y) ** 2).mean())}
    if "quantiles" in found:  # no density, so no NLL
        error = y[:, None] - found["quantiles"]
        result["crps"] = 2 * np.maximum(LEVELS * error, (LEVELS - 1) * error).mean()
        result["coverage_90"] = ((found["low"] <= y) & (y <= found["high"])).mean()
        return result
    density = norm(found["mean"], found["sd"])
    z = (y - found["mean"]) / found["sd"]
    result["nll"] = -density.logpdf(y).mean()
    result["crps"] = (found["sd"] * (z * (2 * norm.cdf(z) - 1) + 2 * norm.pdf(z)
                                     - 1 / np.sqrt(np.pi))).mean()
    result["coverage_90"] = (np.abs(z) <= norm.ppf(0.95)).mean()
    if (task.y == np.round(task.y)).all():  # the probability of the unit interval around a whole number
        side = np.sign(found["mean"] - y)  # from the tail that is not near one
        a = norm.cdf(side * z + 0.5 / found["sd"]) - norm.cdf(side * z - 0.5 / found["sd"])
        result["nll_unit"] = -np.log(np.maximum(a, 1e-300)).mean()
    return result
