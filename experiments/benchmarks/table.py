"""Write the figures of speed.json as the tables of README.md."""

import json
import re
from pathlib import Path
from typing import Any

from gouji_env.bench.report import REACHED, number

HERE = Path(__file__).parent
REGION = re.compile(r"(<!-- results -->\n).*(<!-- end -->)", re.DOTALL)


def markdown(results: dict[str, Any]) -> str:
    machine = results["machine"]
    lines = [
        f"{machine['processor']}, {machine['cores']} cores, Python {machine['python']}; median and best repeat.",
        "",
        "| what | median | best | unit | target | reached |",
        "| --- | ---: | ---: | --- | ---: | --- |",
    ]
    for row in results["rows"]:
        target = "" if row["target"] is None else number(row["target"])
        cells = (row["name"], figure(row, "median"), figure(row, "best"), row["unit"], target, REACHED[row["reached"]])
        lines.append(f"| {' | '.join(cells)} |")
    if results["peers"]:
        lines += ["", "| peer, same run | median | unit | ours | ours / peer | target | reached |"]
        lines.append("| --- | ---: | --- | --- | ---: | ---: | --- |")
        for row in results["peers"]:
            ratio, least = ("" if row[key] is None else number(row[key]) for key in ("ratio", "target"))
            cells = (
                row["name"],
                figure(row, "median"),
                row["unit"],
                row["against"],
                ratio,
                least,
                REACHED[row["reached"]],
            )
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def figure(row: dict[str, Any], key: str) -> str:
    return "skipped" if "skipped" in row else number(row[key])


def main() -> None:
    page = HERE / "README.md"
    text = markdown(json.loads((HERE / "speed.json").read_text(encoding="utf-8")))
    page.write_text(REGION.sub(rf"\1\n{text}\n\n\2", page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
