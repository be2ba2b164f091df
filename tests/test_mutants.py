"""The planted bugs of tools/mutants.py still fit the code, and docs/mutations.md speaks of all of them."""

import importlib.util
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def planted_bugs():
    spec = importlib.util.spec_from_file_location("mutants", ROOT / "tools" / "mutants.py")
    mutants = importlib.util.module_from_spec(spec)
    sys.modules["mutants"] = mutants  # dataclasses look their module up
    spec.loader.exec_module(mutants)
    return mutants, mutants.read_bugs(mutants.PLANTED)


def test_every_bug_has_exactly_one_place():
    mutants, bugs = planted_bugs()
    for bug in bugs:
        assert mutants.with_bug(ROOT, bug) != (ROOT / bug.file).read_text(encoding="utf-8"), bug.name


def test_there_are_enough_bugs_and_the_page_lists_them():
    _, bugs = planted_bugs()
    page = (ROOT / "docs" / "mutations.md").read_text(encoding="utf-8")
    counts = Counter(bug.game for bug in bugs)
    assert all(counts[folder.name] >= 8 for folder in (ROOT / "cpp" / "games").iterdir())
    assert [bug.words for bug in bugs if bug.words not in page] == []
