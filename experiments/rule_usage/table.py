"""Write the figures of usage.json as the tables of README.md and docs/rules.md."""

import json
import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGES = (HERE / "README.md", HERE.parent.parent / "docs" / "rules.md")
REGION = re.compile(r"(<!-- counted: rule usage -->\n).*?(<!-- end of counts -->)", re.DOTALL)


def markdown(usage: dict[str, Any]) -> str:
    presets = list(usage["rules"])
    lines = [f"| section | use | {' | '.join(presets)} |", f"|{' --- |' * 2}{' ---: |' * len(presets)}"]
    for use in usage["uses"]:
        cells = [cell(use["random"][name], use["greedy"][name]) for name in presets]
        lines.append(f"| {use['section']} | {use['use']} | {' | '.join(cells)} |")
    return "\n".join([*lines, "", "Never, at random or greedily, though the rules have it:", "", *never(usage)])


def cell(at_random: int | None, greedily: int | None) -> str:
    return "-" if at_random is None else f"{at_random:,} / {greedily:,}"


def never(usage: dict[str, Any]) -> list[str]:
    """One line for each use that did not come up in a preset that has it."""
    lines = []
    for use in usage["uses"]:
        where = [name for name in usage["rules"] if use["random"][name] == use["greedy"][name] == 0]
        if where:
            lines.append(f"* section {use['section']}, {use['use']}: {', '.join(where)}")
    return lines or ["* nothing"]


def main() -> None:
    table = markdown(json.loads((HERE / "usage.json").read_text(encoding="utf-8")))
    for page in PAGES:
        old = page.read_text(encoding="utf-8")
        text, regions = REGION.subn(lambda match: f"{match[1]}\n{table}\n\n{match[2]}", old)
        if regions != 1:
            raise SystemExit(f"{page}: {regions} regions of counts; there is to be one")
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
