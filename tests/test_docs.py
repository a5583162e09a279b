"""What the pages of docs/ say by hand is held to the code here; docs/generate.py writes the rest."""

import re
from pathlib import Path

import pytest

from gouji_env import RuleSet
from gouji_env.engine import log
from gouji_env.rules import PRESETS

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
RULES = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
ENVIRONMENT = (ROOT / "docs" / "environment.md").read_text(encoding="utf-8")
CHINESE = re.compile("[\u3000-\u9fff]")


def section(page: str, heading: str) -> str:
    """The text under a heading of the second order that begins so."""
    return re.split(r"^## ", page, flags=re.MULTILINE)[[*headings(page)].index(heading) + 1]


def headings(page: str) -> list[str]:
    return [title.split()[0] for title in re.findall(r"^## (.*)$", page, re.MULTILINE)]


def table_rows(text: str, head: str) -> list[list[str]]:
    """The cells of the table whose first line begins with ``head``, that line first."""
    lines = text[text.index(head) :].split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in (lines[0], *lines[2:])]


def test_the_rules_have_all_their_sections() -> None:
    assert headings(RULES)[:11] == [str(number) for number in range(1, 12)]


def test_every_value_of_every_preset_has_an_origin() -> None:
    used = {row[0]: row[1:] for row in table_rows(section(RULES, "9"), "| switch | classic")}
    origins = {row[0]: row[1:] for row in table_rows(section(RULES, "11"), "| switch | classic")}
    assert list(used) == list(origins) and origins["switch"] == [name for name in PRESETS if name != "tv_biesan"]
    for switch, cells in list(origins.items())[1:]:
        assert set(cells) <= {"T", "o", "r", "-"}, switch
        assert [cell == "-" for cell in cells] == [value == "-" for value in used[switch][:5]], switch


def test_every_switch_is_explained_outside_the_tables() -> None:
    text = "".join(section(RULES, str(number)) for number in (*range(2, 9), 10))
    for switch in RuleSet.preset("classic").switches():
        assert f"`{switch}`" in text or f"`{switch}:" in text, switch


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_wherever_tv_biesan_is_told_of_it_is_called_reconstructed(page: Path) -> None:
    for part in re.split(r"^## ", page.read_text(encoding="utf-8"), flags=re.MULTILINE):
        assert "tv_biesan" not in part or "reconstructed" in part, part.splitlines()[0]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_chinese_stands_in_the_glossary_only(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    if page.name == "rules.md":
        text = text.replace(section(text, "1"), "")
    assert not CHINESE.findall(text)


def test_every_term_of_the_glossary_has_one_line() -> None:
    rows = table_rows(section(RULES, "1"), "| term | Chinese")[1:]
    terms = [row[0] for row in rows]
    chinese = [word for row in rows for word in re.split(r"[,/ ()]+", row[1]) if CHINESE.search(word)]
    assert len(terms) == len(set(terms)) and len(chinese) == len(set(chinese))
    assert all(len(row) == 3 and CHINESE.search(row[1]) for row in rows)


def test_the_table_of_events_is_complete() -> None:
    told = {}
    for names, fields, _ in table_rows(ENVIRONMENT, "| event | also holds")[1:]:
        for name in re.findall(r"`(\w+)`", names):
            told[name] = re.findall(r"`(\w+)`", fields)
    held = {"cards": ["cards"], "victim": ["victim"], "place": ["place"], "card": ["card"], None: [], "silent": []}
    held |= {"transfer": ["to", "card"], "trade": ["card", "seller", "payer"]}
    known = {name: held[detail] for name, detail in log._EVENTS.values()}
    assert told == known | {"play": ["set"]}
