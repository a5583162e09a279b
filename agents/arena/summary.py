"""A tournament in numbers: what its tables, files and pictures show."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agents.arena.ratings import RatingTable, fit_ratings
from agents.arena.resampling import Floats, Totals, interval, resampled_totals
from agents.arena.results import PairResult, TournamentResult
from agents.arena.significance import ALPHA, holm, p_value
from agents.arena.statistics import deal_deviation, deals_needed, variance_ratio


@dataclass(frozen=True)
class PairRow:
    """One pair under one rule set; points and shares are those of ``a``. Intervals: nan for a single deal.

    ``points``: mean over deals of the mean of both halves. ``won drawn lost``: halves; ``deals_won`` and so on:
    duplicate deals, both halves together. ``score``: the share of deals won, draws counting half. ``p``: of the test
    that ``points`` is 0, ``p_holm``: corrected for all pairs and rule sets; ``better``: who is better by it, or "".
    ``sd_deal``: standard deviation of a deal's mean; ``sd_half``: of a single half, the side being drawn.
    ``variance_ratio``: how many times as many halves of single deals would buy the same interval.
    ``deals_for_0_1``, ``deals_for_0_2``: deals for an interval of +-0.1 and +-0.2 points.
    """

    a: str
    b: str
    rules: str
    deals: int
    points: float
    low: float
    high: float
    won: int
    drawn: int
    lost: int
    deals_won: int
    deals_drawn: int
    deals_lost: int
    score: float
    p: float
    p_holm: float
    better: str
    sd_deal: float
    sd_half: float
    variance_ratio: float
    deals_for_0_1: int | None
    deals_for_0_2: int | None
    decisions: tuple[int, int]
    illegal: tuple[int, int]
    forfeits: tuple[int, int]
    places: tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, eq=False)
class Cross:
    """Points per deal of every lineup (rows) against every other, and the mean over those that it met.

    ``points low high``: ``float64[lineups, lineups]``, nan where two never met; ``mean mean_low mean_high``:
    ``float64[lineups]``, each opponent weighing the same.
    """

    names: list[str]
    points: Floats
    low: Floats
    high: Floats
    mean: Floats
    mean_low: Floats
    mean_high: Floats


@dataclass(frozen=True)
class PlayRow:
    """What a lineup did under one rule set, all opponents together. ``seconds``: thinking, by the clock."""

    lineup: str
    rules: str
    halves: int
    decisions: int
    seconds: float
    illegal: int
    forfeits: int
    places: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Summary:
    """``ratings`` and ``crosses``: of all rule sets together under ``None``, and of each under its name."""

    result: TournamentResult
    pairs: list[PairRow]
    ratings: dict[str | None, RatingTable]
    crosses: dict[str | None, Cross]
    play: list[PlayRow]

    @property
    def order(self) -> list[str]:
        """The lineups that met another, best first."""
        return [rating.lineup for rating in self.ratings[None].ratings]


def summarize(result: TournamentResult, anchor: str | None = None) -> Summary:
    """Everything that is computed from a tournament; ``anchor``: the lineup rated 0, None for a mean of 0.

    An anchor that plays under some rule sets only anchors the fits it takes part in.
    """
    totals = resampled_totals(result.pairs)
    ratings: dict[str | None, RatingTable] = {None: fit_ratings(totals, anchor)}
    order = [rating.lineup for rating in ratings[None].ratings]
    crosses: dict[str | None, Cross] = {None: cross(totals, order)}
    rule_sets = played_rules(result)
    for rules in rule_sets:
        if len(rule_sets) == 1:
            ratings[rules], crosses[rules] = ratings[None], crosses[None]
            continue
        part = totals.of_rules(rules)
        there = any(anchor in (pair.a, pair.b) for pair in part.pairs if pair.a != pair.b)
        ratings[rules] = fit_ratings(part, anchor if there else None)
        crosses[rules] = cross(part, order)
    return Summary(result, pair_rows(result.pairs, totals), ratings, crosses, play_rows(result))


def played_rules(result: TournamentResult) -> list[str]:
    """The rule sets under which lineups met, in the order of the config."""
    return [rules for rules in result.rules if any(pair.rules == rules and pair.a != pair.b for pair in result.pairs)]


def pair_rows(pairs: Sequence[PairResult], totals: Totals) -> list[PairRow]:
    """A row a pair, in their order; ``totals`` are theirs."""
    tests = [p_value(pair.halves.mean(axis=1)) for pair in pairs]
    corrected = holm(tests)
    low, high = interval(totals.points[1:] / np.maximum(totals.deals[1:], 1))
    rows = []
    for i, pair in enumerate(pairs):
        deal = np.sign(pair.halves.sum(axis=1, dtype=np.int64))
        known = pair.deals > 1
        sd_deal = deal_deviation(pair.halves)
        better = "" if corrected[i] > ALPHA else pair.a if pair.points_per_deal > 0 else pair.b
        rows.append(
            PairRow(
                pair.a,
                pair.b,
                pair.rules,
                pair.deals,
                pair.points_per_deal,
                float(low[i]) if known else math.nan,
                float(high[i]) if known else math.nan,
                *_won_drawn_lost(np.sign(pair.halves)),
                *_won_drawn_lost(deal),
                float((deal + 1).mean() / 2),
                tests[i],
                corrected[i],
                better,
                sd_deal,
                float(pair.halves.std(ddof=1)),
                variance_ratio(pair.halves),
                deals_needed(sd_deal, 0.1),
                deals_needed(sd_deal, 0.2),
                pair.decisions,
                pair.illegal,
                pair.forfeits,
                (tuple(pair.places[0].tolist()), tuple(pair.places[1].tolist())),
            )
        )
    return rows


def _won_drawn_lost(signs: np.ndarray) -> tuple[int, int, int]:
    return int((signs > 0).sum()), int((signs == 0).sum()), int((signs < 0).sum())


def cross(totals: Totals, names: list[str]) -> Cross:
    """The cross table of ``names``; a pair that met under several rule sets has the mean over them.

    A lineup against itself is left out.
    """
    shape = (len(totals.deals), len(names), len(names))
    sums, rule_sets = np.zeros(shape), np.zeros(shape[1:])
    single = np.zeros(shape[1:], bool)
    points = totals.points / np.maximum(totals.deals, 1)
    for column, pair in enumerate(totals.pairs):
        if pair.a == pair.b or pair.a not in names or pair.b not in names:
            continue
        a, b = names.index(pair.a), names.index(pair.b)
        sums[:, a, b] += points[:, column]
        sums[:, b, a] -= points[:, column]
        for cell in ((a, b), (b, a)):
            rule_sets[cell] += 1
            single[cell] |= pair.deals < 2
    met = rule_sets > 0
    means = np.where(met, sums / np.maximum(rule_sets, 1), 0.0)
    opponents = met.sum(axis=1)
    mean = np.where(opponents, means.sum(axis=2) / np.maximum(opponents, 1), math.nan)
    low, high = (np.where(met & ~single, end, math.nan) for end in interval(means[1:]))
    mean_low, mean_high = (np.where(single.any(axis=1), math.nan, end) for end in interval(mean[1:]))
    return Cross(names, np.where(met, means[0], math.nan), low, high, mean[0], mean_low, mean_high)


def play_rows(result: TournamentResult) -> list[PlayRow]:
    """A row for each lineup and rule set that it played under, in the order of the config."""
    rows = []
    for lineup in result.lineups:
        for rules in result.rules:
            met = [pair for pair in result.pairs if pair.rules == rules and lineup in (pair.a, pair.b)]
            if met:
                rows.append(_play_row(lineup, rules, [pair if lineup == pair.a else pair.mirrored() for pair in met]))
    return rows


def _play_row(lineup: str, rules: str, own: Sequence[PairResult]) -> PlayRow:
    """``own``: its pairs, all from its side."""
    return PlayRow(
        lineup,
        rules,
        sum(2 * pair.deals for pair in own),
        sum(pair.decisions[0] for pair in own),
        sum(pair.seconds[0] for pair in own),
        sum(pair.illegal[0] for pair in own),
        sum(pair.forfeits[0] for pair in own),
        tuple(np.sum([pair.places[0] for pair in own], axis=0).tolist()),
    )
