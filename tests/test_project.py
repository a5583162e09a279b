"""The project as a whole: what it installs, what it imports, and that its files agree with each other."""

import ast
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import gouji_env

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PACKAGES = ("gouji_env", "agents", "train")
HEAVY = {"torch", "ray", "matplotlib", "tensorboard", "pandas", "pygame"}


def python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=environment.pop("CWD", str(ROOT)),
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


@pytest.fixture
def installed(wheel: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "site-packages"
    options = ["--quiet", "--no-deps", "--no-index", "--no-compile", "--target", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, str(wheel)], check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("package", ["gouji_env", "agents", "train.cli"])
def test_import_is_light(package: str) -> None:
    loaded = python(f"import {package}, sys; print(*sys.modules)").stdout.split()
    assert package in loaded
    assert not HEAVY & set(loaded)


def imports(package: str) -> set[tuple[str, str]]:
    """Every (file, top-level module) that a package's files import, at the top or inside functions."""
    found = set()
    for file in (ROOT / package).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {(str(file.relative_to(ROOT)), alias.name.split(".")[0]) for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add((str(file.relative_to(ROOT)), node.module.split(".")[0]))
    return found


@pytest.mark.parametrize(
    ("package", "forbidden"), [("gouji_env", {"agents", "train", "torch", "ray"}), ("agents", {"train"})]
)
def test_packages_depend_in_one_direction(package: str, forbidden: set[str]) -> None:
    assert [(file, module) for file, module in sorted(imports(package)) if module in forbidden] == []


def test_environment_alone_needs_neither_torch_nor_ray() -> None:
    assert not {"torch", "ray"} & {Requirement(text).name for text in PROJECT["dependencies"]}


def test_constraints_satisfy_every_range() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pinned = {normal(name): version for name, _, version in (line.partition("==") for line in lines) if version}
    extras = PROJECT["optional-dependencies"]
    for text in PROJECT["dependencies"] + extras["train"] + extras["arena"] + extras["dev"]:
        requirement = Requirement(text)
        assert requirement.specifier.contains(pinned[normal(requirement.name)]), text


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_version_is_the_same_everywhere(wheel: Path) -> None:
    version = PROJECT["version"]
    assert gouji_env.__version__ == version
    assert wheel.name.startswith(f"gouji_env-{version}-")
    headings = re.findall(r"^## \[([^\]]+)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] in (version, "Unreleased")


def test_wheel_holds_the_packages_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {*PACKAGES, f"gouji_env-{PROJECT['version']}.dist-info"}
    assert {f"{package}/py.typed" for package in PACKAGES} <= set(names)
    assert {f"gouji_env/rulesets/{preset}.yaml" for preset in gouji_env.rules.PRESETS} <= set(names)
    assert "agents/arena/report.html.j2" in names
    assert not [name for name in names if name.endswith((".pyc", ".nbi", ".nbc"))]


IMPORT_AND_PLAY = """
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import gouji_env
    from gouji_env import RuleSet, engine
    import agents
    base = engine.action_base(engine.select_id(5, 3))
ours = [str(w.message) for w in caught if "gouji_env" in str(w.message)]
print(gouji_env.__file__, base, RuleSet.preset("qingdao").yield_, len(ours))
"""


def test_read_only_install_with_unwritable_home(installed: Path, tmp_path: Path) -> None:
    # A file where the cache folder would go stops even root, whom permission bits do not.
    for folder in {file.parent for file in installed.rglob("*.py")}:
        (folder / "__pycache__").touch()
    shown = python(
        IMPORT_AND_PLAY,
        CWD=str(tmp_path),
        PYTHONPATH=str(installed),
        PYTHONDONTWRITEBYTECODE="1",
        HOME=os.devnull,
        XDG_CACHE_HOME=os.devnull,
        NUMBA_CACHE_DIR="",
    ).stdout.split()
    assert Path(shown[0]).is_relative_to(installed)
    assert shown[1:] == ["5", "any", "1"]


@pytest.mark.parametrize("target", ["demo", "test", "lint", "bench"])
def test_make_targets_have_a_recipe(target: str) -> None:
    shown = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert ".venv/bin" in shown or "run.sh" in shown


def test_make_refuses_a_python_that_is_too_old(tmp_path: Path) -> None:
    old = tmp_path / "python"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        (tmp_path / name).write_text((ROOT / name).read_text())
    command = ["make", "test", f"PYTHON={old}"]
    failed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert failed.returncode != 0
    assert "Gouji needs Python 3.11 to 3.13; name one: make test PYTHON=python3.12" in failed.stdout
    assert not (tmp_path / ".venv").exists()


def test_generated_tables_in_the_docs_are_up_to_date() -> None:
    checked = [sys.executable, "docs/generate.py", "--check"]
    result = subprocess.run(checked, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{result.stdout}{result.stderr}; run: python docs/generate.py"


def test_links_in_the_pages_lead_somewhere() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "experiments").rglob("*.md")]
    for page in pages:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert "://" in target or (page.parent / target).exists(), f"{page.name}: {target}"
