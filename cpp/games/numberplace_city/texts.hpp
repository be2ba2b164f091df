// The texts of actions and positions: RULES.md sections 7 and 8.
#pragma once

#include <string>

#include "core/stream_text.hpp"
#include "games/numberplace_city/numberplace_city.hpp"

namespace zg::numberplace_city {

inline std::string NumberplaceCity::action_to_text(const Options&, Action a) {
  const Move m = decode_move(a);
  const std::string number(1, static_cast<char>('0' + m.number));
  switch (m.kind) {
    case Kind::Lay: return cell_text(m.cell) + "=" + number;
    case Kind::PassWith: return "pass=" + number;
    case Kind::Pass: return "pass";
    case Kind::Remove: return "remove=" + cell_text(m.cell);
    case Kind::Start: return "start";
    case Kind::Discard: return "discard=" + number;
    case Kind::Turn: return "turn=" + std::string(kTurnNames[m.turn]);
    case Kind::Point: return "point";
    case Kind::Win: return "win";
    case Kind::Decline: break;
  }
  return "decline";
}

namespace detail {

struct KindName {
  std::string_view word;
  Kind kind;
};
inline constexpr std::array<KindName, 8> kKindNames{{{"pass", Kind::Pass},
                                                     {"remove", Kind::Remove},
                                                     {"start", Kind::Start},
                                                     {"discard", Kind::Discard},
                                                     {"turn", Kind::Turn},
                                                     {"point", Kind::Point},
                                                     {"win", Kind::Win},
                                                     {"decline", Kind::Decline}}};

// The words that may stand here: the one that does.
template <class Names, class WordOf>
std::size_t read_word(Cursor& in, std::string_view stops, const Names& names, WordOf&& word_of) {
  const Cursor before = in;
  const std::string_view given = in.take_until(stops);
  std::string words;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (word_of(names[i]) == given) return i;
    (words += words.empty() ? "" : ", ") += word_of(names[i]);
  }
  before.fail("one of " + words);
}

inline Move read_lay(Cursor& in) {
  Move m;
  m.kind = Kind::Lay;
  m.cell = read_cell(in);
  in.expect('=');
  m.number = static_cast<std::uint8_t>(read_number(in));
  return m;
}

// From a text in lower case.
inline Move read_move(Cursor& in) {
  Cursor word = in;
  if (word.accept('r') && kDigits.find(word.peek()) != kDigits.npos) return read_lay(in);
  Move m;
  m.kind = kKindNames[read_word(in, "=", kKindNames, [](const KindName& name) { return name.word; })].kind;
  if (m.kind == Kind::Pass && in.peek() == '=') m.kind = Kind::PassWith;
  const bool takes_more =
      m.kind == Kind::PassWith || m.kind == Kind::Remove || m.kind == Kind::Discard || m.kind == Kind::Turn;
  if (!takes_more) return m;
  in.expect('=');
  if (m.kind == Kind::Remove)
    m.cell = read_cell(in);
  else if (m.kind == Kind::Turn)
    m.turn = static_cast<std::uint8_t>(read_word(in, "=", kTurnNames, [](std::string_view name) { return name; }));
  else
    m.number = static_cast<std::uint8_t>(read_number(in));
  return m;
}

// What a player sees of a position, or all of it.
class PositionWriter {
  using G = NumberplaceCity;
  using State = G::State;

 public:
  static constexpr Player kEverybody = -1;
  static constexpr std::array<std::string_view, 3> kStatusNames{"in", "passed", "out"};

  PositionWriter(const State& s, Player viewer) : s_(s), viewer_(viewer) {}

  std::string text() const {
    std::string out = board();
    (out += ' ') += laid();
    for (int p = 0; p < s_.options.players; ++p) add_seat(out += p == 0 ? ' ' : '/', p);
    add_supply(out += ' ');
    (out += ' ') += tiles_text(s_.discard);
    append_number(out += ' ', s_.start);
    if (s_.next_start != s_.start) append_number(out += '>', s_.next_start);
    (out += ' ') += s_.place == G::kAllHaveActed ? "-" : std::to_string(s_.place);
    (out += ' ') += bonus();
    (out += ' ') += end();
    append_number(out += ' ', s_.turns);
    if (viewer_ == kEverybody) (out += ' ') += stream_text(s_.chance);
    return out;
  }
  std::string laid() const {
    std::string out;
    for (const G::Laid& laid : s_.laid)
      out += (out.empty() ? "" : ",") + std::to_string(laid.seat) + ":" + cell_text(laid.cell) + "=" +
             (G::sees_laid(s_, viewer_, laid) ? static_cast<char>('0' + laid.number) : '?');
    return out.empty() ? "-" : out;
  }
  std::string hand(int p) const { return seen(s_.seat(p).hand, G::sees_hand(viewer_, p)); }
  std::string penalties(int p) const { return seen(s_.seat(p).penalties, G::sees_penalties(s_, viewer_, p)); }
  std::string end() const {
    const std::string how(G::kEndNames[static_cast<std::size_t>(s_.end.how)]);
    return s_.end.has_winner() ? how + ":" + std::to_string(s_.end.winner) : how;
  }

 private:
  static std::string seen(Tiles tiles, bool open) {
    return open || !tiles.any() ? tiles_text(tiles) : std::string(static_cast<std::size_t>(tiles.total()), '?');
  }
  std::string board() const {
    std::string out(kNumCells, '.');
    for (int number = 1; number <= kNumNumbers; ++number)
      s_.board.built(number).for_each(
          [&](int cell) { out[static_cast<std::size_t>(cell)] = static_cast<char>('0' + number); });
    return out;
  }
  void add_seat(std::string& out, int p) const {
    const G::Seat& seat = s_.seat(p);
    append_number(out, seat.points);
    (out += ':') += hand(p);
    (out += ':') += penalties(p);
    (out += ':') += kStatusNames[static_cast<std::size_t>(seat.status)];
  }
  void add_supply(std::string& out) const {
    if (viewer_ != kEverybody) return append_number(out, static_cast<int>(s_.supply.size()));
    if (s_.supply.empty()) out += '-';
    for (std::size_t i = 0; i < s_.supply.size(); ++i) out += static_cast<char>('0' + s_.supply[i]);
  }
  std::string bonus() const {
    const G::Bonus& bonus = s_.bonus;
    if (!bonus.is_pending()) return "-";
    const std::string out = std::to_string(bonus.seat) + ":" + std::to_string(bonus.number);
    return s_.options.bonus_scope == BonusScope::AllUpTo ? out + ":" + std::to_string(bonus.step) : out;
  }

  const State& s_;
  Player viewer_;
};

class PositionReader {
  using G = NumberplaceCity;
  using State = G::State;

 public:
  PositionReader(const Options& options, std::string_view text) : in_(text) { s_.options = options; }

  State read() {
    read_board();
    in_.expect(' ');
    read_laid();
    for (int p = 0; p < s_.options.players; ++p) {
      in_.expect(p == 0 ? ' ' : '/');
      read_seat(s_.seat(p));
    }
    in_.expect(' ');
    read_supply();
    in_.expect(' ');
    s_.discard = read_tiles(in_, kMostTiles);
    in_.expect(' ');
    s_.start = read_seat_number();
    s_.next_start = in_.accept('>') ? read_next_start() : s_.start;
    in_.expect(' ');
    s_.place = in_.accept('-') ? G::kAllHaveActed : small(0, G::num_places(s_) - 1);
    in_.expect(' ');
    read_bonus();
    in_.expect(' ');
    read_end();
    in_.expect(' ');
    s_.turns = static_cast<std::uint16_t>(in_.number(0, s_.options.max_turns));
    in_.expect(' ');
    s_.chance = read_stream(in_);
    in_.finish();
    const std::string_view broken = G::broken_invariant(s_);
    if (!broken.empty()) throw ParseError("not a position: " + std::string(broken));
    return s_;
  }

 private:
  static std::string_view same(std::string_view name) { return name; }
  std::uint8_t small(int lowest, int highest) { return static_cast<std::uint8_t>(in_.number(lowest, highest)); }
  std::uint8_t read_seat_number() { return small(0, s_.options.players - 1); }
  std::uint8_t read_next_start() {
    const Cursor before = in_;
    const std::uint8_t next = read_seat_number();
    if (next == s_.start) before.fail("another seat than " + std::to_string(next));
    return next;
  }

  void read_board() {
    for (int cell = 0; cell < kNumCells; ++cell)
      if (const char c = in_.take(".123456789"); c != '.') s_.board.flip(Cell(cell), c - '0');
  }
  void read_laid() {
    if (in_.accept('-')) return;
    do {
      if (s_.laid.size() == G::kMostPlaces) in_.fail("at most four laid tiles");
      G::Laid laid;
      laid.seat = read_seat_number();
      in_.expect(':');
      const Move m = read_lay(in_);
      s_.laid.push_back({m.cell, m.number, laid.seat});
    } while (in_.accept(','));
  }
  void read_seat(G::Seat& seat) {
    seat.points = small(0, s_.options.points_to_win + 4);
    in_.expect(':');
    seat.hand = read_tiles(in_, kMostHand);
    in_.expect(':');
    seat.penalties = read_tiles(in_, kMostTiles);
    in_.expect(':');
    seat.status = static_cast<G::Status>(read_word(in_, " /", PositionWriter::kStatusNames, same));
  }
  void read_supply() {
    if (in_.accept('-')) return;
    std::array<std::uint8_t, kMostTiles> numbers{};
    std::size_t n = 0;
    do {
      if (n == numbers.size()) in_.fail("at most " + std::to_string(n) + " tiles");
      numbers[n++] = static_cast<std::uint8_t>(read_number(in_));
    } while (in_.peek() != ' ');
    s_.supply = Supply(std::span(numbers).first(n));
  }
  void read_bonus() {
    if (in_.accept('-')) return;
    s_.bonus.seat = read_seat_number();
    in_.expect(':');
    s_.bonus.number = static_cast<std::uint8_t>(read_number(in_));
    s_.bonus.step = s_.bonus.number;
    if (s_.options.bonus_scope != BonusScope::AllUpTo) return;
    in_.expect(':');
    s_.bonus.step = static_cast<std::uint8_t>(read_number(in_));
  }
  void read_end() {
    s_.end.how = static_cast<G::Ended>(read_word(in_, " :", G::kEndNames, same));
    if (!s_.end.has_winner()) return;
    in_.expect(':');
    s_.end.winner = read_seat_number();
  }

  Cursor in_;
  State s_;
};

}  // namespace detail

inline Action NumberplaceCity::text_to_action(const Options&, std::string_view text) {
  const std::string lower_text = lowered(text);
  Cursor in(lower_text);
  const Move m = detail::read_move(in);
  in.finish();
  return encode_move(m);
}

inline std::string NumberplaceCity::to_text(const State& s) {
  return detail::PositionWriter(s, detail::PositionWriter::kEverybody).text();
}

inline std::string NumberplaceCity::information_state(const State& s, Player viewer) {
  return std::to_string(viewer) + " " + detail::PositionWriter(s, viewer).text();
}

inline NumberplaceCity::State NumberplaceCity::parse(const Options& options, std::string_view text) {
  return detail::PositionReader(options, text).read();
}

}  // namespace zg::numberplace_city
