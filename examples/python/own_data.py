# %% [markdown]
# # Your own table
#
# A data frame with numbers, text, dates and missing values goes in as it is; a density for each row comes out. The
# rides of a bicycle courier service are synthetic (see ../README.md): put your file and your target in their places.

# %%
import pathlib

import pandas as pd

import probmix

TABLES = pathlib.Path(globals().get("__file__", "notebook")).parent / ".."
rides = pd.read_csv(TABLES / "rides.csv", parse_dates=["started"])
later = pd.read_csv(TABLES / "rides-test.csv", parse_dates=["started"])
rides.head(3)

# %% [markdown]
# `preset="fast"` trains one network in a second. Without it an ensemble is trained, and rows that are held out choose
# the family, the method and the weights of its networks. `remarks_` says what was decided about the table.

# %%
inputs = rides.columns.drop("minutes")
model = probmix.ProbMixRegressor(preset="fast").fit(rides[inputs], rides["minutes"])
print(*model.remarks_, sep="\n")

# %% [markdown]
# ## Densities
#
# One object holds the densities of all rows; all its functions are vectorised.

# %%
densities = model.predict_dist(later[inputs])
low, high = densities.interval(0.9)
print(pd.DataFrame({"minutes": later["minutes"], "mean": densities.mean(), "low": low, "high": high,
                    "P(over 30 minutes)": densities.sf(30)}).round(2).head())

# %% [markdown]
# ## Do the intervals hold?
#
# Not for rides of 9 km and more, of which the training rows have none. `std_model` is the part of the deviation on
# which networks disagree, so it needs an ensemble or M-ProbMix; it should grow where there was no data.

# %%
inside = later["minutes"].between(low, high)
far = later["distance_km"] >= 9
print(f"90 % intervals hold {inside[~far].mean():.0%} of the near rides and {inside[far].mean():.0%} of the far ones")

# %% [markdown]
# The saved model can be read by the command line and by C++ programs: `probmix predict rides.safetensors new.csv`.

# %%
import tempfile  # noqa: E402

with tempfile.TemporaryDirectory() as folder:
    model.save(f"{folder}/rides.safetensors")
    again = probmix.load(f"{folder}/rides.safetensors")
assert (again.predict(later[inputs]) == densities.mean()).all()
