"""
# Gouji for one learner: `gouji_env/Seat-v0`

A Gymnasium environment in which one seat, or one side with a single policy for its three seats, learns, and players
that you hand over have the other seats. It plays the deals of `env()` (`docs/rules.md` has the rules):

    import gymnasium
    import gouji_env

    seat = gymnasium.make("gouji_env/Seat-v0")
    observation, info = seat.reset(seed=1)
    over = False
    while not over:
        action = seat.action_space.sample(info["action_mask"])
        observation, reward, over, _, info = seat.step(action)

### Spaces

| | |
|---|---|
| observation | `Box(float32)`, the `observation` of `env()`: what the deciding seat may know, seen from that seat |
| action | `Discrete(912)`, the staged actions of `env()`; `sample()` draws from those that are legal now |
| mask | `action_masks()`, and `info["action_mask"]`: `int8[912]`, 1 for each legal action, all zero after the end |

An illegal action raises `IllegalAction`, which names the seat, the action, the table set and the rule, and changes
nothing.

### Episodes

One episode is one deal, or a match of `deals`. `step` plays on through the other seats to the learner's next decision,
which may be a COMPOSE of the set just selected. The reward is 0 until a deal ends and then its points for the
learner's side: 0, ±2, ±4, ±6 or ±12. A deal that ends before the learner has decided anything, as when two revolutions
void it, is passed over by `reset`. `info["seat"]` is the seat that decides; the last `info` also holds `places`,
`int8[6]`: each seat's place, 1 to 6, or 0 in a void deal.

### Options

* `rules`: a `RuleSet`, the name of a preset or the path of a rule file; `"classic"` by default.
* `learner`: `"seat"`, or `"side"`: then the learner decides for all three seats of its side, in turn.
* `seat`: the learner's seat, 0..5, or `"random"`: drawn for each episode.
* `partners`, `opponents`: who plays the other seats, one player for all of them; `None` plays uniformly over the legal
  staged actions. A player has `act_batch(rows, index, streams, out)`, or `reset(seat, rules, seed)` and
  `act(view) -> str`: every agent of `agents.make` is one. What has `act_batch` keeps nothing between decisions and may
  be shared by many environments; of others each environment needs its own.
* `deals`: 1..100, a match of so many deals as one episode, with tribute and first leads carried over.
* `render_mode`: `"ansi"`, `"rgb_array"`, `"human"`, as in `env()`; all hands are open.
* `reset(seed=N)` deals the cards of `Deal.new(rules, N)`, and all that is random in the players follows from N as well.
  `reset()` deals new ones: after a seeded reset they follow from that one, otherwise the first comes from the operating
  system. No global random state is read or written.
* The deals from N = 2**63 on are for evaluation. `reset(seed=N, options={"evaluation": True})` deals them, and without
  this option they are refused, so that no training meets them.
"""

from typing import Any, Literal

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from gouji_env import engine
from gouji_env.cards import SEATS, side
from gouji_env.match import check_match_length
from gouji_env.players import Others, Player, checked_player
from gouji_env.rules import RuleSet
from gouji_env.staged import RENDER_MODES, box_space, check_render_mode, checked_seed, deal_on, observed, show

Mask = npt.NDArray[np.int8]
Observation = npt.NDArray[np.float32]


class LegalActions(spaces.Discrete):
    """``Discrete(912)`` whose ``sample()`` draws from what is legal now, where no mask is given."""

    def __init__(self, mask: Mask) -> None:
        """``mask``: ``int8[ACTIONS]``, kept up to date by its owner."""
        super().__init__(engine.ACTIONS)
        self._legal = mask

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        if mask is None and probability is None:
            mask = self._legal
        action: np.int64 = super().sample(mask, probability)
        return action


class SeatEnv(gymnasium.Env[Observation, int]):
    """The module's page describes it. Pickles and deep copies go on as the original does, if its players' do."""

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012 - as in the base class

    def __init__(
        self,
        rules: RuleSet | str = "classic",
        learner: Literal["seat", "side"] = "seat",
        seat: int | Literal["random"] = 0,
        partners: Player | None = None,
        opponents: Player | None = None,
        deals: int = 1,
        render_mode: str | None = None,
    ) -> None:
        """Raises RuleError for rules that do not exist, ValueError or TypeError for an option that makes no sense."""
        check_match_length(deals)
        check_render_mode(render_mode)
        _check_learner(learner, seat, partners)
        self.rules = rules if isinstance(rules, RuleSet) else RuleSet.load(rules)
        self.learner = learner
        self.seat = seat
        self.deals = deals
        self.render_mode = render_mode
        self.observation_space = box_space(engine.OBSERVATION)
        self._mask = np.zeros(engine.ACTIONS, np.int8)
        self.action_space = LegalActions(self._mask)
        self._partners = checked_player(partners, "partners")
        self._opponents = checked_player(opponents, "opponents")
        self._others = Others(self.rules)
        self._dealt = False
        self._deciding = False
        self._seat = 0  # the learner's; one of three in turn where it plays a side
        self._due = 0.0  # points of its side that no step has paid out yet

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal, and play to the learner's first decision. ``seed``: 0..2**63-1, or None.

        ``options={"evaluation": True}`` also allows the seeds of evaluation, to 2**64-1.
        """
        super().reset(seed=None if seed is None else checked_seed(seed, options))
        if seed is None and self._dealt:
            engine.next_deal(self._others.row)
        else:
            engine.deal_row(self._others.row, np.uint64(checked_seed(seed, options)))
        self._dealt = True
        self._seat = int(self.np_random.integers(SEATS)) if self.seat == "random" else int(self.seat)
        self._begin_deal(of_match=False)
        while not self._play_on():  # a deal that is over before the learner could decide is no episode
            engine.next_deal(self._others.row)
            self._begin_deal(of_match=False)
            self._due = 0.0
        if self.render_mode == "human":
            self.render()
        return self._observe()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Apply the learner's action and play on to its next decision, or to the end.

        Raises IllegalAction, and then nothing has changed.
        """
        if not self._deciding:
            raise RuntimeError("step: no decision is waiting; call reset() to deal")
        self._others.apply(action)
        over = not self._play_on()
        reward, self._due = self._due, 0.0
        if self.render_mode == "human":
            self.render()
        observation, info = self._observe()
        if over:
            info["places"] = np.array([engine.place(self._others.row, seat) for seat in range(SEATS)], np.int8)
        return observation, reward, over, False, info

    def action_masks(self) -> Mask:
        """The learner's legal actions, ``int8[912]``; all zero when no decision is waiting. For sb3-contrib."""
        return self._mask.copy()

    def render(self) -> Any:
        """The table with all hands open, as ``render_mode`` says."""
        if not self._dealt:
            raise RuntimeError("render: nothing has been dealt; call reset() first")
        return show(self._others.row, self.rules, self.render_mode)

    def _observe(self) -> tuple[Observation, dict[str, Any]]:
        observation = observed(self._others.row, self._seat, self._mask)
        return observation, {"action_mask": self._mask.copy(), "seat": self._seat}

    def _play_on(self) -> bool:
        """Let the others play to the learner's next decision; False when the episode is over before one."""
        self._deciding = False  # also should a player fail
        turn = self._others.play_on()
        while turn < 0:
            points = float(engine.points(self._others.row))
            self._due += points if side(self._seat) == 0 else -points
            if not deal_on(self._others.row, self.deals):
                return False
            self._begin_deal(of_match=True)
            turn = self._others.play_on()
        self._seat, self._deciding = turn, True
        return True

    def _begin_deal(self, of_match: bool) -> None:
        players = [self._player_at(seat) for seat in range(SEATS)]
        self._others.begin(players, self.np_random.integers(1 << 64, size=SEATS, dtype=np.uint64), of_match)

    def _player_at(self, seat: int) -> Player | None:
        if side(seat) != side(self._seat):
            return self._opponents
        return None if seat == self._seat or self.learner == "side" else self._partners


def _check_learner(learner: str, seat: int | str, partners: Player | None) -> None:
    if learner not in ("seat", "side"):
        raise ValueError(f"learner {learner!r}: known are 'seat' and 'side'")
    if seat != "random" and seat not in range(SEATS):
        raise ValueError(f"seat {seat!r}: a seat is 0..{SEATS - 1}, or 'random'")
    if learner == "side" and partners is not None:
        raise ValueError("partners: a learner that plays its side has none; leave them out, or write learner='seat'")


gymnasium.register(
    id="gouji_env/Seat-v0",
    entry_point="gouji_env.seat_env:SeatEnv",
    nondeterministic=True,  # for players that are, such as those who think by the clock; those who are not play by seed
)
