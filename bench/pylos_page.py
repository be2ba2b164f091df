"""The pictures of docs/pylos-solved.md, and what stands between its markers: from docs/data/pylos_solved.json alone."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pylos_facts as facts
from harness import table

import ziggurat as zg

DOCS = Path(__file__).resolve().parent.parent / "docs"
DATA, PAGE = "pylos_solved.json", "pylos-solved.md"
GAMES: dict[str, facts.Choice] = {
    "first": facts.first_best,
    "hardest": facts.hardest,
}  # how the loser of a game chooses
RESULTS = {1: "wins", 0: "draws", -1: "loses"}
COLOURS = {"won": "#0072b2", "drawn": "#999999", "lost": "#d55e00"}


def write(data: dict[str, Any], docs: Path) -> None:
    """Draw the pictures and fill in the page."""
    for name, draw in PICTURES.items():
        _save(draw, data, docs / "images" / f"pylos_{name}.svg")
    page = docs / PAGE
    page.write_text(filled(page.read_text(encoding="utf-8"), data), encoding="utf-8")


def filled(text: str, data: dict[str, Any]) -> str:
    """The page with the parts between `<!-- NAME -->` and `<!-- end -->` made anew; KeyError for an unknown name."""

    def part(match: re.Match[str]) -> str:
        return f"<!-- {match[1]} -->\n{PARTS[match[1]](data)}\n<!-- end -->"

    return re.sub(r"<!-- (\w+) -->\n.*?<!-- end -->", part, text, flags=re.DOTALL)


# Pictures


def _save(draw: Callable[[Any, dict[str, Any]], None], data: dict[str, Any], path: Path) -> None:
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "ziggurat", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(10, 3.8), layout="constrained")
        draw(figure, data)
        path.parent.mkdir(exist_ok=True)
        figure.savefig(path, metadata={"Date": None})


def _draw_balls(figure: Any, data: dict[str, Any]) -> None:
    """Positions by number of balls, and which part of them is won, drawn and lost."""
    rows = data["rule_sets"][0]["by_balls"]
    numbers, shares = figure.subplots(1, 2)
    balls = range(len(rows))
    low = [0.0] * len(rows)
    for column, (name, colour) in enumerate(COLOURS.items()):
        numbers.semilogy(balls, [row[column] or None for row in rows], ".-", color=colour, label=name)
        part = [row[column] / sum(row) for row in rows]
        shares.bar(balls, part, 1, low, color=colour, label=name)
        low = [a + b for a, b in zip(low, part, strict=True)]
    numbers.set(title="positions", xlabel="balls on the board", ylabel="positions", xlim=(-0.5, len(rows) - 0.5))
    shares.set(title="for the player to move", xlabel="balls on the board", ylabel="share", ylim=(0, 1))
    shares.margins(x=0)
    numbers.grid(alpha=0.3)
    numbers.legend()


def _draw_distances(figure: Any, data: dict[str, Any]) -> None:
    """Positions by distance: won and lost ones of the first rule set, and under all how many are at least so far."""
    one, all_rules = figure.subplots(1, 2)
    seen: list[list[int]] = []  # a rule set with the numbers of an earlier one has no line
    for kind, name in (("win", "won"), ("loss", "lost")):
        points = [(d, n) for d, what, n in data["rule_sets"][0]["passes"] if what == kind and n]
        one.semilogy(*zip(*points, strict=True), ".-", color=COLOURS[name], label=name)
    for rules in data["rule_sets"]:
        longest = max(d for d, _, n in rules["passes"] if n)
        later = [sum(n for d, _, n in rules["passes"] if d >= least) for least in range(longest + 1)]
        if later not in seen:
            all_rules.semilogy(later, "-", lw=1, label=_rules(rules["game"]))
            seen.append(later)
    one.set(title=f"{_rules(data['rule_sets'][0]['game'])}: in so many turns", xlabel="turns", ylabel="positions")
    all_rules.set(title="all rule sets: in so many turns or more", xlabel="turns", ylabel="positions")
    for axes in (one, all_rules):
        axes.grid(alpha=0.3)
        axes.legend(fontsize=7)


def _draw_depths(figure: Any, data: dict[str, Any]) -> None:
    """The mean and the greatest distance by number of balls, of the first rule set."""
    passes = list(zip(data["rule_sets"][0]["passes"], data["by_distance_and_balls"], strict=True))
    for axes, (kind, name) in zip(figure.subplots(1, 2, sharey=True), (("win", "won"), ("loss", "lost")), strict=True):
        found = [(distance, numbers) for (distance, what, _), numbers in passes if what == kind]
        rows = [[(distance, numbers[n]) for distance, numbers in found if numbers[n]] for n in range(len(passes[0][1]))]
        longest = [max((distance for distance, _ in row), default=None) for row in rows]
        means = [sum(d * k for d, k in row) / sum(k for _, k in row) if row else None for row in rows]
        axes.plot(longest, ".:", color=COLOURS[name], label="longest")
        axes.plot(means, ".-", color=COLOURS[name], label="mean")
        axes.set(title=name, xlabel="balls on the board", ylabel="turns to the end", ylim=(0, None))
        axes.grid(alpha=0.3)
        axes.legend()


def _draw_zugzwangs(figure: Any, data: dict[str, Any]) -> None:
    """Pairs of both kinds by number of balls; a rule set with the numbers of an earlier one has no line."""
    for axes, (key, title) in zip(figure.subplots(1, 2), ZUGZWANGS.items(), strict=True):
        seen: list[list[int]] = []
        for rules in data["rule_sets"]:
            numbers = rules["zugzwangs"][key]
            if any(numbers) and numbers not in seen:
                label = _rules(rules["game"])
                axes.semilogy(range(len(numbers)), [n or None for n in numbers], ".-", lw=1, label=label)
                seen.append(numbers)
        axes.set(title=title, xlabel="balls on the board", ylabel="pairs of positions", xlim=(0, None))
        axes.grid(alpha=0.3)
        axes.legend(fontsize=7)


ZUGZWANGS = {"both_lose": "whoever is to move loses", "lose_or_draw": "one loses to move, the other draws to move"}
PICTURES = {"balls": _draw_balls, "distances": _draw_distances, "depths": _draw_depths, "zugzwangs": _draw_zugzwangs}


# Parts of the page


def _rules(text: str) -> str:
    """`standard`, or the options of a canonical text."""
    return text[text.index("(") + 1 : -1].replace(",", ", ") or "standard"


def _result(value: int, distance: int | None) -> str:
    return "draws" if value == 0 else f"{RESULTS[value]} in {distance}"


def _percent(part: int, whole: int) -> str:
    """A share with three digits; `-` where there is nothing to share."""
    return f"{100 * part / whole:.3g} %" if whole else "-"


def values(data: dict[str, Any]) -> str:
    """The empty board under all rule sets."""
    rows = []
    for one in data["rule_sets"]:
        longest = max(distance for distance, _, n in one["passes"] if n)
        shares = [_percent(one[key], one["positions"]) for key in ("wins", "draws", "losses")]
        start = _result(one["start"]["value"], one["start"]["distance"])
        rows.append([_rules(one["game"]), start, str(longest), f"{one['positions']:,}", *shares])
    return table(["rules", "the first player", "longest", "positions", "won", "drawn", "lost"], rows)


def mini(data: dict[str, Any]) -> str:
    """The empty board of base 3 under all options."""
    ends = {(no_move, reserve): "" for no_move in ("loses", "passes") for reserve in ("continues", "loses")}
    rows: dict[str, dict[tuple[str, str], str]] = {}
    for text, value, distance, *_ in data["mini"]:
        options = dict(pair.split("=") for pair in text[text.index("(") + 1 : -1].split(","))
        end = options.pop("no_move", "loses"), options.pop("empty_reserve", "continues")
        options.pop("base")
        name = ", ".join(f"{key}={setting}" for key, setting in options.items()) or "standard"
        rows.setdefault(name, dict(ends))[end] = _result(value, distance)
    heads = ["base 3", "the defaults", "empty_reserve=loses", "no_move=passes", "both"]
    return table(heads, [[name, *cells.values()] for name, cells in rows.items()])


def opening_values(data: dict[str, Any]) -> str:
    """The three classes of first turns under all rule sets."""
    rows = []
    for one in data["rule_sets"]:
        cells = [f"{_result(row['value'], row['distance'])}" for row in one["openings"]]
        rows.append([_rules(one["game"]), *cells])
    first = data["rule_sets"][0]["openings"]
    return table(["rules", *[f"{facts.CLASSES[row['turn']]} ({row['turn']})" for row in first]], rows)


def replies(data: dict[str, Any]) -> str:
    """The best replies under the standard rules."""
    rows = []
    for row in data["rule_sets"][0]["openings"]:
        counts = [str(n) for n in (row["answers"], row["keep"], sum(n for _, n in row["replies"]))]
        texts = ", ".join(text for text, _ in row["replies"])
        rows.append([f"{facts.CLASSES[row['turn']]} ({row['turn']})", *counts, texts])
    return table(["opening", "replies", "win", "win soonest", "the soonest, one of each class"], rows)


def game_first(data: dict[str, Any]) -> str:
    """The game in which both take the first of the best turns."""
    return _game(data["rule_sets"][0]["games"]["first"])


def game_hardest(data: dict[str, Any]) -> str:
    """The game in which the loser makes it as hard as he can."""
    rows = data["rule_sets"][0]["games"]["hardest"]
    keeps = [keep for _, value, _, legal, keep, *_ in rows if value > 0 and legal > 1]
    only = f"Of the winner's {len(keeps)} turns with a choice {keeps.count(1)} have one answer only that wins."
    return f"{_game(rows)}\n\n{only}"


def _game(rows: Sequence[Sequence[Any]]) -> str:
    lines = []
    for number, (text, value, left, legal, keep, best, quickest) in enumerate(rows, 1):
        if value == 0:
            words = f"{legal:2} legal, {keep:2} draw"
        elif value > 0:
            words = f"{left:2} left: {legal:2} legal, {keep:2} win, {best:2} of them soonest"
        else:
            others = f", the worst loses in {quickest}" if quickest < left else ""
            words = f"{left:2} left: {legal:2} legal, {best:2} hold out longest{others}"
        lines.append(f"{number:3} {'LD'[1 - number % 2]} {text:<13} {words}")
    return "\n".join(["```text", *lines, "```"])


def balls(data: dict[str, Any]) -> str:
    """Positions by number of balls under the standard rules."""
    one = data["rule_sets"][0]
    rows = []
    for n, (row, both, half) in enumerate(zip(one["by_balls"], *one["zugzwangs"].values(), strict=True)):
        shares = _percent(row[0], sum(row)), _percent(2 * both, sum(row))
        rows.append([str(n), *(f"{count:,}" for count in row), *shares, f"{both:,}", f"{half:,}"])
    heads = [
        "balls",
        "won",
        "drawn",
        "lost",
        "part won",
        "both lose",
        "both lose (pairs)",
        "one loses, one draws (pairs)",
    ]
    return table(heads, rows)


def zugzwangs(data: dict[str, Any]) -> str:
    """How many there are under each rule set, and which part of the positions that is."""
    rows = []
    for one in data["rule_sets"]:
        both, half = (sum(one["zugzwangs"][key]) for key in ZUGZWANGS)
        rows.append([_rules(one["game"]), f"{both:,}", _percent(2 * both, one["positions"]), f"{half:,}"])
    return table(["rules", "both lose (pairs)", "part of all positions", "one loses, one draws (pairs)"], rows)


def zugzwang_boards(data: dict[str, Any]) -> str:
    """The rarest zugzwangs, drawn."""
    found = data["examples"]["zugzwangs"]
    count = f"{found['positions']} positions with {found['balls']} balls"
    boards = [("whoever is to move loses", text) for text in (found["classes"][0], found["classes"][-1])]
    return f"{count}, {len(found['classes'])} classes. Two of them:\n\n{_boards(*boards)}"


def _boards(*boards: tuple[str, str]) -> str:
    """Positions drawn below their captions."""
    parts = [f"{caption}:\n\n{zg.restore_state(text)}" for caption, text in boards]
    return "\n".join(["```text", "\n\n\n".join(parts), "```"])


def deepest(data: dict[str, Any]) -> str:
    """The longest wins and losses under each rule set."""
    rows = []
    for one in data["rule_sets"]:
        cells = [str(one["deepest"][kind][key]) for kind in ("wins", "losses") for key in ("distance",)]
        sizes = []
        for kind, what in (("wins", "win"), ("losses", "loss")):
            depth = one["deepest"][kind]["distance"]
            sizes.append(f"{next(n for d, name, n in one['passes'] if (d, name) == (depth, what)):,}")
        rows.append([_rules(one["game"]), cells[0], sizes[0], cells[1], sizes[1]])
    return table(["rules", "longest win", "positions", "longest loss", "positions"], rows)


def deepest_boards(data: dict[str, Any]) -> str:
    """A longest win and a longest loss of the standard rules."""
    one = data["rule_sets"][0]
    names = {"wins": "won", "losses": "lost"}
    found = {f"{word} in {one['deepest'][kind]['distance']}": one["deepest"][kind] for kind, word in names.items()}
    return _boards(*((caption, f"{one['game']} {deep['positions'][0]}") for caption, deep in found.items()))


def draws(data: dict[str, Any]) -> str:
    """How many draws there are under each rule set, and where they begin."""
    rows = []
    for one in data["rule_sets"]:
        numbers = [row[1] for row in one["by_balls"]]
        where = [n for n, count in enumerate(numbers) if count]
        span = f"{where[0]} to {where[-1]}" if where else "-"
        rows.append([_rules(one["game"]), f"{one['draws']:,}", _percent(one["draws"], one["positions"]), span])
    return table(["rules", "drawn positions", "part of all", "balls"], rows)


def draw_boards(data: dict[str, Any]) -> str:
    """A smallest draw, and a circle of turns."""
    found, circle = data["examples"]["draws"], data["examples"]["circle"]
    words = (
        f"The smallest drawn positions have {found['balls']} balls: {found['positions']} of them, "
        f"{len(found['classes'])} but for symmetry. From the first of these perfect play stays within "
        f"{circle['classes']} positions, but for symmetry. In the second picture the turns "
        f"`{' '.join(circle['turns'])}` lead back to it."
    )
    return f"{words}\n\n{_boards(('drawn', found['classes'][0]), ('on a circle', circle['start']))}"


def circles(data: dict[str, Any]) -> str:
    """What random drawn positions lead to."""
    found = data["circles"]
    lengths = ", ".join(f"{turns} turns for {count} of them" for turns, count in found["turns"].items())
    least, _, middle, _, most = found["classes"]
    return (
        f"Of a million random positions {found['positions']} are drawn. The shortest circle that perfect play can "
        f"enter has {lengths}; for {found['waits']} it is made of waiting alone. In all, perfect play can lead to "
        f"{middle:,.0f} positions in the median, at least {least:,.0f} and at most {most:,.0f}, but for symmetry."
    )


def habits(data: dict[str, Any]) -> str:
    """What is right in random positions, under the rule sets where that was looked at."""
    rows = []
    for one in data["rule_sets"]:
        won = one["habits"]["won"]
        cells = [_percent(won.get(f"by {what}", 0), won["all"]) for what in ("one turn", "every turn")]
        for name in ("takes", "raises", "waits"):
            may = won.get(f"{name} may", 0)
            cells += [_percent(won.get(f"{name} {what}", 0), may) for what in ("must", "must not", "best", "not best")]
        rows.append([_rules(one["game"]), *cells])
    names = ["rules", "one turn wins", "every turn wins"]
    names += [
        f"{verb}: {what}" for verb in ("take", "raise", "wait") for what in ("must", "must not", "best", "not best")
    ]
    groups = (range(1, 3), range(3, 7), range(7, 11), range(11, 15))
    pick = [[[row[i] for i in (0, *columns)] for row in (names, *rows)] for columns in groups]
    return "\n\n".join(table(heads, cells) for heads, *cells in pick)


def differences(data: dict[str, Any]) -> str:
    """How often other rules change the result of a position."""
    found = data["differences"]
    names = ["win>loss", "loss>win", "win>draw", "loss>draw", "draw>win", "draw>loss", "distance"]
    rows = [
        [_rules(text), *(_percent(changes[name], found["positions"]) for name in names)]
        for text, changes in found["changes"].items()
    ]
    heads = ["instead of standard", *(name.replace(">", " to ") for name in names[:-1]), "same, other distance"]
    return table(heads, rows)


def cost(data: dict[str, Any]) -> str:
    """Time, memory and disk, and what the checks saw."""
    rows = []
    for one in data["rule_sets"]:
        sizes = [f"{one['files'][kind]['bytes'] / 1e6:.1f} MB" for kind in ("wdl", "distances")]
        times = [f"{one[key]:.0f} s" for key in ("solve_seconds", "save_seconds")]
        checked = one["self_check"]
        ok = f"{checked['positions']:,} positions, {checked['turns']:,} turns"
        rows.append([_rules(one["game"]), *times, f"{one['peak_bytes'] / 1e9:.2f} GB", *sizes, ok])
    about = data["about"]
    build = f"ziggurat {about['ziggurat']}, level {about['level']}"
    words = f"{about['date'][:10]}, {about['cpu']}, {about['cpus']} cores, {build}:"
    return f"{words}\n\n{table(['rules', 'solving', 'writing', 'peak memory', 'values', 'distances', 'checked'], rows)}"


_ALL = [values, mini, opening_values, replies, game_first, game_hardest, balls, zugzwangs, zugzwang_boards, deepest]
_ALL += [deepest_boards, draws, draw_boards, circles, habits, differences, cost]
PARTS: dict[str, Callable[[dict[str, Any]], str]] = {part.__name__: part for part in _ALL}
