// What front ends and learners ask of a position and of a game: RULES.md section 9.
#pragma once

#include "games/blokus/blokus.hpp"

namespace zg::blokus {

namespace detail {

template <int Form>
class Analyses {
  using G = Blokus<Form>;
  using Tables = typename G::Tables;
  using Board = typename G::Board;
  using Cells = typename G::Cells;
  using State = typename G::State;
  using Ints = std::span<std::int32_t>;

 public:
  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }
  static std::vector<int> per_colour(const Options& o) { return {o.colours}; }
  static std::vector<int> per_piece(const Options& o) { return {o.colours, kNumPieces}; }
  static std::vector<int> per_orientation(const Options& o) { return {o.colours, kNumOrientations}; }
  static std::vector<int> per_cell(const Options& o) { return {o.colours, o.board, o.board}; }

  static void mobility(const State& s, Ints out) {
    for (int c = 0; c < s.options.colours; ++c) out[index(c)] = G::is_blocked(s, c) ? 0 : G::count_placements(s, c);
  }
  static void by_piece(const State& s, Ints out) {
    std::fill(out.begin(), out.end(), 0);
    each_orientation(s, [&](int c, std::size_t o, const Cells& anchors) {
      out[index(c) * kNumPieces + kOrientations[o].piece] += anchors.count();
    });
  }
  static void by_orientation(const State& s, Ints out) {
    std::fill(out.begin(), out.end(), 0);
    each_orientation(
        s, [&](int c, std::size_t o, const Cells& anchors) { out[index(c) * kNumOrientations + o] = anchors.count(); });
  }
  static void by_cell(const State& s, Ints out) {
    const int board = s.options.board;
    std::fill(out.begin(), out.end(), 0);
    each_orientation(s, [&](int c, std::size_t o, const Cells& anchors) {
      const Shape& shape = kOrientations[o].shape;
      anchors.for_each([&](int anchor) {
        const Place at = Tables::place_at(o, anchor);
        for (int i = 0; i < shape.size; ++i)
          ++out[index((c * board + at.row + shape.at(i).row) * board + at.column + shape.at(i).column)];
      });
    });
  }
  static void contacts(const State& s, Ints out) {
    mark_each(s, out, [&](int c) { return contacts_of(s, c); });
  }
  static void reachable_corners(const State& s, Ints out) {
    std::vector<std::int32_t> corners(out.size());
    contacts(s, corners);
    by_cell(s, out);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = out[i] > 0 ? corners[i] : 0;
  }
  static void territory(const State& s, Ints out) {
    mark_each(s, out, [&](int c) {
      if (G::is_blocked(s, c) || s.hand[index(c)].is_empty()) return Cells::empty();
      const Cells free = G::free_cells(s, c);
      Cells reached = contacts_of(s, c);
      for (Cells before = Cells::empty(); !(before == reached);) {
        before = reached;
        reached |= (Board::edges(before) | Board::corners(before)) & free;
      }
      return reached;
    });
  }
  static void influence(const State& s, std::span<float> out) {
    std::vector<std::int32_t> covers(out.size());
    by_cell(s, covers);
    const std::size_t cells = out.size() / s.options.colours;
    for (std::size_t cell = 0; cell < cells; ++cell) {
      std::int32_t all = 0;
      for (std::size_t i = cell; i < out.size(); i += cells) all += covers[i];
      for (std::size_t i = cell; i < out.size(); i += cells)
        out[i] = all == 0 ? 0.0F : static_cast<float>(covers[i]) / static_cast<float>(all);
    }
  }

  static std::vector<int> parts_shape(const Options& o) { return {G::num_actions(o), 3}; }
  static std::vector<int> squares_shape(const Options& o) { return {G::num_actions(o), kMostSquares}; }
  static std::vector<int> ids_shape(const Options& o) { return {G::num_actions(o)}; }
  static std::vector<int> planes_shape(const Options& o) { return {kNumOrientations, o.board, o.board}; }

  static std::vector<int> borders_shape(const Options&) { return {kNumPieces + 1}; }

  static void action_parts(const Options& options, Ints out) {
    std::fill(out.begin(), out.end(), -1);
    each_placement(options, [&](Action a, const Place& at) {
      const std::uint8_t piece = kOrientations[at.orientation].piece;
      std::int32_t* part = &out[index(a) * 3];
      part[0] = piece;
      part[1] = static_cast<std::int32_t>(at.orientation) - kFirstOrientation[piece];
      part[2] = first_cell(options, at);
    });
  }
  static void action_squares(const Options& options, Ints out) {
    std::fill(out.begin(), out.end(), -1);
    each_placement(options, [&](Action a, const Place& at) {
      const Shape& shape = kOrientations[at.orientation].shape;
      for (int i = 0; i < shape.size; ++i)
        out[index(a * kMostSquares + i)] = (at.row + shape.at(i).row) * options.board + at.column + shape.at(i).column;
    });
  }
  static void action_planes(const Options& options, Ints out) {
    std::fill(out.begin(), out.end(), -1);
    each_placement(options, [&](Action a, const Place& at) { out[index(a)] = plane(options, at); });
  }
  static void plane_actions(const Options& options, Ints out) {
    std::fill(out.begin(), out.end(), -1);
    each_placement(options, [&](Action a, const Place& at) { out[index(plane(options, at))] = a; });
  }

  static void piece_orientations(const Options&, Ints out) {
    std::copy(kFirstOrientation.begin(), kFirstOrientation.end(), out.begin());
  }

 private:
  template <class F>
  static void each_orientation(const State& s, F&& f) {
    for (int c = 0; c < s.options.colours; ++c)
      typename G::LegalSet(s, c).for_each_orientation([&](std::size_t o, const Cells& anchors) { f(c, o, anchors); });
  }
  static Cells contacts_of(const State& s, int c) { return G::contact_cells(s, c) & G::free_cells(s, c); }
  // Ones on the cells that cells_of(colour) gives, zeros elsewhere.
  template <class F>
  static void mark_each(const State& s, Ints out, F&& cells_of) {
    const int board = s.options.board;
    std::fill(out.begin(), out.end(), 0);
    for (int c = 0; c < s.options.colours; ++c)
      cells_of(c).for_each(
          [&](int cell) { out[index((c * board + Board::row(cell)) * board + Board::column(cell))] = 1; });
  }
  template <class F>
  static void each_placement(const Options& options, F&& f) {
    const Numbering numbering(options);
    for (Action a = 0; a < numbering.total(); ++a) f(a, numbering.place_of(a));
  }
  static int first_cell(const Options& options, const Place& at) {
    return at.row * options.board + at.column + kOrientations[at.orientation].first_column;
  }
  static int plane(const Options& options, const Place& at) {
    return static_cast<int>(at.orientation) * options.board * options.board + first_cell(options, at);
  }
};

}  // namespace detail

template <int Form>
std::span<const NamedArray<Options, typename Blokus<Form>::State>> Blokus<Form>::analyses() {
  using A = detail::Analyses<Form>;
  static const std::array<NamedArray<Options, State>, 8> kAnalyses{{
      {"mobility", "how many placements each colour has", A::per_colour, A::mobility},
      {"by_piece", "how many placements of each piece", A::per_piece, A::by_piece},
      {"by_orientation", "how many placements of each orientation", A::per_orientation, A::by_orientation},
      {"by_cell", "how many placements cover each cell", A::per_cell, A::by_cell},
      {"contacts", "cells of which a placement covers one", A::per_cell, A::contacts},
      {"reachable_corners", "contact cells that a placement covers", A::per_cell, A::reachable_corners},
      {"territory", "cells that might still be covered, an upper bound", A::per_cell, A::territory},
      {"influence", "a colour's part of all placements over each cell", A::per_cell, A::influence},
  }};
  return kAnalyses;
}

template <int Form>
std::span<const NamedArray<Options, Options>> Blokus<Form>::tables() {
  using A = detail::Analyses<Form>;
  static const std::array<NamedArray<Options, Options>, 5> kTables{{
      {"action_parts", "piece, orientation of the piece and cell of each action", A::parts_shape, A::action_parts},
      {"action_squares", "the cells that each action covers", A::squares_shape, A::action_squares},
      {"action_planes", "where each action lies in [orientation, row, column]", A::ids_shape, A::action_planes},
      {"plane_actions", "the action at each [orientation, row, column]", A::planes_shape, A::plane_actions},
      {"piece_orientations", "where the orientations of each piece begin", A::borders_shape, A::piece_orientations},
  }};
  return kTables;
}

}  // namespace zg::blokus
