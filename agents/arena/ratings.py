"""Ratings of all lineups in one Bradley-Terry fit, on the Elo scale.

The unit is the duplicate deal: it is won by the lineup with more points from both halves, and a draw counts half a
win for each. Every two lineups that met are credited one drawn deal more, which keeps the undefeated finite.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse.csgraph import connected_components

from agents.arena.resampling import Floats, Totals, interval

ELO = 400 / np.log(10)  # points of the Elo scale for one unit of log odds
VIRTUAL_DRAWS = 1.0  # deals, for each two lineups that met
_FIT = {"max_iter": 1000, "tol": 1e-6}  # tol: in log odds, far below 0.01 Elo


class ReportError(ValueError):
    """Ratings or a report that cannot be made as asked; the message says why."""


@dataclass(frozen=True)
class Rating:
    """``elo`` with its 95 % interval, which is ``(nan, nan)`` for an anchor and after a single deal.

    ``deals``: duplicate deals played; ``score``: the share of them that was won, draws counting half.
    ``tier``: 1 or more, in its group. No lineup took so much as a draw from one of an earlier tier that it met, so the
    distance of two tiers rests on the virtual draws: it is a lower bound, and grows with the deals.
    """

    lineup: str
    elo: float
    low: float
    high: float
    deals: int
    score: float
    tier: int


@dataclass(frozen=True)
class RatingTable:
    """One fit. ``groups``: the ratings, best first, of lineups that are linked by deals played.

    Ratings of different groups say nothing about each other. In the group with ``anchor`` its rating is 0; in the
    others, and without an anchor, the mean is 0.
    """

    anchor: str | None
    groups: list[list[Rating]]

    @property
    def ratings(self) -> list[Rating]:
        """Those of all groups, the largest group first."""
        return [rating for group in self.groups for rating in group]

    @property
    def tiers(self) -> list[list[list[str]]]:
        """The lineups of each tier of each group."""
        return [
            [[rating.lineup for rating in group if rating.tier == tier] for tier in sorted({r.tier for r in group})]
            for group in self.groups
        ]


def fit_ratings(totals: Totals, anchor: str | None = None) -> RatingTable:
    """The maximum likelihood ratings, with bootstrap intervals over deals.

    A lineup against itself tells nothing and is left out. Raises ReportError for an anchor that played no other,
    and where choix is not installed.
    """
    names = sorted({name for pair in totals.pairs if pair.a != pair.b for name in (pair.a, pair.b)})
    if anchor is not None and anchor not in names:
        raise ReportError(f"anchor: {anchor!r} played no other lineup; name one of {', '.join(names)}")
    wins = _wins(totals, names)
    count, membership = connected_components(wins[0] > 0, connection="weak")
    members = [np.flatnonzero(membership == group) for group in range(count)]
    members.sort(key=lambda group: (-len(group), group[0]))
    groups = [_fit_group(wins[:, group][:, :, group], [names[i] for i in group], totals, anchor) for group in members]
    return RatingTable(anchor, groups)


def _wins(totals: Totals, names: Sequence[str]) -> Floats:
    """Won deals ``float64[1 + resamples, winner, loser]``, a draw counting half for both."""
    wins = np.zeros((len(totals.deals), len(names), len(names)))
    for column, pair in enumerate(totals.pairs):
        if pair.a != pair.b:
            a, b = names.index(pair.a), names.index(pair.b)
            wins[:, a, b] += totals.score[:, column]
            wins[:, b, a] += totals.deals[:, column] - totals.score[:, column]
    return wins


def _fit_group(wins: Floats, names: list[str], totals: Totals, anchor: str | None) -> list[Rating]:
    # Who met is read from the deals as played: a resample may have drawn none of a pair's deals.
    met = (wins[0] + wins[0].T) > 0
    elo = ELO * _log_strengths(wins + VIRTUAL_DRAWS / 2 * met)
    elo -= elo[:, [names.index(anchor)]] if anchor in names else elo.mean(axis=1, keepdims=True)
    low, high = interval(elo[1:])
    tiers = _tiers(wins[0], elo[0])
    found = []
    for i, name in enumerate(names):
        played = [column for column, pair in enumerate(totals.pairs) if name in (pair.a, pair.b) and pair.a != pair.b]
        deals = totals.deals[0, played].sum()
        score = sum(_score(totals, column, name) for column in played) / deals
        known = name != anchor and max(totals.pairs[column].deals for column in played) > 1
        ends = (float(low[i]), float(high[i])) if known else (np.nan, np.nan)
        found.append(Rating(name, float(elo[0, i]), *ends, int(deals), float(score), tiers[i]))
    return sorted(found, key=lambda rating: (-round(rating.elo, 6), rating.lineup))


def _tiers(wins: Floats, elo: Floats) -> list[int]:
    """Tiers, from 1, of lineups with ``wins[winner, loser]``: linked by deals taken both ways, best mean first."""
    count, membership = connected_components(wins > 0, connection="strong")
    best_first = sorted(range(count), key=lambda tier: -elo[membership == tier].mean())
    return [best_first.index(tier) + 1 for tier in membership]


def _score(totals: Totals, column: int, name: str) -> float:
    score, deals = totals.score[0, column], totals.deals[0, column]
    return score if totals.pairs[column].a == name else deals - score


def _log_strengths(wins: Floats) -> npt.NDArray[np.float64]:
    """The Bradley-Terry parameters ``float64[fits, lineups]`` of each matrix of wins."""
    try:
        from choix import ilsr_pairwise_dense
    except ImportError:
        raise ReportError("ratings need choix: pip install 'gouji-env[arena]'") from None
    first = ilsr_pairwise_dense(wins[0], **_FIT)
    fits = [ilsr_pairwise_dense(matrix, initial_params=first, **_FIT) for matrix in wins[1:]]
    return np.array([first, *fits])
