// Many games of one kind side by side, each a row. A row's chance and choices come from streams of its own (seed,
// index, episode), so that what happens in it depends neither on the other rows nor on who runs it: docs/batches.md.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/error.hpp"
#include "core/random.hpp"
#include "engine/checked.hpp"
#include "engine/crew.hpp"
#include "engine/observe.hpp"
#include "engine/playout.hpp"
#include "engine/policy.hpp"
#include "game.hpp"

namespace zg {

// What becomes of a finished game: the next step begins a new one, the same step does, or nothing.
enum class Autoreset : std::uint8_t { NextStep, SameStep, Disabled };

inline constexpr std::int32_t kNobody = -4;  // to move after the end: OpenSpiel's kTerminalPlayerId

// Observations to write, one row a game; none if both spans are empty.
struct ObservationTarget {
  Encoding encoding = Encoding::Planes;
  std::size_t size = 0;  // elements of one
  std::span<float> floats{};
  std::span<std::uint8_t> bytes{};

  bool is_wanted() const { return !floats.empty() || !bytes.empty(); }
  template <Game G>
  void write(const typename G::State& s, Player viewer, std::size_t row) const {
    if (!floats.empty()) observe<G>(s, viewer, encoding, floats.subspan(row * size, size));
    if (!bytes.empty()) observe<G>(s, viewer, encoding, bytes.subspan(row * size, size));
  }
};

// Where a step or a reset writes; empty spans are left out.
struct BatchTargets {
  std::span<float> rewards{};      // a row of players each
  std::span<bool> terminations{};  // has the game ended (in this step, where the game is a new one)?
  std::span<std::int32_t> current_players{};
  ObservationTarget observation{};        // as the player to move sees it
  ObservationTarget final_observation{};  // of games that this step ended and reset; other rows are left alone
  std::span<std::uint8_t> mask{};
  std::span<std::uint8_t> packed{};  // bit a % 8 of byte a / 8
  std::span<std::int64_t> indptr{};  // the list itself: write_listed
};

inline std::size_t packed_size(int actions) { return (static_cast<std::size_t>(actions) + 7) / 8; }

template <Game G>
class Batch {
 public:
  using State = typename G::State;
  using Options = typename G::Options;
  using LegalSet = decltype(G::legal(std::declval<const State&>()));

  // Small legal sets are kept, large ones made again.
  static constexpr bool kKeepsLegal = sizeof(LegalSet) <= 128;
  struct Nothing {};

  struct Row {
    State state;
    Stream choices, opponents;
    std::uint64_t seed = 0, index = 0, episode = 0;
    [[no_unique_address]] std::conditional_t<kKeepsLegal, LegalSet, Nothing> legal;
    Action pending = 0;
    bool over = false;
    enum class Task : std::uint8_t { Idle, Play, Begin, Refuse } task = Task::Idle;
  };

  Batch(const Options& options, std::size_t rows, std::uint64_t seed, std::uint64_t first, int threads,
        Autoreset autoreset, Crew::Time worth_waking = Crew::kWorthWaking)
      : options_(options), autoreset_(autoreset), rows_(rows), crew_(threads, worth_waking) {
    for (std::size_t i = 0; i < rows; ++i) {
      rows_[i].seed = seed;
      rows_[i].index = first + i;
    }
    for (Row& row : rows_) begin(row);
  }
  // Rows of another batch.
  Batch(const Batch& other, std::span<const std::int64_t> rows)
      : options_(other.options_),
        autoreset_(other.autoreset_),
        rows_(rows.size()),
        crew_(other.crew_.threads(), other.crew_.worth_waking()) {
    for (std::size_t i = 0; i < rows.size(); ++i) rows_[i] = other.rows_[static_cast<std::size_t>(rows[i])];
  }

  std::size_t size() const { return rows_.size(); }
  const Options& options() const { return options_; }
  Autoreset autoreset() const { return autoreset_; }
  const Row& row(std::size_t i) const { return rows_[i]; }
  const State& state(std::size_t i) const { return rows_[i].state; }
  Player current_player(std::size_t i) const { return rows_[i].over ? kNobody : G::to_move(rows_[i].state); }

  // A position in place of the row's; its streams stay.
  void set_state(std::size_t i, const State& s) {
    rows_[i].state = s;
    look(rows_[i]);
  }
  // The row as it was when its streams had been drawn from so often.
  void restore(std::size_t i, std::array<std::uint64_t, 3> origin, const State& s, std::uint64_t choices,
               std::uint64_t opponents) {
    Row& row = rows_[i];
    row.seed = origin[0];
    row.index = origin[1];
    row.episode = origin[2];
    begin_streams(row);
    row.choices.counter = choices;
    row.opponents.counter = opponents;
    set_state(i, s);
  }

  // Plays actions[i] in every row with mask[i] (all, if there is no mask). If any is refused nothing changes.
  void step(std::span<const std::int64_t> actions, std::span<const std::uint8_t> mask, const BatchTargets& out) {
    each_row(planning_, [&](std::size_t i) { rows_[i].task = plan(rows_[i], actions, i, is_chosen(mask, i)); });
    refuse_illegal();
    publish_rows(out, [&](Row& row, std::size_t i) { carry_out(row, i, out); });
  }

  // Begins the next episode in the rows of the mask; with a seed, its first.
  void reset(std::span<const std::uint8_t> mask, const std::uint64_t* seed, const BatchTargets& out) {
    publish_rows(out, [&](Row& row, std::size_t i) {
      write_rewards(row, i, false, out);
      if (!is_chosen(mask, i)) return;
      row.episode = seed != nullptr ? 0 : row.episode + 1;
      if (seed != nullptr) row.seed = *seed;
      begin(row);
    });
  }

  // A uniform choice, or one by logits, in every row with mask[i]; -1 in the others and after the end.
  void sample(std::span<const float> logits, std::span<const std::uint8_t> mask, StreamTag tag,
              std::span<std::int32_t> out) {
    const auto actions = static_cast<std::size_t>(G::num_actions(options_));
    const auto of_row = [&](std::size_t i) { return logits.subspan(i * actions, actions); };
    if (!logits.empty()) refuse_logits(mask, of_row);
    each_row(sampling_, [&](std::size_t i) {
      Row& row = rows_[i];
      out[i] = -1;
      if (row.over || !is_chosen(mask, i)) return;
      Stream& random = tag == StreamTag::Opponents ? row.opponents : row.choices;
      with_legal(row, [&](const LegalSet& legal) {
        out[i] = logits.empty() ? draw_uniform(legal, random) : draw_by_logits(legal, of_row(i), random);
      });
    });
  }

  // As players[i] sees row i; the player to move if there are none.
  void observe_rows(std::span<const Player> players, const ObservationTarget& out) {
    each_row(observing_, [&](std::size_t i) {
      const State& s = rows_[i].state;
      out.template write<G>(s, players.empty() ? G::to_move(s) : players[i], i);
    });
  }
  // What there is to see now: no game has ended.
  void show(const BatchTargets& out) {
    publish_rows(out, [&](const Row& row, std::size_t i) { write_rewards(row, i, false, out); });
  }

  // The legal actions that the last call with `indptr` has listed.
  std::size_t num_listed() const { return listed_total_; }
  void write_listed(std::span<std::int32_t> out) const {
    auto next = out.begin();
    for (const auto& block : listed_) next = std::copy(block.begin(), block.end(), next);
  }

 private:
  static constexpr std::size_t kBlock = 32;  // rows of one task

  static bool is_chosen(std::span<const std::uint8_t> mask, std::size_t i) { return mask.empty() || mask[i] != 0; }

  template <class F>
  void each_block(Crew::Pace& pace, F&& f) {
    crew_.run(pace, (rows_.size() + kBlock - 1) / kBlock,
              [&](std::size_t block) { f(block, block * kBlock, std::min(rows_.size(), (block + 1) * kBlock)); });
  }
  template <class F>
  void each_row(Crew::Pace& pace, F&& f) {
    each_block(pace, [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) f(i);
    });
  }

  template <class F>
  static void with_legal(const Row& row, F&& f) {
    if constexpr (kKeepsLegal)
      f(row.legal);
    else
      f(G::legal(row.state));
  }
  // After every change of a state.
  static void look(Row& row) {
    if constexpr (kKeepsLegal) {
      row.legal = G::legal(row.state);
      row.over = row.legal.count() == 0;
    } else {
      row.over = G::is_terminal(row.state);
    }
  }
  static bool is_legal(const Row& row, Action a) {
    if constexpr (kKeepsLegal)
      return row.legal.contains(a);
    else
      return G::is_legal(row.state, a);
  }

  static std::uint64_t begin_streams(Row& row) {
    const std::uint64_t seed = row.episode == 0 ? row.seed : stream_key(row.seed, row.episode, StreamTag::Episode);
    row.choices = {stream_key(seed, row.index, StreamTag::Playout)};
    row.opponents = {stream_key(seed, row.index, StreamTag::Opponents)};
    return stream_key(seed, row.index, StreamTag::Chance);
  }
  void begin(Row& row) const {
    row.state = G::initial(options_, begin_streams(row));
    look(row);
  }

  // ---- step ----
  using Task = typename Row::Task;

  Task plan(Row& row, std::span<const std::int64_t> actions, std::size_t i, bool chosen) const {
    if (!chosen) return Task::Idle;
    if (row.over && autoreset_ != Autoreset::Disabled) return Task::Begin;
    const std::int64_t action = actions[i];
    const bool is_id = action >= 0 && action < G::num_actions(options_);
    row.pending = is_id ? static_cast<Action>(action) : -1;
    return is_id && !row.over && is_legal(row, row.pending) ? Task::Play : Task::Refuse;
  }

  void refuse_illegal() const {
    std::vector<std::int64_t> refused;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (rows_[i].task == Task::Refuse) refused.push_back(static_cast<std::int64_t>(i));
    if (refused.empty()) return;
    const Row& row = rows_[static_cast<std::size_t>(refused.front())];
    std::string why = "no such action; ids are 0 to " + std::to_string(G::num_actions(options_) - 1);
    if (row.pending >= 0) why = why_refused(row);
    throw IllegalActions(
        "nothing was played: " + row_names(refused) + "; row " + std::to_string(refused.front()) + ": " + why, refused);
  }
  static std::string why_refused(const Row& row) {
    try {
      check_legal<G>(row.state, row.pending);
    } catch (const IllegalAction& e) {
      return e.what();
    }
    return "the game is over";
  }
  static std::string row_names(const std::vector<std::int64_t>& rows) {
    constexpr std::size_t kMost = 10;
    std::string out = rows.size() == 1 ? "the action of row " : "the actions of rows ";
    for (std::size_t i = 0; i < std::min(rows.size(), kMost); ++i) out += (i > 0 ? ", " : "") + std::to_string(rows[i]);
    if (rows.size() > kMost) out += " and " + std::to_string(rows.size() - kMost) + " more";
    return out + (rows.size() == 1 ? " is not legal" : " are not legal");
  }

  void carry_out(Row& row, std::size_t i, const BatchTargets& out) const {
    const bool played = row.task == Task::Play;
    if (row.task == Task::Begin) begin_next(row);
    if (played) {
      G::apply(row.state, row.pending);
      look(row);
    }
    write_rewards(row, i, played && row.over, out);
    if (!played || !row.over || autoreset_ != Autoreset::SameStep) return;
    if (out.final_observation.is_wanted()) out.final_observation.template write<G>(row.state, G::to_move(row.state), i);
    begin_next(row);
  }
  void begin_next(Row& row) const {
    ++row.episode;
    begin(row);
  }

  // ---- what is written ----
  void write_rewards(const Row& row, std::size_t i, bool ended, const BatchTargets& out) const {
    if (!out.terminations.empty()) out.terminations[i] = ended;
    if (out.rewards.empty()) return;
    const int players = G::num_players(options_);
    const auto mine = out.rewards.subspan(i * static_cast<std::size_t>(players), static_cast<std::size_t>(players));
    std::fill(mine.begin(), mine.end(), 0.0F);
    if (!ended) return;
    const PlayerMask winners = G::winners(row.state);
    for (int p = 0; p < players; ++p)
      mine[static_cast<std::size_t>(p)] = static_cast<float>(return_of(winners, p, players));
  }

  // change(row, i), then the views of the row, for every row.
  template <class Change>
  void publish_rows(const BatchTargets& out, Change&& change) {
    if (!out.indptr.empty()) listed_.resize((rows_.size() + kBlock - 1) / kBlock);
    each_block(publishing_, [&](std::size_t block, std::size_t begin, std::size_t end) {
      if (!out.indptr.empty()) listed_[block].clear();
      for (std::size_t i = begin; i < end; ++i) {
        change(rows_[i], i);
        publish(rows_[i], i, block, out);
      }
    });
    if (!out.indptr.empty()) add_up(out.indptr);
  }
  void publish(const Row& row, std::size_t i, std::size_t block, const BatchTargets& out) {
    if (!out.current_players.empty()) out.current_players[i] = row.over ? kNobody : G::to_move(row.state);
    if (out.observation.is_wanted()) out.observation.template write<G>(row.state, G::to_move(row.state), i);
    if (out.mask.empty() && out.packed.empty() && out.indptr.empty()) return;
    with_legal(row, [&](const LegalSet& legal) { write_legal_of(legal, i, block, out); });
  }
  void write_legal_of(const LegalSet& legal, std::size_t i, std::size_t block, const BatchTargets& out) {
    const int actions = G::num_actions(options_);
    if (!out.mask.empty())
      legal.write_mask(out.mask.subspan(i * static_cast<std::size_t>(actions), static_cast<std::size_t>(actions)));
    if (!out.packed.empty()) write_packed(legal, out.packed.subspan(i * packed_size(actions), packed_size(actions)));
    if (out.indptr.empty()) return;
    std::vector<Action>& list = listed_[block];
    legal.for_each([&](Action a) { list.push_back(a); });
    out.indptr[i + 1] = static_cast<std::int64_t>(list.size());  // within its block, so far
  }
  static void write_packed(const LegalSet& legal, std::span<std::uint8_t> out) {
    std::fill(out.begin(), out.end(), std::uint8_t{0});
    legal.for_each([&](Action a) {
      std::uint8_t& byte = out[static_cast<std::size_t>(a) / 8];
      byte = static_cast<std::uint8_t>(byte | 1U << (static_cast<unsigned>(a) % 8));
    });
  }
  void add_up(std::span<std::int64_t> indptr) {
    indptr[0] = 0;
    std::int64_t before = 0;
    for (std::size_t block = 0; block < listed_.size(); ++block) {
      const std::size_t end = std::min(rows_.size(), (block + 1) * kBlock);
      for (std::size_t i = block * kBlock; i < end; ++i) indptr[i + 1] += before;
      before += static_cast<std::int64_t>(listed_[block].size());
    }
    listed_total_ = static_cast<std::size_t>(before);
  }

  template <class OfRow>
  void refuse_logits(std::span<const std::uint8_t> mask, OfRow&& of_row) {
    std::vector<std::uint8_t> broken(rows_.size(), 0);
    each_row(sampling_, [&](std::size_t i) {
      if (rows_[i].over || !is_chosen(mask, i)) return;
      with_legal(rows_[i], [&](const LegalSet& legal) { broken[i] = std::isnan(greatest_logit(legal, of_row(i))); });
    });
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (broken[i] != 0)
        throw BadValue("logits of legal actions are finite or -infinity, and not all -infinity, unlike those of row " +
                       std::to_string(i));
  }

  Options options_;
  Autoreset autoreset_;
  std::vector<Row> rows_;
  Crew crew_;
  Crew::Pace planning_, publishing_, sampling_, observing_;
  std::vector<std::vector<Action>> listed_;  // legal actions, a list a block
  std::size_t listed_total_ = 0;
};

}  // namespace zg
