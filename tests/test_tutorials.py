"""The tutorials run: block after block, with smaller numbers, and what they claim is checked.

In a page of docs/tutorials the Python blocks share one namespace. A ```text block after one shows what it prints:
"text" is compared always, "text full" at full size alone (times and the like: "text varies", never). A line such as
`GAMES = 20_000  # in tests: 500` is the size of a study. The environment variable ZIGGURAT_TUTORIALS says more:
"full" keeps the sizes as they are written, "write" does too and puts what was printed and drawn into the pages.

Each page runs in a process of its own, with one thread for linear algebra: the products are small, and on busy cores
the waiting of more threads costs several times the work.
"""

import contextlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import ziggurat as zg
from ziggurat.errors import ParseError

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
BLOCK = re.compile(r"^```(python|text)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SIZE = re.compile(r"^(\w+ = ).*?  # in tests: (.+)$", re.MULTILINE)
MODE = os.environ.get("ZIGGURAT_TUTORIALS", "small")
SMALL = MODE not in ("full", "write")


class Step(NamedTuple):
    """A Python block, and the text block that shows its output."""

    line: int  #: in the page
    code: str
    kind: str  #: "", "full" or "varies"; "silent" where nothing is shown
    shown: str
    span: tuple[int, int]  #: where what is shown stands in the page


def steps_of(text: str) -> Iterator[Step]:
    blocks = list(BLOCK.finditer(text))
    for block, after in zip(blocks, [*blocks[1:], None], strict=True):
        if block[1] == "python":
            line = text.count("\n", 0, block.start(3))
            if after is not None and after[1] == "text":
                yield Step(line, block[3], after[2].strip(), after[3], after.span(3))
            else:
                yield Step(line, block[3], "silent", "", (0, 0))


def small(code: str) -> str:
    return SIZE.sub(r"\1\2", code)


def run(step: Step, page: Path, names: dict[str, Any]) -> str:
    """Run a block in a namespace; what it prints. Errors have the page's lines."""
    code = small(step.code) if SMALL else step.code
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile("\n" * step.line + code, str(page), "exec"), names)
    return printed.getvalue()


def check_output(step: Step, printed: str) -> None:
    assert step.kind in ("", "full", "varies", "silent"), step.kind
    if step.kind == "silent":
        assert printed == "", f"line {step.line}: the block prints, and nothing is shown"
    elif step.kind == "" or (step.kind == "full" and not SMALL):
        assert printed == step.shown, f"line {step.line}: {printed!r} instead of {step.shown!r}"
    else:  # other numbers in the same table
        assert printed.count("\n") == step.shown.count("\n"), f"line {step.line}"


def images_of(text: str) -> set[str]:
    return set(re.findall(r"\]\(\.\./images/([^)]+)\)", text))


# What the pages claim. At the small size at least that it makes sense.


def check_random_play(names: dict[str, Any]) -> None:
    for name, (share, error) in names["first_seat"].items():
        assert 0 < error < 0.03
        assert abs(share - 1 / names["games"][name].num_players()) < 0.2
    for choices, results in names["studies"].values():
        np.testing.assert_array_equal(choices.sum(axis=0), results.legal_total)
        np.testing.assert_array_equal((choices > 0).sum(axis=0), results.plies)
    better_than_even("Blokus Duo", 0, names)
    better_than_even("Blokus", 0, names)
    better_than_even("Numberplace City", 0, names)
    better_than_even("Pylos, children", 1, names)
    assert names["curves"]["Blokus"].argmax() > 8
    assert names["curves"]["Pylos"].argmax() == 0


def better_than_even(name: str, seat: int, names: dict[str, Any]) -> None:
    """A seat wins more than the seats do on average, beyond the interval."""
    credit = names["credit"](names["results"][name])
    low, _, _ = names["interval"](credit[:, seat])
    assert low > credit.mean()


def check_training(names: dict[str, Any]) -> None:
    """From each seat both nets do better than a random player there, and win most games; nearly all at full size."""
    interval = names["interval"]
    assert interval(50, 50) == pytest.approx((0.4038, 0.5, 0.5962), abs=1e-4)
    for record, by_chance in zip(names["records"], names["chance"], strict=True):
        for (wins, losses, draws), (lucky, unlucky, _) in zip(record, by_chance, strict=True):
            assert wins + losses + draws == names["MATCH"]
            low, share, high = interval(wins, losses)
            assert max(0.6 if SMALL else 0.9, interval(lucky, unlucky)[2]) < low < share < high, record
    if not SMALL:
        for (wins, losses, _), (large, small_ones, _) in zip(names["records"][0], names["largest"], strict=True):
            assert interval(wins, losses)[0] > interval(large, small_ones)[2]
    gradients_are_derivatives(names)


def gradients_are_derivatives(names: dict[str, Any]) -> None:
    """The gradients of the page against differences of the loss it says they are of, in float64."""
    game, rng = zg.load_game("pylos", preset="mini"), np.random.default_rng(3)
    net = [rng.normal(0, 0.3, w.shape) for w in names["new_net"](game)]
    games = names["play"](game, names["new_net"](game), games=3, seed=1)
    seen, legal, actions, returns = games.seen.astype(float), games.legal, games.actions, games.returns
    rows = np.arange(len(actions))
    value_then = names["forward"](net, seen)[2]

    def loss() -> float:
        _, logits, value = names["forward"](net, seen)
        chance = names["probabilities"](logits, legal)
        logs = np.log(np.where(legal, chance, 1))
        policy = -(returns - value_then) * logs[rows, actions]
        entropy = -(chance * logs).sum(axis=1)
        return float((policy - names["ENTROPY"] * entropy + (returns - value) ** 2 / 2).mean())

    for weights, gradient in zip(net, names["gradients"](net, games), strict=True):
        place = tuple(int(rng.integers(n)) for n in weights.shape)
        old, h = weights[place], 1e-6
        weights[place] = old + h
        above = loss()
        weights[place] = old - h
        slope = (above - loss()) / (2 * h)
        weights[place] = old
        assert gradient[place] == pytest.approx(slope, abs=1e-7, rel=1e-4)


def check_perft(names: dict[str, Any]) -> None:
    assert len(set(names["counts"])) == 1
    positions, canonical = names["unique"]
    assert all(c <= p <= 8 * c for p, c in zip(positions, canonical, strict=True))
    assert names["sound"] is None
    state, moves = names["found"]
    assert moves
    for text in moves:  # the front end's alone: the engine refuses them
        with pytest.raises(ParseError):
            state.string_to_turn(text)
    check_solutions(names)


def check_solutions(names: dict[str, Any]) -> None:
    """Every verdict follows from those of the positions after it, drawn ones too; nothing is taken from the solver."""
    for rules, drawn in (("squares", False), ("lines", True), ("none", False)):
        game = zg.load_game("pylos", preset="mini", patterns=rules, max_turns=0)
        winner = names["solutions"][rules]
        positions = names["all_positions"](game)
        assert (len(winner) < len(positions)) == drawn
        for state, after in positions.items():
            found = {winner.get(s) for s in after}
            mover, value = state.current_player(), winner.get(state)
            if state.is_terminal():
                assert state.winners() == [value]
            elif value == mover:
                assert mover in found
            elif value is None:
                assert mover not in found
                assert None in found
            else:
                assert found == {1 - mover}


def check_balance(names: dict[str, Any]) -> None:
    for results in names["blox"].values():
        assert (results.counters["limit"] == 0).all()
        shares, half = names["win_shares"](results)
        assert (abs(shares - shares.mean()) < 2.5 * half).all(), "no seat is better, as far as can be seen"
    for results in names["city"].values():
        ends = np.sum([values for name, values in results.counters.items() if name.startswith("end_")], axis=0)
        np.testing.assert_array_equal(ends + results.counters["limit"], 1)
        shares, half = names["win_shares"](results)
        assert shares[0] - half[0] > shares[-1] + half[-1] or (SMALL and shares[0] > shares[-1])
    assert 0 < names["ended"].mean() < 1


CHECKS: dict[str, Callable[[dict[str, Any]], None]] = {
    "random-play.md": check_random_play,
    "training.md": check_training,
    "perft.md": check_perft,
    "balance.md": check_balance,
}


def run_page(name: str) -> None:
    """Run a page in the present folder, where it leaves its drawings, and check it."""
    import matplotlib as mpl

    page = ROOT / "docs" / "tutorials" / name
    text = page.read_text(encoding="utf-8")
    names: dict[str, Any] = {"__name__": "__main__"}
    printed = []
    with mpl.rc_context({"svg.hashsalt": "ziggurat", "svg.fonttype": "none"}):
        for step in steps_of(text):
            printed.append((step, run(step, page, names)))
            if MODE != "write":
                check_output(*printed[-1])
    assert len(printed) > 4
    assert {path.name for path in Path().glob("*.svg")} == images_of(text)
    CHECKS[name](names)
    if MODE == "write":
        write(page, text, printed)


def write(page: Path, text: str, printed: list[tuple[Step, str]]) -> None:
    """Put what was printed and drawn into the page."""
    for step, output in reversed(printed):
        if step.kind != "silent":
            text = text[: step.span[0]] + output + text[step.span[1] :]
    page.write_text(text, encoding="utf-8")
    for path in Path().glob("*.svg"):
        lines = path.read_text(encoding="utf-8").splitlines()
        image = "\n".join(line.rstrip() for line in lines) + "\n"
        (ROOT / "docs" / "images" / path.name).write_text(image, encoding="utf-8")


def test_every_tutorial_is_checked() -> None:
    assert {page.name for page in PAGES if "```python" in page.read_text(encoding="utf-8")} == set(CHECKS)


ENVIRONMENT = {"MPLBACKEND": "agg", "SOURCE_DATE_EPOCH": "0"}
ENVIRONMENT |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), "1")


@pytest.mark.parametrize("name", CHECKS)
def test_tutorial(name: str, tmp_path: Path) -> None:
    warnings = ["-W", "error::RuntimeWarning", "-W", "error::UserWarning"]  # NumPy's and matplotlib's
    command = [sys.executable, *warnings, str(Path(__file__).resolve()), name]
    environment = os.environ | ENVIRONMENT
    child = subprocess.run(command, check=False, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert child.returncode == 0, child.stdout + child.stderr
    assert child.stdout == f"{name}: as it says\n"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_of_tutorials_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_reader_reads() -> None:
    """A page with an output that is wrong, a size, and a text block that is nobody's output."""
    page = (
        "```text\nno output\n```\n"
        "```python\nN = 9  # in tests: 2\nprint(N)\n```\nis\n```text full\n9\n```\n"
        "```python\nx = 1\n```\n"
        "```python\nprint(N)\n```\n```text\n8\n```\n"
    )
    first, second, third = steps_of(page)
    assert (first.line, first.kind, first.shown) == (4, "full", "9\n")
    assert page[slice(*first.span)] == first.shown
    assert second.kind == "silent"
    assert small(first.code) == "N = 2\nprint(N)\n"
    with pytest.raises(AssertionError):
        check_output(third, "9\n")
    with pytest.raises(AssertionError):
        check_output(second, "1\n")
    names: dict[str, Any] = {}
    assert run(first, Path("page.md"), names) == ("2\n" if SMALL else "9\n")


if __name__ == "__main__":
    run_page(sys.argv[1])
    print(f"{sys.argv[1]}: as it says")
