"""Many games of one kind side by side: the fast way to simulate and to learn."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, final

from ziggurat.api import load_game
from ziggurat.errors import ParseError
from ziggurat.protocols import Game, State

if TYPE_CHECKING:  # as in protocols.py
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from ziggurat._core import Buffers

Autoreset: TypeAlias = Literal["next_step", "same_step", "disabled"]
Encoding: TypeAlias = Literal["planes", "compact"]
LegalForm: TypeAlias = Literal["mask", "packed", "csr"]

_MAGIC = "ziggurat-batch 1"
_U64 = range(2**64)


@final
class BatchEnv:
    """`num_envs` games of one kind, each a row, played on together; n rows, p players, A action ids.

    What happens in row i depends on `seed`, its index `first + i`, the number of its episode and its actions alone:
    not on other rows, on threads, on how rows are split among batches, or on when they are reset. In its episode 0 row
    i is the game that `simulate(game, seed=seed, first=first + i)` plays. Arrays are C-contiguous, rows in the order of
    the batch. Calls may come from several threads and take turns; an array that is written belongs to one call at a
    time.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        seed: int = 0,
        *,
        threads: int = 0,
        autoreset: Autoreset = "next_step",
        first: int = 0,
    ) -> None:
        """A batch whose rows stand at the start of their episode 0.

        `autoreset` says what becomes of a finished game: "next_step" begins the next episode with the next step (the
        action is not looked at, the reward is 0), "same_step" at once (`Buffers.final_observation` has the end), with
        "disabled" it stays until `reset`. `threads=0` uses all cores; small batches use one. Raises ValueError for
        numbers out of range and TypeError for wrong types.
        """
        make = getattr(game, "_batch", None)
        if make is None:
            raise TypeError(f"game is what load_game returns, not {game!r}")
        if not isinstance(autoreset, str):
            raise TypeError(f"autoreset is a string, not {autoreset!r}")
        self._hold(game, make(num_envs, seed, first, threads, autoreset), autoreset, threads)

    def _hold(self, game: Game, native: Any, autoreset: Autoreset, threads: int) -> None:
        self._native = native
        self._game = game
        self._autoreset: Autoreset = autoreset
        self._threads = threads

    @property
    def game(self) -> Game:
        """The game of all rows."""
        return self._game

    @property
    def num_envs(self) -> int:
        """The number of rows, which is the batch's len, too."""
        return len(self._native)

    @property
    def autoreset(self) -> Autoreset:
        """What becomes of a finished game."""
        return self._autoreset

    @property
    def threads(self) -> int:
        """The number of threads as it was given: 0 is all cores."""
        return self._threads

    def __len__(self) -> int:
        return self.num_envs

    def __repr__(self) -> str:
        return f"<ziggurat.BatchEnv of {self.num_envs} x {self.game}>"

    @property
    def bytes_per_env(self) -> int:
        """The memory of one row: the state, its streams and, for small games, its legal actions."""
        size: int = self._native.bytes_per_env
        return size

    # ---- buffers ----

    def buffers(
        self,
        observation: Encoding | None = "planes",
        dtype: Any = "float32",
        legal: LegalForm | None = "mask",
        arrays: Mapping[str, NDArray[Any]] | None = None,
    ) -> Buffers:
        """The arrays that `step` and `reset` fill, to be used again and again; what is None is not written.

        They show the batch as it is now: no rewards, no terminations.
        `observation` is an encoding of `State.observation_tensor`; with `dtype` "uint8" values are in 255ths. `arrays`
        names arrays of yours to be written instead of new ones, such as `{"observation": a}` in shared memory; raises
        TypeError or ValueError if one has another dtype or shape.
        """
        buffers: Buffers = self._native.buffers(observation, dtype, legal, dict(arrays or {}))
        self._native.show(buffers)
        return buffers

    def _new_buffers(self) -> Buffers:
        buffers: Buffers = self._native.buffers("planes", "float32", "mask", {})
        return buffers

    # ---- play ----

    def reset(
        self, mask: NDArray[np.bool_] | None = None, seed: int | None = None, out: Buffers | None = None
    ) -> Buffers:
        """Begin the next episode in the rows of `mask` (bool[n]; None: all); with a `seed`, the episode 0 of it.

        Returns `out`, or new buffers.
        """
        out = self._new_buffers() if out is None else out
        self._native.reset(mask, seed, out)
        return out

    def step(self, actions: ArrayLike, mask: NDArray[np.bool_] | None = None, out: Buffers | None = None) -> Buffers:
        """Play `actions` (integers [n]) in the rows of `mask` (bool[n]; None: all); the other rows stay as they are.

        Returns `out`, or new buffers. If any action is not legal, nothing is played in any row: IllegalActionError,
        whose attribute `rows` has the rows.
        """
        out = self._new_buffers() if out is None else out
        self._native.step(actions, mask, out)
        return out

    def sample(
        self,
        policy: Literal["uniform"] | ArrayLike = "uniform",
        mask: NDArray[np.bool_] | None = None,
        stream: Literal["choices", "opponents"] = "choices",
        out: NDArray[np.int32] | None = None,
    ) -> NDArray[np.int32]:
        """int32[n]: a legal action for each row of `mask`, -1 for the others and after the end.

        `policy` is "uniform", or logits, float32[n, A], of which those of legal actions count: finite or -infinity,
        and not all -infinity, else ValueError. Each row draws from streams of its own, one for `choices`, another for
        `opponents`, so that nobody's choices depend on how often others draw.
        """
        if stream not in ("choices", "opponents"):
            raise ValueError(f"stream is 'choices' or 'opponents', not {stream!r}")
        drawn: NDArray[np.int32] = self._native.sample(_logits(policy), mask, stream == "opponents", out)
        return drawn

    # ---- views ----

    def observe(
        self,
        player: int | ArrayLike | None = None,
        encoding: Encoding = "planes",
        dtype: Any = "float32",
        out: NDArray[Any] | None = None,
    ) -> NDArray[Any]:
        """[n, ...]: what a player sees of each row: the one to move (None), one of all rows, or integers [n]."""
        seen: NDArray[Any] = self._native.observe(player, encoding, dtype, out)
        return seen

    def legal_mask(self, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """uint8[n, A]: 1 for legal ids, 0 for others; a finished game has none."""
        mask: NDArray[np.uint8] = self._native.legal_mask(out)
        return mask

    def legal_packed(self, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """uint8[n, ceil(A / 8)]: numpy.packbits(legal_mask(), axis=1, bitorder="little")."""
        packed: NDArray[np.uint8] = self._native.legal_packed(out)
        return packed

    def legal_csr(
        self, out: tuple[NDArray[np.int64], NDArray[np.int32]] | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """(indptr, actions): int64[n + 1] and int32[k]; the legal ids of row i are actions[indptr[i]:indptr[i + 1]].

        `out` is such a pair, the second array with room to spare: it is returned cut to k. ValueError if it is too
        short.
        """
        indptr, actions = (None, None) if out is None else out
        listed: tuple[NDArray[np.int64], NDArray[np.int32]] = self._native.legal_csr(indptr, actions)
        return listed

    def current_players(self, out: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
        """int32[n]: the player to move; -4 after the end."""
        players: NDArray[np.int32] = self._native.current_players(out)
        return players

    def is_terminal(self, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """bool[n]: has the game of the row ended?"""
        over: NDArray[np.bool_] = self._native.is_terminal(out)
        return over

    def returns(self, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """float64[n, p]: `State.returns` of each row."""
        values: NDArray[np.float64] = self._native.returns(out)
        return values

    def scores(self, out: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
        """int32[n, p]: `State.scores` of each row."""
        values: NDArray[np.int32] = self._native.scores(out)
        return values

    def episodes(self, out: NDArray[np.uint64] | None = None) -> NDArray[np.uint64]:
        """uint64[n]: the number of the episode that each row is in, from 0."""
        values: NDArray[np.uint64] = self._native.episodes(out)
        return values

    # ---- states ----

    def state(self, index: int) -> State:
        """A copy of the state of a row, 0 <= index < num_envs, else ValueError."""
        state: State = self._native.state(index)
        return state

    def states(self, indices: Iterable[int] | None = None) -> list[State]:
        """Copies of the states of these rows (None: of all)."""
        rows = self._native.select(range(self.num_envs) if indices is None else list(indices))  # all of one moment
        return [rows.state(i) for i in range(len(rows))]

    def set_states(self, states: Iterable[State], indices: ArrayLike | None = None) -> None:
        """Put states of the same game into these rows (None: all); their streams and episodes stay.

        A finished state stays until the next step or reset, as with autoreset="next_step".

        Raises TypeError for states of another class, ValueError for other options, indices out of range and different
        lengths; then no row is changed.
        """
        self._native.set_states(range(self.num_envs) if indices is None else indices, states)

    # ---- whole batches ----

    def clone(self) -> BatchEnv:
        """An independent copy, which draws the same from then on."""
        return self.select(range(self.num_envs))

    def select(self, indices: ArrayLike) -> BatchEnv:
        """A batch of copies of these rows, with their streams; a row may be taken more than once. ValueError if out
        of range."""
        other = object.__new__(type(self))
        other._hold(self.game, self._native.select(indices), self.autoreset, self.threads)
        return other

    def __copy__(self) -> BatchEnv:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> BatchEnv:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return load_batch, (self.save(), self.threads)

    def save(self) -> bytes:
        """All rows as text: the same on every machine, and readable by later versions."""
        header = {"game": str(self.game), "autoreset": self.autoreset, "num_envs": self.num_envs}
        now = self._native.select(range(self.num_envs))  # others may play on with the batch while this is written
        rows = (" ".join(map(str, (*now.origin(i), now.state(i).serialize()))) for i in range(self.num_envs))
        return "\n".join((_MAGIC, json.dumps(header), *rows, "")).encode()

    @staticmethod
    def load(data: bytes, threads: int = 0) -> BatchEnv:
        """The batch that `save` wrote. Raises ParseError, with the line, if it is malformed."""
        return load_batch(data, threads)


def load_batch(data: bytes, threads: int = 0) -> BatchEnv:
    """`BatchEnv.load`; pickles call it."""
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"data is bytes, not {data!r}")
    try:
        magic, header, *rows, last = bytes(data).decode().split("\n")
    except ValueError as error:  # not UTF-8, or not enough lines
        raise ParseError(f"a saved batch starts with {_MAGIC!r}, and has a line of JSON and one a row") from error
    if magic != _MAGIC:
        raise ParseError(f"a saved batch starts with {_MAGIC!r}, not {magic[:60]!r}")
    game, autoreset = _read_header(header, len(rows), last)
    read = [_read_row(game, i, row) for i, row in enumerate(rows)]
    batch = BatchEnv(game, len(rows), threads=threads, autoreset=autoreset)
    for i, (origin, state) in enumerate(read):
        batch._native.restore(i, origin, state)
    return batch


def _read_header(text: str, rows: int, last: str) -> tuple[Game, Autoreset]:
    try:
        header = json.loads(text)
        game, autoreset, count = header["game"], header["autoreset"], header["num_envs"]
        found = load_game(game), autoreset
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ParseError(f"line 2: a game, autoreset and num_envs as JSON are expected: {error}") from error
    if type(count) is not int or count != rows or last:
        raise ParseError(f"line 2: {count!r} rows are announced, and {rows} whole lines follow")
    if autoreset not in ("next_step", "same_step", "disabled"):
        raise ParseError(f"line 2: autoreset is 'next_step', 'same_step' or 'disabled', not {autoreset!r}")
    return found


def _read_row(game: Game, i: int, text: str) -> tuple[list[int], State]:
    """Where a row comes from, and its state."""
    numbers, state = text.split(" ")[:5], text.split(" ", 5)[-1]
    try:
        origin = [int(number) for number in numbers]
        if [str(number) for number in origin] != numbers or len(origin) != 5 or not all(n in _U64 for n in origin):
            raise ParseError(f"numbers are 0 to {_U64[-1]}, not {' '.join(numbers)[:110]!r}")
        return origin, game.deserialize(state)
    except ValueError as error:  # ParseError is one
        raise ParseError(f"line {i + 3}: five numbers and a state are expected: {error}") from error


def _logits(policy: Any) -> Any:
    """What the engine takes: None for uniform choices."""
    if isinstance(policy, str):
        if policy != "uniform":
            raise ValueError(f"policy is 'uniform' or an array of logits, not {policy!r}")
        return None
    import numpy as np

    return np.ascontiguousarray(policy, dtype=np.float32)
