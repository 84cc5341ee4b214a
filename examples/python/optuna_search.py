# %% [markdown]
# # A search with Optuna
#
# The objective is the mean log-likelihood of rows that are held out. (`trials=20` searches without Optuna: see
# `help(probmix.ProbMixRegressor)`.) Needs `pip install optuna`.

# %%
import pathlib

import optuna
import pandas as pd
from sklearn.model_selection import train_test_split

import probmix

TABLES = pathlib.Path(globals().get("__file__", "notebook")).parent / ".."
rides = pd.read_csv(TABLES / "rides.csv", parse_dates=["started"])
X, y = rides.drop(columns=["minutes", "ride", "city"]), rides["minutes"]
X, X_test, y, y_test = train_test_split(X, y, test_size=0.25, random_state=1)
X_train, X_held, y_train, y_held = train_test_split(X, y, test_size=0.3, random_state=2)


# %%
def model_of(parameters):
    return probmix.ProbMixRegressor(preset="fast", family="lognormal", epochs=60, random_state=1, **parameters)


def objective(trial):
    parameters = {
        "method": trial.suggest_categorical("method", ["erm", "probmix", "m-probmix"]),
        "alpha": trial.suggest_float("alpha", 0.05, 2, log=True),
        "learning_rate": trial.suggest_float("learning_rate", 1e-3, 2e-2, log=True),
        "dropout": trial.suggest_float("dropout", 0, 0.3),
    }
    # Its own early stopping uses other rows than those that judge it here.
    return model_of(parameters).fit(X_train, y_train).log_likelihood(X_held, y_held)


# %%
optuna.logging.set_verbosity(optuna.logging.WARNING)
study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=1))
study.optimize(objective, n_trials=10)
print(study.best_params)

# %% [markdown]
# The best of several scores is biased upwards: judge by rows that no trial has seen.

# %%
best = model_of(study.best_params).fit(X, y)
plain = model_of({}).fit(X, y)
print(f"held out: {study.best_value:.3f}; test: {best.log_likelihood(X_test, y_test):.3f}, "
      f"without a search {plain.log_likelihood(X_test, y_test):.3f}")
