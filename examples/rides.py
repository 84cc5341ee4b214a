#!/usr/bin/env python3
"""Makes the tables of the tutorial: rides of a bicycle courier service that does not exist.

    python3 examples/rides.py        writes the files beside itself

The same bytes on every machine: one seed, and the standard library alone. How long a ride takes is
drawn from a density that is known here:

    minutes = ((3 + distance · pace · traffic + climb + load / 10) · courier · rain · frost + wait) · noise

The noise is log-normal around 1: narrow on quiet roads, wide in the centre at rush hour. The wait is
that for the bridge in the harbour, which is open for one ride in five: 8 minutes on average, at most
30. Rides of 9 km and more begin in October: rides.csv has none.
"""

import csv
import datetime
import math
import pathlib
import random

SEED = 7

# district: share of the rides, mean of the distance in km, minutes for a km, climb in minutes
DISTRICTS = {
    "centre": (0.40, 2.2, 4.6, 0.0),
    "harbour": (0.20, 3.6, 3.4, 0.0),
    "north": (0.25, 4.4, 3.2, 0.0),
    "hills": (0.15, 4.0, 3.8, 4.0),
}
COURIERS = {"Ana": 0.93, "Ben": 1.04, "Chloe": 0.98, "Deniz": 1.00, "Emil": 1.10, "Fatou": 0.95,
            "Goran": 1.02, "Hana": 0.98, "Ivo": 1.06, "Jana": 0.94}
SHARE_OF_DAY = [1.0, 1.0, 1.05, 1.05, 1.2, 0.7, 0.3]  # Monday to Sunday
COLUMNS = ["ride", "started", "courier", "district", "distance_km", "load_kg", "temperature",
           "rain", "city", "minutes"]


def rush(hour):
    """From 0 to 1: how much traffic there is."""
    return math.exp(-((hour - 8.5) / 1.2) ** 2) + math.exp(-((hour - 17.5) / 1.5) ** 2)


def started(rng, first_day, days):
    day = first_day + datetime.timedelta(days=rng.randrange(days))
    while day.weekday() == 6:  # no rides on Sundays
        day = first_day + datetime.timedelta(days=rng.randrange(days))
    hour = min(max(rng.gauss(13.0, 3.4), 7.0), 20.9)
    return datetime.datetime(day.year, day.month, day.day, int(hour), int(60 * (hour % 1)))


def ride(rng, when, far):
    """One ride as a dictionary, without its number. far: to the suburbs, further than any other."""
    district = rng.choices(list(DISTRICTS), [d[0] for d in DISTRICTS.values()])[0]
    _, mean_km, pace, climb = DISTRICTS[district]
    distance = rng.uniform(9.0, 16.0) if far else min(mean_km * rng.gammavariate(5.0, 0.2), 8.9)
    distance = max(round(distance, 1), 0.4)
    load = round(rng.gammavariate(2.0, 3.0), 1)
    season = -math.cos(2 * math.pi * (when.timetuple().tm_yday - 20) / 365)
    temperature = round(12 + 9 * season + rng.gauss(0, 3), 1)
    rain = "yes" if rng.random() < 0.25 else "no"
    courier = rng.choice(list(COURIERS))

    traffic = rush(when.hour + when.minute / 60) * (1.0 if when.weekday() < 5 else 0.3)
    busy = traffic * (1.0 if district == "centre" else 0.35)
    minutes = 3 + distance * pace * (1 + 0.5 * busy) + climb + 0.1 * load
    minutes *= COURIERS[courier] * (1.08 if rain == "yes" else 1.0)
    minutes *= 1.25 if temperature < 3 else 1.0
    if district == "harbour" and rng.random() < 0.2:
        minutes += min(rng.expovariate(1 / 8), 30)
    minutes *= math.exp(rng.gauss(0, 0.07 + 0.25 * busy))
    return {"started": when.strftime("%Y-%m-%d %H:%M"), "courier": courier, "district": district,
            "distance_km": distance, "load_kg": load,
            "temperature": "" if rng.random() < 0.06 else temperature, "rain": rain,
            "city": "Lindenau", "minutes": round(minutes, 1)}


def rides(rng, count, first_number, first_day, days, far_share):
    times = sorted(started(rng, first_day, days) for _ in range(count))
    table = []
    for number, when in enumerate(times, first_number):
        table.append({"ride": f"R{number}", **ride(rng, when, rng.random() < far_share)})
    return table


def days(rng, first_day, count):
    """How many rides there were on each day: a series."""
    table = []
    for n in range(count):
        day = first_day + datetime.timedelta(days=n)
        season = -math.cos(2 * math.pi * (day.timetuple().tm_yday - 20) / 365)
        temperature = 12 + 9 * season + rng.gauss(0, 3)
        mean = (40 + 12 * season) * SHARE_OF_DAY[day.weekday()]
        table.append({"date": day.isoformat(), "temperature": round(temperature, 1),
                      "rides": max(0, round(rng.gauss(mean, math.sqrt(mean))))})
    return table


def write(name, columns, table):
    path = pathlib.Path(__file__).parent / name
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)
    print(f"{path.name}: {len(table)} rows")


def main():
    rng = random.Random(SEED)
    spring = datetime.date(2024, 3, 1)
    autumn = datetime.date(2024, 10, 1)
    winter = datetime.date(2024, 12, 1)
    write("rides.csv", COLUMNS, rides(rng, 800, 1001, spring, 214, 0.0))
    write("rides-test.csv", COLUMNS, rides(rng, 200, 1801, autumn, 61, 0.2))
    new = rides(rng, 12, 2001, winter, 10, 0.2)
    new[3]["courier"] = "Kim"  # whom nobody knows yet
    new[6]["load_kg"] = ""  # elsewhere it is never missing
    write("rides-new.csv", COLUMNS[:-1], new)
    write("days.csv", ["date", "temperature", "rides"], days(rng, datetime.date(2023, 1, 1), 700))


if __name__ == "__main__":
    main()
