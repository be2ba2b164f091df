"""What is written is run: the README's Python, the package's docstring, links, and the figures of docs/perft.md."""

import doctest
import json
import re
import sys
from pathlib import Path

import pytest
from perft_files import blocks

import ziggurat

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(p for p in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("bench/**/*.md")])


EXAMPLES = [page for page in PAGES if ">>> " in page.read_text(encoding="utf-8")]
if sys.version_info < (3, 11):  # the oldest Python that OpenSpiel 2 is made for
    EXAMPLES = [page for page in EXAMPLES if page.name != "openspiel.md"]


def test_there_are_pages_with_examples():
    names = {page.name for page in EXAMPLES}
    assert {"README.md", "records.md", "drawings.md", "analysis.md", "layouts.md"} <= names
    assert {"batches.md", "gymnasium.md", "pettingzoo.md", "distribution.md"} <= names


@pytest.mark.parametrize("page", EXAMPLES, ids=lambda page: page.name)
def test_examples_run(page: Path):
    result = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted > 4
    assert result.failed == 0


def test_package_docstring_runs():
    result = doctest.testmod(ziggurat)
    assert result.attempted > 1
    assert result.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path):
    for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_version_is_the_same_everywhere():
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'version = "{ziggurat.__version__}"' in pyproject
    assert f"## {ziggurat.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_perft_page_shows_the_figures_of_the_files():
    """Every number of a table of docs/perft.md stands in a .perft file."""
    known = {count for block in blocks() for count in block.counts.values()}
    page = (ROOT / "docs" / "perft.md").read_text(encoding="utf-8")
    rows = [line.split("|")[2:] for line in page.splitlines() if re.match(r"\| \d", line)]  # without the depth
    shown = {int(cell.replace(",", "")) for row in rows for cell in row if cell.strip()}
    assert len(shown) > 40
    assert shown <= known


def test_the_page_of_solved_pylos_shows_its_data(monkeypatch):
    """What stands between its markers is made from docs/data/pylos_solved.json."""
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    import pylos_page

    data = json.loads((ROOT / "docs/data/pylos_solved.json").read_text(encoding="utf-8"))
    page = (ROOT / "docs/pylos-solved.md").read_text(encoding="utf-8")
    assert pylos_page.filled(page, data) == page
