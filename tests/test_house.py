"""The house stands: imports run down only, arithmetic knows no Django, no drawers for anything."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FLOORS = ["clubs", "ratings", "games", "config"]  # from the ground up
# What computes: plain values in and out.
PURE = [
    "clubs/likeness.py",
    "clubs/names.py",
    "clubs/nicknames.py",
    "ratings/binary_copy.py",
    "ratings/calculators.py",
    "ratings/categories.py",
    "ratings/ecf.py",
    "ratings/elo_lines.py",
    "ratings/elo.py",
    "ratings/fide_tables.py",
    "ratings/game_arrays.py",
    "ratings/grade_spread.py",
    "ratings/list_games.py",
    "ratings/reckoning.py",
    "ratings/order_of_play.py",
    "ratings/replay.py",
    "ratings/starting_grades.py",
    "games/match_cards/board_order.py",
    "games/division_tables/crosstable.py",
    "games/cup/cup_draw.py",
    "games/cup/cup_ties.py",
    "games/fixture_lists/fixture_clashes.py",
    "games/fixture_lists/fixture_decisions.py",
    "games/fixture_lists/fixture_model.py",
    "games/fixture_lists/fixture_problem.py",
    "games/fixture_lists/fixture_solver.py",
    "games/fixture_lists/pairings.py",
    "games/result_files/reading.py",
    "games/division_tables/standings.py",
    "games/match_cards/team_rules.py",
    "games/division_tables/tie_breaks.py",
]
DRAWERS = r"(services?|utils?|helpers?|managers?|handlers?|common|misc)"


def modules(*floors: str) -> list[Path]:
    return sorted(path for floor in floors for path in (ROOT / floor).rglob("*.py"))


def trees(*floors: str) -> list[tuple[str, ast.Module]]:
    return [(str(path.relative_to(ROOT)), ast.parse(path.read_text())) for path in modules(*floors)]


def imported(node: ast.AST) -> list[str]:
    """The absolute names that a statement imports; within a package they stay on its floor."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.level == 0:
        return [node.module or ""]
    return []


def named(node: ast.AST) -> list[str]:
    """Apps, models and modules that strings name: foreign keys, get_model, import_string."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value] if re.fullmatch(r"\w+(\.\w+)+", node.value) else []
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
        called = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if called in {"get_model", "get_app_config", "import_module", "import_string"}:
            return [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
    if isinstance(node, ast.Tuple) and all(isinstance(item, ast.Constant) for item in node.elts):
        return [str(item.value) for item in node.elts[:1]]  # a migration's dependency
    return []


def climbs(floor: str, tree: ast.Module) -> list[str]:
    """What a module of this floor takes from above, anywhere in it."""
    above = FLOORS[FLOORS.index(floor) + 1 :]
    found = [name for node in ast.walk(tree) for name in (*imported(node), *named(node))]
    return [name for name in found if str(name).split(".")[0] in above]


@pytest.mark.parametrize("floor", FLOORS)
def test_imports_run_down_only(floor):
    assert {name: up for name, tree in trees(floor) if (up := climbs(floor, tree))} == {}


@pytest.mark.parametrize(
    "line",
    [
        "from games.models import Match",
        "import config.settings",
        "def f():\n    from games import cards",
        "x = models.ForeignKey('games.Match', models.PROTECT)",
        "x = apps.get_model('games', 'Match')",
        "x = import_module('config')",
        "dependencies = [('games', '0001_initial')]",
    ],
)
def test_the_ways_up_are_seen(line):
    assert climbs("ratings", ast.parse(line)) != []


def test_nothing_reaches_into_another_floor_by_dots():
    up = [
        (name, node.module)
        for name, tree in trees(*FLOORS)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level >= len(Path(name).parts)
    ]
    assert up == []


def test_arithmetic_has_never_heard_of_django():
    names = [path.removesuffix(".py").replace("/", ".") for path in PURE]
    lines = [f"import {', '.join(names)}", "import sys"]
    lines.append("print([m for m in sys.modules if m.split('.')[0] in ('django', 'psycopg')])")
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], cwd=ROOT, capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_no_signals():
    """Only the four pools are made by one, after a migration: that is set-up, no chess."""
    heard = {
        name
        for name, tree in trees("clubs", "ratings", "games")
        for node in ast.walk(tree)
        if any("signals" in module or "dispatch" in module for module in imported(node))
        or (isinstance(node, ast.Attribute) and node.attr in {"receiver", "connect"})
    }
    assert heard == {"ratings/apps.py"}


def test_modules_are_named_after_what_is_in_them():
    assert [
        str(path) for path in modules(*FLOORS, "tests") if re.fullmatch(DRAWERS, path.stem)
    ] == []


def test_days_are_put_into_words_in_one_place():
    """French days are not as Django writes them: `clubs.dates` knows how."""
    name = r"\b(formats import .*\bdate_format|formats\.date_format|dateformat|strftime)\b"
    found = {
        str(path.relative_to(ROOT))
        for path in modules(*FLOORS)
        if re.search(name, path.read_text())
    }
    assert found == {"clubs/dates.py"}


def test_every_reason_is_read_by_one_field():
    typed = r"\b(\w*reason|note|why|source)\s*=\s*(?:forms\.)?(\w+Field)\("
    found = {
        (path.name, name, field)
        for path in modules(*FLOORS)
        if path.name.endswith(("forms.py", "form.py"))
        for name, field in re.findall(typed, path.read_text())
    }
    assert len(found) > 8
    assert {field for _, _, field in found} == {"ReasonField"}
