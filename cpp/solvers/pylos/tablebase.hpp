// Values and distances of all positions of Pylos, from a table of values and, where there is one, of distances.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/best_turns.hpp"
#include "games/pylos/pylos.hpp"
#include "solvers/pylos/summary.hpp"
#include "solvers/pylos/table.hpp"

namespace zg::pylos::solver {

template <int Base>
class Tablebase {
 public:
  using G = Pylos<Base>;
  using P = Pyramid<Base>;
  using Balls = typename P::Balls;
  using State = typename G::State;
  static constexpr int kUnknown = 10'000;  // a distance that no table tells; further than any that one does

  // `distances` may be empty.
  Tablebase(const Options& options, const std::string& values, const std::string& distances)
      : options_(without_limit(options)), values_(values, Content::Values, identity(options)) {
    if (!distances.empty()) distances_.emplace(distances, Content::Distances, identity(options));
    if (distances_ && !std::ranges::equal(values_.summary(), distances_->summary()))
      throw BadValue("the tables of values and of distances are not of the same solution");
    summary_ = Summary::unpacked(values_.summary(), values_.header().passes);
    for (int n = 1; const auto& [pass, positions] : summary_.passes)
      if (pass != pass_of(skips_turns(options_), n++))
        throw BadValue(zg::quoted(values) + " is damaged: its passes are out of order");
  }

  const Options& options() const { return options_; }
  bool has_distances() const { return distances_.has_value(); }
  const Summary& summary() const { return summary_; }
  const Table<Base>& values() const { return values_; }
  const Table<Base>* distances() const { return distances_ ? &*distances_ : nullptr; }

  // A position between turns; the state's limit of turns is not looked at.
  Probe operator()(const State& state) const {
    State s = G::unlimited(state);
    s.options = options_;
    if (G::is_terminal(s)) return {(G::winners(s) >> s.to_move & 1) != 0 ? 1 : -1, 0};
    return probe_open(s.balls[s.to_move], s.balls[1 - s.to_move]);
  }
  // Of a position that is not over.
  Probe probe_open(Balls own, Balls other) const {
    if (std::popcount(own | other) == P::kCells - 1) return {1, 1};  // the player to move has the last ball
    const auto place = Order<Base>::place_of(own, other);
    if (!distances_) {
      const int value = value_at(place);
      return {value, value == 0 ? -1 : kUnknown};
    }
    const Code code = code_at(place);
    if (code == 0) return {0, -1};
    const Pass& pass = summary_.passes[code - 1].first;
    return {pass.win ? 1 : -1, pass.distance};
  }
  // By the table of values alone.
  int value_open(Balls own, Balls other) const {
    if (std::popcount(own | other) == P::kCells - 1) return 1;
    return value_at(Order<Base>::place_of(own, other));
  }
  // As the solver had it; there is a table of distances.
  Code code(const State& s) const {
    if (G::is_terminal(s)) return 1;
    return code_at(Order<Base>::place_of(s.balls[s.to_move], s.balls[1 - s.to_move]));
  }

 private:
  using Place = typename Order<Base>::Place;

  int value_at(const Place& place) const {
    const auto spot = values_.spot_of(place);
    const Value value = Codec::value_in(values_.symbol_at(spot), spot.within);
    return value == Value::Win ? 1 : value == Value::Loss ? -1 : 0;
  }
  Code code_at(const Place& place) const { return distances_->symbol_at(distances_->spot_of(place)); }

  Options options_;
  Table<Base> values_;
  std::optional<Table<Base>> distances_;
  Summary summary_;
};

}  // namespace zg::pylos::solver
