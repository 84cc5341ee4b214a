#!/usr/bin/env python3
"""Golden values of transformers: outputs and all gradients by PyTorch's autograd.

    /usr/bin/python3 make_transformer_golden.py        # writes transformer_golden.json beside it

Needs PyTorch (made with 1.13). Parameters and their gradients are flat lists in the order of
probmix: the blocks of a layer one after the other, each followed by its norm. The loss is the sum
of c * y; x, y, c and dx are [rows, steps, width].
"""
import json
import pathlib

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
torch.manual_seed(3)


def rounded(tensor):
    return torch.round(tensor, decimals=4)


def ordered_parameters(module):
    """Those of an encoder or a decoder."""
    for layer in module.layers:
        yield from layer.self_attn.parameters()
        yield from layer.norm1.parameters()
        if hasattr(layer, "multihead_attn"):
            yield from layer.multihead_attn.parameters()
            yield from layer.norm2.parameters()
        yield from layer.linear1.parameters()
        yield from layer.linear2.parameters()
        last = layer.norm3 if hasattr(layer, "multihead_attn") else layer.norm2
        yield from last.parameters()
    if module.norm is not None:
        yield from module.norm.parameters()


def flat(tensors):
    return [number for tensor in tensors for number in tensor.flatten().tolist()]


def make_case(width, heads, encoder_layers, decoder_layers, feedforward, activation, rows, steps,
              last_norm):
    if decoder_layers > 0:
        module = nn.Transformer(width, heads, encoder_layers, decoder_layers, feedforward,
                                dropout=0.0, activation=activation, batch_first=True)
        parameters = [*ordered_parameters(module.encoder), *ordered_parameters(module.decoder)]
    else:
        layer = nn.TransformerEncoderLayer(width, heads, feedforward, dropout=0.0,
                                           activation=activation, batch_first=True)
        module = nn.TransformerEncoder(layer, encoder_layers,
                                       nn.LayerNorm(width) if last_norm else None)
        parameters = list(ordered_parameters(module))
    assert len(parameters) == len(list(module.parameters()))
    with torch.no_grad():
        for parameter in parameters:  # none at its neutral start, and none equal to another
            parameter.copy_(rounded(parameter + 0.2 * torch.randn_like(parameter)))
    x = rounded(torch.randn(rows, steps, width)).requires_grad_()
    c = rounded(torch.randn(rows, steps, width))
    y = module(x, x) if decoder_layers > 0 else module(x)
    (c * y).sum().backward()
    return {
        "width": width, "heads": heads, "encoder_layers": encoder_layers,
        "decoder_layers": decoder_layers, "feedforward": feedforward, "activation": activation,
        "rows": rows, "steps": steps, "last_norm": last_norm,
        "parameters": flat(p.detach() for p in parameters), "x": flat([x.detach()]),
        "c": flat([c]), "y": flat([y.detach()]), "dx": flat([x.grad]),
        "gradient": flat(p.grad for p in parameters),
    }


cases = [
    make_case(6, 2, 2, 0, 5, "relu", 2, 3, False),
    make_case(6, 3, 1, 0, 4, "gelu", 3, 5, True),
    make_case(4, 1, 1, 0, 3, "relu", 2, 1, False),
    make_case(8, 2, 2, 2, 6, "relu", 2, 5, True),
    make_case(6, 1, 1, 2, 9, "gelu", 2, 4, True),
]
path = pathlib.Path(__file__).with_name("transformer_golden.json")
path.write_text(json.dumps({"cases": cases}, separators=(",", ":")) + "\n")
