"""Opponents of a learner: what they are, what they see, and what their chance comes from (no extra is needed).

An opponent is `"random"`, or a function that gets a `View` and returns an action id. A function that also has a method
`batch` gets the rows of a vector environment that wait for it in one call: `opponent.batch(views)` gets a `BatchView`
of k rows and returns k action ids.

Opponents have one stream a game, `stream_key(seed, index, 3)` (docs/random-stream.md): random ones take the
`bounded(count)`-th legal action, one draw an action. The other numbers are made from that stream's key, so that they
repeat nothing: number k is the first draw of the stream `stream_key(key, k, 3)`. Number 0, modulo the players, is the
learner's seat if that is drawn, too; number k + 1 is the `seed` of the view before action k of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from operator import index as integer
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeAlias

import numpy as np

from ziggurat.reference.random import GOLDEN, Stream, stream_key

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ziggurat import BatchEnv, Game, State

Encoding: TypeAlias = Literal["planes", "compact"]
ENCODINGS = ("planes", "compact")
OPPONENTS = 3  #: tag of a key: opponents in environments
EPISODE = 4  #: tag of a key: the seed of a later episode


class View:
    """What one player sees when he is to move: all that a scripted opponent gets.

    It is made from a state in which everything that the player does not see was drawn anew, so that no secret can be
    looked at by mistake. (`seed` follows from the environment's seed, by a stream that is no cipher.)
    """

    __slots__ = ("_encoding", "_state", "player", "seed")

    player: int  #: the player to move
    seed: int  #: 0 <= seed < 2**64, another one for each decision: for what the opponent wants to draw

    def __init__(self, state: State, seed: int, encoding: Encoding = "planes") -> None:
        self.player = state.current_player()
        self.seed = seed
        self._encoding = encoding
        self._state = state.resample(self.player, 0)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._state.get_game()

    @property
    def observation(self) -> NDArray[np.float32]:
        """float32: a new array, encoded like the learner's observations."""
        return self._state.observation_tensor(self.player, encoding=self._encoding)

    @property
    def action_mask(self) -> NDArray[np.bool_]:
        """bool[num_distinct_actions], a new array: True for legal ids."""
        return self._state.legal_actions_mask().view(np.bool_)

    @property
    def legal_actions(self) -> NDArray[np.int32]:
        """Legal action ids, ascending; never empty."""
        return self._state.legal_actions()

    def information_state_string(self) -> str:
        """What the player knows, as one line."""
        return self._state.information_state_string(self.player)

    def action_to_string(self, action: int) -> str:
        """The text of an action id."""
        return self._state.action_to_string(action)

    def string_to_action(self, text: str) -> int:
        """The id of an action from its text; ParseError if no action is written so."""
        return self._state.string_to_action(text)

    def resample(self, seed: int) -> State:
        """A state to search from: one that the player cannot tell from the true one, drawn with the seed.

        A copy of the state where the game has no secrets.
        """
        return self._state.resample(self.player, seed)

    def __repr__(self) -> str:
        return f"<View of player {self.player}: {self.information_state_string()}>"


class BatchView:
    """What the players to move see in k rows of a vector environment; `views[j]` is the `View` of the j-th of them."""

    def __init__(self, batch: BatchEnv, seeds: NDArray[np.uint64], encoding: Encoding) -> None:
        self._batch = batch  # of these k rows alone
        self._encoding = encoding
        self.seeds = seeds  #: uint64[k]
        self.players: NDArray[np.int32] = batch.current_players()  #: int32[k]: who is to move in each row

    def __len__(self) -> int:
        return len(self.seeds)

    def __reduce__(self) -> NoReturn:
        raise TypeError("views of rows stay in their process, since they hold whole games; pickle their arrays")

    def __getitem__(self, j: int) -> View:
        """The view of row j, 0 <= j < len; IndexError beyond."""
        if not 0 <= j < len(self):
            raise IndexError(f"row {j} is not in 0 .. {len(self) - 1}")
        return View(self._batch.state(j), int(self.seeds[j]), self._encoding)

    def __iter__(self) -> Iterator[View]:
        return (self[j] for j in range(len(self)))

    @property
    def observation(self) -> NDArray[np.float32]:
        """float32[k, ...]: a new array, encoded like the learner's observations."""
        seen: NDArray[np.float32] = self._batch.observe(encoding=self._encoding)
        return seen

    @property
    def action_mask(self) -> NDArray[np.bool_]:
        """bool[k, num_distinct_actions], a new array: True for legal ids."""
        mask: NDArray[np.bool_] = self._batch.legal_mask().view(np.bool_)
        return mask


Policy: TypeAlias = Callable[[View], Any]
Opponent: TypeAlias = "Literal['random'] | Policy"
Opponents: TypeAlias = "Opponent | Mapping[int, Opponent]"


@dataclass(frozen=True)
class Seating:
    """Who sits where: the learner's seat (None: drawn in each episode) and what plays each seat (None: at random)."""

    learner: int | None
    policies: tuple[Policy | None, ...]

    @classmethod
    def of(cls, players: int, learner: int | str, opponents: Opponents) -> Seating:
        """The seating of a table of so many players.

        `learner` is a seat or "random"; `opponents` is an opponent for all other seats, or a mapping from seats to
        opponents in which missing seats play at random. ValueError or TypeError names what does not fit.
        """
        seat = _learner(players, learner)
        if not isinstance(opponents, Mapping):
            return cls(seat, (_policy("opponents", opponents),) * players)
        free = [other for other in range(players) if other != seat]
        for other in opponents:
            if other not in free:
                raise ValueError(f"opponents names seat {other!r}; the seats of opponents are {free}")
        named = {other: _policy(f"opponents[{other}]", opponent) for other, opponent in opponents.items()}
        return cls(seat, tuple(named.get(other) for other in range(players)))

    @property
    def all_random(self) -> bool:
        """Do all opponents play at random?"""
        return not any(policy for seat, policy in enumerate(self.policies) if seat != self.learner)


def _learner(players: int, learner: int | str) -> int | None:
    """The learner's seat, None for "random"."""
    allowed = f'learner is a seat from 0 to {players - 1} or "random", not {learner!r}'
    if isinstance(learner, str):
        if learner != "random":
            raise ValueError(allowed)
        return None
    try:
        seat = integer(learner)
    except TypeError as error:
        raise TypeError(allowed) from error
    if isinstance(learner, bool) or not 0 <= seat < players:
        raise ValueError(allowed)
    return seat


def _policy(argument: str, opponent: Opponent) -> Policy | None:
    """An opponent as a function, None for "random"."""
    if isinstance(opponent, str):
        if opponent != "random":
            raise ValueError(f'{argument} is "random" or a function of a view, not {opponent!r}')
        return None
    if not callable(opponent):
        raise TypeError(f'{argument} is "random" or a function of a view, not {opponent!r}')
    return opponent


def checked_encoding(observation: str) -> Encoding:
    """The encoding of that name; ValueError for another one."""
    if observation == "planes":
        return "planes"
    if observation == "compact":
        return "compact"
    raise ValueError(f'observation is "planes" or "compact", not {observation!r}')


# Numbers from the opponents' key: for one game, and for many at once.


def episode_seed(seed: int, episode: int) -> int:
    """The seed of an episode: the seed itself for the first one, number 0."""
    return seed if episode == 0 else stream_key(seed, episode, EPISODE)


def number(key: int, k: int) -> int:
    """Number k of the opponents' key of a game."""
    return Stream(stream_key(key, k, OPPONENTS)).draw()


def episode_seeds(seeds: NDArray[np.uint64], episodes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """`episode_seed` of each row."""
    return np.where(episodes == 0, seeds, stream_keys(seeds, episodes, EPISODE))


def numbers(keys: NDArray[np.uint64], ks: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """`number` of each row."""
    return _mixed(stream_keys(keys, ks, OPPONENTS) + np.uint64(GOLDEN))


def stream_keys(seeds: NDArray[np.uint64], indices: NDArray[np.uint64], tag: int) -> NDArray[np.uint64]:
    """`stream_key` of each row."""
    golden = np.uint64(GOLDEN)
    h = _mixed(seeds + golden)
    h = _mixed((h ^ indices) + golden)
    return _mixed((h ^ np.uint64(tag)) + golden)


def _mixed(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """`mix64` of each element."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
