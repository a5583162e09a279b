"""``gouji tournament``: the same bytes however it is played, and nothing played twice."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from tournament_support import OneAtATime, Spoilt
from typer.testing import CliRunner, Result

import agents.cli
import gouji_env.cli
from agents import registry
from agents.arena import tournament as playing
from agents.arena.lineup import Lineup
from agents.arena.schedule import ONE_BY_ONE_DEALS, load, plan
from agents.arena.store import Store
from gouji_env import RuleSet

ROOT = Path(__file__).parent.parent
CONFIG = {
    "name": "small",
    "deal_set": "seed-7",
    "deals": 25,
    "chunk": 10,
    "rules": ["classic", "kaidian"],
    "agents": {"random": "random", "mix": ["greedy", "random", "greedy"], "greedy": "greedy"},
}
RESULTS = ("results.json", "pairs.csv", "ratings.csv")

app = typer.Typer()
agents.cli.register(app)
gouji_env.cli.register(app)


@pytest.fixture(autouse=True)
def no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page with its pictures takes a second each time, and has tests of its own."""
    monkeypatch.setattr("agents.arena.report_page.report_page", lambda summary, command: "")


@pytest.fixture
def no_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that look at what is played, refused or printed, and not at results."""
    monkeypatch.setattr("agents.tournament_cli.write_report", lambda *arguments, **options: None)
    monkeypatch.setattr("agents.tournament_cli.cross_table", lambda result: "")


@pytest.fixture
def chunks(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[Any, ...]]]:
    """The chunks that this process plays, as they are begun."""
    begun: list[tuple[Any, ...]] = []
    real = playing.play_chunk

    def noting(work: Any, chunk: Any, records: bool) -> Any:
        begun.append((chunk.rules, chunk.first, chunk.second, chunk.start))
        return real(work, chunk, records)

    monkeypatch.setattr(playing, "play_chunk", noting)
    yield begun


def written(folder: Path, **changes: Any) -> Path:
    file = folder / "config.yaml"
    file.write_text(yaml.safe_dump(CONFIG | changes, sort_keys=False))
    return file


def run(config: Path, out: Path, *options: str, workers: int = 1) -> Result:
    command = ["tournament", str(config), "--out", str(out), "--workers", str(workers), *options]
    return CliRunner().invoke(app, command, env={"COLUMNS": "200"})


def content(out: Path) -> list[bytes]:
    return [(out / name).read_bytes() for name in RESULTS]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the tournament, played at once on one core, with its records."""
    folder = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("agents.arena.report_page.report_page", lambda summary, command: "")
        result = run(written(folder), folder / "out", "--record", str(folder / "deals.jsonl"))
    assert result.exit_code == 0, result.output
    assert str(folder / "out" / "report.html") in result.stdout
    assert "greedy" in result.stdout
    assert "6/6 kaidian: mix " in result.stderr
    return folder


def test_two_workers_give_the_same_bytes(whole: Path, tmp_path: Path) -> None:
    record = tmp_path / "deals.jsonl"
    result = run(written(tmp_path), tmp_path / "out", "--record", str(record), workers=2)
    assert result.exit_code == 0, result.output
    assert content(tmp_path / "out") == content(whole / "out")
    assert record.read_bytes() == (whole / "deals.jsonl").read_bytes()


def test_interrupted_and_resumed_it_gives_the_same_bytes(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunks: list[tuple[Any, ...]]
) -> None:
    config, out, record = written(tmp_path), tmp_path / "out", tmp_path / "deals.jsonl"
    real = Store.add
    for stop in (4, 5):  # chunks that were stored before Ctrl-C comes, and how many of them each time
        left = [stop]

        def add(store: Store, *arguments: Any, left: list[int] = left) -> None:
            if not left[0]:
                raise KeyboardInterrupt
            left[0] -= 1
            real(store, *arguments)

        monkeypatch.setattr(Store, "add", add)
        result = run(config, out, "--record", str(record))
        assert result.exit_code == 130
        assert f"{out} keeps what was played" in result.stderr
        assert not record.exists()
    monkeypatch.setattr(Store, "add", real)
    result = run(config, out, "--record", str(record))
    assert result.exit_code == 0, result.output
    assert len(chunks) == 2 * 3 * 3 + 2 and len(set(chunks)) == 2 * 3 * 3  # the two that were cut off came twice
    assert content(out) == content(whole / "out")
    assert record.read_bytes() == (whole / "deals.jsonl").read_bytes()
    assert [file for file in out.rglob(".*")] == []


def test_run_again_it_plays_nothing(whole: Path, chunks: list[tuple[Any, ...]]) -> None:
    before = content(whole / "out")
    result = run(whole / "config.yaml", whole / "out")
    assert result.exit_code == 0, result.output
    assert "0 pairs" in result.stderr and "6 more are in" in result.stderr
    assert chunks == []
    assert content(whole / "out") == before


def test_its_records_hold(whole: Path) -> None:
    result = CliRunner().invoke(app, ["replay", str(whole / "deals.jsonl"), "--verify"])
    assert f"all {25 * 2 * 6} deals hold" in result.stdout
    first = json.loads((whole / "deals.jsonl").read_text().splitlines()[0])
    assert first["agents"] == ["greedy", "random", "random", "random", "greedy", "random"]  # mix is before random


@pytest.mark.usefixtures("no_report")
def test_what_was_played_without_records_is_played_again_with_them(
    tmp_path: Path, chunks: list[tuple[Any, ...]]
) -> None:
    config, out, record = written(tmp_path, rules=["classic"], deals=10), tmp_path / "out", tmp_path / "deals.jsonl"
    for options in ([], ["--record", str(record)], ["--record", str(record)]):
        assert run(config, out, *options).exit_code == 0
    assert len(chunks) == 6
    assert len(record.read_text().splitlines()) == 3 * 2 * 10


def test_more_agents_rules_or_deals_play_only_what_is_missing(
    whole: Path, tmp_path: Path, chunks: list[tuple[Any, ...]]
) -> None:
    two = {name: CONFIG["agents"][name] for name in ("random", "greedy")}  # type: ignore[index]
    old, out = ("greedy", "random"), tmp_path / "out"
    for changes, played in (
        ({"agents": two, "rules": ["classic"], "deals": 20}, [("classic", *old, start) for start in (0, 10)]),
        ({"agents": two, "rules": ["classic"]}, [("classic", *old, 20)]),
        ({"agents": two}, [("kaidian", *old, start) for start in (0, 10, 20)]),
        (
            {},
            [
                (rules, *pair, start)
                for rules in ("classic", "kaidian")
                for pair in (("mix", "random"), ("greedy", "mix"))
                for start in (0, 10, 20)
            ],
        ),
    ):
        chunks.clear()
        result = run(written(tmp_path, **changes), out)
        assert result.exit_code == 0, result.output
        assert chunks == played
    assert content(out) == content(whole / "out")


def test_the_order_of_the_config_changes_no_deal(whole: Path, chunks: list[tuple[Any, ...]]) -> None:
    agents_ = dict(reversed(CONFIG["agents"].items()))  # type: ignore[attr-defined]
    config = written(whole, agents=agents_)
    work = plan(load(config, []))
    store = Store(whole / "out", work, records=False)
    assert store.missing() == []
    here = playing.result_of(work, store)
    work = plan(load(written(whole), []))
    there = playing.result_of(work, store := Store(whole / "out", work, records=False))
    assert [(pair.a, pair.b) for pair in here.pairs[:3]] == [("greedy", "mix"), ("greedy", "random"), ("mix", "random")]
    assert [(pair.a, pair.b) for pair in there.pairs[:3]] == [
        ("random", "mix"),
        ("random", "greedy"),
        ("mix", "greedy"),
    ]
    for pair in here.pairs:
        [other] = [each for each in there.pairs if {each.a, each.b} == {pair.a, pair.b} and each.rules == pair.rules]
        assert pair.halves.tolist() == (-other.halves[:, ::-1]).tolist()
        assert pair.decisions == other.decisions[::-1]


def test_challengers_meet_the_others_only(tmp_path: Path) -> None:
    agents_ = {"a": "greedy", "b": "greedy", "c": "greedy", "d": "random"}
    work = plan(load(written(tmp_path, agents=agents_, challengers=["d", "b"]), []))
    assert [(meeting.a, meeting.b) for meeting in work.chunks][:4] == [("d", "a"), ("d", "c"), ("b", "a"), ("b", "c")]
    assert len(work.chunks) == 8


def test_the_shipped_configs_are_whole() -> None:
    for file in (ROOT / "configs/tournament").glob("*.yaml"):
        work = plan(load(file, []))
        assert all(entry.batched for entry in work.entries.values())
        assert work.config.name == file.stem


# --- agents that cannot go on


@pytest.mark.usefixtures("no_report")
@pytest.mark.parametrize("path", [lambda agent: agent, OneAtATime])
def test_a_bad_agent_forfeits_and_the_tournament_goes_on(
    path: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry._factories, "spoilt", lambda argument: path(Spoilt(RuntimeError("no idea"), most=-1)))
    agents_ = {"bad": ["greedy", "spoilt", "greedy"], "greedy": "greedy", "random": "random"}
    result = run(written(tmp_path, agents=agents_, rules=["classic"]), tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "classic: bad -12.00 a deal against greedy, forfeits 50:0" in result.stderr
    assert re.search(r"spoilt: deal \d, seat [23]: RuntimeError: no idea", result.stdout)
    assert "bad: 3 halves of deals 10 to 19 forfeited" in result.stdout
    assert "greedy +" in result.stderr


def test_one_by_one_has_smaller_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._factories, "slow", lambda argument: OneAtATime(Spoilt(0)))
    agents_ = {"slow": "slow", "greedy": "greedy", "random": "random"}
    work = plan(load(written(tmp_path, agents=agents_, chunk=None, rules=["classic"]), []))
    assert [len(chunks) for chunks in work.chunks.values()] == [-(-25 // ONE_BY_ONE_DEALS)] * 2 + [1]


# --- what is refused


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"colour": "red"}, "colour: unknown key"),
        ({"challenger": ["greedy"]}, "challenger: unknown key; did you mean challengers?"),
        ({"agents": {"greedy": "greedy"}}, "agents: "),
        ({"agents": {"a": "greedy", "b": "gready"}}, "agents.b: unknown agent 'gready'"),
        ({"agents": {"a": "greedy", "b": ["greedy", "random"]}}, "agents.b"),
        ({"agents": {"a": "greedy", "../b": "random"}}, "agents.../b"),
        ({"name": "a/b"}, "name: "),
        ({"rules": ["poker"]}, "rules: poker: neither a rule file nor a preset"),
        ({"rules": ["classic", "classic"]}, "rules: 2 rule sets are called classic"),
        ({"rules": []}, "rules: "),
        ({"challengers": ["gready"]}, "gready is none of the agents random, mix, greedy"),
        ({"challengers": ["greedy", "random", "mix"]}, "leave somebody to be challenged"),
        ({"anchor": "expert"}, "expert is none of the agents"),
        ({"deals": 0}, "deals: "),
        ({"deals": None}, "give the number of deals"),
        ({"deal_set": "standard-2k"}, "unknown deal set 'standard-2k'"),
        ({"deadline": 0}, "deadline: "),
    ],
)
def test_bad_configs_are_refused_with_the_place(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    result = run(written(tmp_path, **changes), tmp_path / "out")
    assert result.exit_code == 2
    [line] = result.stderr.splitlines()
    assert line.startswith("error: ") and message in line
    assert not (tmp_path / "out").exists()


def test_set_changes_a_field(tmp_path: Path) -> None:
    work = load(written(tmp_path), ["agents.extra=random", "rules=[biesan]", "deals=3"])
    assert work.agents["extra"] == "random" and work.rules == ("biesan",) and work.deals == 3


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"deal_set": "seed-8"}, "its deals is seed-7 (7), and here it is seed-8 (8)"),
        ({"deadline": 3.0}, "its deadline is None, and here it is 3.0"),
        ({"agents": {"random": "random", "greedy": "random"}}, "its lineups.greedy is greedy, and here it is random"),
    ],
)
def test_the_folder_of_another_tournament_is_refused(
    whole: Path, tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    result = run(written(tmp_path, **changes), whole / "out")
    assert result.exit_code == 2
    assert f"{whole / 'out'} holds another tournament: {message}; name another --out" in result.stderr


@pytest.mark.usefixtures("no_report")
def test_rules_of_the_same_name_that_are_others_are_refused(tmp_path: Path) -> None:
    rules = tmp_path / "mine.yaml"
    config = written(tmp_path, rules=[str(rules)], deals=2)
    for text, code in (("preset: classic\nyield: any\n", 0), ("preset: classic\nyield: none\n", 2)):
        rules.write_text(text)
        result = run(config, tmp_path / "out")
        assert result.exit_code == code, result.output
    assert "its rules.mine is " + RuleSet.preset("classic").replace(yield_="any").digest() in result.stderr


@pytest.mark.usefixtures("no_report")
def test_an_agent_whose_files_have_changed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class FromFiles(Spoilt):
        def digest(self) -> str:
            return digests.pop(0) if len(digests) > 1 else digests[0]

    monkeypatch.setitem(registry._factories, "net", lambda argument: FromFiles(0, most=4))
    config = written(tmp_path, agents={"net": "net", "random": "random"}, rules=["classic"], deals=2)
    digests = ["one"] * 6
    assert run(config, tmp_path / "out").exit_code == 0
    digests = ["two"]
    assert "its lineups.net is net one, and here it is net two" in run(config, tmp_path / "out").stderr
    digests = ["one"] * 3 + ["two"]  # while the tournament is played
    result = run(config, tmp_path / "other")
    assert result.exit_code == 2
    assert "agents.net: net net net has changed since the tournament began" in result.stderr


def test_a_checkpoint_is_known_by_its_files(tmp_path: Path) -> None:
    from agents.checkpoint import describe, export
    from agents.inputs import changing_pieces
    from agents.network import PolicyNetwork

    classic = RuleSet.preset("classic")
    content_ = []
    for _ in range(2):  # weights are drawn anew
        network = PolicyNetwork([8], False, changing_pieces(classic))
        export(tmp_path, describe(classic, [8], False, {}), [network.state_dict()])
        for _ in range(2):
            with Lineup.make("net", [f"checkpoint:{tmp_path}"] * 3) as lineup:
                content_.append(lineup.content()[0])
    assert content_[0] == content_[1] != content_[2] == content_[3]


@pytest.mark.usefixtures("no_report")
def test_other_folders_and_broken_files_are_refused(whole: Path, tmp_path: Path) -> None:
    config, out = written(tmp_path, deals=2), tmp_path / "out"
    assert "holds no tournament: name another --out" in run(config, tmp_path).stderr
    assert run(config, out).exit_code == 0
    file = out / "deals" / "classic" / "greedy" / "mix" / "000000-000002.json"
    file.write_text("{}")
    result = run(config, out)
    assert result.exit_code == 2
    assert f"{file} cannot be read" in result.stderr and "delete it" in result.stderr
    file.unlink()
    assert run(config, out).exit_code == 0
    (out / "tournament.json").write_text("[]")
    assert "is not what a tournament writes" in run(config, out).stderr


def test_a_record_file_that_cannot_be_written_is_told_of_first(tmp_path: Path, chunks: list[tuple[Any, ...]]) -> None:
    result = run(written(tmp_path), tmp_path / "out", "--record", str(tmp_path / "nowhere" / "deals.jsonl"))
    assert result.exit_code == 2 and "cannot be written" in result.stderr
    assert chunks == []


def test_more_workers_need_ray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "find_spec", lambda name: None)
    assert playing.checked_workers(None) == playing.checked_workers(1) == 1
    result = run(written(tmp_path), tmp_path / "out", workers=2)
    assert "--workers 2 needs ray: pip install 'gouji-env[arena]', or --workers 1" in result.stderr
