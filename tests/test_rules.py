"""RuleSet: the presets are the table of docs/rules.md, and whatever is no rule set is refused with its place."""

import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from core_support import CLASSIC_CHANGED
from pydantic import ValidationError

from gouji_env import RuleError, RuleSet
from gouji_env.rules import PRESETS, Deck

# The table of docs/rules.md section 9, written out again; a dash is the value that the section gives for it.
TABLE = """
deck             216        216         216         six_3s      six_3s_4s   216
first_lead       rotate     threes      threes      fours       fours       fours
first_lead_later rotate     threes      threes      last_place  last_place  fours
hung_twos        on         on          on          off         off         on
gouji_twos       1          2           1           2           2           1
burn_order       seat_first fed_first   fed_first   seat_around seat_around seat_around
burn_after_open  off        off         off         off         on          off
counter_burn     on         on          on          on          on          on
fail_keeps_head  on         on          on          on          on          off
pass             opp_last   opp_last    opp_last    strict      strict      opp_last
yield            none       any         any         nongouji    nongouji    any
siji             gouji      any         any         any         any         gouji
choke            off        off         off         on          on          on
choke_keeps_head on         on          on          on          on          on
open_four        off        off         off         off         on          off
four_fate        throw      throw       throw       throw       throw       throw
buy3             none       none        none        enemy_first enemy_first enemy_first
buy4             none       none        none        none        enemy_first none
revolution       off        off         on          on          on          on
revolution_rights 3         3           3           0           0           3
renounce         off        off         on          off         off         off
partner_view     none       none        none        none        none        le10
tribute          none       last_places last_places full        full        last_places
return           same       same        same        none        none        same
tribute_natural  off        off         off         on          on          off
exempt           off        off         off         on          on          off
record           signed     positive_only positive_only signed  signed      signed
end              one        side        side        side        side        side
"""
DECKS = {"216": Deck(), "six_3s": Deck(threes=6), "six_3s_4s": Deck(threes=6, fours=6)}
OFF_IS_A_WORD = ("buy3", "buy4", "tribute")

DIGESTS = {
    "classic": "593bf1b9c0a4605c",
    "yang2004": "372df876bf932bdc",
    "qingdao": "db972ed2fae8b799",
    "biesan": "74544d16ccbd5ee3",
    "kaidian": "56c855915bec781e",
    "tv_biesan": "e85f2871efd8f2d2",
}
CLASSIC = RuleSet.preset("classic")


def value(switch: str, text: str) -> Any:
    if switch == "deck":
        return DECKS[text].model_dump()
    if switch in OFF_IS_A_WORD:
        return "off" if text == "none" else text
    return {"on": True, "off": False}.get(text, int(text) if text.isdigit() else text)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_the_table(name: str) -> None:
    rows = [line.split() for line in TABLE.split("\n") if line]
    column = PRESETS.index(name) + 1
    assert RuleSet.preset(name).switches() == {row[0]: value(row[0], row[column]) for row in rows}


@pytest.mark.parametrize("name", PRESETS)
def test_digests_stay(name: str) -> None:
    """Records and checkpoints carry them: a digest that moves makes strangers of all that was kept."""
    rules = RuleSet.preset(name)
    assert rules.digest() == DIGESTS[name]
    assert rules.replace().digest() == rules.replace(**rules.switches()).digest() == DIGESTS[name]


def test_every_switch_is_in_the_digest() -> None:
    digests = {CLASSIC.digest()}
    for switch, value in CLASSIC.switches().items():
        assert CLASSIC_CHANGED[switch] != value
        digests.add(CLASSIC.replace(**{switch: CLASSIC_CHANGED[switch]}).digest())
    assert len(digests) == len(CLASSIC.switches()) + 1


# --- values


def test_a_rule_set_is_a_value() -> None:
    same = CLASSIC.replace()
    assert same == CLASSIC and hash(same) == hash(CLASSIC) and len({same, CLASSIC}) == 1
    assert CLASSIC.replace(choke=True) != CLASSIC
    assert pickle.loads(pickle.dumps(CLASSIC)) == CLASSIC
    with pytest.raises(ValidationError, match="frozen"):
        CLASSIC.choke = True  # type: ignore[misc]


def test_replace_takes_the_names_of_yaml_and_of_python() -> None:
    rules = CLASSIC.replace(yield_="any", pass_="strict", return_="none", choke=True)
    assert rules == CLASSIC.replace(**{"yield": "any", "pass": "strict", "return": "none", "choke": True})
    assert (rules.yield_, rules.pass_, rules.return_, rules.choke) == ("any", "strict", "none", True)
    assert (CLASSIC.yield_, CLASSIC.pass_, CLASSIC.choke) == ("none", "opp_last", False)


def test_name_and_overrides() -> None:
    assert [RuleSet.preset(name).name() for name in PRESETS] == list(PRESETS)
    rules = CLASSIC.replace(yield_="any", end="side")
    assert rules.name() == "classic (yield=any, end=side)"
    assert rules.overrides("classic") == {"yield": "any", "end": "side"}
    assert RuleSet.preset("yang2004").replace(siji="off").name() == "yang2004 (siji=off)"
    assert CLASSIC.replace(**rules.overrides("classic")) == rules


def test_decks() -> None:
    assert CLASSIC.deck.size() == 216 and CLASSIC.deck.counts() == (16,) * 13 + (4, 4)
    short = RuleSet.preset("kaidian").deck
    assert short.size() == 196 and short.counts() == (6, 6) + (16,) * 11 + (4, 4)
    assert CLASSIC.replace(deck=216) == CLASSIC == CLASSIC.replace(deck={"threes": 16, "fours": 16})
    assert CLASSIC.replace(deck={"fours": 2}).deck == Deck(threes=16, fours=2)


# --- what is refused


@pytest.mark.parametrize(
    ("switches", "said"),
    [
        ({"yeild": "any"}, r"rules: yeild: unknown switch; did you mean yield\?$"),
        ({"colour": "red"}, "rules: colour: unknown switch$"),
        ({"yield_": "maybe"}, "yield: .*'none', 'any' or 'nongouji'"),
        ({"gouji_twos": 3}, "gouji_twos: .*1 or 2"),
        ({"revolution_rights": -1}, "revolution_rights: .*0"),
        ({"revolution_rights": 37}, "revolution_rights: .*36"),
        ({"choke": "perhaps"}, "choke: .*boolean"),
        ({"deck": 200}, "deck"),
        ({"deck": True}, "deck"),
        ({"deck": {"threes": 17}}, r"deck\.threes: .*16"),
        ({"deck": {"three": 3}}, r"deck\.three: unknown switch; did you mean threes\?"),
        ({"first_lead": "last_place"}, "first_lead: last_place needs an earlier deal; .*first_lead_later"),
        ({"first_lead": "anybody"}, "first_lead: .*'fours' or 'random'"),
    ],
)
def test_unknown_switches_and_values(switches: dict[str, Any], said: str) -> None:
    with pytest.raises(RuleError, match=said):
        CLASSIC.replace(**switches)


def test_every_wrong_switch_is_named_at_once() -> None:
    with pytest.raises(RuleError, match=r"siji: .*end: ") as caught:
        CLASSIC.replace(siji="never", end="both")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("switches", "said"),
    [
        ({"open_four": True, "deck": {"fours": 0}}, "open_four: the deck keeps no 4s"),
        ({"choke": True, "deck": {"threes": 0}}, "choke: the deck keeps no 3s"),
        ({"buy3": "enemy_first", "deck": {"threes": 0}}, "buy3: the deck keeps no 3s"),
        ({"buy4": "partner_first", "deck": {"fours": 0}}, "buy4: the deck keeps no 4s"),
    ],
)
def test_switches_that_contradict_each_other(switches: dict[str, Any], said: str) -> None:
    with pytest.raises(RuleError, match=said):
        CLASSIC.replace(**switches)


@pytest.mark.parametrize("name", ["clasic", "", "Classic", None, ["classic"]])
def test_unknown_preset(name: Any) -> None:
    with pytest.raises(RuleError, match="presets are classic, yang2004"):
        RuleSet.preset(name)


# --- files


def test_file_with_a_preset_and_what_differs(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("# my table\npreset: classic\nyield: any\ndeck: {threes: 6}\nrevolution: on\n")
    rules = RuleSet.load(file)
    assert rules == RuleSet.load(str(file))
    assert rules == CLASSIC.replace(yield_="any", deck={"threes": 6}, revolution=True)


def test_file_with_all_switches(tmp_path: Path) -> None:
    file = tmp_path / "whole.yaml"
    file.write_text("".join(f"{switch}: {value!r}\n" for switch, value in RuleSet.preset("qingdao").switches().items()))
    assert RuleSet.load(file) == RuleSet.preset("qingdao")


def test_load_reads_presets_by_name() -> None:
    assert RuleSet.load("kaidian") == RuleSet.preset("kaidian")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"preset: classic\nyeild: any\n", r"yeild: unknown switch; did you mean yield\?"),
        (b"preset: classic\nyield: sometimes\n", "yield"),
        (b"preset: clasic\n", r"preset: unknown rule set 'clasic'; presets are classic, yang2004"),
        (b"preset: [classic]\n", r"preset: unknown rule set \['classic'\]"),
        (b"preset: classic\nyield: [any\n", "YAML"),
        (b"\xff\xfe\x00", "YAML"),
        (b"- preset\n- classic\n", "mapping"),
        (b"", "mapping"),
        (b"choke: true\n", "first_lead"),
        (b"preset: classic\n7: 8\n", "7"),
    ],
)
def test_files_that_are_no_rules(tmp_path: Path, content: bytes, said: str) -> None:
    file = tmp_path / "bad.yaml"
    file.write_bytes(content)
    with pytest.raises(RuleError, match=f"{re.escape(str(file))}: .*{said}"):
        RuleSet.load(file)


def test_load_of_what_is_no_file(tmp_path: Path) -> None:
    for source in (tmp_path, tmp_path / "none.yaml", "kaidan"):
        with pytest.raises(RuleError, match=r"neither a rule file nor a preset; presets are classic"):
            RuleSet.load(source)
