"""The rooms of the source: who may include whom, and how large functions and files may grow."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CPP = ROOT / "cpp"
SOURCES = sorted(path for path in CPP.rglob("*") if path.suffix in (".hpp", ".cpp", ".in"))
GENERATED = re.compile(r"\.pyi$|/build/")
PYTHON = sorted(path for path in (ROOT / "python").rglob("*.py") if not GENERATED.search(path.as_posix()))
MOST_LINES_OF_A_FUNCTION = 60
MOST_LINES_OF_A_FILE = 500


def room(path):
    """The room of a file of ours, as seen from `cpp`."""
    parts = path.relative_to(CPP).parts
    return parts[0] if len(parts) > 1 else path.name


def includes(path):
    """The files of ours that a file includes, and the headers of others."""
    lines = path.read_text(encoding="utf-8").splitlines()
    found = [match for line in lines if (match := re.match(r'\s*#\s*include\s+(["<])([^">]+)[">]', line))]
    return [m[2] for m in found if m[1] == '"'], [m[2] for m in found if m[1] == "<"]


def may_include(path, included):
    """Whether the arrows lead from a file to an included one."""
    own, target = room(path), included.split("/")[0]
    if own == "tests" and (path.parent / included).exists():
        return True
    if own == "games":
        folder = "/".join(path.relative_to(CPP).parts[:2])
        return target in ("core", "game.hpp") or included.startswith(f"{folder}/")
    if own == "solvers":
        game = path.relative_to(CPP).parts[1]
        return target in ("core", "game.hpp", "engine") or included.startswith((f"games/{game}/", f"solvers/{game}/"))
    if path.name.startswith("bind_") and path.name.endswith("_tables.cpp"):
        return target in {"core", "engine", "bindings", "games", "solvers"}
    allowed = {
        "core": {"core"},
        "game.hpp": {"core"},
        "engine": {"core", "game.hpp", "engine"},
        "registry.hpp.in": {"games"},
        "bindings": {"core", "game.hpp", "engine", "bindings"},
        "tests": {"core", "game.hpp", "engine", "games", "solvers", "registry.hpp", "tests"},
    }
    if path.name == "bind_one.cpp.in":
        return target in {"bindings", "games"}
    return target in allowed[own]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(CPP).as_posix())
def test_includes_follow_the_arrows(path):
    ours, _ = includes(path)
    for included in ours:
        assert may_include(path, included), f"{path.name} includes {included}"
        assert "/" in included or included in ("game.hpp", "registry.hpp") or (path.parent / included).exists(), (
            included
        )


def test_the_rooms_are_all_known():
    assert len(SOURCES) > 20
    assert {room(path) for path in SOURCES} <= {
        "core", "game.hpp", "engine", "games", "solvers", "bindings", "tests", "registry.hpp.in"
    }  # fmt: skip


def test_only_the_bindings_know_python():
    for path in SOURCES:
        if room(path) != "bindings":
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"pybind11|Python\.h|\bPy[A-Z][a-z]+_", text), path
    assert any("pybind11" in path.read_text(encoding="utf-8") for path in SOURCES if room(path) == "bindings")


def test_core_and_engine_name_no_game():
    games = [path.name for path in (CPP / "games").iterdir() if path.is_dir()]
    for path in SOURCES:
        if room(path) in ("core", "engine", "game.hpp"):
            code = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
            assert not re.search(rf"\b({'|'.join(games)})\s*::", code), path


def imports(path):
    """The modules that a Python file imports, wherever it does."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def test_the_reference_imports_nothing_compiled():
    folder = ROOT / "python/ziggurat/reference"
    assert len(list(folder.glob("*.py"))) >= 5
    for path in folder.glob("*.py"):
        for module in imports(path):
            top, *rest = module.split(".")
            assert top not in ("numpy", "ctypes", "cffi"), f"{path.name} imports {module}"
            if top == "ziggurat" and rest:
                assert rest[0] in ("errors", "reference"), f"{path.name} imports {module}"
    assert imports(ROOT / "python/ziggurat/errors.py") == set()


def test_games_of_the_reference_do_not_know_each_other():
    games = [path.name for path in (CPP / "games").iterdir() if path.is_dir()]
    for game in games:
        for path in ROOT.glob(f"python/ziggurat/reference/{game}*.py"):
            modules = {module.split(".")[2] for module in imports(path) if module.count(".") >= 2}
            others = [other for other in games if other != game]
            assert not {module for module in modules if module == "api" or of_a_game(module, others)}, path


def of_a_game(module, games):
    """Whether a module of the reference is one of some games, or a part of it: `pylos`, `numberplace_city_play`."""
    return any(module == game or module.startswith(f"{game}_") for game in games)


# Sizes.


def python_functions(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.end_lineno - node.lineno + 1


def without_literals(text):
    """C++ without comments and without what is inside literals; lines stay lines."""
    pattern = r'//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\''
    return re.sub(pattern, lambda match: "\n" * match[0].count("\n"), text, flags=re.DOTALL)


def cpp_functions(text):
    """The head and the number of lines of every block that is a function's: its brace follows a parameter list."""
    text = without_literals(text)
    opened = []
    for place, character in enumerate(text):
        if character == "{":
            head = text[max(text.rfind(stop, 0, place) for stop in ";{}") + 1 : place]
            is_function = re.search(r"\)\s*(const|noexcept|override|mutable|requires[^{]*|->[^{]*|:[^{]*)*\s*$", head)
            opened.append(place - len(head.lstrip()) if is_function else None)
        elif character == "}" and opened:
            start = opened.pop()
            if start is not None:
                yield text[start:place].split("{")[0].strip(), text.count("\n", start, place) + 1


def test_the_counters_count():
    text = "int f(int x) {\n  // }\n  if (x) {\n    g(\"{\");\n  }\n  return '}';\n}\nstruct S {\n  int a;\n};\n"
    assert sorted(lines for _, lines in cpp_functions(text)) == [3, 7]
    long = "void f() {\n" + "  g();\n" * MOST_LINES_OF_A_FUNCTION + "}\n"
    assert max(lines for _, lines in cpp_functions(long)) > MOST_LINES_OF_A_FUNCTION


def is_test(path):
    return "tests" in path.relative_to(ROOT).parts


@pytest.mark.parametrize(
    "path", [path for path in SOURCES if not is_test(path)], ids=lambda path: path.relative_to(CPP).as_posix()
)
def test_cpp_functions_are_short(path):
    for head, lines in cpp_functions(path.read_text(encoding="utf-8")):
        assert lines <= MOST_LINES_OF_A_FUNCTION, f"{head}: {lines} lines"


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: path.relative_to(ROOT / "python").as_posix())
def test_python_functions_are_short(path):
    for name, lines in python_functions(path):
        assert lines <= MOST_LINES_OF_A_FUNCTION, f"{name}: {lines} lines"


@pytest.mark.parametrize(
    "path", [p for p in [*SOURCES, *PYTHON] if not is_test(p)], ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_files_are_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES_OF_A_FILE
