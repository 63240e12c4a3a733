# SPDX-License-Identifier: GPL-2.0-only
"""
figures - medians of a run of bench, and how sure they are

A run is rounds of loads in arms. Every figure here is a numpy vector: its first
element is the median over the rounds, each other one the median over as many
rounds drawn anew, with replacement. The same rounds are drawn for all arms and
loads, since what disturbs one arm of a round is likely to disturb the others. So
whatever is computed from figures, element by element, a ratio or a mean of
ratios, comes with its bootstrap distribution.
"""
import csv

import numpy as np

RESAMPLES = 2000


class Run:
    """The rows of bench.tsv; arms and works in the order of the file."""

    def __init__(self, path):
        self.title, self.works, self.arms, self.rows = '', [], [], {}
        with open(path, encoding='utf-8') as file:
            lines = file.read().splitlines()
        titles = [line[1:].strip() for line in lines if line.startswith('#')]
        self.title = titles[0] if titles else ''
        # Several runs of tests/guest/rounds have a header each.
        header, *rows = [line for line in lines if not line.startswith('#')] or ['']
        for row in csv.DictReader((line for line in rows if line != header),
                                  header.split('\t'), delimiter='\t'):
            self._add(row)
        self.rounds = sorted({r for rows in self.rows.values() for r in rows})
        self._drawn = np.vstack([
            np.arange(len(self.rounds)),
            np.random.default_rng(1).integers(
                len(self.rounds), size=(RESAMPLES, len(self.rounds)))
        ]) if self.rounds else None

    def _add(self, row):
        work, arm = row['work'], row['arm']
        if work not in self.works:
            self.works.append(work)
        if arm not in self.arms:
            self.arms.append(arm)
        self.rows.setdefault((work, arm), {})[int(row['round'])] = row

    def has(self, work, arm):
        return (work, arm) in self.rows

    def figure(self, work, arm, value):
        """Medians of value(row); None unless all rounds have it, three at least."""
        rows = self.rows.get((work, arm), {})
        if len(self.rounds) < 3 or len(rows) < len(self.rounds):
            return None
        values = np.array([value(rows[r]) for r in self.rounds])
        if np.isnan(values).any():
            return None
        return np.median(values[self._drawn], axis=1)


def field(row, name):
    """A number; NaN where there is none."""
    value = row.get(name)
    return float('nan') if value in (None, '', '-') else float(value)


def per_turn(*names):
    return lambda row: sum(field(row, name) for name in names) / field(row, 'n')


def turn_us(row):
    return field(row, 'mean_ns') / 1000


def p99_us(row):
    return field(row, 'p99_ns') / 1000


def p999_us(row):
    return field(row, 'p999_ns') / 1000


def host_us(row):
    """CPU time of QEMU for a turn."""
    return field(row, 'host_ns') / field(row, 'n') / 1000


def host_cores(row):
    """CPU time of QEMU over wall time."""
    return field(row, 'host_ns') / field(row, 'wall_ns')


def polls(row):
    """Of the series, or uses of cpuidle's polling state, whichever polled."""
    tried, state = field(row, 'attempted'), field(row, 'poll_state')
    known = [n for n in (tried, state) if n == n]
    return max(known) / field(row, 'n') if known else float('nan')


def polled_cores(row):
    """Time polled by the series over wall time: 1 is one CPU that only polls."""
    return (field(row, 'success_ns') + field(row, 'fail_ns')) / field(row, 'wall_ns')


def interval(vector):
    """Ends of the 95 % interval."""
    return np.percentile(vector[1:], (2.5, 97.5))


def over(x, y):
    """x : y; None where one of them is not known."""
    return None if x is None or y is None else x / y


def geometric_mean(vectors):
    known = [v for v in vectors if v is not None]
    return np.exp(np.mean(np.log(known), axis=0)) if known else None
