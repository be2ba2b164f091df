// A table file, probed where it lies.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "engine/parallel.hpp"
#include "solvers/pylos/catalogue.hpp"
#include "solvers/pylos/codec.hpp"
#include "solvers/pylos/mapped_file.hpp"
#include "solvers/pylos/memory.hpp"
#include "solvers/pylos/order.hpp"
#include "solvers/pylos/table_format.hpp"

namespace zg::pylos::solver {

template <int Base>
class Table {
  using Ord = Order<Base>;

 public:
  using Place = typename Ord::Place;

  // BadValue for a file that is no table of this content and game, or is damaged; FileError if it cannot be read.
  Table(const std::string& path, Content content, const std::string& game)
      : path_(path), file_(path), header_(read_header(path, file_.bytes())), codec_(read_codec(content, game)) {
    cells_ = part<std::uint32_t>(kCellPart);
    first_blocks_ = part<std::uint32_t>(kFirstBlockPart);
    sizes_ = part<std::uint16_t>(kSizePart);
    starts_ = part<std::uint64_t>(kGroupStartPart);
    sums_ = part<std::uint64_t>(kGroupSumPart);
    data_ = part<std::byte>(kDataPart);
    checked_ = std::vector<std::atomic<std::uint8_t>>(starts_.size());
    check_index();
  }

  const FileHeader& header() const { return header_; }
  std::string game() const { return header_.game.data(); }
  std::span<const std::uint64_t> summary() const { return part<std::uint64_t>(kSummaryPart); }
  std::size_t num_groups() const { return starts_.size(); }

  // Which symbol of which block tells of a position, and which of its positions it is.
  struct Spot {
    std::uint32_t block;
    std::uint32_t symbol;
    std::uint32_t within;
    BallCount count;
  };
  Spot spot_of(const Place& place) const {
    const auto at = std::lower_bound(cells_.begin(), cells_.end(), place.cells);
    if (at == cells_.end() || *at != place.cells)
      throw BadValue(zg::quoted(path_) + " is an excerpt: it holds positions with at most " +
                     std::to_string(header_.most_balls) + " balls on the board, not " +
                     std::to_string(std::popcount(place.cells)));
    const int bits = codec_.kind().positions_bits;
    const std::uint32_t block = place.number >> (kSymbolBits + bits);
    return {first_blocks_[static_cast<std::size_t>(at - cells_.begin())] + block,
            place.number >> bits & ((1u << kSymbolBits) - 1), place.number & ((1u << bits) - 1),
            ball_count<Base>(std::popcount(place.cells), block)};
  }

  // BadValue if it is damaged.
  std::uint8_t symbol_at(const Spot& spot) const {
    if (const std::uint8_t* all = unpacked_.load(std::memory_order_acquire))
      return all[std::size_t{spot.block} * kSymbols + spot.symbol];
    const std::uint32_t group = spot.block / kGroupBlocks;
    if (checked_[group].load(std::memory_order_relaxed) == 0) check_group(group);
    std::size_t start = starts_[group];
    for (std::uint32_t b = group * kGroupBlocks; b < spot.block; ++b) start += std::size_t{2} * sizes_[b];
    if (sizes_[spot.block] == 0) refuse("damaged: a position is missing");
    Codec::Symbols symbols;
    codec_.decode(words(start, spot.block), spot.count, spot.symbol, symbols);
    return symbols[spot.symbol];
  }

  // From then on nothing is decoded any more: a byte of memory for each symbol. Others may go on probing meanwhile.
  void unpack(int threads, const Monitor& monitor) const {
    const std::lock_guard lock(unpacking_);
    if (pages_) return;
    auto pages = std::make_unique<Pages<std::uint8_t>>(sizes_.size() * kSymbols);
    constexpr std::size_t kTask = 64;  // groups
    Progress progress;
    const bool whole =
        Workers::run((num_groups() + kTask - 1) / kTask, threads, progress, monitor, [&](std::size_t task, int) {
          for (std::size_t g = task * kTask; g < std::min(num_groups(), (task + 1) * kTask); ++g)
            unpack_group(static_cast<std::uint32_t>(g), pages->data());
          progress.done += std::min(num_groups(), (task + 1) * kTask) - task * kTask;
        });
    if (!whole) throw Stopped{};
    pages_ = std::move(pages);
    unpacked_.store(pages_->data(), std::memory_order_release);
  }

  // BadValue if the data of a group are not what was written.
  void check_group(std::uint32_t group) const {
    const std::size_t start = starts_[group], end = group + 1 < starts_.size() ? starts_[group + 1] : data_.size();
    std::size_t bytes = 0;
    for (std::size_t b = std::size_t{group} * kGroupBlocks;
         b < std::min<std::size_t>(sizes_.size(), (std::size_t{group} + 1) * kGroupBlocks); ++b)
      bytes += std::size_t{2} * sizes_[b];
    if (start > end || end > data_.size() || start + bytes != end ||
        checksum(data_.subspan(start, bytes)) != sums_[group])
      refuse("damaged: the checksum of group " + std::to_string(group) + " is wrong");
    checked_[group].store(1, std::memory_order_relaxed);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { throw BadValue(zg::quoted(path_) + " is " + why); }

  std::span<const std::uint16_t> words(std::size_t start, std::uint32_t block) const {
    return {reinterpret_cast<const std::uint16_t*>(data_.data() + start), sizes_[block]};
  }
  void unpack_group(std::uint32_t group, std::uint8_t* out) const {
    check_group(group);
    std::size_t start = starts_[group];
    const std::uint32_t begin = group * kGroupBlocks;
    auto set = static_cast<std::size_t>(std::ranges::upper_bound(first_blocks_, begin) - first_blocks_.begin() - 1);
    for (std::uint32_t b = begin; b < std::min<std::size_t>(sizes_.size(), begin + kGroupBlocks); ++b) {
      while (b >= first_blocks_[set + 1]) ++set;
      if (sizes_[b] == 0) continue;
      codec_.decode(words(start, b), ball_count<Base>(std::popcount(cells_[set]), b - first_blocks_[set]), kSymbols - 1,
                    std::span<std::uint8_t, kSymbols>(out + std::size_t{b} * kSymbols, kSymbols));
      start += std::size_t{2} * sizes_[b];
    }
  }

  template <class T>
  std::span<const T> part(Section section) const {
    const SectionPlace& place = header_.sections[section];
    return {reinterpret_cast<const T*>(file_.bytes().data() + place.start), place.bytes / sizeof(T)};
  }
  // Parts lie within the file, and the index has its checksum: all that is left to damage is data.
  Codec read_codec(Content content, const std::string& game) const {
    if (header_.content != content) refuse(content == Content::Values ? "no table of values" : "no table of distances");
    if (header_.game.data() != game) refuse("a table of " + zg::quoted(header_.game.data()) + ", not of " + game);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < kParts; ++i) {
      const SectionPlace& place = header_.sections[i];
      if (place.start % 8 != 0 || place.start > file_.bytes().size() ||
          place.bytes > file_.bytes().size() - place.start)
        refuse("damaged: a part lies outside the file");
      if (i != kDataPart) sum = checksum(file_.bytes().subspan(place.start, place.bytes), sum);
    }
    if (sum != header_.index_sum) refuse("damaged: the checksum of the index is wrong");
    if (header_.passes >= kCodes) refuse("damaged: it has more passes than there are");
    const Kind kind = content == Content::Values ? kValues : kDistances(static_cast<int>(header_.passes));
    Models symbols, shapes;
    if (!Models::unpack(part<std::uint32_t>(kSymbolPart), kind.none, symbols) ||
        !Models::unpack(part<std::uint32_t>(kShapeModelPart), Codec::kNoneBefore, shapes))
      refuse("damaged: its models cannot be read");
    const auto list = part<std::uint64_t>(kShapePart);
    return Codec(kind, std::move(symbols), {list.begin(), list.end()}, std::move(shapes));
  }
  void check_index() const {
    const std::size_t groups = (sizes_.size() + kGroupBlocks - 1) / kGroupBlocks;
    bool whole = !cells_.empty() && cells_.back() < (std::uint64_t{1} << Geometry<Base>::kCells) &&
                 first_blocks_.size() == cells_.size() + 1 && first_blocks_.front() == 0 &&
                 first_blocks_.back() == sizes_.size() && std::ranges::is_sorted(cells_) && starts_.size() == groups &&
                 sums_.size() == groups && summary().size() == 3 * (std::size_t{header_.passes} + header_.num_balls) &&
                 header_.num_balls == Geometry<Base>::kCells + 1 &&
                 std::ranges::all_of(starts_, [](std::uint64_t start) { return start % 2 == 0; });
    std::uint64_t next = 0;
    for (std::size_t i = 0; whole && i < cells_.size(); ++i) {
      next += std::uint64_t{1} << std::max(0, std::popcount(cells_[i]) - kSymbolBits - codec_.kind().positions_bits);
      whole = first_blocks_[i + 1] == next;
    }
    if (!whole) refuse("damaged: its index does not fit its game");
  }

  std::string path_;
  MappedFile file_;
  FileHeader header_;
  Codec codec_;
  std::span<const std::uint32_t> cells_, first_blocks_;
  std::span<const std::uint16_t> sizes_;
  std::span<const std::uint64_t> starts_, sums_;
  std::span<const std::byte> data_;
  mutable std::mutex unpacking_;
  mutable std::unique_ptr<Pages<std::uint8_t>> pages_;
  mutable std::atomic<const std::uint8_t*> unpacked_{nullptr};
  mutable std::vector<std::atomic<std::uint8_t>> checked_;  // groups whose checksum was right
};

}  // namespace zg::pylos::solver
