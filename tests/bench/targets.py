# SPDX-License-Identifier: GPL-2.0-only
"""
targets - the figures of a run of bench beside those that we want

Each is met (ok) or missed (MISS) where the whole 95 % interval says so, and else
cannot be told (?). "-": its loads or arms did not run.
"""
import dataclasses

import numpy as np

import figures as fig

# The loads that wait for each other or for a timer.
LATENCY = ('pipe', 'futex', 'tcp', 'tcp-sleep-20-200', 'nanosleep-100-50000',
           'nanosleep-100-1')

LEGEND = ('ok, MISS: all of the 95 % interval is on that side; ?: it is on both; '
          '-: not measured.')


@dataclasses.dataclass
class Verdict:
    text: str
    found: object           # a vector, or None
    limit: object = None    # None: only told

    @property
    def value(self):
        return None if self.found is None else float(self.found[0])

    @property
    def verdict(self):
        if self.limit is None:
            return ''
        if self.found is None:
            return '-'
        low, high = fig.interval(self.found)
        return 'ok' if high <= self.limit else 'MISS' if low > self.limit else '?'

    @property
    def shown(self):
        return '-' if self.found is None else f'{self.value:.2f}'

    @property
    def interval(self):
        if self.found is None:
            return ''
        return '{:.2f}-{:.2f}'.format(*fig.interval(self.found))

    @property
    def most(self):
        return '' if self.limit is None else f'{self.limit:.2f}'


def mean(run, value, arm, other):
    """Geometric mean of arm : other over the latency loads."""
    return fig.geometric_mean(
        fig.over(run.figure(work, arm, value), run.figure(work, other, value))
        for work in LATENCY)


def judge(run):
    """All targets, in the order of the report."""
    out = []

    def us(work, arm):
        return run.figure(work, arm, fig.turn_us)

    def want(text, found, limit):
        out.append(Verdict(text, found, limit))

    def tell(text, found):
        if found is not None:
            out.append(Verdict(text, found))

    def ratio(text, work, arm, other, limit, value=fig.turn_us):
        want(text, fig.over(run.figure(work, arm, value), run.figure(work, other, value)), limit)

    def late(text, work, asked, arm, limit):
        """How much longer than asked for, us, against off."""
        x, y = us(work, arm), us(work, 'off')
        want(text, None if x is None or y is None else
             np.maximum(x - asked, 0) / (y - asked), limit)

    ratio('pipe, default : off', 'pipe', 'default', 'off', .4)
    ratio('pipe, fixed-200 : off', 'pipe', 'fixed-200', 'off', .4)
    ratio('pipe, default : fixed-200', 'pipe', 'default', 'fixed-200', 1.05)
    ratio('tcp, default : off', 'tcp', 'default', 'off', .65)
    late('nanosleep 100 us, (default - 100) : (off - 100)', 'nanosleep-100-50000', 100,
         'default', .25)
    late('nanosleep 100 us, slack 1 ns, the same', 'nanosleep-100-1', 100, 'default', .3)
    slept = us('nanosleep-100-1', 'default')
    want('  how late it is, us', None if slept is None else np.maximum(slept - 100, 0), 35)
    work = 'tcp-sleep-20-200'
    late('tcp 20/200 us, (timers-400 - 220) : (off - 220)', work, 220, 'timers-400', .4)
    ratio('  timers-400 : haltpoll', work, 'timers-400', 'haltpoll', .55)
    ratio('  default : haltpoll', work, 'default', 'haltpoll', .55)
    tell('  timers-400, us', us(work, 'timers-400'))
    tell('  haltpoll, us', us(work, 'haltpoll'))
    tell('  native on the host, us', us(work, 'native'))
    work = 'cyclictest'
    ratio('cyclictest -i200, average, default : off', work, 'default', 'off', .35)
    ratio('  99.9th percentile, default : off', work, 'default', 'off', 1, fig.p999_us)
    ratio('  average, default : haltpoll', work, 'default', 'haltpoll', .55)

    want('geometric mean of the latency loads, default : haltpoll',
         mean(run, fig.turn_us, 'default', 'haltpoll'), .8)
    tell('  predictive, which leaves timers alone : haltpoll',
         mean(run, fig.turn_us, 'predictive', 'haltpoll'))
    for work in LATENCY:
        peers = [v for v in (us(work, 'haltpoll'), us(work, 'idle=poll')) if v is not None]
        want(f'  {work}, default : better of haltpoll, idle=poll',
             fig.over(us(work, 'default'), np.min(peers, axis=0) if peers else None), 1.05)
    want('host CPU for a turn, geometric mean, default : haltpoll',
         mean(run, fig.host_us, 'default', 'haltpoll'), 1)
    tell('  predictive, which leaves timers alone : haltpoll',
         mean(run, fig.host_us, 'predictive', 'haltpoll'))
    off, on, peer = (run.figure('idle', arm, fig.host_cores)
                     for arm in ('off', 'default', 'haltpoll'))
    want('idle guest, default less off, % of a core',
         None if off is None or on is None else 100 * (on - off), 1)
    tell('  off, % of a core', None if off is None else 100 * off)
    tell('  haltpoll less off', None if off is None or peer is None else 100 * (peer - off))
    for work in ('hackbench', 'perf-messaging', 'cpu'):
        if work != 'perf-messaging' or work in run.works:
            ratio(f'{work}, default : off', work, 'default', 'off', 1.02)
    tell('kernel without the series : off, geometric mean of the latency loads',
         mean(run, fig.turn_us, 'pristine', 'off'))
    return out
