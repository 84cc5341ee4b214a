#!/usr/bin/env python3
"""Golden values of five steps of torch.optim.Adam in double precision, written to adam.json.

Run with PyTorch (made with 1.13):  python3 make_adam_golden.py
"""
import json
import pathlib

import torch

STEPS = 5
SETTINGS = [
    {"lr": 0.01, "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8},
    {"lr": 0.3, "beta1": 0.5, "beta2": 0.9, "epsilon": 1e-2},  # an epsilon large enough to matter
]


def run(setting, start, gradients):
    parameter = torch.nn.Parameter(start.clone())
    optimiser = torch.optim.Adam(
        [parameter],
        lr=setting["lr"],
        betas=(setting["beta1"], setting["beta2"]),
        eps=setting["epsilon"],
    )
    after = []
    for gradient in gradients:
        parameter.grad = gradient.clone()
        optimiser.step()
        after.append(parameter.detach().tolist())
    return after


def main():
    generator = torch.Generator().manual_seed(1)
    start = torch.randn(19, dtype=torch.float64, generator=generator)
    gradients = torch.randn(STEPS, 19, dtype=torch.float64, generator=generator)
    gradients[:, 0] = 0  # a parameter that never moves
    gradients[:, 1] *= 1e-6
    gradients[:, 2] *= 1e6
    cases = [{**s, "parameters": run(s, start, gradients)} for s in SETTINGS]
    golden = {"start": start.tolist(), "gradients": gradients.tolist(), "cases": cases}
    path = pathlib.Path(__file__).with_name("adam.json")
    path.write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main()
