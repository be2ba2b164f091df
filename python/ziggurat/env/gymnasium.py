"""Gymnasium environments of one learner against opponents (extra `gymnasium`).

Importing this module registers every game, as `ziggurat/Pylos-v0` and so on:

>>> import gymnasium, ziggurat.env.gymnasium
>>> env = gymnasium.make("ziggurat/Pylos-v0", preset="mini", learner=1)

`gymnasium.make("ziggurat.env.gymnasium:ziggurat/Pylos-v0")` imports it by itself. `gymnasium.make_vec` makes the vector
environment of `ziggurat.env.gymnasium_vector`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from operator import index as integer
from typing import TYPE_CHECKING, Any

import numpy as np

try:
    import gymnasium
except ImportError as error:
    raise ImportError('ziggurat.env.gymnasium needs Gymnasium: pip install "ziggurat[gymnasium]"') from error

import ziggurat
from ziggurat.env.arguments import drawing, loaded
from ziggurat.env.opponents import (
    OPPONENTS,
    Encoding,
    Opponents,
    Seating,
    View,
    checked_encoding,
    episode_seed,
    number,
)
from ziggurat.errors import IllegalActionError
from ziggurat.reference.random import Stream, stream_key

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ziggurat import Game, State

LOST = -1.0  #: the reward of an illegal action with illegal="lose": the least return there is


class ZigguratEnv(gymnasium.Env["NDArray[np.float32]", Any]):
    """One game of a learner against opponents, who act inside `reset` and `step` until it is the learner's turn again.

    - `game`: a game's name or canonical text with `preset` and `options` as `ziggurat.load_game` takes them, or a game.
    - `learner`: the learner's seat, or "random" for another one in each episode.
    - `opponents`: "random", or a function of a view (`ziggurat.env.opponents`), or a mapping from seats to these.
    - `observation`: "planes" or "compact", an encoding of `State.observation_tensor`; float32 from 0 to 1.
    - `illegal`: "raise" (IllegalActionError, nothing changes) or "lose": the episode ends with the reward -1.
    - `render_mode`: "ansi" or "svg", the drawing as the learner sees it, as text.
    - `index`: the row of a vector environment, with `first=0`, that plays the same games.

    Actions are the game's ids. The reward is 0 until the end, then the learner's return. Nothing is ever truncated:
    limits of length are rules of the game. `info` holds "action_mask" (int8[num_distinct_actions], 0 after the end),
    "player" (the learner's seat) and "illegal" (whether the episode was lost by an illegal action).

    A game can end before the learner is to move at all. `reset` then returns its last position, whose mask is all 0;
    the next `step` ignores its action and ends the episode.

    Episodes are numbered: `reset(seed=s)` begins episode 0 of seed s and decides everything up to the next seed, the
    game's chance as well as what opponents draw; each later `reset()` begins the next one. Episode 0 of index 0 has the
    chance of `game.new_initial_state(s)`. Without a first seed, one is drawn from the operating system's entropy.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "svg"], "render_fps": 1}  # noqa: RUF012  # as in the base class

    def __init__(
        self,
        game: str | Game,
        preset: str | None = None,
        *,
        learner: int | str = 0,
        opponents: Opponents = "random",
        observation: str = "planes",
        illegal: str = "raise",
        render_mode: str | None = None,
        index: int = 0,
        **options: str | int | bool,
    ) -> None:
        self.game = loaded(game, preset, options)
        self.render_mode = checked_render_mode(render_mode)
        self.observation_space, self.action_space = spaces(self.game, checked_encoding(observation))
        self._seating = Seating.of(self.game.num_players(), learner, opponents)
        self._encoding = checked_encoding(observation)
        self._loses = checked_illegal(illegal)
        self._index = checked_uint64("index", index)
        self._seed: int | None = None
        self._episode = 0
        self._match: Match | None = None
        self._ended = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin episode 0 of the seed, or without one the next episode; returns (observation, info).

        ValueError for a seed that is not from 0 to 2**64 - 1 and for any options: there are none.
        """
        if options:
            raise ValueError(f"reset has no options, but was given {options!r}")
        if seed is not None:
            base, episode = checked_uint64("seed", seed), 0
        elif self._seed is None:
            base, episode = drawn_seed(self.np_random), 0
        else:
            base, episode = self._seed, self._episode + 1
        match = Match(self.game, self._seating, self._encoding, episode_seed(base, episode), self._index)
        match.answer()
        super().reset(seed=None if seed is None else base)
        self._seed, self._episode, self._match, self._ended = base, episode, match, False
        return self._observation(), self._info(illegal=False)

    def step(self, action: int) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play the learner's action, then the opponents'; returns (observation, reward, terminated, False, info).

        IllegalActionError if the action is not legal (unless it loses) or an opponent's is not, ValueError if there is
        no such id, gymnasium.error.ResetNeeded after the end; nothing has changed then.
        """
        match = self._in_progress()
        action = integer(action)
        illegal = False
        if not match.is_over():
            illegal = self._loses and not match.state.is_legal(action)
            if not illegal:
                match = copy(match)  # an opponent may raise an error in the middle
                match.play(action)
                match.answer()
        self._match, self._ended = match, illegal or match.is_over()
        reward = LOST if illegal else match.reward()
        return self._observation(), reward, self._ended, False, self._info(illegal)

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[num_distinct_actions], a new array: True for the learner's legal actions, all False after the end."""
        if self._ended:
            return np.zeros(self.game.num_distinct_actions(), np.bool_)
        return self._begun().state.legal_actions_mask().view(np.bool_)

    def render(self) -> Any:
        """The drawing as the learner sees it: text or SVG; None without a render mode."""
        match = self._begun()
        return drawing(self.render_mode, match.state, match.learner)

    def _begun(self) -> Match:
        if self._match is None:
            raise gymnasium.error.ResetNeeded("call reset() first")
        return self._match

    def _in_progress(self) -> Match:
        match = self._begun()
        if self._ended:
            raise gymnasium.error.ResetNeeded("the episode is over: call reset()")
        return match

    def _observation(self) -> NDArray[np.float32]:
        match = self._begun()
        return match.state.observation_tensor(match.learner, encoding=self._encoding)

    def _info(self, illegal: bool) -> dict[str, Any]:
        return {"action_mask": self.action_masks().view(np.int8), "player": self._begun().learner, "illegal": illegal}


class Match:
    """A game of a learner against opponents; a copy plays on by itself."""

    def __init__(self, game: Game, seating: Seating, encoding: Encoding, seed: int, index: int) -> None:
        self.key = stream_key(seed, index, OPPONENTS)
        self.state = initial_state(game, seed, index)
        self.learner = number(self.key, 0) % game.num_players() if seating.learner is None else seating.learner
        self._policies = seating.policies
        self._encoding = encoding
        self._stream = Stream(self.key)
        self._plies = 0

    def __copy__(self) -> Match:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.state = self.state.clone()
        other._stream = Stream(self._stream.key, self._stream.counter)
        return other

    def is_over(self) -> bool:
        """Has the game ended?"""
        return self.state.is_terminal()

    def reward(self) -> float:
        """The learner's return: 0 before the end."""
        return float(self.state.returns()[self.learner])

    def play(self, action: int) -> None:
        """Play an action of whoever is to move."""
        self.state.apply_action(action)
        self._plies += 1

    def answer(self) -> None:
        """Let the opponents act until the learner is to move or the game is over."""
        while not self.state.is_terminal() and self.state.current_player() != self.learner:
            policy = self._policies[self.state.current_player()]
            if policy is None:
                legal = self.state.legal_actions()
                self.play(int(legal[self._stream.bounded(len(legal))]))
            else:
                view = View(self.state, number(self.key, self._plies + 1), self._encoding)
                action = policy(view)
                with blaming(f"the opponent in seat {view.player}"):
                    self.play(integer(action))


@contextmanager
def blaming(whose: str) -> Iterator[None]:
    """Says in an error about an action whose it is."""
    try:
        yield
    except (ValueError, TypeError) as error:
        kind = next(kind for kind in (IllegalActionError, ValueError, TypeError) if isinstance(error, kind))
        told = kind(f"{whose}: {error}")
        if isinstance(told, IllegalActionError):
            told.rows = getattr(error, "rows", ())
        raise told from error


def initial_state(game: Game, seed: int, index: int) -> State:
    """The start of game `index` of a batch with this seed."""
    return game.new_initial_state(seed) if index == 0 else ziggurat.BatchEnv(game, 1, seed, first=index).state(0)


# What both environments check and make.


def spaces(game: Game, encoding: Encoding) -> tuple[gymnasium.Space[Any], gymnasium.Space[Any]]:
    """The spaces of observations and of actions."""
    shape = game.observation_tensor_shape(encoding=encoding)
    return gymnasium.spaces.Box(0.0, 1.0, shape, np.float32), gymnasium.spaces.Discrete(game.num_distinct_actions())


def checked_render_mode(render_mode: str | None) -> str | None:
    """The mode; TypeError if there is no such one.

    Not ValueError: Stable-Baselines3 asks for "rgb_array" first, and does without if that is a TypeError.
    """
    if render_mode not in (None, "ansi", "svg"):
        raise TypeError(f'render_mode is None, "ansi" or "svg", not {render_mode!r}')
    return render_mode


def checked_illegal(illegal: str) -> bool:
    """Does an illegal action lose? ValueError for another word."""
    if illegal not in ("raise", "lose"):
        raise ValueError(f'illegal is "raise" or "lose", not {illegal!r}')
    return illegal == "lose"


def checked_uint64(argument: str, value: int) -> int:
    """The number; ValueError or TypeError if it is none of 64 bits."""
    try:
        checked = integer(value)
    except TypeError as error:
        raise TypeError(f"{argument} is an integer, not {value!r}") from error
    if not 0 <= checked < 2**64:
        raise ValueError(f"{argument} is an integer from 0 to 2**64 - 1, not {value!r}")
    return checked


def drawn_seed(random: np.random.Generator) -> int:
    """A seed for who gave none."""
    return int(random.integers(2**64, dtype=np.uint64))


def register() -> None:
    """Register every game with Gymnasium, as `ziggurat/<Name>-v0`; once is enough."""
    for name in ziggurat.games():
        title = "".join(part.capitalize() for part in name.split("_"))
        environment = f"ziggurat/{title}-v0"
        if environment not in gymnasium.registry:
            gymnasium.register(
                environment,
                entry_point="ziggurat.env.gymnasium:ZigguratEnv",
                vector_entry_point="ziggurat.env.gymnasium_vector:ZigguratVectorEnv",
                kwargs={"game": name},
            )


register()
