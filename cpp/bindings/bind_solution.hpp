// What a game adds to solutions: how to make one, and which states it knows.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/bind_game.hpp"
#include "bindings/solution.hpp"
#include "engine/solve.hpp"

namespace zg::bindings {

// The position of a state of a game with these options, but for its limit on the length; `game` names it in errors.
template <Game G>
typename G::State unlimited_state(const py::handle& given, const typename G::Options& options,
                                  const std::string& game) {
  if (!py::hasattr(given, "_solve")) throw BadType("a state of a game of load_game is wanted, not " + repr_of(given));
  if (py::isinstance<PyState<G>>(given)) {
    const auto state = G::unlimited(given.cast<const PyState<G>&>().read());
    if (state.options == options) return state;
  }
  throw BadValue("a state of " + game + " is wanted, not of " +
                 py::str(given.attr("get_game")()).template cast<std::string>());
}

template <class Family, SolvableGame G>
class SolutionOf final : public AnySolution {
 public:
  explicit SolutionOf(Solution<G> solution) : solution_(std::move(solution)) {}

  py::object game() const override {
    return py::cast(typename Binder<Family>::template PyGame<G>{solution_.options()});
  }
  const Verdicts& verdicts() const override { return solution_.verdicts(); }
  std::string position_text(std::size_t i) const override {
    return Binder<Family>::template state_text<G>(solution_.positions()[i]);
  }
  Probe probe(const py::handle& state) const override { return solution_.probe(state_from(state)); }
  std::vector<std::vector<Action>> best_turns(const py::handle& state) const override {
    return solution_.best_turns(state_from(state));
  }

 private:
  typename G::State state_from(const py::handle& given) const {
    return unlimited_state<G>(given, solution_.options(), Binder<Family>::game_text(solution_.options()));
  }

  Solution<G> solution_;
};

template <class Family, Game G>
std::unique_ptr<AnySolution> run_solve(const PyState<G>& s, Whole max_positions, const py::object& progress) {
  const typename G::State root = s.read();
  const auto most = checked_number("max_positions", max_positions.value, 1, std::int64_t{Positions<G>::kMost});
  check_solvable<G>(root.options);
  std::unique_ptr<AnySolution> out;
  if constexpr (SolvableGame<G>) {
    watched(progress, 0, [&](const Monitor& monitor) {
      auto found = solve<G>(root, {static_cast<std::size_t>(most)}, monitor);
      out = std::make_unique<SolutionOf<Family, G>>(std::move(*found));
    });
  }
  return out;
}

}  // namespace zg::bindings
