#!/usr/bin/env python3
"""Golden values of weight decay and learning-rate schedules, written to optimiser.json.

Needs Python alone. AdamW is algorithm 2 of Loshchilov and Hutter (2019), with the decay times the
learning rate as in torch.optim.AdamW. The schedules are those of torch.optim.lr_scheduler: LinearLR
followed by CosineAnnealingLR, and OneCycleLR with cycle_momentum=False, written out from their
documentation. The steps are in fractions of 50 digits, not in floating point.
"""
import json
import pathlib
import random
from decimal import Decimal, getcontext
from math import cos, pi

getcontext().prec = 50
STEPS = 5
SETTINGS = [
    {"lr": 0.01, "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "decay": 0.1},
    {"lr": 0.3, "beta1": 0.5, "beta2": 0.9, "epsilon": 1e-2, "decay": 1.5},
]
FACTORS = [0.25, 1, 0.75, 0.5, 0.125]  # of the learning rate, one for each step


def adamw(setting, start, gradients, decays):
    lr, beta1, beta2, epsilon, decay = (
        Decimal(setting[key]) for key in ("lr", "beta1", "beta2", "epsilon", "decay")
    )
    theta = [Decimal(x) for x in start]
    m = [Decimal(0)] * len(start)
    v = [Decimal(0)] * len(start)
    after = []
    for t, (gradient, factor) in enumerate(zip(gradients, FACTORS), start=1):
        rate = lr * Decimal(factor)
        for k, g in enumerate(map(Decimal, gradient)):
            m[k] = beta1 * m[k] + (1 - beta1) * g
            v[k] = beta2 * v[k] + (1 - beta2) * g * g
            m_hat = m[k] / (1 - beta1**t)
            v_hat = v[k] / (1 - beta2**t)
            shrink = decay * theta[k] if decays[k] else Decimal(0)
            theta[k] -= rate * (m_hat / (v_hat.sqrt() + epsilon) + shrink)
        after.append([float(x) for x in theta])
    return after


def linear_then_cosine(warm_up_steps, steps, falls):
    """LinearLR(start_factor=1/w, total_iters=w-1), then CosineAnnealingLR(T_max=steps-w)."""
    factors = []
    for step in range(steps):
        if step < warm_up_steps:
            start = 1 / warm_up_steps
            span = max(1, warm_up_steps - 1)
            factors.append(start + (1 - start) * step / span if warm_up_steps > 1 else 1.0)
        elif falls:
            factors.append(
                0.5 * (1 + cos(pi * (step - warm_up_steps) / (steps - warm_up_steps)))
            )
        else:
            factors.append(1.0)
    return factors


def one_cycle(share, steps):
    """OneCycleLR(max_lr=1, pct_start=share, div_factor=25, final_div_factor=1e4)."""
    initial, highest = 1 / 25, 1.0
    lowest = initial / 1e4
    peak = share * steps - 1

    def anneal(start, end, part):
        return end + (start - end) / 2.0 * (1 + cos(pi * part))

    return [
        anneal(initial, highest, step / peak)
        if step <= peak
        else anneal(highest, lowest, (step - peak) / (steps - 1 - peak))
        for step in range(steps)
    ]


def main():
    generator = random.Random(1)
    start = [generator.gauss(0, 1) for _ in range(19)]
    gradients = [[generator.gauss(0, 1) for _ in range(19)] for _ in range(STEPS)]
    for gradient in gradients:
        gradient[0] = 0.0  # this parameter moves by its decay alone
        gradient[1] *= 1e-6
        gradient[2] *= 1e6
    weights = 12  # the first ones decay
    decays = [k < weights for k in range(19)]
    golden = {
        "start": start,
        "gradients": gradients,
        "weights": weights,
        "factors": FACTORS,
        "cases": [{**s, "parameters": adamw(s, start, gradients, decays)} for s in SETTINGS],
        "schedules": [
            {"schedule": "constant", "warm_up": 0, "factors": linear_then_cosine(0, 20, False)},
            {"schedule": "constant", "warm_up": 0.25, "factors": linear_then_cosine(5, 20, False)},
            {"schedule": "cosine", "warm_up": 0, "factors": linear_then_cosine(0, 20, True)},
            {"schedule": "cosine", "warm_up": 0.25, "factors": linear_then_cosine(5, 20, True)},
            {"schedule": "cosine", "warm_up": 0.05, "factors": linear_then_cosine(1, 20, True)},
            {"schedule": "one-cycle", "warm_up": 0.3, "factors": one_cycle(0.3, 20)},
            {"schedule": "one-cycle", "warm_up": 0.33, "factors": one_cycle(0.33, 17)},
        ],
    }
    path = pathlib.Path(__file__).with_name("optimiser.json")
    path.write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main()
