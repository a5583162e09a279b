"""Outside programs: good ones play, nasty ones forfeit by the rule, and no process is left of either."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import agents
from agents import AgentError, Forfeit, command_guard, command_messages
from agents.command import CommandAgent
from agents.command_process import LONGEST_LINE
from gouji_env import Deal, RuleSet

ROOT = Path(__file__).parent.parent
BOTS = ROOT / "experiments" / "bots"
NASTY = ROOT / "tests" / "bots" / "nasty.py"
PYTHON = shlex.quote(sys.executable)
CLASSIC = RuleSet.preset("classic")
HANDS = ["sKK33", "44", "55", "66", "77", "88"]
AMPLE = 60.0  # seconds, for programs that do answer, on a machine that is busy
SHORT = 0.3  # seconds, for programs that never do


def members(group: int) -> list[int]:
    """The processes of a group that are not yet gone."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, _, its_group = (folder / "stat").read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(its_group) == group and state != "Z":
            found.append(int(folder.name))
    return found


def soon_gone(group: int) -> bool:
    """A killed process takes a moment to go."""
    until = time.monotonic() + 10
    while members(group) and time.monotonic() < until:
        time.sleep(0.01)
    return not members(group)


@pytest.fixture
def groups(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The process groups that the test starts; whatever happened in it, all of them have to be gone afterwards."""
    started: list[int] = []
    watch = command_guard.watch
    monkeypatch.setattr(command_guard, "watch", lambda group: (started.append(group), watch(group)))
    yield started
    left = [group for group in started if not soon_gone(group)]
    for group in left:
        os.killpg(group, signal.SIGKILL)
    assert started and not left


def open_files() -> int:
    command_guard._guard()  # which stays, once it is there
    return len(os.listdir("/proc/self/fd"))


def nasty(tmp_path: Path, way: str, *more: str) -> CommandAgent:
    command = [sys.executable, "-I", "-S", str(NASTY), way, str(tmp_path / "flag"), *more]
    return CommandAgent(shlex.join(command), handshake=AMPLE)


def first_decision(agent: CommandAgent, deadline: float = AMPLE) -> str:
    agent.deadline = deadline
    deal = Deal.from_hands(CLASSIC, HANDS, 0)
    agent.reset(0, CLASSIC, seed=1)
    return agent.act(deal.view(0))


def forfeit_of(agent: CommandAgent, deadline: float = AMPLE) -> Forfeit:
    with pytest.raises(Forfeit) as raised:
        first_decision(agent, deadline)
    return raised.value


@pytest.mark.parametrize(
    ("way", "kind", "story"),
    [
        ("hello: crash", "crash", "ended with exit status 1; its stderr ends with"),
        ("hello: close stdout", "crash", "closed its stdout"),
        ("hello: leave grandchildren", "crash", "ended with exit status 7"),
        ("hello: flood without an end", "flood", "without the end of a line"),
        ("decide: crash", "crash", r"RuntimeError: no such card\x1b[31m'"),
        ("decide: kill itself", "crash", "was killed by SIGKILL"),
        ("decide: close stdout", "crash", "closed its stdout"),
        ("decide: leave grandchildren", "crash", "ended with exit status 7"),
        ("decide: flood without an end", "flood", f"wrote more than {LONGEST_LINE:,} bytes"),
        ("decide: flood of lines", "garbage", "wrote a line that is no JSON: 'x'"),
    ],
)
def test_a_nasty_bot_forfeits_and_plays_the_next_deal(
    tmp_path: Path, groups: list[int], way: str, kind: str, story: str
) -> None:
    agent, before = nasty(tmp_path, way), open_files()
    forfeit = forfeit_of(agent)
    assert (forfeit.kind, story in str(forfeit)) == (kind, True), forfeit
    assert len(groups) == 1 and soon_gone(groups[0])
    assert first_decision(agent) in Deal.from_hands(CLASSIC, HANDS, 0).legal()
    agent.close()
    assert open_files() == before


@pytest.mark.parametrize("way", ["hang", "ignore SIGTERM", "answer late", "trickle"])
def test_a_bot_that_does_not_answer_in_time_forfeits(tmp_path: Path, groups: list[int], way: str) -> None:
    agent = nasty(tmp_path, f"decide: {way}")
    forfeit = forfeit_of(agent, SHORT)
    assert (forfeit.kind, str(forfeit)) == ("timeout", "no answer within 0.3 s")
    assert soon_gone(groups[0])
    assert first_decision(agent) == "3"
    agent.close()


def test_a_bot_that_hangs_at_the_handshake_forfeits(tmp_path: Path, groups: list[int]) -> None:
    agent = CommandAgent(f"sleep {AMPLE}", handshake=SHORT)
    with pytest.raises(Forfeit, match=r"no answer within 0\.3 s"):
        agent.reset(3, CLASSIC, 1)
    assert soon_gone(groups[0])


WRONG_ANSWERS = {
    b"": "no JSON",
    b"pass": "no JSON",
    b"\xff\xfe\x00": "no JSON",
    b"[" * 100_000: "no JSON",
    b'{"id": 1, "action": ' + b"9" * 10_000 + b"}": "no JSON",
    b"[1]": "no JSON object",
    b"null": "no JSON object",
    b"{}": 'lacks "id": 1',
    b'{"id": 2, "action": "pass"}': 'lacks "id": 1',
    b'{"id": 1.0, "action": "pass"}': 'lacks "id": 1',
    b'{"id": true, "action": "pass"}': 'lacks "id": 1',
    b'{"id": 1}': "no text as action",
    b'{"id": 1, "action": ["33"]}': "no text as action",
}


@pytest.mark.parametrize(("line", "story"), WRONG_ANSWERS.items(), ids=range(len(WRONG_ANSWERS)))
def test_garbage_is_called_so(line: bytes, story: str) -> None:
    with pytest.raises(Forfeit, match=story) as raised:
        command_messages.read_action(line, 1, ["33"])
    assert raised.value.kind == "garbage"
    assert len(str(raised.value)) < 300


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b'{"type": "ready"}',
        b'{"protocol": 1}',
        b'{"type": "ready", "protocol": 2}',
        b'{"type": "ready", "protocol": true}',
    ]
    + [b'{"type": "ready", "protocol": 1, "name": %s}' % name for name in (b"7", b"null", b'"%s"' % (b"x" * 41))],
)
def test_a_handshake_has_to_be_right(line: bytes) -> None:
    with pytest.raises(Forfeit) as raised:
        command_messages.read_ready(line)
    assert raised.value.kind == "garbage"


def test_an_illegal_action_forfeits(tmp_path: Path, groups: list[int]) -> None:
    agent = nasty(tmp_path, "decide: say", b'{"id": 1, "action": "KK3"}'.hex())
    forfeit = forfeit_of(agent)
    assert forfeit.kind == "illegal"
    assert str(forfeit) == "chose 'KK3', which is not legal; legal: 3, 33, K, KK, s, ..."
    assert first_decision(agent) == "3"
    agent.close()


def test_nothing_that_a_bot_says_reaches_a_terminal_or_a_page_as_it_is() -> None:
    escape = r"\u001b[31m\u202e\ud800\u0007"
    ready = json.dumps({"type": "ready", "protocol": 1, "name": "\x1b]0;owned\x07"}).encode()
    assert command_messages.read_ready(ready).isprintable()
    for line in (b"\x1b[2J\x9b\r\n\x00", b'{"id": 1, "action": "%s"}' % escape.encode(), b"x" * 10_000):
        with pytest.raises(Forfeit) as raised:
            command_messages.read_action(line, 1, ["3"])
        assert str(raised.value).isprintable()
        str(raised.value).encode()


@pytest.mark.parametrize("way", ["answer and more", "answer and die"])
def test_what_a_bot_does_after_its_answer_counts_at_the_next(tmp_path: Path, groups: list[int], way: str) -> None:
    agent = nasty(tmp_path, f"decide: {way}")
    assert first_decision(agent) == "3"
    forfeit = forfeit_of(agent)
    expected = {
        "answer and more": (
            "garbage",
            r"wrote to stdout when it was not asked: 'by the way\nby the way\n'",
        ),
        "answer and die": ("crash", "ended with exit status 0"),
    }
    assert (forfeit.kind, str(forfeit)) == expected[way]


def test_stderr_may_be_long(tmp_path: Path, groups: list[int]) -> None:
    agent = nasty(tmp_path, "decide: complain a lot")
    assert first_decision(agent) == "3"
    agent.close()


def test_a_name_is_told_with_the_story_and_two_bots_may_have_the_same(tmp_path: Path, groups: list[int]) -> None:
    line = b'{"type": "ready", "protocol": 1, "name": "greedy"}'
    for number in (1, 2):
        agent = nasty(tmp_path / str(number), "hello: say", line.hex())
        (tmp_path / str(number)).mkdir()
        agent.reset(0, CLASSIC, 1)
        os.killpg(groups[-1], signal.SIGKILL)
        with pytest.raises(Forfeit, match=r"^'greedy': was killed by SIGKILL$"):
            agent.act(Deal.from_hands(CLASSIC, HANDS, 0).view(0))


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("", "needs a program: write cmd:PROGRAM ARGS"),
        ("./nosuchbot --x", "there is no program ./nosuchbot"),
        ("python3 'bot", "No closing quotation"),
        (shlex.quote(str(BOTS / "README.md")), "is not executable; chmod"),
    ],
)
def test_make_refuses_what_cannot_be_started(argument: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        agents.make(f"cmd:{argument}")


def test_a_program_that_the_system_cannot_start_forfeits(tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    bot.write_text("#!/no/such/interpreter\n")
    bot.chmod(0o755)
    with pytest.raises(Forfeit, match="could not be started: No such file") as raised:
        CommandAgent(shlex.quote(str(bot))).reset(0, CLASSIC, 1)
    assert raised.value.kind == "crash"


def test_a_decision_before_a_reset_is_refused() -> None:
    with pytest.raises(AgentError, match="before a reset"):
        CommandAgent("sleep 1").act(Deal.from_hands(CLASSIC, HANDS, 0).view(0))


WATCHED = """
import subprocess, sys, time
sys.path.insert(0, sys.argv[1])
import command_guard
program = subprocess.Popen("trap '' TERM; sleep 10000; true", shell=True, start_new_session=True)
command_guard.watch(program.pid)
print(program.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, None])
def test_programs_do_not_outlive_the_process_that_started_them(number: signal.Signals | None) -> None:
    command = [sys.executable, "-I", "-c", WATCHED, str(ROOT / "agents")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, **pipes) as arena:  # type: ignore[call-overload]
        group = int(arena.stdout.readline())
        assert members(group)
        if number:
            arena.send_signal(number)
        arena.stdin.close()
        arena.wait()
    assert soon_gone(group)


# --- good bots


def bot(name: str) -> CommandAgent:
    if name == "bot.js" and not shutil.which("node"):
        pytest.skip("needs node")
    runner = f"{PYTHON} -I -S" if name == "bot.py" else "node"  # -I -S: without the project and without any package
    agent = CommandAgent(f"{runner} {shlex.quote(str(BOTS / name))}", handshake=AMPLE)
    agent.deadline = AMPLE
    return agent


@pytest.mark.parametrize("preset", ["qingdao", "kaidian"])
def test_both_example_bots_play_whole_deals_alike(groups: list[int], preset: str) -> None:
    rules = RuleSet.preset(preset)
    pair = bot("bot.py"), bot("bot.js")
    deal = Deal.new(rules, 5)
    for agent in pair:
        for seat in range(6):
            agent.reset(seat, rules, 1)
    while (turn := deal.turn) is not None:
        view = deal.view(turn)
        action, other = (agent.act(view) for agent in pair)
        assert action == other, view.hand
        deal.act(action)
    assert deal.points is not None
    for agent in pair:
        agent.close()


def test_a_process_is_kept_from_deal_to_deal_and_not_from_rules_to_rules(groups: list[int]) -> None:
    agent = bot("bot.py")
    for _ in range(2):
        first_decision(agent)
    assert len(groups) == 1
    agent.reset(2, CLASSIC, 1)
    assert len(groups) == 2
    agent.reset(0, RuleSet.preset("qingdao"), 1)
    assert len(groups) == 3 and soon_gone(groups[0]) and members(groups[1])
    agent.close()
    agent.close()


def question(deal: Deal, seat: int) -> str:
    view = deal.view(seat)
    return command_messages.decide(1, view, view.legal, view.events)


def test_a_question_tells_nothing_of_hidden_cards() -> None:
    """Three deals that seat 0 cannot tell apart: the same for it, and for all to see."""
    told = set()
    for hands in (HANDS, [HANDS[0], *HANDS[5:0:-1]], [HANDS[0], "bb", "22", "AA", "s4", "QJ"]):
        deal = Deal.from_hands(CLASSIC, hands, 0)
        told.add(question(deal, 0))
    assert len(told) == 1


def test_a_question_has_the_fields_of_the_view() -> None:
    rules = CLASSIC.replace(partner_view="le10")
    deal = Deal.from_hands(rules, HANDS, 0)
    deal.act("K")
    asked = json.loads(question(deal, deal.turn))
    assert asked["type"] == "decide" and asked["legal"] == deal.legal()
    view = deal.view(deal.turn)
    page = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    for field, value in asked["view"].items():
        assert f"`{field}`" in page
        assert value == ([view.headed(seat) for seat in range(6)] if field == "headed" else getattr(view, field))
    assert asked["view"]["hands"] == [
        hand if seat % 2 == deal.turn % 2 else None for seat, hand in enumerate(deal.hands)
    ]


def test_a_seed_is_exact_in_double_numbers() -> None:
    seeds = [json.loads(command_messages.deal(2**64 - 6 + seat))["seed"] for seat in range(6)]
    assert len(set(seeds)) == 6 and all(int(float(seed)) == seed for seed in seeds)
