"""The registry: what makes a word in `games.cmake` a game, and that both implementations name the same things."""

import re
from pathlib import Path

import pytest

import ziggurat as zg
from ziggurat import _core, reference
from ziggurat.reference.api import find_rules
from ziggurat.reference.engine import Text, Words, counters, views

ROOT = Path(__file__).parents[1]
FOLDERS = ROOT / "cpp/games"
HELPERS = {
    "__init__",
    "api",
    "engine",
    "random",
}  # modules of the reference that are no game, nor a part (`pylos_...`) of one


def is_part(module, names):
    """Whether a module of the reference is a part of a game: `pylos_board`, `numberplace_city_play`."""
    return any(module.startswith(f"{name}_") for name in names)


def registered():
    text = (ROOT / "cpp/games.cmake").read_text(encoding="utf-8")
    return re.search(r"set\(ZIGGURAT_GAMES ([^)]*)\)", text)[1].split()


def test_the_games_are_the_same_everywhere():
    names = registered()
    assert names == sorted(names)
    assert names == zg.games() == sorted(reference.games()) == sorted(_core.families)
    assert names == sorted(path.name for path in FOLDERS.iterdir() if path.is_dir())
    modules = {path.stem for path in (ROOT / "python/ziggurat/reference").glob("*.py")}
    assert names == sorted(module for module in modules - HELPERS if not is_part(module, names))


@pytest.mark.parametrize("name", zg.games())
def test_a_game_has_its_files(name):
    for file in (f"{name}.hpp", f"{name}.perft", "RULES.md", "options.hpp"):
        assert (FOLDERS / name / file).is_file(), file
    assert (ROOT / f"tests/test_traps_{name}.py").is_file()
    assert zg.rules(name) == (FOLDERS / name / "RULES.md").read_text(encoding="utf-8")


def game_or_error(module, name, option, value):
    """The game with an option, or ValueError if it is refused."""
    try:
        return module.load_game(name, **{option: value})
    except ValueError:
        return ValueError


@pytest.mark.parametrize("name", zg.games())
def test_options_are_the_same(name):
    described = {option["name"]: option["default"] for option in _core.families[name]["options"]}
    rules = find_rules(name)
    assert list(described) == list(rules.OPTION_VALUES) == list(zg.load_game(name).options)
    assert described == zg.load_game(name).options == reference.load_game(name).options
    taken = 0
    for option, values in rules.OPTION_VALUES.items():
        assert type(described[option]) is type(values[0])
        for value in list(values)[:3] + list(values)[-3:]:
            games = [game_or_error(module, name, option, value) for module in (zg, reference)]
            if ValueError in games:  # it does not fit the defaults
                assert games == [ValueError] * 2
                assert value != described[option]
                continue
            assert [str(game) for game in games] == [str(games[0])] * 2
            assert [game.options[option] for game in games] == [value] * 2
            taken += 1
    assert taken >= 2 * len(described)


@pytest.mark.parametrize("name", zg.games())
def test_what_is_offered_has_the_same_names(name):
    about, rules = zg.describe(name), find_rules(name)
    assert list(about["analyses"]) == list(rules.ANALYSES)
    assert list(about["tables"]) == list(rules.TABLES)
    assert list(about["views"]) == list(views(rules))
    assert about["counters"] == list(counters(rules))
    assert all(len(words) > 10 for key in ("analyses", "tables", "views") for words in about[key].values())


@pytest.mark.parametrize("name", zg.games())
def test_the_rules_page_names_what_is_offered_in_order(name):
    about, page = zg.describe(name), zg.rules(name)
    for names, heading, form in (
        (about["views"], "What front ends ask", r"`(\w+)\(player\)`"),
        (about["counters"], "Counters of random games", r"`(\w+)`"),
    ):
        section = re.split(rf"## \d+\. {heading}\n", page)[1].split("\n## ")[0] if names else ""
        told = re.findall(form, re.sub(r"`(\w+_)(\d)` to `\1(\d)`", in_full, section))
        assert [word for word in dict.fromkeys(told) if word in names] == list(names)


def in_full(match):
    """The names that are written as the first and the last one."""
    return ", ".join(f"`{match[1]}{number}`" for number in range(int(match[2]), int(match[3]) + 1))


@pytest.mark.parametrize("name", zg.games())
def test_views_are_methods_of_both(name):
    states = [module.load_game(name).new_initial_state() for module in (zg, reference)]
    for view in zg.describe(name)["views"]:
        for state in states:
            assert callable(getattr(state, view))
            with pytest.raises(ValueError, match=str(state.get_game().num_players())):
                getattr(state, view)(state.get_game().num_players())
    for state in states:
        with pytest.raises(AttributeError, match="wealth"):
            _ = state.wealth


def test_a_value_that_does_not_fit_the_others_is_refused_by_both():
    """[BX-1.6] It is allowed, and no hands can be dealt with the defaults."""
    for module in (zg, reference):
        with pytest.raises(ValueError, match="cards_per_colour"):
            module.load_game("blox", cards_per_colour=1)
        assert module.load_game("blox", cards_per_colour=1, hand=1).options["cards_per_colour"] == 1


@pytest.mark.parametrize("name", zg.games())
def test_synonyms_are_the_same(name):
    page = zg.rules(name)
    for option, values in find_rules(name).OPTION_VALUES.items():
        for word, value in values.synonyms.items() if isinstance(values, Words) else ():
            assert word not in values
            assert re.search(rf"`{word}`.* other words", page)
            for module in (zg, reference):
                game = module.load_game(name, **{option: value})
                assert module.load_game(name, **{option: word}) == game
                assert module.load_game(f"{name}({option}={word})") == game
                assert game.options[option] == value


@pytest.mark.parametrize("name", zg.games())
def test_presets_are_the_same(name):
    presets = list(_core.families[name]["presets"])
    assert presets == list(find_rules(name).PRESETS)
    assert zg.load_game(name, presets[0]) == zg.load_game(name)
    for preset in presets:
        games = [module.load_game(name, preset) for module in (zg, reference)]
        assert str(games[0]) == str(games[1])
        assert games[0].options == games[1].options
    assert len({zg.load_game(name, preset) for preset in presets}) == len(presets)


@pytest.mark.parametrize("name", zg.games())
def test_the_rules_page_lists_options_and_presets_in_order(name):
    page = zg.rules(name)
    section = re.search(r"## \d+\. Presets and options\n(.*?)(?=\n## |\Z)", page, re.DOTALL)[1]
    rows = dict(re.findall(r"^\| `([\w-]+)`[^|]*\|([^|]*)\|$", section, re.MULTILINE))
    assert list(rows) == list(_core.families[name]["presets"])
    for preset, settings in rows.items():
        assert zg.load_game(name, preset) == zg.load_game(f"{name}({settings.strip(' `')})")
    listed = section[section.index("Options, in this order:") :]
    assert re.findall(r"`(\w+)`\s\(", listed) == list(zg.load_game(name).options)
    for option, values in find_rules(name).OPTION_VALUES.items():
        told = re.search(rf"`{option}`\s\(([^)]*)\)", listed)[1].replace("\n", " ")
        told, _, remark = told.partition("; ")  # what the default is, or what a value means
        assert told == allowed_in_words(values)
        assert remark.split(":")[0] in ("", str(zg.load_game(name).options[option]))


def allowed_in_words(values):
    """What the rules page says of the values of an option."""
    if isinstance(values, Text):
        return values.allowed
    if isinstance(values, range):
        return f"{values[0]}-{values[-1]}"
    return ", ".join(str(value).lower() for value in values)


@pytest.mark.parametrize("name", zg.games())
def test_law_options_are_settings_that_differ_from_the_default(name):
    games = [zg.load_game(f"{name}({settings})") for settings in _core.families[name]["law_options"]]
    games += [zg.load_game(name, **options) for options in find_rules(name).LAW_OPTIONS]
    assert games
    assert zg.load_game(name) not in games
    for option, values in find_rules(name).OPTION_VALUES.items():
        chosen = {game.options[option] for game in games} | {values[0]}
        if isinstance(values, Text):
            words = set(re.findall(r"\w\w+(?=,)", values.allowed))  # the last of the list is a form, not a word
            assert words < chosen, option
        elif len(values) < 10:
            assert chosen == set(values), option
