#!/usr/bin/env python3
"""Broken files of many kinds, for tests and fuzzers.

    python3 make_corpus.py        # writes csv/, json/ and model/ beside this file

messages.json has the program's answer to each; tests/cli/corpus_test.py compares.
"""
import gzip
import json
import pathlib
import struct

HOME = pathlib.Path(__file__).parent


def write(name, content):
    path = HOME / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


# Tables, whose target is y.
ROWS = "".join(f"{k % 7},{'abc'[k % 3]},{k % 5}.5\n" for k in range(20))
ROWS2 = "".join(f"{k % 7},{k}.25\n" for k in range(20))
packed = gzip.compress(("x,g,y\n" + ROWS).encode(), mtime=0)
for name, content in {
    "empty": "", "blank": "\n \n\n", "header-only": "x,y\n", "one-row": "x,y\n1,2\n",
    "too-few-fields": "x,y\n1,2\n3\n", "too-many-fields": "x,y\n1,2\n3,4,5\n",
    "same-name-twice": "x,x,y\n1,2,3\n", "open-quote": 'x,y\n1,"2\n3,4\n',
    "text-behind-quote": 'x,y\n1,"2"3\n', "quote-inside": 'x,y\n1,2"3\n',
    "nul": b"x,y\n1,2\n3,\x004\n", "utf-16": "x,y\n1,2\n".encode("utf-16"),
    "carriage-return": "x,y\n1,2\r3,4\n", "no-target": "x,z\n1,2\n3,4\n",
    "target-missing": "x,y\n1,\n2,NA\n3,?\n", "constant-target": "x,y\n1,5\n2,5\n3,5\n",
    "date-target": "x,y\n1,2024-01-01\n2,2024-01-02\n3,2024-01-03\n",
    "no-input": "y\n1.5\n2.5\n3.5\n4.5\n5.5\n", "constant-input": "x,y\n1,1.5\n1,2.5\n1,3.5\n1,4.5\n",
    "huge-number": "x,y\n" + ROWS2 + "2,1e999\n", "infinite": "x,y\n" + ROWS2 + "2,inf\n",
    "text-in-first-row": "x,y\n2,oops\n" + ROWS2, "latin-1": ("x,g,y\n3,K\xf6ln,2.5\n" + ROWS).encode("latin-1"),
    "long-field": "x,y\n1," + "9" * 70000 + "\n", "gzip-cut": packed[:len(packed) // 2],
    "gzip-damaged": packed[:12] + b"\x55" + packed[13:], "zstd-junk": b"\x28\xb5\x2f\xfdjunk",
    "binary": bytes(range(256)), "unnamed-column": "x,,y\n1,2,3\n",
    "parquet": b"PAR1\x15\x04", "arrow": b"ARROW1\0\0\xff\xff\xff\xff", "sqlite": b"SQLite format 3\0",
    "excel": b"PK\x03\x04\x14\0", "json-lines": '{"x": 1, "y": 2}\n{"x": 2, "y": 3}\n',
}.items():
    write(f"csv/{name}.csv", content)


# Models: a network with one input, two hidden units and two outputs, broken in various ways.
TENSORS = {"encoder.0.weight": [2, 1], "encoder.0.bias": [2], "decoder.0.weight": [2, 2],
           "decoder.0.bias": [2]}


def model(change=lambda description: None, tensors=None, **more):
    description = {
        "format": "probmix model", "version": 1, "made-by": "corpus",
        "target": {"columns": ["y"], "shift": [0.0], "scale": [1.0], "classes": [],
                   "family": "gaussian", "homoscedastic": False, "variance-link": "exp",
                   "variance-floor": 1e-4},
        "method": "erm", "members": 0, "seed": 1,
        "series": {"window": 1, "horizon": 0, "time": "", "group": ""},
        "network": {"arch": "mlp", "hidden": [2], "embedding-layer": 1, "activation": "relu"},
        "inputs": [{"name": "x", "kind": "number", "mean": 0.0, "scale": 1.0, "value": True,
                    "marks-missing": False}],
        "training": {}}
    change(description)
    header, offset, data = {"__metadata__": {"probmix": json.dumps(description)}}, 0, b""
    for name, shape in (tensors or TENSORS).items():
        count = 1
        for extent in shape:
            count *= extent
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [offset, offset + 4 * count]}
        data += struct.pack(f"<{count}f", *([0.25] * count))
        offset += 4 * count
    header.update(more)
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def edit(*path, value):
    def change(description):
        for key in path[:-1]:
            description = description[key]
        if value is None:
            del description[path[-1]]
        else:
            description[path[-1]] = value
    return change


GOOD = model()
for name, content in {
    "good": GOOD, "empty": b"", "seven-bytes": GOOD[:7], "cut": GOOD[:-3], "longer": GOOD + b"more",
    "header-too-long": struct.pack("<Q", 1 << 60) + GOOD[8:], "header-no-json": GOOD[:8] + b"x" + GOOD[9:],
    "no-description": struct.pack("<Q", 2) + b"{}",
    "offset-beyond": model(extra={"dtype": "F32", "shape": [1], "data_offsets": [1 << 40, (1 << 40) + 4]}),
    "negative-shape": model(extra={"dtype": "F32", "shape": [-1], "data_offsets": [0, 4]}),
    "huge-shape": model(extra={"dtype": "F32", "shape": [1 << 62, 1 << 62], "data_offsets": [0, 4]}),
    "unknown-type": model(extra={"dtype": "BF16", "shape": [1], "data_offsets": [0, 2]}),
    "newer-version": model(edit("version", value=99)), "other-format": model(edit("format", value="x")),
    "no-inputs": model(edit("inputs", value=[])), "no-target": model(edit("target", value=None)),
    "scale-zero": model(edit("inputs", 0, "scale", value=0)),
    "scale-text": model(edit("inputs", 0, "scale", value="1")),
    "unknown-family": model(edit("target", "family", value="cauchy")),
    "classes-of-reals": model(edit("target", "classes", value=["a", "b"])),
    "unknown-method": model(edit("method", value="best")),
    "wide-layer": model(edit("network", "hidden", value=[1 << 40])),
    "other-width": model(edit("network", "hidden", value=[3])),
    "window-huge": model(edit("series", "window", value=1 << 50)),
    "members-negative": model(edit("members", value=-1)),
    "tensor-missing": model(tensors=dict(list(TENSORS.items())[1:])),
    "tensor-unknown": model(tensors={**TENSORS, "other": [1]}),
    "deep": struct.pack("<Q", 20000) + b"[" * 20000,
}.items():
    write(f"model/{name}.safetensors", content)


# Results of studies.
RUN = {"probmix": 1, "study": "uci", "version": "corpus",
       "configuration": {"dataset": "yacht", "method": "erm", "split": 0}, "status": "done",
       "result": {"test": {"nll": 1.0, "rmse": 1.0}}, "message": "", "seconds": 1.0}
LINE = json.dumps(RUN) + "\n"
for name, content in {
    "empty": "", "no-json": "nonsense\n", "list": "[1, 2]\n", "cut": LINE[:40],
    "cut-in-the-middle": LINE[:40] + "\n" + LINE, "other-format": LINE.replace('"probmix": 1', '"probmix": 9'),
    "other-study": LINE.replace('"uci"', '"mice"'), "status": LINE.replace('"done"', '"maybe"'),
    "no-result": LINE.replace('"result": {"test": {"nll": 1.0, "rmse": 1.0}}, ', ""),
    "deep": "[" * 10000 + "\n",
}.items():
    write(f"json/{name}.jsonl", content)
