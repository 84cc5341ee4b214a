# %% [markdown]
# # Calibration
#
# A density is calibrated if what it says happens as often as it says: half of the responses lie below the median, nine
# of ten within 90 % intervals. The values cdf(y) of the responses are then uniform on (0, 1).

# %%
import pathlib

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

import probmix

TABLES = pathlib.Path(globals().get("__file__", "notebook")).parent / ".."
rides = pd.read_csv(TABLES / "rides.csv", parse_dates=["started"])
X, y = rides.drop(columns=["minutes", "ride", "city"]), rides["minutes"]
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.4, random_state=1)
model = probmix.ProbMixRegressor(preset="fast", family="lognormal", random_state=1).fit(X_train, y_train)
densities = model.predict_dist(X_test)

# %% [markdown]
# ## Coverage
#
# With n rows the share inside is uncertain by sqrt(c (1 − c) / n): a coverage of 87 % of 320 rows does not refute 90 %.

# %%
for coverage in (0.5, 0.8, 0.9, 0.95):
    low, high = densities.interval(coverage)
    inside = np.mean((y_test >= low) & (y_test <= high))
    print(f"{coverage:.0%} intervals hold {inside:.1%} ± {np.sqrt(coverage * (1 - coverage) / len(y_test)):.1%}, "
          f"mean width {np.mean(high - low):.1f} minutes")

# %% [markdown]
# ## Where cdf(y) lies
#
# Many values at both ends: densities that are too narrow; many in the middle: too wide.

# %%
u = densities.cdf(y_test.to_numpy())
counts, _ = np.histogram(u, bins=10, range=(0, 1))
for k, count in enumerate(counts):
    print(f"{k / 10:.1f} to {(k + 1) / 10:.1f} {'#' * count} {count}")

# %% [markdown]
# ## In groups
#
# Calibration over all rows can hide that one group is too sure of itself and another too cautious.

# %%
low, high = densities.interval(0.9)
inside = pd.Series((y_test >= low) & (y_test <= high), index=y_test.index)
print(inside.groupby(X_test["district"]).agg(["mean", "size"]).round(2))

# %% [markdown]
# ## Classes
#
# Among rides that take more than 15 minutes with a predicted probability of about p, a share of about p should. Groups
# by quantiles of p have the same number of rows each.

# %%
speed = pd.Series(np.where(y > 15, "slow", "quick"), index=y.index)
classifier = probmix.ProbMixClassifier(preset="fast", random_state=1).fit(X_train, speed[X_train.index])
p = classifier.predict_proba(X_test)[:, list(classifier.classes_).index("slow")]
quarter = np.searchsorted(np.quantile(p, [0.25, 0.5, 0.75]), p)
judged = pd.DataFrame({"quarter": quarter, "predicted": p, "observed": speed[X_test.index].to_numpy() == "slow"})
print(judged.groupby("quarter").mean().round(2))
