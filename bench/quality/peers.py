"""The other programs, each with sound settings: a function from training rows and test inputs to a
prediction. Early stopping looks at a part of the training rows only, the last ones of a series.

A prediction of numbers has a mean, and a standard deviation or quantiles; one of classes has their
probabilities. Nothing here sees a test target.
"""

import catboost
import lightgbm
import ngboost
import numpy as np
import pandas as pd
import quantile_forest
from ngboost.distns import Normal, k_categorical
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.tree import DecisionTreeRegressor

FOLDS = 5
PATIENCE = 50  # rounds without a better score on the held-out rows
LEVELS = (np.arange(100) + 0.5) / 100  # of the quantiles, for the CRPS


def parts(task):
    """Pairs of training and held-out rows, one for each fold."""
    n = len(task.y)
    if task.is_series:
        return list(KFold(FOLDS).split(np.arange(n)))  # blocks of neighbours
    if task.classes:
        return list(StratifiedKFold(FOLDS, shuffle=True, random_state=task.seed).split(task.y, task.y))
    return list(KFold(FOLDS, shuffle=True, random_state=task.seed).split(task.y))


def encode(task):
    """Training and test inputs as numbers: categories one-hot, missing values the median."""
    both = pd.concat([task.x, task.test_x])
    both = pd.get_dummies(both, columns=task.categories, dummy_na=True, dtype=float)
    both = both.fillna(both.iloc[:len(task.x)].median()).fillna(0.0)
    both = both.loc[:, both.iloc[:len(task.x)].nunique() > 1].to_numpy()
    return both[:len(task.x)], both[len(task.x):]


def run_catboost(task):
    x, test_x = task.x.copy(), task.test_x.copy()
    for frame in (x, test_x):
        frame[task.categories] = frame[task.categories].astype(object).fillna("missing").astype(str)
    train, held = parts(task)[-1]
    settings = dict(iterations=2000, early_stopping_rounds=PATIENCE, random_seed=task.seed,
                    thread_count=task.threads, cat_features=task.categories, verbose=False,
                    allow_writing_files=False)
    held_out = (x.iloc[held], task.y[held])
    if not task.classes:
        model = catboost.CatBoostRegressor(loss_function="RMSEWithUncertainty", **settings)
        model.fit(x.iloc[train], task.y[train], eval_set=held_out)
        mean, variance = model.predict(test_x).T
        return {"mean": mean, "sd": np.sqrt(variance)}
    model = catboost.CatBoostClassifier(
        loss_function="Logloss" if task.classes == 2 else "MultiClass", **settings)
    model.fit(x.iloc[train], task.y[train], eval_set=held_out)
    return {"p": spread(model.predict_proba(test_x), model.classes_.astype(int), task.classes)}


def spread(p, found, classes):
    """Probabilities of all classes from those of the classes in the training rows."""
    full = np.zeros((len(p), classes))
    full[:, found] = p
    return full


def run_ngboost(task):
    x, test_x = encode(task)
    train, held = parts(task)[-1]
    large = len(task.y) > 10_000  # minutes otherwise
    settings = dict(Base=DecisionTreeRegressor(
                        criterion="friedman_mse", max_depth=3, random_state=task.seed),
                    n_estimators=500 if large else 2000, learning_rate=0.04 if large else 0.01,
                    minibatch_frac=0.5 if large else 1.0, random_state=task.seed, verbose=False)
    if not task.classes:
        model = ngboost.NGBRegressor(Dist=Normal, **settings)
        model.fit(x[train], task.y[train], X_val=x[held], Y_val=task.y[held],
                  early_stopping_rounds=PATIENCE)
        found = model.pred_dist(test_x, max_iter=model.best_val_loss_itr)
        return {"mean": found.loc, "sd": found.scale}
    present, y = np.unique(task.y, return_inverse=True)
    held = held[np.isin(y[held], y[train])]
    if len(np.unique(y[train])) < len(present):
        train = np.arange(len(y))  # it needs a row of each class
    model = ngboost.NGBClassifier(Dist=k_categorical(len(present)), **settings)
    model.fit(x[train], y[train], X_val=x[held], Y_val=y[held], early_stopping_rounds=PATIENCE)
    p = model.predict_proba(test_x, max_iter=model.best_val_loss_itr)
    return {"p": spread(p, present, task.classes)}


def run_lightgbm(task):
    x, test_x = task.x.copy(), task.test_x.copy()
    for name in task.categories:
        levels = pd.CategoricalDtype(sorted(set(x[name].dropna())))
        x[name], test_x[name] = x[name].astype(levels), test_x[name].astype(levels)
    x.columns = test_x.columns = [f"x{k}" for k in range(x.shape[1])]  # it refuses some names
    settings = dict(n_estimators=2000, learning_rate=0.05, n_jobs=task.threads, verbose=-1,
                    random_state=task.seed, min_child_samples=20 if len(x) > 500 else 5)

    def fit(kind, y, train, held, **more):
        model = kind(**settings, **more)
        return model.fit(x.iloc[train], y[train], eval_set=[(x.iloc[held], y[held])],
                         callbacks=[lightgbm.early_stopping(PATIENCE, verbose=False)])

    folds = parts(task)
    if task.classes:
        p = 0
        for train, held in folds:
            held = held[np.isin(task.y[held], task.y[train])]
            model = fit(lightgbm.LGBMClassifier, task.y, train, held)
            p = p + spread(model.predict_proba(test_x), model.classes_, task.classes) / FOLDS
        return {"p": p}
    # Gaussian: the mean, then the squares of its errors on the rows held out.
    mean, variance, square = 0, 0, np.empty(len(x))
    for train, held in folds:
        model = fit(lightgbm.LGBMRegressor, task.y, train, held)
        square[held] = (model.predict(x.iloc[held]) - task.y[held]) ** 2
        mean = mean + model.predict(test_x) / FOLDS
    square = np.maximum(square, 1e-6 * square.mean() + 1e-300)
    unit = square.mean()
    for train, held in folds:
        model = fit(lightgbm.LGBMRegressor, square / unit, train, held, objective="gamma")
        variance = variance + unit * model.predict(test_x) / FOLDS
    return {"mean": mean, "sd": np.sqrt(variance)}


def run_quantile_forest(task):
    if task.classes:
        return None
    x, test_x = encode(task)
    model = quantile_forest.RandomForestQuantileRegressor(
        n_estimators=300, min_samples_leaf=2, random_state=task.seed, n_jobs=task.threads)
    model.fit(x, task.y)
    found = model.predict(test_x, quantiles=[*LEVELS, 0.05, 0.95])
    return {"quantiles": found[:, :-2], "low": found[:, -2], "high": found[:, -1],
            "mean": model.predict(test_x, quantiles="mean")}


PEERS = {"catboost": run_catboost, "ngboost": run_ngboost, "lightgbm": run_lightgbm,
         "quantile-forest": run_quantile_forest}
