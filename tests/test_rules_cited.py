"""Clauses: each is cited where it is followed and where it is tested, and every citation is of a clause that exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = {path.parent.name: path for path in ROOT.glob("cpp/games/*/RULES.md")}
DEFINED = re.compile(r"^- \[([A-Z]{2}-\d+\.\d+)\]", re.MULTILINE)
CITED = re.compile(r"\b([A-Z]{2}-\d+\.\d+)\b")
IN_A_NAME = re.compile(r"def test_([a-z]{2})_(\d+)_(\d+)")


def clauses(page):
    """The ids of the clauses of a page, in order."""
    return DEFINED.findall(page.read_text(encoding="utf-8"))


def cited(paths):
    """The ids that files cite, in comments, texts and names of tests."""
    found = set()
    for path in paths:
        text = path.read_text(encoding="utf-8")
        found |= set(CITED.findall(text))
        found |= {f"{game.upper()}-{chapter}.{clause}" for game, chapter, clause in IN_A_NAME.findall(text)}
    return found


def files(*patterns):
    return [path for pattern in patterns for path in ROOT.glob(pattern)]


KNOWN = {clause for page in PAGES.values() for clause in clauses(page)}


@pytest.mark.parametrize("game", PAGES)
def test_clauses_have_an_id_of_their_own_in_order(game):
    ids = clauses(PAGES[game])
    assert ids
    assert len(set(ids)) == len(ids)
    assert len({clause[:2] for clause in ids}) == 1
    numbers = [tuple(map(int, clause[3:].split("."))) for clause in ids]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize("game", PAGES)
def test_every_clause_is_cited_by_the_reference(game):
    missing = set(clauses(PAGES[game])) - cited(files(f"python/ziggurat/reference/{game}*.py"))
    assert not missing


@pytest.mark.parametrize("game", PAGES)
def test_every_clause_is_cited_by_a_test_or_by_the_engine(game):
    sources = files(f"cpp/games/{game}/*.hpp", "cpp/tests/*", "tests/test_*.py")
    assert not set(clauses(PAGES[game])) - cited(sources)


def test_every_citation_is_of_a_clause_that_exists():
    sources = files(
        "cpp/**/*.hpp", "cpp/**/*.cpp", "cpp/**/*.md", "python/**/*.py", "tests/**/*.py", "docs/**/*.md", "*.md"
    )
    prefixes = {clause[:2] for clause in KNOWN}
    wrong = {clause for clause in cited(sources) if clause[:2] in prefixes} - KNOWN
    assert not wrong
