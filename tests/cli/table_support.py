"""Shared by the tests on user tables: a table, and models of it."""

import csv
import io
import random

from support import CliTest


def houses(rows, seed=1, separator=","):
    """x, town, day and y = 2 x + something for the town + noise."""
    draw = random.Random(seed)
    lines = [separator.join(["x", "town", "day", "y"])]
    for _ in range(rows):
        x, town = draw.gauss(0, 1), draw.randrange(3)
        day = f"2024-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"
        y = 50 + 20 * x + 10 * town + draw.gauss(0, 3)
        lines.append(separator.join([f"{x:.4f}", ["Gent", "Brugge", "Aalst"][town], day, f"{y:.3f}"]))
    return "\n".join(lines) + "\n"


class TableTest(CliTest):
    def setUp(self):
        self.home = self.folder()
        self.table = self.home / "houses.csv"
        self.table.write_text(houses(150), encoding="utf-8")
        self.model = self.home / "m.safetensors"

    def train(self, *more, table=None):
        options = {"--target": "y", "--out": str(self.model), "--epochs": "20", "--hidden": "16,8",
                   **dict(zip(more[::2], more[1::2]))}
        return ["train", str(table or self.table), *(text for pair in options.items() for text in pair)]

    def predictions(self, *more):
        text = self.output("predict", str(self.model), str(self.table), *more)
        return list(csv.DictReader(io.StringIO(text)))
