"""The Gymnasium vector environment of one learner against opponents in many games at once (extra `gymnasium`)."""

from __future__ import annotations

from copy import deepcopy
from operator import index as integer
from typing import TYPE_CHECKING, Any

import numpy as np

import ziggurat
from ziggurat.env.arguments import drawing, loaded
from ziggurat.env.gymnasium import (
    LOST,
    ZigguratEnv,
    blaming,
    checked_illegal,
    checked_render_mode,
    checked_uint64,
    drawn_seed,
    spaces,
)
from ziggurat.env.opponents import (
    OPPONENTS,
    BatchView,
    Encoding,
    Opponents,
    Policy,
    Seating,
    checked_encoding,
    episode_seeds,
    numbers,
    stream_keys,
)

import gymnasium  # isort: skip  # after the module that says what to install if it is missing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ziggurat import Game

AutoresetMode = gymnasium.vector.AutoresetMode


class ZigguratVectorEnv(gymnasium.vector.VectorEnv["NDArray[np.float32]", "NDArray[Any]", "NDArray[Any]"]):
    """Many games of a learner against opponents, each a row: many `ZigguratEnv` over one `ziggurat.BatchEnv`.

    Arguments, spaces, rewards and infos are those of `ziggurat.env.gymnasium.ZigguratEnv`, batched as Gymnasium does
    it; besides:

    - `num_envs`: the number of rows.
    - `autoreset_mode`: a `gymnasium.vector.AutoresetMode` or its value, "NextStep", "SameStep" or "Disabled".
    - `threads`: 0 for all cores. Results do not depend on it.
    - `first`: row i plays the games of index `first + i`.
    - `copy`: False returns the same arrays again and again, overwritten by the next call and not to be written to.

    After `reset(seed=s)` row i plays what `ZigguratEnv(..., index=first + i)` plays after `reset(seed=s)`, episode by
    episode. (Gymnasium's own vector environments seed row i with s + i instead.)

    Opponents that are functions are called for each row that waits for them, or, if they have a method `batch`, once
    for all these rows. Random opponents need no Python for a row.
    """

    metadata: dict[str, Any] = dict(ZigguratEnv.metadata)  # noqa: RUF012  # as in the base class

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        preset: str | None = None,
        *,
        learner: int | str = 0,
        opponents: Opponents = "random",
        observation: str = "planes",
        illegal: str = "raise",
        render_mode: str | None = None,
        autoreset_mode: gymnasium.vector.AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 0,
        first: int = 0,
        copy: bool = True,
        **options: str | int | bool,
    ) -> None:
        self.game = loaded(game, preset, options)
        self.render_mode = checked_render_mode(render_mode)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self.autoreset_mode}
        self._encoding = checked_encoding(observation)
        self._loses = checked_illegal(illegal)
        self._copy = copy
        if num_envs == 0:  # BatchEnv checks the rest
            raise ValueError("num_envs is at least 1, not 0")
        seating = Seating.of(self.game.num_players(), learner, opponents)
        self._matches = Matches(self.game, seating, self._encoding, num_envs, threads, first)
        self.num_envs = num_envs
        self._make_spaces()
        self._seed: int | None = None
        self._seen = np.zeros((num_envs, *self.game.observation_tensor_shape(encoding=self._encoding)), np.float32)
        self._mask = np.zeros((num_envs, self.game.num_distinct_actions()), np.uint8)
        self._ended = np.zeros(num_envs, np.bool_)
        self._forfeited = np.zeros(
            num_envs, np.bool_
        )  # episodes that an illegal action has ended, until they are reset

    def _make_spaces(self) -> None:
        self.single_observation_space, self.single_action_space = spaces(self.game, self._encoding)
        batched = gymnasium.vector.utils.batch_space
        self.observation_space = batched(self.single_observation_space, self.num_envs)
        self.action_space = batched(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin episode 0 of the seed, or without one each row's next episode; returns (observations, infos).

        `options={"reset_mask": bool[num_envs]}` resets these rows alone; the others stay as they are, and the arrays
        hold them, too. ValueError or TypeError for a seed or a mask that does not fit, or any other option.
        """
        mask = self._reset_mask(options)
        base = None if seed is None else checked_uint64("seed", seed)
        if base is None and self._seed is None:
            base = drawn_seed(self.np_random)
        matches = self._matches.spare()
        matches.begin(mask, base)
        matches.answer()
        super().reset(seed=None if seed is None else base)
        self._matches = matches
        self._seed = self._seed if base is None else base
        untouched = np.zeros(self.num_envs, np.bool_) if mask is None else ~mask
        self._ended = self._ended & untouched
        self._forfeited = self._forfeited & untouched
        return self._look(self._forfeited)

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play the learner's actions, then the opponents'.

        Returns (observations, rewards, terminations, truncations, infos), the rewards as float64[num_envs].
        `actions` are integers, one a row; those of rows that are only reset are not looked at. Errors are those of
        `ZigguratEnv.step`, and name the rows; nothing has changed then. With autoreset disabled, ResetNeeded if the
        episode of a row is over.
        """
        due = self._due()
        matches = self._matches.spare()
        playing = ~due & ~matches.is_over()
        actions = self._checked(actions, playing)
        lost = self._lost(actions, playing)
        matches.play(actions, playing & ~lost)
        if due.any():
            matches.begin(due, None)
        matches.answer()
        ended = (matches.is_over() | lost) & ~due
        rewards = matches.rewards(ended)
        rewards[lost] = LOST
        final: dict[str, Any] = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP and ended.any():
            final = self._final(matches, ended, lost)
            matches.begin(ended, None)
            matches.answer()
        self._matches = matches
        self._ended = np.zeros_like(ended) if self.autoreset_mode is AutoresetMode.SAME_STEP else ended
        self._forfeited = lost & self._ended
        observations, infos = self._look(self._forfeited)
        return observations, rewards, ended.copy(), np.zeros_like(ended), infos | final

    def __copy__(self) -> ZigguratVectorEnv:
        """A copy plays games of its own."""
        return deepcopy(self)

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[num_envs, num_distinct_actions], a new array: the learner's legal actions, all False after the end."""
        self._begun()
        return self._mask.astype(np.bool_)

    def render(self) -> tuple[str | None, ...]:  # type: ignore[override]  # text is no frame, but "ansi" is a mode
        """The drawing of each row as the learner sees it: text or SVG; None without a render mode."""
        matches = self._begun()
        return tuple(
            drawing(self.render_mode, matches.batch.state(row), int(player))
            for row, player in enumerate(matches.learners)
        )

    def _begun(self) -> Matches:
        if self._seed is None:
            raise gymnasium.error.ResetNeeded("call reset() first")
        return self._matches

    def _due(self) -> NDArray[np.bool_]:
        """The rows that this step only resets."""
        self._begun()
        if self.autoreset_mode is AutoresetMode.DISABLED and self._ended.any():
            rows = np.flatnonzero(self._ended).tolist()
            raise gymnasium.error.ResetNeeded(f"the episodes of rows {rows} are over: reset them with a reset_mask")
        return self._ended

    def _reset_mask(self, options: dict[str, Any] | None) -> NDArray[np.bool_] | None:
        """The rows to reset; None for all."""
        options = options or {}
        if options.keys() - {"reset_mask"}:
            raise ValueError(f"the only option of reset is reset_mask, but it was given {options!r}")
        mask = options.get("reset_mask")
        if mask is None:
            return None
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError(f"reset_mask is an array of bool, not {mask!r}")
        if mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(f"reset_mask is bool[{self.num_envs}] with a True in it, not {mask!r}")
        if self._seed is None:
            raise gymnasium.error.ResetNeeded("the first reset is one of all rows: call it without a reset_mask")
        return mask

    def _checked(self, actions: NDArray[Any], playing: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The actions as int64, 0 where nothing is played."""
        array = np.asarray(actions)
        if array.dtype.kind not in "iu":
            raise TypeError(f"actions are integers, not {array.dtype}")
        if array.shape != (self.num_envs,):
            raise ValueError(f"actions are of shape ({self.num_envs},), not {array.shape}")
        most = self.game.num_distinct_actions() - 1
        wrong = np.flatnonzero(playing & ((array < 0) | (array > most)))
        if wrong.size:
            raise ValueError(f"an action is an integer from 0 to {most}, not {array[wrong[0]]} as in row {wrong[0]}")
        return np.where(playing, array, 0).astype(np.int64)

    def _lost(self, actions: NDArray[np.int64], playing: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The rows that lose by an illegal action."""
        if not self._loses:
            return np.zeros(self.num_envs, np.bool_)
        legal = self._mask[np.arange(self.num_envs), actions].astype(np.bool_)
        lost: NDArray[np.bool_] = playing & ~legal
        return lost

    def _look(self, lost: NDArray[np.bool_]) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """The observations and infos of all rows as they are now."""
        matches = self._matches
        seen = matches.observe(np.empty_like(self._seen) if self._copy else self._seen)
        matches.batch.legal_mask(out=self._mask)
        self._mask[self._ended] = 0  # an episode that an illegal action has lost is over, though its game is not
        mask = self._mask.copy() if self._copy else self._mask
        return seen, _infos(mask, matches.learners.astype(np.int64), lost, np.ones(self.num_envs, np.bool_))

    def _final(self, matches: Matches, ended: NDArray[np.bool_], lost: NDArray[np.bool_]) -> dict[str, Any]:
        """What the infos say of the episodes that have ended; the arrays are copies."""
        seen = matches.observe(np.empty_like(self._seen))
        observations = np.full(self.num_envs, None, object)
        for row in np.flatnonzero(ended):
            observations[row] = seen[row].copy()
        players = np.where(ended, matches.learners, 0).astype(np.int64)
        infos = _infos(np.zeros_like(self._mask), players, lost, ended.copy())
        return {"final_obs": observations, "_final_obs": ended.copy(), "final_info": infos, "_final_info": ended.copy()}


def _infos(
    mask: NDArray[np.uint8], players: NDArray[np.int64], lost: NDArray[np.bool_], rows: NDArray[np.bool_]
) -> dict[str, Any]:
    """The infos of single environments as Gymnasium batches them: beside each array, which rows it speaks of."""
    values = {"action_mask": mask.view(np.int8), "player": players, "illegal": lost.copy()}
    return values | {f"_{name}": rows.copy() for name in values}


class Matches:
    """Games of a learner against opponents, a row each."""

    def __init__(
        self, game: Game, seating: Seating, encoding: Encoding, num_envs: int, threads: int, first: int
    ) -> None:
        self.batch = ziggurat.BatchEnv(game, num_envs, threads=threads, autoreset="disabled", first=first)
        self.learners = np.zeros(num_envs, np.int32)  #: int32[n]: the learner's seat
        self._seating = seating
        self._encoding = encoding
        self._indices = np.arange(num_envs, dtype=np.uint64) + np.uint64(first)
        self._seeds = np.zeros(num_envs, np.uint64)
        self._keys = np.zeros(num_envs, np.uint64)
        self._plies = np.zeros(num_envs, np.uint64)
        self._make_buffers()

    def _make_buffers(self) -> None:
        self._quiet = self.batch.buffers(observation=None, legal=None)
        self._players = self.batch.current_players(out=self._quiet.current_players)  # int32[n]: -4 after the end
        self._drawn = np.zeros(len(self._players), np.int32)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("_quiet", "_players", "_drawn")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._make_buffers()

    def spare(self) -> Matches:
        """Games to play on with: a copy if an opponent might raise an error in the middle, else these."""
        if self._seating.all_random:
            return self
        other = object.__new__(type(self))
        arrays = {name: getattr(self, name).copy() for name in ("learners", "_seeds", "_keys", "_plies")}
        other.__setstate__(self.__getstate__() | {"batch": self.batch.clone()} | arrays)
        return other

    def is_over(self) -> NDArray[np.bool_]:
        """bool[n]: has the game ended?"""
        over: NDArray[np.bool_] = self._players < 0
        return over

    def rewards(self, rows: NDArray[np.bool_]) -> NDArray[np.float64]:
        """float64[n]: the learner's returns in these rows, 0 in the others."""
        rewards = np.zeros(len(rows))
        if rows.any():
            rewards[rows] = self.batch.returns()[rows, self.learners[rows]]
        return rewards

    def observe(self, out: NDArray[np.float32]) -> NDArray[np.float32]:
        """What the learner sees in each row, written into `out`."""
        self.batch.observe(player=self.learners, encoding=self._encoding, out=out)
        return out

    def begin(self, rows: NDArray[np.bool_] | None, seed: int | None) -> None:
        """Begin episode 0 of the seed, or the next episode, in these rows (None: in all)."""
        self.batch.reset(mask=rows, seed=seed, out=self._quiet)
        chosen = slice(None) if rows is None else rows
        if seed is not None:
            self._seeds[chosen] = seed
        seeds = episode_seeds(self._seeds[chosen], self.batch.episodes()[chosen])
        self._keys[chosen] = keys = stream_keys(seeds, self._indices[chosen], OPPONENTS)
        self._plies[chosen] = 0
        seat = self._seating.learner
        drawn = numbers(keys, np.zeros_like(keys)) % np.uint64(len(self._seating.policies))
        self.learners[chosen] = drawn if seat is None else seat

    def play(self, actions: NDArray[Any], rows: NDArray[np.bool_]) -> None:
        """Play an action of whoever is to move in each of these rows; if one is illegal, nothing."""
        self.batch.step(actions, mask=rows, out=self._quiet)
        self._plies += rows

    def answer(self) -> None:
        """Let the opponents act until in each row the learner is to move or the game is over."""
        while True:
            waiting = (self._players != self.learners) & (self._players >= 0)
            if not waiting.any():
                return
            actions = self._choose(waiting)
            with blaming("an opponent"):
                self.play(actions, waiting)

    def _choose(self, waiting: NDArray[np.bool_]) -> NDArray[np.signedinteger[Any]]:
        """Integers [n]: what the opponents do in the rows that wait for them."""
        policies = self._seating.policies
        if self._seating.all_random:
            return self.batch.sample(mask=waiting, stream="opponents", out=self._drawn)
        chosen = np.full(len(waiting), -1, np.int64)
        seated = {id(policies[seat]): policies[seat] for seat in np.unique(self._players[waiting])}
        for policy in seated.values():
            seats = [seat for seat, other in enumerate(policies) if other is policy]
            rows = waiting & np.isin(self._players, seats)
            if policy is None:
                chosen[rows] = self.batch.sample(mask=rows, stream="opponents")[rows]
            else:
                answers = self._ask(policy, np.flatnonzero(rows))
                with blaming("an opponent"):
                    chosen[rows] = [self._checked(answer) for answer in answers]
        return chosen

    def _checked(self, action: Any) -> int:
        """The id; ValueError or TypeError if it is none."""
        count = self.batch.game.num_distinct_actions()
        number = integer(action)
        if not 0 <= number < count:
            raise ValueError(f"an action is an integer from 0 to {count - 1}, not {number}")
        return number

    def _ask(self, policy: Policy, rows: NDArray[np.intp]) -> list[Any] | NDArray[Any]:
        """What an opponent does in these rows."""
        views = BatchView(self.batch.select(rows), numbers(self._keys[rows], self._plies[rows] + 1), self._encoding)
        together = getattr(policy, "batch", None)
        if together is None:
            return [policy(view) for view in views]
        answers = np.asarray(together(views))
        if answers.shape != rows.shape or answers.dtype.kind not in "iu":
            raise ValueError(f"an opponent's batch() gives {len(rows)} integers, not {answers!r}")
        return answers
