# %% [markdown]
# # Comparing methods
#
# The same splits for every method, and proper scores of the densities: the log-likelihood (higher is better) and the
# CRPS (lower is better). R² looks at the mean alone and cannot tell a good density from a bad one.

# %%
import pathlib

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold

import probmix

TABLES = pathlib.Path(globals().get("__file__", "notebook")).parent / ".."
rides = pd.read_csv(TABLES / "rides.csv", parse_dates=["started"])
X, y = rides.drop(columns=["minutes", "ride", "city"]), rides["minutes"]

# %% [markdown]
# `erm` is training without mixing. The family is fixed, so that log-likelihoods differ by the method alone.

# %%
METHODS = ["erm", "mix", "probmix", "m-probmix"]
splits = list(KFold(3, shuffle=True, random_state=1).split(X))
rows = []
for method in METHODS:
    for fold, (train, test) in enumerate(splits):
        model = probmix.ProbMixRegressor(method=method, family="lognormal", preset="fast", epochs=60, random_state=fold)
        densities = model.fit(X.iloc[train], y.iloc[train]).predict_dist(X.iloc[test])
        rows.append({"method": method, "fold": fold, "log-likelihood": densities.logpdf(y.iloc[test]).mean(),
                     "CRPS": densities.crps(y.iloc[test]).mean()})
scores = pd.DataFrame(rows)
print(scores.groupby("method", sort=False)[["log-likelihood", "CRPS"]].mean().round(3))

# %% [markdown]
# Folds differ more than methods do, so compare within folds: differences to `erm` and their standard errors. Three
# folds are few, and their training rows overlap; `probmix compare` on the command line does this with a test and
# recommends a method.

# %%
table = scores.pivot(index="fold", columns="method", values="log-likelihood")
gain = table[METHODS[1:]].sub(table["erm"], axis=0)
print(pd.DataFrame({"gain": gain.mean(), "standard error": gain.std() / np.sqrt(len(gain))}).round(3))
