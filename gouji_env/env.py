"""
# Gouji

| | |
|---|---|
| Creation | `env()`, or `raw_env()` without PettingZoo's check of the order of calls, and about twice as fast |
| Actions | Discrete |
| Parallel API | No |
| Agents | `["seat_0", "seat_1", "seat_2", "seat_3", "seat_4", "seat_5"]`, in playing order |
| Action space | `Discrete(912)`, the same for all rules |
| Observation space | `Dict(observation=Box(float32, (889,)), action_mask=Box(int8, (912,)))` |
| State space | `Box(float32, (1079,))` |

Gouji is a climbing game for six with four packs of cards. Seats 0, 2, 4 play against seats 1, 3, 5; the seat opposite
one's own (+3) is always an enemy. In turn the seats lay sets of equal cards that beat the set on the table or pass; who
is rid of all cards takes the best free place. One episode is one deal, some 100 decisions long, or a match of several.
`docs/rules.md` has the rules.

### Observation space

`observe(agent)` answers for all six agents at any time. `observation` is what the agent's seat may know and no more,
seen from its own seat: index 0 of a piece with six parts is the observer, 1 the next in playing order, 3 its opposite.
Values lie about in 0..1, never below 0 or above 36. `docs/environment.md` tells what each piece means.

| features | piece | features | piece |
|---|---|---|---|
| 0-14 | own_hand | 498-511 | table_base |
| 15-126 | own_hand_steps | 512-516 | table_cards |
| 127-216 | seen | 517-521 | table_status |
| 217-231 | unseen | 522-522 | own_turn |
| 232-321 | known | 523-523 | answer_burns |
| 322-351 | partner_hands | 524-538 | selection |
| 352-357 | held | 539-539 | selection_size |
| 358-387 | held_few | 540-543 | setup |
| 388-393 | live | 544-558 | offered |
| 394-399 | passed | 559-573 | refused |
| 400-405 | headed | 574-575 | free_for_all |
| 406-411 | opened | 576-576 | round |
| 412-417 | burners | 577-582 | revolutionary |
| 418-453 | victims | 583-584 | revolution_rights |
| 454-489 | places | 585-692 | last_sets |
| 490-490 | own_duty | 693-860 | history |
| 491-491 | own_natural | 861-888 | rules |
| 492-497 | table_owner | | |

#### Legal actions mask

`action_mask` is 1 for each legal action of the agent whose decision it is, and all zero for everybody else. A seat that
could only pass is passed over; whoever is asked has a legal action. An illegal action raises `IllegalAction`, which
names the seat, the action, the table set and the rule, and changes nothing.

### Action space

A set is laid in two steps: SELECT its base and size; if that can be made in more than one way, the same agent then
decides a COMPOSE of what it is made.

| ids | meaning |
|---|---|
| 0..7 | pass, yield, throw, revolt, keep, renounce, accept, refuse |
| 8..22 | give a card of kind 3..b |
| 23..454 | select base 3..A x size 1..36 |
| 455..478 | select base 2 x size 1..24 |
| 479..486 | select jokers only x size 1..8 |
| 487..911 | compose: hung 2s 0..16 x small jokers 0..4 x big jokers 0..4, base cards make up the size |

### Rewards

Zero until the deal ends. Then each of the six agents receives the points of its side, and all terminate in this step:
0, ±2, ±4, ±6 or ±12; the two sides' points add up to zero. Nobody terminates earlier, also when out of cards. The last
`infos` hold the agent's `place`, 1..6, or 0 in a deal that two revolutions have voided.

### State

`state()` knows all hands, for critics of training and for referees: the observation of seat 0, then for each of the
seats 1..5 the pieces of its own observation that nobody else sees (`PRIVATE_PIECES`).

### Options

* `rules`: a `RuleSet`, the name of a preset or the path of a rule file; `"classic"` by default.
* `render_mode`: `"ansi"` (text with colours), `"rgb_array"` (`uint8[840, 1440, 3]`), `"human"` (prints the text at
  every step). All hands are open in it.
* `deals`: 1..100, a match of so many deals as one episode, with tribute and first leads carried over. The points of
  each deal are its reward, to all six in the step that ends it; only the last deal terminates the agents.
* `record`: a file to which each finished deal is appended as a line that `gouji replay` reads.
* `reset(seed=N)` deals the cards of `Deal.new(rules, N)`. `reset()` deals new ones: after a seeded reset their seeds
  follow from that one, otherwise the first comes from the operating system. No global random state is read or written.
* The deals from N = 2**63 on are for evaluation. `reset(seed=N, options={"evaluation": True})` deals them, and without
  this option they are refused, so that no training meets them.

### Version history

* v0: first version
"""

from operator import index
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from gouji_env import engine
from gouji_env.cards import SEATS, side
from gouji_env.deal import IllegalAction
from gouji_env.match import check_match_length
from gouji_env.recorder import Recorder
from gouji_env.rules import RuleSet
from gouji_env.staged import (
    RENDER_MODES,
    apply,
    box_space,
    check_render_mode,
    checked_seed,
    deal_on,
    observed,
    show,
)

Observation = dict[str, npt.NDArray[Any]]

PRIVATE_PIECES = ("own_hand", "own_duty", "own_natural", "own_turn", "selection", "selection_size", "setup")
_PRIVATE = np.concatenate(
    [np.arange(p.start, p.start + p.length) for p in engine.observation_layout() if p.name in PRIVATE_PIECES]
)


def env(
    rules: RuleSet | str = "classic",
    render_mode: str | None = None,
    deals: int = 1,
    record: str | Path | None = None,
) -> AECEnv[str, Observation, int]:
    """The environment in PettingZoo's wrapper that checks the order of calls. See the module's page.

    PettingZoo's wrapper for bounds would add nothing: ``raw_env`` refuses such an action itself, and says more.
    """
    return wrappers.OrderEnforcingWrapper(raw_env(rules, render_mode, deals, record))


class raw_env(AECEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo carries no types
    """The bare environment; the module's page describes it. Pickles and deep copies go on as the original does."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "gouji_v0",
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        rules: RuleSet | str = "classic",
        render_mode: str | None = None,
        deals: int = 1,
        record: str | Path | None = None,
    ) -> None:
        """Raises RuleError for rules that do not exist, ValueError for an unknown render mode or length of match.

        OSError or RecordError for a ``record`` that cannot be appended to.
        """
        super().__init__()
        check_match_length(deals)
        self.deals = deals
        check_render_mode(render_mode)
        self.rules = rules if isinstance(rules, RuleSet) else RuleSet.load(rules)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(SEATS)]
        self.action_spaces: dict[str, spaces.Discrete] = {
            agent: spaces.Discrete(engine.ACTIONS) for agent in self.possible_agents
        }
        self.observation_spaces = {agent: _observation_space() for agent in self.possible_agents}
        self.state_space = box_space(engine.OBSERVATION + (SEATS - 1) * len(_PRIVATE))
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._row = engine.rules_row(self.rules)
        self._recorder = Recorder(Path(record), self.rules) if record is not None else None
        self._dealt = False
        self._turn = -1  # the seat that decides; -1 before the first deal and after the end of one

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal. ``seed``: 0..2**63-1, or None for a fresh deal; with ``options={"evaluation": True}`` to 2**64-1."""
        if seed is None and self._dealt:
            engine.next_deal(self._row)
        else:
            engine.deal_row(self._row, np.uint64(checked_seed(seed, options)))
        self._dealt = True
        if self._recorder:
            self._recorder.begin(int(engine.deal_seed(self._row)))
        self._turn = int(engine.turn(self._row))
        self.agents = self.possible_agents[:]
        self.agent_selection = self.possible_agents[self._turn]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Apply the action of ``agent_selection``. Raises IllegalAction, and then nothing has changed.

        When the deal is over, ``step(None)`` takes the agents off one by one, as PettingZoo has it.
        """
        if self._turn < 0:
            self._step_after_end(action)
            return
        turn = self._apply(action)
        if self.deals > 1:
            self._forget_rewards()
        self._turn = turn if turn >= 0 else self._end_deal()
        if self._turn >= 0:
            self.agent_selection = self.possible_agents[self._turn]
        else:
            self._end()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """``observation`` and ``action_mask`` of any agent, in fresh arrays."""
        self._need_deal("observe")
        mask = np.empty(engine.ACTIONS, np.int8)
        observation = observed(self._row, self._seats[agent], mask)
        return {"observation": observation, "action_mask": mask}

    def state(self) -> npt.NDArray[np.float32]:
        """All that the six seats know together, ``float32`` as in ``state_space``. Not for players."""
        self._need_deal("state")
        seats = np.empty((SEATS, engine.OBSERVATION), np.float32)
        for seat in range(SEATS):
            engine.observe_scaled(self._row, seat, seats[seat])
        return np.concatenate((seats[0], seats[1:, _PRIVATE].ravel()))

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """The table with all hands open, as ``render_mode`` says."""
        self._need_deal("render")
        return show(self._row, self.rules, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""

    def _apply(self, action: int | None) -> int:
        """The seat that decides after the action, -1 when the deal is over."""
        turn = apply(self._row, self.rules, action)
        if self._recorder:
            self._recorder.note(index(action))  # type: ignore[arg-type]  # apply takes nothing but integers
        return turn

    def _forget_rewards(self) -> None:
        """What a deal of a match has brought is paid out once; the agent that acts has seen its own."""
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards[self.agent_selection] = 0.0

    def _end_deal(self) -> int:
        """Pay out a deal; deal on where the match goes on. The seat that decides then, -1 at the end."""
        if self._recorder:
            self._recorder.end()
        points = float(engine.points(self._row))
        self.rewards = {agent: points if side(seat) == 0 else -points for agent, seat in self._seats.items()}
        self._accumulate_rewards()
        return int(engine.turn(self._row)) if deal_on(self._row, self.deals) else -1

    def _end(self) -> None:
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: {"place": int(engine.place(self._row, seat))} for agent, seat in self._seats.items()}
        self.agent_selection = self.agents[0]

    def _step_after_end(self, action: int | None) -> None:
        self._need_deal("step")
        if action is not None:
            reason = "the deal is over; step(None) takes the agents off, reset() deals again"
            raise IllegalAction(None, action, None, reason)
        if not self.agents:
            raise RuntimeError("step: no agent is left; call reset() to deal again")
        self._was_dead_step(action)

    def _need_deal(self, call: str) -> None:
        if not self._dealt:
            raise RuntimeError(f"{call}: nothing has been dealt; call reset() first")


def _observation_space() -> spaces.Dict:
    return spaces.Dict(
        {"observation": box_space(engine.OBSERVATION), "action_mask": spaces.Box(0, 1, (engine.ACTIONS,), np.int8)}
    )
