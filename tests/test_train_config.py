from pathlib import Path

import pytest

from gouji_env.rules import RuleSet
from train.config import Budget, ConfigError, Schedule, TrainConfig, load

DEMO = Path("configs/train/demo.yaml")


@pytest.fixture
def file(tmp_path: Path):
    def write(text: str) -> Path:
        path = tmp_path / "run.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize("config", sorted(Path("configs/train").glob("*.yaml")), ids=lambda path: path.name)
def test_shipped_configs_load(config):
    assert load(config).rule_set()


def test_overrides_go_on_top_of_the_file():
    run = load(DEMO, ["league.snapshots=0.3", "ppo.lr.end=1e-5", "network.policy=[64, 32]", "league.agents.greedy=0.1"])
    assert run.league.snapshots == 0.3
    assert run.ppo.lr.end == 1e-5
    assert run.ppo.lr.start == load(DEMO).ppo.lr.start
    assert run.network.policy == (64, 32)
    assert run.league.agents["greedy"] == 0.1


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("league.snapshot=0.3", "league.snapshot: unknown key; did you mean snapshots?"),
        ("sampling.rows=-1", "sampling.rows: Input should be greater than or equal to 64"),
        ("ppo.lr.start=fast", "ppo.lr.start: Input should be a valid number"),
        ("rules=kitchen", "rules: kitchen: neither a rule file nor a preset"),
        ("sampling.pipelined=true", "sampling: pipelined needs at least one runner"),
        ("network.policy=[]", "network.policy: "),
        ("league.agents.greedy=-1", "league.agents: the weight of greedy is below 0"),
        ("league.slots=0", "league: snapshots need at least one slot"),
        ("budget={}", "budget: give seconds, iterations or both"),
        ("sampling.rows=2047", "config: ppo.minibatch 2048 is larger than sampling.rows 2047"),
        ("seed.value=3", "--set seed.value=3: seed is a value, not a section"),
        ("seed", "--set seed: write it as field.path=value"),
        ("seed=[", "--set seed=[: the value is not readable as YAML"),
    ],
)
def test_a_bad_field_is_named(file, override, message):
    with pytest.raises(ConfigError) as error:
        load(file("seed: 1\n"), [override])
    assert message in str(error.value)


def test_a_file_that_is_no_config_is_named(file, tmp_path):
    with pytest.raises(ConfigError, match="a config is a mapping of fields"):
        load(file("- 1\n"))
    with pytest.raises(ConfigError, match="not readable as YAML"):
        load(file("a: [\n"))
    with pytest.raises(ConfigError, match=r"absent\.yaml: cannot be read"):
        load(tmp_path / "absent.yaml")


def test_what_a_run_writes_is_what_it_reads(file):
    run = load(DEMO, ["rules={preset: classic, yield: any}", "network.bf16=off", "league.agents.greedy=0.2"])
    assert load(file(run.to_yaml())) == run


def test_rules_are_spelled_out_so_that_the_run_does_not_hang_on_a_file(file, tmp_path):
    rules = tmp_path / "house.yaml"
    rules.write_text("preset: classic\nyield: any\n", encoding="utf-8")
    resolved = load(DEMO, [f"rules={rules}"]).resolved()
    rules.unlink()
    assert load(file(resolved.to_yaml())).rule_set() == RuleSet.preset("classic").replace(yield_="any")


def test_every_field_says_what_it_is():
    def described(model):
        for name, field in model.model_fields.items():
            if hasattr(field.annotation, "model_fields"):
                described(field.annotation)
                assert field.description or field.annotation.__doc__, name
            else:
                assert field.description, name

    described(TrainConfig)


def test_schedule_and_budget():
    schedule = Schedule(start=1.0, end=0.2)
    assert [schedule.at(x) for x in (-1, 0, 0.5, 1, 2)] == pytest.approx([1.0, 1.0, 0.6, 0.2, 0.2])
    assert Budget(seconds=100, iterations=10).progress(50, 8) == pytest.approx(0.8)
    assert Budget(iterations=10).progress(1e9, 5) == pytest.approx(0.5)
