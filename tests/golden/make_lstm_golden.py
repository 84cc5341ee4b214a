#!/usr/bin/env python3
"""Golden values of torch.nn.LSTM in double precision, written to lstm_golden.json.

The loss is the sum of c * y with fixed c; all gradients come from autograd. The two biases of
PyTorch enter as one, their sum (each has the gradient of the sum).

Run with PyTorch (made with 1.13):  python3 make_lstm_golden.py
"""
import json
import pathlib

import torch

CASES = [
    {"layers": 1, "rows": 3, "steps": 4, "channels": 2, "hidden": 5},
    {"layers": 2, "rows": 2, "steps": 3, "channels": 3, "hidden": 4},
]


def rounded(tensor):
    """Six decimals: inputs that a short file can hold exactly."""
    return torch.round(tensor * 1e6) / 1e6


def flat(tensor):
    return tensor.detach().reshape(-1).tolist()


def run(case, generator):
    def draw(*shape):
        return rounded(torch.randn(*shape, dtype=torch.float64, generator=generator))

    lstm = torch.nn.LSTM(
        case["channels"], case["hidden"], case["layers"], batch_first=True
    ).double()
    with torch.no_grad():
        for parameter in lstm.parameters():
            parameter.copy_(0.7 * draw(*parameter.shape))
    x = draw(case["rows"], case["steps"], case["channels"]).requires_grad_()
    y, _ = lstm(x)
    c = draw(*y.shape)
    (c * y).sum().backward()

    parameters, gradient = [], []  # layer by layer, as in C++
    for layer in range(case["layers"]):
        named = {n: getattr(lstm, f"{n}_l{layer}") for n in
                 ["weight_ih", "weight_hh", "bias_ih", "bias_hh"]}
        for name in ["weight_ih", "weight_hh"]:
            parameters += flat(named[name])
            gradient += flat(named[name].grad)
        parameters += flat(named["bias_ih"] + named["bias_hh"])
        gradient += flat(named["bias_ih"].grad)
    return {**case, "parameters": parameters, "x": flat(x), "c": flat(c), "y": flat(y),
            "gradient": gradient, "dx": flat(x.grad)}


def main():
    generator = torch.Generator().manual_seed(1)
    cases = [json.dumps(run(case, generator)) for case in CASES]
    path = pathlib.Path(__file__).with_name("lstm_golden.json")
    path.write_text('{"cases": [\n ' + ",\n ".join(cases) + "\n]}\n")


if __name__ == "__main__":
    main()
