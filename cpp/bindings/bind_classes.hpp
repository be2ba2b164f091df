// The Python classes of one game, method by method. Names are OpenSpiel's where it has one.
#pragma once

#include "bindings/bind_game.hpp"
#include "bindings/bind_solution.hpp"

namespace zg::bindings {

template <class Family>
template <Game G>
void Binder<Family>::bind_game(py::class_<PyGame<G>>& c) {
  bind_game_facts<G>(c);
  bind_game_makers<G>(c);
  bind_game_actions<G>(c);
  bind_game_value<G>(c);
}

template <class Family>
template <Game G>
void Binder<Family>::bind_game_facts(py::class_<PyGame<G>>& c) {
  using Self = PyGame<G>;
  c.def_property_readonly(
      "name", [](const Self&) { return std::string(Family::kName); }, "The game's name, as load_game takes it.");
  c.def_property_readonly(
      "options",
      [](const Self& g) {
        py::typing::Dict<py::str, OptionValue> out;
        for (const auto& field : Family::option_table().fields())
          out[py::str(std::string(field.name))] = field.value(g.options);
        return out;
      },
      "All options with their values, a new dict[str, str | int | bool].");
  c.def("num_players", [](const Self& g) { return G::num_players(g.options); }, "The number of players.");
  c.def(
      "num_distinct_actions", [](const Self& g) { return G::num_actions(g.options); },
      "Action ids are 0 to this number - 1.");
  c.def(
      "max_game_length",
      [](const Self& g) {
        const int bound = G::max_game_length(g.options);
        return bound > 0 ? std::optional<int>(bound) : std::nullopt;
      },
      "An upper bound on the actions of a game; None if there is none.");
  c.def(
      "observation_tensor_shape",
      [](const Self& g, const py::str& encoding) {
        const auto shape = observation_shape<G>(g.options, encoding_from(text_of(encoding)));
        return py::typing::Tuple<int, py::ellipsis>(py::tuple(py::cast(shape)));
      },
      "encoding"_a = "planes",
      "The shape of State.observation_tensor; the planes are described in the game's rules page. \"compact\" is one "
      "row of the same content: the cells of a plane that has them, the one value of a plane that has one.");
}

template <class Family>
template <Game G>
void Binder<Family>::bind_game_makers(py::class_<PyGame<G>>& c) {
  using Self = PyGame<G>;
  c.def(
      "new_initial_state",
      [](const Self& g, const py::object& seed) {
        return PyState<G>{G::initial(g.options, stream_key(seed_from(seed), 0, StreamTag::Chance))};
      },
      "seed"_a = 0,
      "A state at the start of the game. The seed, 0 <= seed < 2**64, decides all chance of this game; else "
      "ValueError.");
  c.def(
      "deserialize",
      [](const Self& g, const py::str& given) {
        const std::string text = text_of(given);
        const std::string prefix = game_text(g.options) + " ";
        if (!text.starts_with(prefix))
          throw ParseError("the text of a state of this game starts with " + quoted(prefix) + ", not " + quoted(text));
        return PyState<G>{G::parse(g.options, std::string_view(text).substr(prefix.size()))};
      },
      "text"_a, "The state that State.serialize wrote. Raises ParseError if the text is malformed or of another game.");
}

template <class Family>
template <Game G>
void Binder<Family>::bind_game_actions(py::class_<PyGame<G>>& c) {
  using Self = PyGame<G>;
  c.def(
      "action_to_string", [](const Self& g, Whole action) { return checked_action_text<G>(g.options, action.value); },
      "action"_a, "The text of an action id. Raises ValueError if there is no such id.");
  c.def(
      "string_to_action",
      [](const Self& g, const py::str& given) { return G::text_to_action(g.options, text_of(given)); }, "text"_a,
      "The id of an action from its text, legal or not. Raises ParseError if no action is written so.");
  c.def(
      "num_symmetries", [](const Self& g) { return num_symmetries<G>(g.options); },
      "The number of symmetries of the board that the rules respect.");
  c.def(
      "transform_action",
      [](const Self& g, Whole action, Whole k) {
        check_action_id<G>(g.options, action.value);
        check_symmetry<G>(g.options, k.value);
        if constexpr (SymmetricGame<G>)
          return G::transform_action(g.options, static_cast<Action>(action.value), static_cast<int>(k.value));
        return static_cast<Action>(action.value);
      },
      "action"_a, "k"_a, "The action id under symmetry k, 0 <= k < num_symmetries(); 0 is the identity.");
  c.def(
      "table",
      [](const Self& g, const py::str& name, const py::object& out) {
        return filled<G>(find_named(tables<G>(), "table", text_of(name)), g.options, g.options, out);
      },
      "name"_a, "out"_a = py::none(),
      "The array of that name; ziggurat.describe lists them under \"tables\", the rules page has shapes. Raises "
      "ValueError for another name. `out`, if given, is written and returned; TypeError or ValueError if its dtype or "
      "shape is "
      "another one.");
  c.def(
      "_simulate",
      [](const Self& g, Whole games, const py::object& seed, Whole first, Unit uniform, Whole threads,
         const py::object& progress) {
        return run_simulation<G>(g.options, games, seed, first, uniform, threads, progress);
      },
      "games"_a, "seed"_a, "first"_a, "uniform"_a, "threads"_a, "progress"_a, "Columns of ziggurat.simulate.");
  c.def(
      "_batch",
      [](const Self& g, Whole num_envs, const py::object& seed, Whole first, Whole threads, const py::str& autoreset) {
        const auto rows = static_cast<std::size_t>(checked_number("num_envs", num_envs.value, 0, kMostRows));
        const auto start = static_cast<std::uint64_t>(checked_number("first", first.value, 0, kMostGames));
        const std::uint64_t key = seed_from(seed);
        const int workers = thread_count(threads.value);
        const Autoreset mode = autoreset_from(text_of(autoreset));
        std::unique_ptr<PyBatch<G, PyState<G>>> out;
        unlocked([&] { out = std::make_unique<PyBatch<G, PyState<G>>>(g.options, rows, key, start, workers, mode); });
        return out;
      },
      "num_envs"_a, "seed"_a, "first"_a, "threads"_a, "autoreset"_a, "What ziggurat.BatchEnv stands on.");
}

template <class Family>
template <Game G>
void Binder<Family>::bind_game_value(py::class_<PyGame<G>>& c) {
  using Self = PyGame<G>;
  c.def("__str__", [](const Self& g) { return game_text(g.options); });
  c.def("__repr__", [](const Self& g) { return "ziggurat.load_game('" + game_text(g.options) + "')"; });
  c.def("__eq__", [](const Self& a, const Self& b) { return a == b; }, py::is_operator());
  c.def("__hash__", [](const Self& g) { return static_cast<std::int64_t>(g.options.hash() >> 1); });
  c.def("__copy__", [](const Self& g) { return g; });
  c.def("__deepcopy__", [](const Self& g, const py::object&) { return g; }, "memo"_a);
  c.def("__reduce__", [](const Self& g) -> Reduced {
    return py::make_tuple(py::module_::import("ziggurat").attr("load_game"), py::make_tuple(game_text(g.options)));
  });
}

template <class Family>
template <Game G>
void Binder<Family>::bind_state(py::class_<PyState<G>>& c) {
  bind_state_play<G>(c);
  bind_state_outcome<G>(c);
  bind_state_texts<G>(c);
  bind_state_views<G>(c);
  bind_state_secrets<G>(c);
  bind_state_value<G>(c);
}

template <class Family>
template <Game G>
void Binder<Family>::bind_state_play(py::class_<PyState<G>>& c) {
  using Self = PyState<G>;
  c.def("get_game", [](const Self& s) { return PyGame<G>{s.read().options}; }, "The game that this is a state of.");
  c.def(
      "current_player",
      [](const Self& s) {
        const auto& state = s.read();
        return G::is_terminal(state) ? kTerminalPlayer : G::to_move(state);
      },
      "The player to move; -4 after the end.");
  c.def("is_terminal", [](const Self& s) { return G::is_terminal(s.read()); }, "Has the game ended?");
  c.def("in_turn", [](const Self& s) { return G::in_turn(s.read()); }, "Is this between the actions of one turn?");
  c.def("legal_actions", &legal_actions<G>, "player"_a = py::none(),
        "Legal action ids, ascending, int32[n]; empty for anyone but the player to move, and after the end.");
  c.def("legal_actions_mask", &legal_actions_mask<G>, "out"_a = py::none(),
        "uint8[num_distinct_actions], 1 for legal ids. `out`, if given, is written and returned; TypeError or "
        "ValueError if its dtype or shape is another one.");
  c.def("count_legal", [](const Self& s) { return G::count_legal(s.read()); }, "The number of legal actions.");
  c.def(
      "count_turns", [](const Self& s) { return Turns<G>::count(s.read()); },
      "The number of legal turns (whole sequences of actions); inside a turn, of ways to finish it.");
  c.def(
      "is_legal",
      [](const Self& s, Whole action) {
        check_action_id<G>(s.read().options, action.value);
        return G::is_legal(s.read(), static_cast<Action>(action.value));
      },
      "action"_a, "Is the action legal now? Raises ValueError if there is no such id.");
  c.def(
      "apply_action", [](Self& s, Whole action) { s.apply(action.value); }, "action"_a,
      "Plays an action in place. Raises IllegalActionError, with the reason, if it is not legal, and ValueError if "
      "there is no such id; the state is then unchanged.");
  c.def(
      "events",
      [](const Self& s, Whole action) {
        const auto state = s.read();
        check_legal<G>(state, action.value);
        return told_events<G>(state, static_cast<Action>(action.value));
      },
      "action"_a,
      "What playing the action makes public, in order, as dicts with the key \"event\" and those of the rules page; "
      "empty for games that have nothing to tell. A secret until the action is played: the report of a reveal. The "
      "state stays as it is. Raises IllegalActionError, with the reason, if the action is not legal, and ValueError if "
      "there is no such id.");
  c.def("clone", [](const Self& s) { return s; }, "An independent copy.");
}

template <class Family>
template <Game G>
void Binder<Family>::bind_state_outcome(py::class_<PyState<G>>& c) {
  c.def("returns", &returns_of<G>,
        "float64[players]: w winners of n players get 1/w each, the others -1/(n-w); all 0 before the end and if w is "
        "0 or n.");
  c.def("scores", &scores_of<G>, "int32[players]: the game's own points.");
  c.def("winners", &winner_list<G>, "The players who have won; empty before the end and after a draw.");
}

template <class Family>
template <Game G>
void Binder<Family>::bind_state_texts(py::class_<PyState<G>>& c) {
  using Self = PyState<G>;
  c.def(
      "action_to_string",
      [](const Self& s, Whole action) { return checked_action_text<G>(s.read().options, action.value); }, "action"_a,
      "The text of an action id. Raises ValueError if there is no such id.");
  c.def(
      "string_to_action",
      [](const Self& s, const py::str& given) { return G::text_to_action(s.read().options, text_of(given)); }, "text"_a,
      "The id of an action from its text, legal or not. Raises ParseError if no action is written so.");
  c.def(
      "turn_to_string",
      [](const Self& s, const py::typing::Iterable<py::int_>& actions) {
        std::string out;
        for (const py::handle& item : actions) {
          const std::int64_t a = whole_number(item);
          check_action_id<G>(s.read().options, a);
          out += Turns<G>::text_of(s.read().options, static_cast<Action>(a));
        }
        return out;
      },
      "actions"_a, "The text of a turn: the texts of its actions one after the other, without a closing one.");
  c.def(
      "string_to_turn", [](const Self& s, const py::str& given) { return parse_turn<G>(s.read(), text_of(given)); },
      "text"_a, "The action ids of the legal turn that is written so. Raises ParseError if there is none.");
  c.def(
      "serialize", [](const Self& s) { return state_text<G>(s.read()); },
      "One line of text that Game.deserialize reads.");
}

template <class Family>
template <Game G>
void Binder<Family>::bind_state_views(py::class_<PyState<G>>& c) {
  using Self = PyState<G>;
  c.def("observation_tensor", &observation_tensor<G>, "player"_a, "out"_a = py::none(), "encoding"_a = "planes",
        "float32[observation_tensor_shape(encoding)]: what the player sees. `out`, if given, is written and returned; "
        "TypeError or ValueError if its dtype or shape is another one.");
  c.def(
      "transformed",
      [](const Self& s, Whole k) {
        check_symmetry<G>(s.read().options, k.value);
        if constexpr (SymmetricGame<G>) return Self{G::transform(s.read(), static_cast<int>(k.value))};
        return s;
      },
      "k"_a,
      "The state under symmetry k, 0 <= k < num_symmetries(); 0 is the identity. Raises ValueError for another k.");
  c.def(
      "canonical",
      [](const Self& s) {
        const auto [state, k] = canonical<G>(s.read());
        return py::typing::Tuple<Self, py::int_>(py::make_tuple(Self{state}, k));
      },
      "(state, k): of all images transformed(k) the one whose serialize() is least, and the least such k.");
  c.def(
      "analysis",
      [](const Self& s, const py::str& name, const py::object& out) {
        const auto state = s.read();
        return filled<G>(find_named(analyses<G>(), "analysis", text_of(name)), state.options, state, out);
      },
      "name"_a, "out"_a = py::none(),
      "The array of that name; ziggurat.describe lists them under \"analyses\", the rules page has shapes and "
      "formulas. Raises ValueError for another name. `out`, if given, is written and returned; TypeError or ValueError "
      "if its "
      "dtype or shape is another one.");
  c.def(
      "to_svg",
      [](const Self& s, const py::kwargs& style) {
        return py::str(py::module_::import("ziggurat.formats.svg").attr("draw")(s, **style));
      },
      "A drawing as SVG; the keywords are those of ziggurat.formats.svg.draw.");
  c.def(
      "_repr_svg_",
      [](const Self& s) -> std::optional<py::str> {
        const py::object text = py::module_::import("ziggurat.formats.svg").attr("repr_svg")(s);
        if (text.is_none()) return std::nullopt;
        return py::str(text);
      },
      "The drawing that notebooks show; None if the game has none.");
  c.def("_perft", &run_perft<G>, "depth"_a, "unit"_a, "divide"_a, "threads"_a, "hash_mb"_a, "progress"_a,
        "ziggurat.perft.");
  c.def("_solve", &run_solve<Family, G>, "max_positions"_a, "progress"_a, "ziggurat.solver.solve.");
  c.def(
      "_unlimited", [](const Self& s) { return Self(G::unlimited(s.read())); },
      "The same position without a limit on the length of the game: what perft counts from.");
  c.def(
      "_broken_invariant", [](const Self& s) { return std::string(G::broken_invariant(s.read())); },
      "What does not hold of this state, for tests; empty if all is well.");
}

template <class Family>
template <Game G>
void Binder<Family>::bind_state_secrets(py::class_<PyState<G>>& c) {
  using Self = PyState<G>;
  c.def(
      "information_state_string",
      [](const Self& s, Whole player) {
        const auto state = s.read();
        check_player<G>(state.options, player.value);
        if constexpr (HiddenGame<G>) return G::information_state(state, static_cast<Player>(player.value));
        return G::to_text(state);
      },
      "player"_a, "What the player knows, as one line: the position text where the game has no secrets.");
  c.def(
      "observation_string",
      [](const Self& s, Whole player) {
        const auto state = s.read();
        check_player<G>(state.options, player.value);
        if constexpr (HiddenGame<G>) return G::drawing_for(state, static_cast<Player>(player.value));
        return G::drawing(state);
      },
      "player"_a, "The drawing as the player sees it: str(state), with question marks for what is hidden from him.");
  c.def(
      "resample",
      [](const Self& s, Whole player, const py::object& seed) {
        const auto state = s.read();
        check_player<G>(state.options, player.value);
        [[maybe_unused]] Stream random{stream_key(seed_from(seed), 0, StreamTag::Determinize)};
        if constexpr (HiddenGame<G>) return Self{G::determinize(state, static_cast<Player>(player.value), random)};
        return Self{state};
      },
      "player"_a, "seed"_a = 0,
      "A state that the player cannot tell from this one: all that he does not see, future chance included, is drawn "
      "anew with the seed, 0 <= seed < 2**64, every consistent deal equally likely. What he could deduce from earlier "
      "positions is not kept. A clone where the game has no secrets.");
  c.def(
      "view",
      [](const Self& s, const py::str& name, Whole player, const py::object& out) {
        return player_array<G>(find_named(views<G>(), "view", text_of(name)), s, player, out);
      },
      "name"_a, "player"_a, "out"_a = py::none(),
      "The array of that name, of one player; ziggurat.describe lists them under \"views\", the rules page has shapes. "
      "Each is a method of its name, too. Raises ValueError for another name or player. `out`, if given, is written "
      "and "
      "returned; TypeError or ValueError if its dtype or shape is another one.");
  for (const auto& view : views<G>())
    c.def(
        std::string(view.name).c_str(),
        [&view](const Self& s, Whole player, const py::object& out) { return player_array<G>(view, s, player, out); },
        "player"_a, "out"_a = py::none(),
        (std::string(view.about) + "; the rules page has the shape. `out`, if given, is written and returned.")
            .c_str());
}

template <class Family>
template <Game G>
void Binder<Family>::bind_state_value(py::class_<PyState<G>>& c) {
  using Self = PyState<G>;
  c.def("__str__", [](const Self& s) { return G::drawing(s.read()); });
  c.def("__repr__", [](const Self& s) { return "<" + shown<G>(s.read()) + ">"; });
  c.def("__eq__", [](const Self& a, const Self& b) { return a == b; }, py::is_operator());
  c.def("__hash__", [](const Self& s) { return static_cast<std::int64_t>(G::hash(s.read()) >> 1); });
  c.def("__copy__", [](const Self& s) { return s; });
  c.def("__deepcopy__", [](const Self& s, const py::object&) { return s; }, "memo"_a);
  c.def("__reduce__", [](const Self& s) -> Reduced {
    return py::make_tuple(restore_state(), py::make_tuple(state_text<G>(s.read()), kPickleVersion));
  });
}

}  // namespace zg::bindings
