"""A tournament's report as one HTML page that needs nothing else: no network, no other file.

Needs matplotlib and jinja2, of the extra ``arena``.
"""

import math
from importlib import resources
from typing import Any

import numpy as np
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

import gouji_env
from agents.arena.ratings import ELO, VIRTUAL_DRAWS, RatingTable
from agents.arena.report_pictures import heat_map, places_picture, points_picture, ratings_picture
from agents.arena.resampling import RESAMPLES
from agents.arena.significance import ALPHA
from agents.arena.summary import Cross, Summary, played_rules
from gouji_env.cards import SEATS

MISSING = "·"


def report_page(summary: Summary, command: str) -> str:
    """The page; ``command`` is what plays the tournament again, or ""."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {
        "points": points,
        "rating": rating_text,
        "span": span,
        "p": p_text,
        "sort_key": sort_key,
        "count": count_text,
    }
    template = environment.from_string(
        resources.files("agents.arena").joinpath("report.html.j2").read_text(encoding="utf-8")
    )
    result, rule_sets = summary.result, played_rules(summary.result)
    places = {name: [0] * SEATS for name in summary.order}
    for row in summary.play:
        if row.lineup in places:
            places[row.lineup] = [sum(both) for both in zip(places[row.lineup], row.places, strict=True)]
    # Under one rule set, what is of all rule sets together is shown once.
    tables = rule_sets if len(rule_sets) == 1 else [None, *rule_sets]
    return template.render(
        summary=summary,
        result=result,
        rule_sets=rule_sets,
        deals=sorted({pair.deals for pair in result.pairs}),
        command=command,
        version=gouji_env.__version__,
        elo=ELO,
        virtual_draws=VIRTUAL_DRAWS,
        resamples=RESAMPLES,
        alpha=ALPHA,
        ratings=summary.ratings[None],
        rated=rated(summary),
        bounds=bounds(summary),
        missing=missing_pairs(summary.crosses[None]),
        crosses=[(rules, summary.crosses[rules], cross_rows(summary.crosses[rules])) for rules in tables],
        verdicts={rules: verdicts(summary, rules) for rules in rule_sets},
        places=places,
        notes=[(pair, pair.notes) for pair in result.pairs if pair.notes],
        ratings_picture=Markup(ratings_picture(summary.ratings[None].groups, summary.ratings[None].anchor)),
        heat_maps={rules: Markup(heat_map(summary.crosses[rules])) for rules in tables},
        points_picture=Markup(points_picture(summary)),
        places_picture=Markup(places_picture(list(places), list(places.values()))),
    )


def rated(summary: Summary) -> list[dict[str, Any]]:
    """A row for each lineup, best first: its rating in the fit of all rule sets and in that of each."""
    by_rules = {rules: _by_lineup(table) for rules, table in summary.ratings.items()}
    return [
        {
            "of_all": rating,
            "group": number,
            "of_rules": [by_rules[rules].get(rating.lineup) for rules in by_rules if rules],
        }
        for number, group in enumerate(summary.ratings[None].groups, 1)
        for rating in group
    ]


def bounds(summary: Summary) -> list[tuple[str, list[list[str]]]]:
    """The fits whose ratings lie in several tiers: the rule set, and the lineups of each tier."""
    return [
        ("all rule sets together" if rules is None else rules, tiers)
        for rules, table in summary.ratings.items()
        for tiers in table.tiers
        if len(tiers) > 1 and (rules is None or len(summary.ratings) > 2)
    ]


def _by_lineup(table: RatingTable) -> dict[str, Any]:
    return {rating.lineup: rating for rating in table.ratings}


def missing_pairs(cross: Cross) -> list[tuple[str, str]]:
    """The lineups that never met."""
    return [(cross.names[i], cross.names[j]) for i, j in zip(*np.nonzero(np.isnan(cross.points)), strict=True) if i < j]


def cross_rows(cross: Cross) -> list[dict[str, Any]]:
    """Rows of the cross table; ``tint``: -1..1, how far a cell is from 0."""
    most = max(1.0, float(np.nanmax(np.abs(cross.points))))
    return [
        {
            "name": name,
            "mean": (cross.mean[i], cross.mean_low[i], cross.mean_high[i]),
            "cells": [
                {"value": (cross.points[i, j], cross.low[i, j], cross.high[i, j]), "tint": cross.points[i, j] / most}
                for j in range(len(cross.names))
            ],
        }
        for i, name in enumerate(cross.names)
        if not math.isnan(cross.mean[i])
    ]


def verdicts(summary: Summary, rules: str) -> list[dict[str, Any]]:
    """For each lineup: whom it is significantly better and worse than, and whom it is not told apart from."""
    rows = []
    for name in summary.order:
        met = [row for row in summary.pairs if row.rules == rules and name in (row.a, row.b) and row.a != row.b]
        others = [(row.b if row.a == name else row.a, row.better) for row in met]
        if others:
            rows.append(
                {
                    "lineup": name,
                    "better": [other for other, better in others if better == name],
                    "undecided": [other for other, better in others if not better],
                    "worse": [other for other, better in others if better == other],
                }
            )
    return rows


def rating_text(value: float) -> str:
    """A rating as a whole number with its sign; an anchor has 0."""
    return f"{round(value):+d}" if round(value) else "0"


def points(value: float) -> str:
    """Points, signed; a dot for what was not measured."""
    return MISSING if math.isnan(value) else f"{value:+.2f}"


def span(low: float, high: float, digits: int = 2) -> str:
    """An interval; nothing where there is none."""
    return "" if math.isnan(low) else f"{low:+.{digits}f} .. {high:+.{digits}f}"


def p_text(value: float) -> str:
    """A p value: tiny ones only by their size."""
    return f"{value:.3f}" if value >= 0.001 else f"{value:.0e}" if value > 1e-99 else "< 1e-99"


def count_text(value: int | None) -> str:
    """A whole number with thousands parted."""
    return MISSING if value is None else f"{value:,}"


def sort_key(value: float | None) -> str:
    """A number as the sorting of tables reads it; what is not known sorts as 0."""
    return "" if value is None or math.isnan(value) else str(value)
