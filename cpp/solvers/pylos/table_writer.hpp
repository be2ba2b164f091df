// From the codes of all positions to table files.
#pragma once

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "engine/parallel.hpp"
#include "solvers/pylos/bit_map.hpp"
#include "solvers/pylos/catalogue.hpp"
#include "solvers/pylos/codec.hpp"
#include "solvers/pylos/mapped_file.hpp"
#include "solvers/pylos/order.hpp"
#include "solvers/pylos/retrograde.hpp"
#include "solvers/pylos/summary.hpp"
#include "solvers/pylos/survey.hpp"
#include "solvers/pylos/table_format.hpp"

namespace zg::pylos::solver {

// The colourings of one set of cells in the order of a table, and their codes.
template <int Base>
class SetReader {
  using Geo = Geometry<Base>;
  using Ord = Order<Base>;
  using P = Pyramid<Base>;

 public:
  SetReader(const Options& options, typename Ord::Ids cells, const typename Catalogue<Base>::Entry& entry,
            const Code* codes)
      : balls_(std::popcount(cells)), codes_(codes + entry.first), to_entry_(places_in_entry(cells, entry.cells)) {
    const std::vector<int> order = cells_in_order(cells);
    for (int k = 1; k < 8; ++k)
      if (Ord::transformed(cells, k) == cells) same_.emplace_back(images_in_order(order, k));
    if (skips_turns(options)) {
      raisers_ = static_cast<Cells>(gather_bits(Geo::raisers(entry.cells), entry.cells));
      skips_ = true;
    }
  }

  int balls() const { return balls_; }
  // The code of a position that a probe can ask for; -1: none does, since there is no such position, another one stands
  // for it, or the rules alone decide.
  int code(std::uint32_t number) const {
    const int own = std::popcount(number);
    if (number >> balls_ != 0 || own > Geo::kEach || balls_ - own > Geo::kEach) return -1;
    for (const BitMap& same : same_)
      if (same(number) < number) return -1;
    const std::uint32_t place = to_entry_(number);
    if (skips_ && own == Geo::kEach && (place & raisers_) == 0) return -1;
    return codes_[place] == 1 ? -1 : codes_[place];
  }

 private:
  static std::vector<int> cells_in_order(typename Ord::Ids cells) {  // ids
    std::vector<int> out;
    for (const auto group : Ord::groups(Ord::balls(cells)))
      for_each_bit(group, [&](int i) { out.push_back(P::cell_at(i).value()); });
    return out;
  }
  static BitMap places_in_entry(typename Ord::Ids cells, Cells entry) {
    const auto wanted = Ord::ids(Geo::balls(entry));
    int k = 0;
    while (Ord::transformed(cells, k) != wanted) ++k;
    std::vector<int> out;
    for (const int id : cells_in_order(cells)) {
      const auto image = P::transformed_cell(typename P::Cell(id), k);
      out.push_back(place_in(entry, std::countr_zero(Geo::cells(P::ball(image)))));
    }
    return BitMap(out);
  }
  static BitMap images_in_order(const std::vector<int>& order, int k) {
    std::vector<int> out;
    for (const int id : order) {
      const int image = P::transformed_cell(typename P::Cell(id), k).value();
      out.push_back(static_cast<int>(std::find(order.begin(), order.end(), image) - order.begin()));
    }
    return BitMap(out);
  }

  int balls_;
  const Code* codes_;
  BitMap to_entry_;
  std::vector<BitMap> same_;  // the symmetries that leave the set as it is
  bool skips_ = false;
  Cells raisers_ = 0;  // places of balls that could be raised
};

// A file that is written from the beginning to the end. FileError when the disk is full.
class FileWriter {
 public:
  explicit FileWriter(const std::string& path) : path_(path) {
    set_aside(path);
    file_ = std::fopen(path.c_str(), "wb");
    if (file_ == nullptr) fail();
  }
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  ~FileWriter() {
    if (file_ != nullptr) std::fclose(file_);
  }
  void write(const void* data, std::size_t bytes) {
    if (bytes > 0 && std::fwrite(data, 1, bytes, file_) != bytes) fail();
  }
  void close() {
    if (std::fclose(std::exchange(file_, nullptr)) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const { throw FileError(errno, path_); }
  std::string path_;
  std::FILE* file_ = nullptr;
};

template <int Base>
class TableWriter {
  using Ord = Order<Base>;

 public:
  // Sets of more than `most_balls` are left out: an excerpt.
  TableWriter(const Options& options, const Catalogue<Base>& catalogue, const Code* codes, const Summary& summary,
              int threads, int most_balls = Catalogue<Base>::kMostBalls)
      : options_(options), codes_(codes), summary_(summary), threads_(threads), most_balls_(most_balls) {
    for (const auto& entry : catalogue.entries())
      if (std::popcount(entry.cells) <= most_balls)
        sets_.push_back({Ord::canonical(Ord::ids(Geometry<Base>::balls(entry.cells))), entry});
    std::sort(sets_.begin(), sets_.end(), [](const Item& a, const Item& b) { return a.cells < b.cells; });
  }

  void write(Content content, const std::string& path, const Monitor& monitor) {
    content_ = content;
    kind_ = content == Content::Values ? kValues : kDistances(static_cast<int>(summary_.passes.size()));
    plan();
    Progress progress;
    const Codec codec = survey(progress, monitor);
    std::vector<std::vector<std::uint16_t>> coded(tasks_.size());
    sizes_.assign(first_blocks_.back(), 0);
    run(progress, monitor, [&](const Task& task, std::size_t i, std::size_t) {
      for_blocks(task, 1, [&](std::uint32_t block, const WantedBlock& wanted, BallCount count) {
        const std::vector<std::uint16_t> words = codec.encode(wanted, count);
        sizes_[block] = static_cast<std::uint16_t>(words.size());
        coded[i].insert(coded[i].end(), words.begin(), words.end());
      });
    });
    save(codec, coded, path);
  }

 private:
  struct Item {
    typename Ord::Ids cells;
    typename Catalogue<Base>::Entry entry;
  };
  struct Task {
    std::size_t set;
    std::uint32_t begin, end;  // blocks of the set
  };

  int block_bits() const { return kSymbolBits + kind_.positions_bits; }

  void plan() {
    constexpr std::uint32_t kTask = 256;
    first_blocks_ = {0};
    tasks_.clear();
    for (std::size_t set = 0; set < sets_.size(); ++set) {
      const std::uint32_t blocks = 1u << std::max(0, std::popcount(sets_[set].cells) - block_bits());
      for (std::uint32_t begin = 0; begin < blocks; begin += kTask)
        tasks_.push_back({set, begin, std::min(blocks, begin + kTask)});
      first_blocks_.push_back(first_blocks_.back() + blocks);
    }
  }

  static std::uint32_t mixed(std::uint32_t block) { return (block * 0x9E3779B1u) >> 8; }

  template <class F>
  void run(Progress& progress, const Monitor& monitor, F&& f) {
    const bool whole = Workers::run(tasks_.size(), threads_, progress, monitor, [&](std::size_t i, int worker) {
      f(tasks_[i], i, static_cast<std::size_t>(worker));
      progress.done += tasks_[i].end - tasks_[i].begin;
    });
    if (!whole) throw Stopped{};
  }

  // f(block, what it is to hold) for the blocks of a task, or for one of so many, drawn evenly from all.
  template <class F>
  void for_blocks(const Task& task, std::uint32_t every, F&& f) const {
    const SetReader<Base> reader(options_, sets_[task.set].cells, sets_[task.set].entry, codes_);
    WantedBlock wanted;
    for (std::uint32_t b = task.begin; b < task.end; ++b) {
      const std::uint32_t block = first_blocks_[task.set] + b;
      if (mixed(block) % every != 0) continue;
      read_block(reader, b, wanted);
      f(block, wanted, ball_count<Base>(reader.balls(), b));
    }
  }
  void read_block(const SetReader<Base>& reader, std::uint32_t b, WantedBlock& wanted) const {
    for (std::uint32_t x = 0; x < kSymbols; ++x) {
      Wanted& w = wanted[x] = {};
      for (std::uint32_t i = 0; i < 1u << kind_.positions_bits; ++i) {
        const int code = reader.code((b << kSymbolBits | x) << kind_.positions_bits | i);
        if (code < 0) continue;
        if (content_ == Content::Distances) {
          w = {static_cast<std::uint16_t>(code), 0xFFFF};
        } else {
          w.value = static_cast<std::uint16_t>(w.value | static_cast<int>(value_of(code)) << (2 * i));
          w.care = static_cast<std::uint16_t>(w.care | 3 << (2 * i));
        }
      }
    }
  }
  Value value_of(int code) const {
    if (code == 0) return Value::Draw;
    return pass_of(skips_turns(options_), code).win ? Value::Win : Value::Loss;
  }

  Codec survey(Progress& progress, const Monitor& monitor) {
    const std::uint32_t every = std::max(1u, first_blocks_.back() / kSurveyed);
    std::vector<Survey> surveys(static_cast<std::size_t>(threads_));
    std::vector<std::uint64_t> shapes;
    if (kind_.shapes) {
      run(progress, monitor, [&](const Task& task, std::size_t, std::size_t worker) {
        for_blocks(task, every,
                   [&](std::uint32_t, const WantedBlock& w, BallCount) { surveys[worker].count_shapes(w); });
      });
      for (std::size_t i = 1; i < surveys.size(); ++i) surveys[0].merge_shapes(surveys[i]);
      shapes = surveys[0].frequent_shapes();
    }
    const Codec plain(kind_, Models(), shapes, Models());
    run(progress, monitor, [&](const Task& task, std::size_t, std::size_t worker) {
      for_blocks(task, every,
                 [&](std::uint32_t, const WantedBlock& w, BallCount n) { surveys[worker].count_symbols(plain, w, n); });
    });
    for (std::size_t i = 1; i < surveys.size(); ++i) surveys[0].merge_symbols(surveys[i]);
    constexpr int kDeep = 150;  // more symbols than that have shorter contexts, lest their index be large
    return Codec(kind_, Models(surveys[0].symbols(), kind_.none, kind_.none <= kDeep ? 3 : 2), shapes,
                 Models(surveys[0].shapes(), Codec::kNoneBefore, 2));
  }

  void save(const Codec& codec, const std::vector<std::vector<std::uint16_t>>& coded, const std::string& path) const {
    std::vector<std::uint32_t> cells;
    for (const Item& item : sets_) cells.push_back(item.cells);
    std::vector<std::byte> data;
    for (const auto& words : coded) {
      const auto bytes = std::as_bytes(std::span(words));
      data.insert(data.end(), bytes.begin(), bytes.end());
    }
    std::vector<std::uint64_t> starts, sums;
    for (std::size_t block = 0, at = 0; block < sizes_.size();) {
      starts.push_back(at);
      const std::size_t begin = at;
      for (std::uint32_t i = 0; i < kGroupBlocks && block < sizes_.size(); ++i) at += std::size_t{2} * sizes_[block++];
      sums.push_back(checksum({data.data() + begin, at - begin}));
    }
    const std::vector<std::uint64_t> summary = summary_.packed();
    const std::vector<std::uint32_t> symbols = codec.symbols().packed(), shape_models = codec.shape_models().packed();
    const std::array<std::span<const std::byte>, kParts> parts{
        std::as_bytes(std::span(summary)),        std::as_bytes(std::span(symbols)),
        std::as_bytes(std::span(codec.shapes())), std::as_bytes(std::span(shape_models)),
        std::as_bytes(std::span(cells)),          std::as_bytes(std::span(first_blocks_)),
        std::as_bytes(std::span(sizes_)),         std::as_bytes(std::span(starts)),
        std::as_bytes(std::span(sums)),           std::span<const std::byte>(data)};
    write_file(parts, path);
  }
  void write_file(const std::array<std::span<const std::byte>, kParts>& parts, const std::string& path) const {
    FileHeader header;
    header.content = content_;
    header.passes = static_cast<std::uint32_t>(summary_.passes.size());
    header.num_balls = static_cast<std::uint32_t>(summary_.by_balls.size());
    header.most_balls = static_cast<std::uint32_t>(most_balls_);
    header.game = game_field(options_);
    std::uint64_t at = sizeof(FileHeader);
    for (std::size_t i = 0; i < kParts; ++i) {
      header.sections[i] = {at, parts[i].size()};
      if (i != kDataPart) header.index_sum = checksum(parts[i], header.index_sum);
      at += (parts[i].size() + 7) / 8 * 8;
    }
    header.file_bytes = at;
    header.header_sum = header_sum(header);
    FileWriter file(path);
    file.write(&header, sizeof(header));
    for (const auto& part : parts) {
      constexpr std::array<char, 8> kFill{};
      file.write(part.data(), part.size());
      file.write(kFill.data(), (8 - part.size() % 8) % 8);
    }
    file.close();
  }
  static constexpr std::uint32_t kSurveyed = 1u << 18;  // blocks

  Options options_;
  const Code* codes_;
  Summary summary_;
  int threads_;
  int most_balls_;
  std::vector<Item> sets_;
  Content content_ = Content::Values;
  Kind kind_ = kValues;
  std::vector<std::uint32_t> first_blocks_;  // by set, and one behind the last
  std::vector<std::uint16_t> sizes_;
  std::vector<Task> tasks_;
};

}  // namespace zg::pylos::solver
