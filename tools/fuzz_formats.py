#!/usr/bin/env python3
"""Fuzzes what reads texts: SGF and BLKSGF, JSON records, and the texts of states.

`python tools/fuzz_formats.py -max_total_time=60` runs for a minute; all options but --if-available are libFuzzer's
(-help=1 lists them). It needs the package and Atheris (`pip install atheris`, Linux). Without Atheris it fails, or with
--if-available it says so and succeeds. New inputs are kept in build/fuzz/corpus, and one that fails in build/fuzz.
"""

import random
import sys
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build/fuzz"
CORPUS = FOLDER / "corpus"

try:
    import atheris
except ImportError as missing:
    there = f"Atheris cannot be imported into Python {sys.version_info.major}.{sys.version_info.minor} ({missing})"
    if "--if-available" not in sys.argv:
        sys.exit(f"{there}: pip install atheris")
    print(f"{there}: nothing is fuzzed")
    sys.exit(0)

with atheris.instrument_imports(include=["ziggurat.formats"]):
    import ziggurat as zg
    from ziggurat.formats import Record, RecordError, blksgf, sgf


def read_tree(data: bytes) -> None:
    """A game tree comes back as it was."""
    tree = sgf.loads(data)
    text = sgf.dumps(tree)
    assert sgf.loads(text) == tree
    assert sgf.dumps(sgf.loads(text.encode())) == text


def read_blokus(data: bytes) -> None:
    """A record of Blokus comes back, and is legal or says why not."""
    record = blksgf.loads(data)
    text = blksgf.dumps(record)
    assert blksgf.dumps(blksgf.loads(text)) == text
    record.names()
    blksgf.validate(record)
    for _, state in blksgf.positions(record):
        assert state._broken_invariant() == ""


def read_json(data: bytes) -> None:
    """A JSON record comes back, and is legal or says why not."""
    record = Record.from_json(data)
    assert Record.from_json(record.to_json()) == record
    record.replay()


def read_state(data: bytes) -> None:
    """A state comes back, and is sound."""
    state = zg.restore_state(data.decode("utf-8", "surrogateescape"))
    assert state._broken_invariant() == ""
    assert zg.restore_state(state.serialize()) == state


def read_all(data: bytes) -> None:
    """Read a text in every way. An error that should not be ends the run."""
    for read, expected in READERS.items():
        with suppress(expected):
            read(data)


READERS = {
    read_tree: RecordError,
    read_blokus: RecordError,
    read_json: RecordError,
    read_state: ValueError,  # ParseError for a state, ValueError for its game
}


def seeds() -> dict[str, bytes]:
    """Good texts of all kinds, by name."""
    found = {path.name: path.read_bytes() for path in (ROOT / "tests/data/blksgf").glob("*/*.blksgf")}
    for name in zg.games():
        for preset in zg.describe(name)["presets"]:
            game = zg.load_game(name, preset)
            state, actions = game.new_initial_state(seed=1), []
            chosen = random.Random(f"{name} {preset}")
            while len(actions) < 40 and not state.is_terminal():
                found[f"{name}-{preset}-{len(actions)}.txt"] = state.serialize().encode()
                actions.append(chosen.choice(state.legal_actions().tolist()))
                state.apply_action(actions[-1])
            found[f"{name}-{preset}.json"] = Record.of(game, 1, actions).to_json().encode()
    return found


def main() -> None:
    """Write the seeds and fuzz."""
    CORPUS.mkdir(parents=True, exist_ok=True)
    for name, data in seeds().items():
        (CORPUS / name).write_bytes(data)
    options = [option for option in sys.argv[1:] if option != "--if-available"]
    defaults = ["-timeout=20", f"-artifact_prefix={FOLDER}/"]  # the last one of an option counts
    atheris.Setup([sys.argv[0], *defaults, *options, str(CORPUS)], read_all)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
