# %% [markdown]
# # Your own network in PyTorch
#
# `ProbMixLoss` regularises any network that ends in the outputs of a density. Needs `pip install torch`.

# %%
import pathlib

import pandas as pd
import torch

from probmix.torch import ProbMixLoss

TABLES = pathlib.Path(globals().get("__file__", "notebook")).parent / ".."
rides = pd.read_csv(TABLES / "rides.csv")
columns = pd.get_dummies(rides[["distance_km", "load_kg", "district", "rain"]]).astype("float32")
x = torch.tensor(columns.to_numpy())
y = torch.tensor(rides["minutes"].to_numpy(), dtype=torch.float32)
x, y = (x - x.mean(dim=0)) / x.std(dim=0), (y - y.mean()) / y.std()  # both on a scale of about 1
order = torch.randperm(len(y), generator=torch.Generator().manual_seed(1))
train, test = order[:600], order[600:]


# %% [markdown]
# The usual loop, to which mixing adds no line: it is in the loss. In evaluation (`loss.eval()`) the same loss is the
# plain negative log-likelihood.

# %%
def network_of(seed):
    torch.manual_seed(seed)
    return torch.nn.Sequential(torch.nn.Linear(x.shape[1], 64), torch.nn.ReLU(), torch.nn.Linear(64, 64), torch.nn.ReLU(),
                               torch.nn.Linear(64, 2))  # the mean and the log-variance


def fit(network, loss, epochs=60):
    optimiser = torch.optim.Adam(network.parameters(), 0.005)
    for _ in range(epochs):
        for batch in train[torch.randperm(len(train))].split(100):
            optimiser.zero_grad()
            loss(network(x[batch]), y[batch]).backward()
            optimiser.step()
    return network.eval()


regularised = fit(network_of(1), ProbMixLoss("gaussian", alpha=0.5))


# %% [markdown]
# Beside the same network with the plain loss of PyTorch:

# %%
def plain_loss(out, y):
    return torch.nn.functional.gaussian_nll_loss(out[:, 0], y, out[:, 1].exp() + 1e-4, full=True)


plain = fit(network_of(1), plain_loss)
judge = ProbMixLoss("gaussian").eval()
with torch.no_grad():
    for name, network in (("plain", plain), ("ProbMix", regularised)):
        print(f"{name}: negative log-likelihood {judge(network(x[train]), y[train]):.3f} in training, "
              f"{judge(network(x[test]), y[test]):.3f} in test")
