// Who wins where, in a game that is given as a graph of numbered positions, which may run in circles: backward from the
// finished ones, level by level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "engine/parallel.hpp"

namespace zg {

using PositionId = std::uint32_t;

// Positions 0 .. size()-1. The successors of i are target[first[i]] .. target[first[i + 1] - 1]; one that two turns
// lead to may stand there twice. A finished game has none.
struct PositionGraph {
  std::vector<std::uint8_t> mover;  // 0 or 1; of a finished game: who would be next
  std::vector<std::int8_t> result;  // of a finished game, for `mover`: +1, 0 or -1; 0 of all others
  std::vector<std::uint64_t> first = {0};
  std::vector<PositionId> target;

  std::size_t size() const { return mover.size(); }
};

// For the player to move. distance: turns to the end if the winner hurries and the loser tarries; -1 where value is 0,
// because play is endless or ends in a draw.
struct Verdicts {
  std::vector<std::int8_t> values;
  std::vector<std::int16_t> distances;
};

class Backward {
 public:
  // Throws Stopped if `progress` is, std::overflow_error if an end is too far away for a distance.
  static Verdicts judge(PositionGraph graph, const Progress& progress) {
    Backward all(std::move(graph), progress);
    all.go();
    return std::move(all.verdicts_);
  }

 private:
  Backward(PositionGraph graph, const Progress& progress) : progress_(progress) {
    count_successors(graph.first);
    turn_around(graph.first, graph.target);
    mover_ = std::move(graph.mover);
    verdicts_ = {std::move(graph.result), std::vector<std::int16_t>(mover_.size(), -1)};
  }

  void count_successors(const std::vector<std::uint64_t>& first) {
    undecided_.reserve(first.size() - 1);
    for (std::size_t i = 0; i + 1 < first.size(); ++i)
      undecided_.push_back(static_cast<std::uint32_t>(first[i + 1] - first[i]));
  }

  // The predecessors of i become source_[first_[i]] .. source_[first_[i + 1] - 1].
  void turn_around(const std::vector<std::uint64_t>& first, const std::vector<PositionId>& target) {
    first_.assign(first.size(), 0);
    for (const PositionId to : target) ++first_[to];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];  // where those of i end, so far
    source_.resize(target.size());
    for (std::size_t i = first.size() - 1; i-- > 0;) {
      heed_stop();
      for (std::uint64_t e = first[i]; e < first[i + 1]; ++e) source_[--first_[target[e]]] = static_cast<PositionId>(i);
    }
  }
  void heed_stop() const {
    if (progress_.stop.load(std::memory_order_relaxed)) throw Stopped{};
  }

  void go() {
    std::vector<PositionId> level = finished();
    for (int distance = 1; !level.empty(); ++distance) {
      std::vector<PositionId> next;
      for (const PositionId i : level) tell_predecessors(i, distance, next);
      if (distance > std::numeric_limits<std::int16_t>::max() && !next.empty())
        throw std::overflow_error("solve: an end is more than 32767 turns away");
      level = std::move(next);
    }
  }

  // Those that somebody has won. Others are never told to their predecessors, which is what makes them draws.
  std::vector<PositionId> finished() {
    std::vector<PositionId> out;
    for (std::size_t i = 0; i < mover_.size(); ++i) {
      if (verdicts_.values[i] == 0) continue;
      verdicts_.distances[i] = 0;
      out.push_back(static_cast<PositionId>(i));
    }
    return out;
  }

  // Levels come in ascending order. So the first successor that wins for the mover is the nearest, and the last of
  // those that lose, without which he is not lost, is the farthest.
  void tell_predecessors(PositionId i, int distance, std::vector<PositionId>& next) {
    heed_stop();
    const int winner = verdicts_.values[i] > 0 ? mover_[i] : 1 - mover_[i];
    for (std::uint64_t e = first_[i]; e < first_[i + 1]; ++e) {
      const PositionId before = source_[e];
      if (verdicts_.values[before] != 0) continue;
      const bool wins = mover_[before] == winner;
      if (!wins && --undecided_[before] > 0) continue;
      verdicts_.values[before] = wins ? 1 : -1;
      verdicts_.distances[before] = static_cast<std::int16_t>(distance);
      next.push_back(before);
    }
  }

  const Progress& progress_;
  std::vector<std::uint8_t> mover_;
  std::vector<std::uint32_t> undecided_;  // successors that are not known to be lost for the mover
  std::vector<std::uint64_t> first_;
  std::vector<PositionId> source_;
  Verdicts verdicts_;
};

}  // namespace zg
