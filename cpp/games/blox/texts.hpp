// The texts of actions and positions: RULES.md sections 5 and 7.
#pragma once

#include <string>

#include "core/stream_text.hpp"
#include "games/blox/blox.hpp"

namespace zg::blox {

namespace detail {

inline constexpr std::string_view kDirectionLetters = "nesw";

inline char letter(int colour) { return kLowerLetters[static_cast<std::size_t>(colour)]; }

template <int Size>
std::string field_text(typename Board<Size>::Field f) {
  std::string out(1, static_cast<char>('a' + Board<Size>::column(f)));
  append_number(out, Size - Board<Size>::row(f));
  return out;
}

template <int Size>
typename Board<Size>::Field read_field(Cursor& in) {
  const int column = in.take(std::string_view("abcdefghij").substr(0, Size)) - 'a';
  return Board<Size>::at(Size - in.number(1, Size), column);
}

inline bool is_colour(char c) { return kLowerLetters.find(c) != kLowerLetters.npos; }
inline int read_colour(Cursor& in) { return static_cast<int>(in.take_place(kLowerLetters)); }

// The action that starts where the cursor stands, from a text in lower case.
template <int Size>
class ActionReader {
 public:
  ActionReader(const Options& options, Cursor& in) : pawns_(options.pawns), in_(in) {}

  Move read() {
    if (in_.accept('@')) return entry();
    if (in_.accept('~')) return with_colour(Kind::Swap);
    if (is_colour(in_.peek())) {
      Move m = with_colour(Kind::Block);
      m.pay = in_.accept('j');
      return m;
    }
    return of_pawn();
  }

 private:
  static constexpr std::string_view kRanks = "0123";

  Move entry() {
    Move m{Kind::Enter, 0, static_cast<std::uint8_t>(read_field<Size>(in_).value()), 0, 0, 0};
    m.pay = in_.accept('j');
    return m;
  }
  Move with_colour(Kind kind) {
    Move m;
    m.kind = kind;
    m.colour = static_cast<std::uint8_t>(read_colour(in_));
    return m;
  }
  Move of_pawn() {
    Move m;
    m.rank = static_cast<std::uint8_t>(in_.take(kRanks.substr(0, static_cast<std::size_t>(pawns_))) - '0');
    if (in_.accept('b')) {
      m.kind = Kind::Build;
      return m;
    }
    m.direction = static_cast<std::uint8_t>(in_.take_place(kDirectionLetters));
    switch (in_.take("-xd")) {
      case '-':
        m.kind = Kind::Move;
        m.colour = static_cast<std::uint8_t>(read_colour(in_));
        m.pay = in_.accept('j');
        break;
      case 'x':
        m.kind = Kind::Capture;
        m.pay = static_cast<std::uint8_t>(2 * (in_.take("34") - '3'));
        m.pay = static_cast<std::uint8_t>(m.pay + in_.accept('j'));
        break;
      default:
        m.kind = Kind::Demolish;
        if (!is_colour(in_.peek())) break;
        m.pay = static_cast<std::uint8_t>(1 + read_colour(in_));
        in_.expect('j');
    }
    return m;
  }

  int pawns_;
  Cursor& in_;
};

}  // namespace detail

template <int Size>
std::string Blox<Size>::action_to_text(const Options& options, Action a) {
  const Move m = decode(options, a);
  const std::string joker = m.is_joker() ? "j" : "";
  const char colour = detail::letter(m.colour);
  const std::string pawn(1, static_cast<char>('0' + m.rank));
  const std::string line = pawn + detail::kDirectionLetters[m.direction];
  switch (m.kind) {
    case Kind::Enter: return "@" + detail::field_text<Size>(Field(m.field)) + joker;
    case Kind::Move: return line + "-" + colour + joker;
    case Kind::Capture: return line + "x" + std::to_string(m.captured_points()) + joker;
    case Kind::Demolish: return m.is_joker() ? line + "d" + detail::letter(m.pay - 1) + joker : line + "d";
    case Kind::Build: return pawn + "b";
    case Kind::Block: return colour + joker;
    case Kind::Swap: return std::string("~") + colour;
    case Kind::Done: break;
  }
  return "done";
}

template <int Size>
Action Blox<Size>::text_to_action(const Options& options, std::string_view text) {
  const std::string lower_text = lowered(text);
  if (lower_text == "done") return num_actions(options) - 1;
  Cursor in(lower_text);
  const Move m = detail::ActionReader<Size>(options, in).read();
  in.finish();
  return encode(options, m);
}

namespace detail {

// What a player sees of a position, or all of it.
template <int Size>
class PositionWriter {
  using G = Blox<Size>;
  using State = typename G::State;

 public:
  static constexpr Player kEverybody = -1;
  PositionWriter(const State& s, Player viewer) : s_(s), viewer_(viewer) {}

  std::string text() const {
    std::string out = sides_letters(s_.sides) + ' ';
    add_towers(out);
    for (Player p = 0; p < s_.options.players; ++p) add_seat(out += p == 0 ? ' ' : '/', p);
    add_deck(out += ' ');
    (out += ' ') += counts_text(s_.discard);
    append_number(out += ' ', s_.phase);
    append_number(out += s_.end_triggered ? "+ " : " ", s_.to_move);
    (out += ' ') += begun();
    append_number(out += ' ', s_.turns);
    if (sees_all()) (out += ' ') += stream_text(s_.chance);
    return out;
  }
  bool sees_all() const { return viewer_ == kEverybody; }
  bool sees_hand(Player p) const { return sees_all() || viewer_ == p; }
  std::string begun() const {
    if (!G::in_turn(s_)) return "-";
    std::string out;
    const bool build = s_.begun.what == G::Begun::What::Build;
    if (build) out += std::to_string(s_.begun.rank) + "b";
    for (int c = 0; c < kNumColours; ++c) {
      for (int i = 0; i < s_.begun.cards[c]; ++i) (out += build ? "" : "~") += letter(c);
      if (s_.begun.joker == Colour(c)) (out += letter(c)) += 'j';
    }
    return out;
  }

 private:
  void add_towers(std::string& out) const {
    std::string_view before = "";
    s_.board.for_each_tower([&](auto f) {
      (((out += before) += field_text<Size>(f)) += ':') += counts_text(s_.board.tower(f));
      before = ",";
    });
    if (before.empty()) out += '-';
  }
  void add_seat(std::string& out, Player p) const {
    const auto& seat = s_.seats[static_cast<std::size_t>(p)];
    append_number(out, seat.points);
    (out += ':') += sees_hand(p) ? counts_text(seat.hand) : std::to_string(seat.hand.total());
    (out += ':') += counts_text(seat.blocks);
    out += seat.joker ? ":j:" : ":x:";
    if (seat.num_pawns() == 0) out += '-';
    std::string_view before = "";
    for (const auto f : seat.pawns)
      if (!f.is_none()) {
        (out += before) += field_text<Size>(f);
        before = "+";
      }
  }
  void add_deck(std::string& out) const {
    if (!sees_all()) return append_number(out, s_.deck.size());
    if (s_.deck.size() == 0) out += '-';
    for (Deck rest = s_.deck; rest.size() > 0;) out += letter(rest.draw());
  }

  const State& s_;
  Player viewer_;
};

template <int Size>
class PositionReader {
  using G = Blox<Size>;
  using B = Board<Size>;
  using State = typename G::State;
  using Field = typename B::Field;

 public:
  PositionReader(const Options& options, std::string_view text) : in_(text) { s_.options = options; }

  State read() {
    read_sides();
    read_towers();
    for (int p = 0; p < s_.options.players; ++p) {
      in_.expect(p == 0 ? ' ' : '/');
      read_seat(s_.seats[static_cast<std::size_t>(p)]);
    }
    in_.expect(' ');
    read_deck();
    in_.expect(' ');
    s_.discard = read_counts(in_, kMostCards);
    in_.expect(' ');
    s_.phase = static_cast<std::uint8_t>(in_.number(s_.options.start_phase, 4));
    s_.end_triggered = s_.phase == 4 && in_.accept('+');
    in_.expect(' ');
    s_.to_move = static_cast<std::uint8_t>(in_.number(0, s_.options.players - 1));
    in_.expect(' ');
    const std::string_view begun = in_.take_until(" ");
    in_.expect(' ');
    s_.turns = static_cast<std::uint16_t>(in_.number(0, s_.options.max_turns));
    in_.expect(' ');
    s_.chance = read_stream(in_);
    in_.finish();
    const std::string_view broken = G::broken_invariant(s_);
    if (!broken.empty()) throw ParseError("not a position: " + std::string(broken));
    if (begun != "-") play(begun);
    return s_;
  }

 private:
  void read_sides() {
    for (int q = 0; q < kNumQuarters; ++q) {
      const int given = s_.options.sides == kRandomSides ? -1 : s_.options.sides >> q & 1;
      const char side = in_.take(given < 0 ? "AB" : given == 0 ? "A" : "B");
      s_.sides = static_cast<std::uint8_t>(s_.sides | (side == 'B') << q);
    }
    s_.board = B(s_.options.layout(), s_.sides);
    in_.expect(' ');
  }
  // A field after `last`; a piece is put on it by the caller.
  Field read_next_field(Field last) {
    Cursor before = in_;
    const Field f = read_field<Size>(in_);
    if (!last.is_none() && f <= last) before.fail("a field after " + field_text<Size>(last));
    if (!s_.board.is_free(f)) before.fail("a field that is still free");
    return f;
  }
  void read_towers() {
    if (in_.accept('-')) return;
    Field last;
    do {
      last = read_next_field(last);
      in_.expect(':');
      const Counts tower = read_counts(in_, kMostCards);
      if (!tower.any()) in_.fail("the blocks of a tower");
      s_.board.put_tower(last, tower);
    } while (in_.accept(','));
  }
  void read_seat(typename G::Seat& seat) {
    seat.points = static_cast<std::uint32_t>(in_.number(0, G::kMostPoints));
    in_.expect(':');
    seat.hand = read_counts(in_, s_.options.hand);
    in_.expect(':');
    seat.blocks = read_counts(in_, kMostCards);
    in_.expect(':');
    seat.joker = in_.take("jx") == 'j';
    in_.expect(':');
    if (in_.accept('-')) return;
    Field last;
    for (int n = 0; n == 0 || in_.accept('+'); ++n) {
      if (n == s_.options.pawns) in_.fail("at most " + std::to_string(n) + " pawns");
      last = read_next_field(last);
      seat.replace(Field{}, last);
      s_.board.flip_piece(last);
    }
  }
  void read_deck() {
    if (in_.accept('-')) return;
    std::array<std::uint8_t, Deck::kMost> cards{};
    std::size_t n = 0;
    do {
      if (n == cards.size()) in_.fail("at most 64 cards");
      cards[n++] = static_cast<std::uint8_t>(read_colour(in_));
    } while (in_.peek() != ' ');
    s_.deck = Deck(std::span(cards).first(n));
  }
  // The actions of a begun turn are played again, so that it is one that can come about.
  void play(std::string_view text) {
    Cursor turn(text);
    do {
      Cursor before = turn;
      const Action a = G::encode(s_.options, ActionReader<Size>(s_.options, turn).read());
      if (!G::is_legal(s_, a)) before.fail("a begun turn: " + G::why_illegal(s_, a));
      G::apply(s_, a);
      if (!G::in_turn(s_)) before.fail("a turn that is not complete");
    } while (!turn.at_end());
  }

  Cursor in_;
  State s_;
};

}  // namespace detail

template <int Size>
std::string Blox<Size>::to_text(const State& s) {
  using Writer = detail::PositionWriter<Size>;
  return Writer(s, Writer::kEverybody).text();
}

template <int Size>
std::string Blox<Size>::information_state(const State& s, Player viewer) {
  return std::to_string(viewer) + " " + detail::PositionWriter<Size>(s, viewer).text();
}

template <int Size>
typename Blox<Size>::State Blox<Size>::parse(const Options& options, std::string_view text) {
  return detail::PositionReader<Size>(options, text).read();
}

}  // namespace zg::blox
