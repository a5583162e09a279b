"""What the environments share: staged actions checked and applied, observations and masks, seeds, pictures."""

import secrets
import sys
from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import logger, spaces

from gouji_env import engine
from gouji_env.cards import BIG, KINDS, SMALL, TWO
from gouji_env.deal import Deal, IllegalAction
from gouji_env.engine import njit
from gouji_env.render import Table, render_ansi, render_rgb
from gouji_env.rules import RuleSet
from gouji_env.tables import table_text
from gouji_env.why import reason_against

Row = npt.NDArray[np.int8]

RENDER_MODES = ["ansi", "rgb_array", "human"]
HIGHEST = 36.0  # no scaled feature is above it: a hand's size, and the switch revolution_rights
RESERVED = "deals from 2**63 on are for evaluation, and no training plays them; take a smaller seed"
ILLEGAL = -2


# --- staged actions


def apply(row: Row, rules: RuleSet, action: object) -> int:
    """Apply a staged action (``0..911``); the seat that decides after it, -1 when the deal is over.

    Raises IllegalAction for anything else than a legal one; the row is then as it was.
    """
    try:
        wanted = index(action)  # type: ignore[arg-type]  # None and the like are refused here
    except TypeError:
        raise _refusal(row, action, f"an action is an integer 0..{engine.ACTIONS - 1}") from None
    if not 0 <= wanted < engine.ACTIONS:
        raise _refusal(row, action, f"actions are 0..{engine.ACTIONS - 1}")
    turn: int = act_if_legal(row, wanted)
    if turn == ILLEGAL:
        raise _refusal(row, engine.action_name(wanted), _reason_against(row, rules, wanted))
    return turn


def _refusal(row: Row, action: object, reason: str) -> IllegalAction:
    return IllegalAction(int(engine.turn(row)), action, table_text(row), reason)


def _reason_against(row: Row, rules: RuleSet, action: int) -> str:
    """The rule that forbids a staged action now."""
    if engine.composing(row):
        size = int(engine.selected_size(row))
        return f"a set of {size} cards is being composed: COMPOSE what the hand holds and the rules allow"
    if action >= engine.COMPOSE:
        return "no set is being composed; SELECT comes first"
    return reason_against(Deal(rules, row.copy()), _whole_action(row, action))


def _whole_action(row: Row, action: int) -> str:
    """A whole action that a staged one stands for: of a SELECT the set with as few 2s and jokers as can be."""
    if action < engine.SELECT:
        return engine.action_name(action).replace(" ", ":")
    seat, base, left = int(engine.turn(row)), int(engine.action_base(action)), int(engine.action_size(action))
    cards = ""
    for kind in sorted({base, TWO, SMALL, BIG} - set(range(base))):
        count = min(left, int(engine.hand(row, seat, kind)))
        cards, left = KINDS[kind] * count + cards, left - count
    return cards + KINDS[base] * left


def deal_on(row: Row, deals: int) -> bool:
    """Deal on where a match of ``deals`` goes on after the deal that has just ended; whether it does."""
    void = engine.is_void(row)
    if deals == 1 or (not void and engine.deal_number(row) + 1 == deals):
        return False
    engine.next_of_match(row, deals)
    return True


# --- what a seat sees


def box_space(features: int) -> spaces.Box:
    """Of scaled features."""
    return spaces.Box(0.0, HIGHEST, (features,), np.float32)


def observed(row: Row, seat: int, mask: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
    """The observation of a seat; ``mask`` (``int8[ACTIONS]``) becomes its legal actions, all zero if it waits."""
    observation = np.empty(engine.OBSERVATION, np.float32)
    _observe(row, seat, observation, mask)
    return observation


# --- seeds and pictures


def checked_seed(seed: int | None, options: dict[str, Any] | None = None) -> int:
    """The seed itself, or one from the operating system (of those that evaluation leaves to others).

    Raises ValueError for a seed that is none, and for one of evaluation if ``options`` do not say that this is one.
    """
    if seed is None:
        return secrets.randbelow(engine.EVALUATION_BIT)
    if not 0 <= index(seed) < 1 << 64:
        raise ValueError(f"seed {seed}: a seed is an integer from 0 to 2**64 - 1")
    if index(seed) >= engine.EVALUATION_BIT and not (options or {}).get("evaluation"):
        raise ValueError(f"seed {seed}: {RESERVED}, or, to measure, pass options={{'evaluation': True}} to reset")
    return index(seed)


def check_render_mode(mode: str | None) -> None:
    """Raises ValueError for one that does not exist."""
    if mode not in (None, *RENDER_MODES):
        raise ValueError(f"render_mode {mode!r}: known are {', '.join(RENDER_MODES)} and None")


def show(row: Row, rules: RuleSet, mode: str | None) -> str | npt.NDArray[np.uint8] | None:
    """The table with all hands open, as ``render_mode`` says."""
    if mode is None:
        logger.warn("render() does nothing without a render_mode; give one when you make the environment")
        return None
    table = Table.of_row(row, title=f"Gouji, {rules.name()}")
    if mode == "rgb_array":
        return render_rgb(table)
    if mode == "ansi":
        return render_ansi(table)
    sys.stdout.write(render_ansi(table, colour=sys.stdout.isatty()))
    return None


# --- kernels


@njit
def act_if_legal(row, action):  # type: ignore[no-untyped-def]
    """The seat that decides after a staged action, -1 when the deal is over; ILLEGAL, and the row as it was."""
    if not engine.is_legal(row, action):
        return ILLEGAL
    engine.act(row, action)
    return engine.turn(row)


@njit
def _observe(row, seat, observation, mask):  # type: ignore[no-untyped-def]
    engine.observe_scaled(row, seat, observation)
    if engine.turn(row) == seat:
        engine.mask(row, mask)
    else:
        mask[:] = 0
