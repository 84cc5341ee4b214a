"""Shared by the peers: the dump of our step, the check against it, timing, and the worker's loop.

A worker reads one JSON object per line and answers with one:
  {"prepare": FILE}                       -> {"variants": [...]}, all checked and warmed up
  {"measure": VARIANT, "seconds": S}      -> {"us": ..., "cpu_us": ...} of one step
A failure is answered with {"error": "one line"}. At the start it prints, unasked:
{"versions": {...}, "contenders": {VARIANT: NAME}}.
"""
import json
import os
import sys
import time
import types

import numpy as np

LOSS_TOLERANCE = 1e-5  # relative
GRADIENT_TOLERANCE = 1e-4  # of the norm
FIXED = {"activation": "relu", "family": "gaussian", "homoscedastic": False, "draws": 1,
         "pooling": "log-linear", "criterion": "mean-log", "layers": 1, "dropout": 0,
         "feedforward_activation": "relu"}
ALPHA = 0.1  # of λ ~ Beta(α, α)


class PeerError(Exception):
    """One line for the user."""


def load(file):
    """The first step of ours, as arrays: data, parameters by name, and what was drawn."""
    with open(file, encoding="utf-8") as stream:
        dump = json.load(stream)
    for key, value in FIXED.items():
        if dump.get(key, value) != value:
            raise PeerError(f"the peers know only {key} {value}, not {dump[key]}")
    if dump["rows_in_play"] != list(range(dump["rows"])):
        raise PeerError("the peers take all rows in each step, in their order")
    if dump["method"] != "erm" and not 0.1 < dump["lambda"][0] < 0.9:
        raise PeerError(f"lambda {dump['lambda'][0]} would hide an error in one row of each pair")

    def real(key):
        return np.asarray(dump[key], dtype=np.float32)

    adam = dump["adam"]
    parameters = {p["name"]: np.asarray(p["values"], np.float32).reshape(p["shape"])
                  for p in dump["parameters"]}
    return types.SimpleNamespace(
        arch=dump["arch"], method=dump["method"], rows=dump["rows"], steps=dump["steps"],
        heads=dump.get("heads"), positions=positions(dump["steps"], dump.get("units", 0)),
        encoder_layers=transformer_layers(parameters, "encoder"),
        decoder_layers=transformer_layers(parameters, "decoder"),
        random_embedding=dump["method"].startswith("m-probmix"),
        positive=dump["positive"]["kind"], floor=dump["positive"]["floor"],
        rate=adam["learning_rate"], beta1=adam["beta1"], beta2=adam["beta2"],
        epsilon=adam["epsilon"], parameters=parameters,
        x=real("x").reshape(dump["rows"], -1), y=real("y"),
        partner=np.asarray(dump["partner"], np.int64), lam=dump["lambda"][0],
        noise=real("noise").reshape(dump["rows"], -1), loss=dump["loss"], gradient=real("gradient"))


def positions(steps, width):
    """Sines and cosines of each step, as a transformer adds them to its input."""
    step, k = np.arange(steps)[:, None], np.arange(width)
    angle = step * 10000.0 ** (-(k - k % 2) / width)
    return np.where(k % 2 == 0, np.sin(angle), np.cos(angle)).astype(np.float32)


def transformer_layers(names, part):
    prefix = f"encoder.0.1.{part}.layers."
    numbers = {int(n[len(prefix):].split(".")[0]) for n in names if n.startswith(prefix)}
    return [prefix + str(k) for k in sorted(numbers)]


def layers(names, part):
    """(weight, bias) of each linear layer of the encoder or decoder, in their order."""
    found = sorted({n.rsplit(".", 1)[0] for n in names if n.startswith(part + ".")},
                   key=lambda n: [int(k) for k in n.split(".")[1:]])
    return [(n + ".weight", n + ".bias") for n in found]


def check_step(who, step, loss, gradient):
    """The same loss and gradient as ours, or a PeerError."""
    flat = np.concatenate([np.asarray(g).ravel() for g in gradient])
    who, loss = f"{who}, {step.method}", float(loss)
    if not abs(loss - step.loss) <= LOSS_TOLERANCE * abs(step.loss):
        raise PeerError(f"{who}: the loss is {loss:.8g}, ours {step.loss:.8g}")
    off = np.linalg.norm(flat - step.gradient) / np.linalg.norm(step.gradient)
    if not off <= GRADIENT_TOLERANCE:
        raise PeerError(f"{who}: the gradient is off by {off:.1e} of its norm")


def time_step(run, seconds):
    """Microseconds of one step, wall and CPU time; run(k) takes k steps or a few more, waits for
    their end, and returns their number."""
    steps = 1
    while True:
        start, start_cpu = time.perf_counter(), time.process_time()
        steps = run(steps)
        elapsed = time.perf_counter() - start
        if elapsed >= 0.8 * seconds:
            cpu = time.process_time() - start_cpu
            return {"us": 1e6 * elapsed / steps, "cpu_us": 1e6 * cpu / steps}
        steps = max(steps + 1, min(10 * steps, round(steps * seconds / max(elapsed, 1e-9))))


def serve(versions, contenders, prepare):
    """prepare(step) gives {variant: run} after its checks."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # so that output of libraries does not mix with the answers

    def answer(value):
        answers.write(json.dumps(value) + "\n")

    answer({"versions": versions, "contenders": contenders})
    variants = {}
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if "prepare" in request:
                variants.clear()
                variants.update(prepare(load(request["prepare"])))
                for run in variants.values():
                    time_step(run, 0.05)
                answer({"variants": list(variants)})
            else:
                run = variants[request["measure"]]
                run(1)
                answer(time_step(run, request["seconds"]))
        except Exception as error:  # the driver reports it and stops
            kind = "" if isinstance(error, PeerError) else f"{type(error).__name__}: "
            answer({"error": kind + str(error).strip().split("\n")[0]})
