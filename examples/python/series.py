# %% [markdown]
# # A series
#
# How many rides will there be a week from now? A window of the last 14 days predicts the day `horizon` rows later.

# %%
import pathlib

import numpy as np
import pandas as pd

import probmix

TABLES = pathlib.Path(globals().get("__file__", "notebook")).parent / ".."
days = pd.read_csv(TABLES / "days.csv", parse_dates=["date"])
past, recent = days[:600], days[600:].reset_index(drop=True)

# %% [markdown]
# `time` names the column of dates: gaps are found by it, and the latest rows are held out to choose the best epoch.

# %%
HORIZON = 7
model = probmix.ProbMixForecaster(window=14, horizon=HORIZON, time="date", preset="fast", random_state=1)
model.fit(past, "rides")

# %% [markdown]
# There is a prediction for each row that ends a window, and `origins` says which rows these are. The target lies
# `horizon` rows later, so the last predictions are forecasts of days that are not in the table.

# %%
densities = model.predict_dist(recent)
target = model.origins(recent) + HORIZON
known = target < len(recent)
observed = recent["rides"].to_numpy()[target[known]]
low, high = densities[known].interval(0.9)
last_week = recent["rides"].to_numpy()[target[known] - 7]
error, naive = (np.abs(observed - guess).mean() for guess in (densities[known].median(), last_week))
print(f"mean absolute error {error:.2f} rides; {naive:.2f} if the same day of last week is the forecast")
print(f"90 % intervals hold {np.mean((observed >= low) & (observed <= high)):.0%} of {known.sum()} days")

# %%
forecast = densities[-1]
print(f"in {HORIZON} days: {forecast.mean():.1f} rides, P(more than 50) = {forecast.sf(50):.1%}")
