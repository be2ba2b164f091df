// The form of a table file: a header, an index, blocks. All numbers are little-endian.
//
// The index holds, in this order: a summary, the models and shapes of the codec, the sets of cells in ascending order
// with the number of their first block, the size of each block in 16-bit words, and for each group of 32 blocks where
// its data begin and its checksum. The header has a checksum of itself and of the index, and the size of the whole.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "core/error.hpp"
#include "games/pylos/options.hpp"

namespace zg::pylos::solver {

static_assert(std::endian::native == std::endian::little, "tables are mapped as they are");

inline constexpr std::array<char, 8> kMagic{'Z', 'G', 'P', 'Y', 'L', 'O', 'S', '\n'};
inline constexpr std::uint32_t kFormatVersion = 1;
inline constexpr std::uint32_t kGroupBlocks = 32;

enum class Content : std::uint32_t { Values, Distances, Work };

enum Section : std::size_t {
  kSummaryPart,     // uint64: passes as (distance, win, positions); then wins, draws, losses by number of balls
  kSymbolPart,      // uint32: the models of symbols, packed
  kShapePart,       // uint64: shapes
  kShapeModelPart,  // uint32: their models
  kCellPart,        // uint32: canonical sets of cell ids, ascending
  kFirstBlockPart,  // uint32: by set, and one behind the last
  kSizePart,        // uint16: in words, 0 for a block that nobody asks for
  kGroupStartPart,  // uint64: in bytes, from the beginning of the data
  kGroupSumPart,    // uint64: checksums of groups
  kDataPart,
  kParts
};

struct SectionPlace {
  std::uint64_t start = 0, bytes = 0;
};

struct FileHeader {
  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kFormatVersion;
  Content content = Content::Values;
  std::uint32_t passes = 0;
  std::uint32_t num_balls = 0;   // entries of the summary by number of balls
  std::uint32_t most_balls = 0;  // on the board in positions of this file: fewer than the game has in an excerpt
  std::uint32_t reserved = 0;
  std::array<char, 256> game{};  // canonical text of the options, without a limit of turns
  std::array<SectionPlace, kParts> sections{};
  std::uint64_t file_bytes = 0;
  std::uint64_t index_sum = 0;
  std::uint64_t header_sum = 0;  // of all before
};
static_assert(std::is_trivially_copyable_v<FileHeader> && sizeof(FileHeader) == 8 + 24 + 256 + 160 + 24);

// Every byte counts: each step maps different states to different ones.
inline std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t sum = 0) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
  sum ^= bytes.size() * kFactor;
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    sum = (std::rotl(sum, 29) ^ word) * kFactor;
  }
  std::uint64_t rest = 0;
  if (at < bytes.size()) std::memcpy(&rest, bytes.data() + at, bytes.size() - at);
  sum = (std::rotl(sum, 29) ^ rest) * kFactor;
  return sum ^ sum >> 32;
}
inline std::uint64_t header_sum(const FileHeader& header) {
  return checksum(std::as_bytes(std::span(&header, 1)).first(offsetof(FileHeader, header_sum)));
}

// Limits of turns are no part of a solution.
inline Options without_limit(Options options) {
  options.max_turns = 0;
  return options;
}
inline std::string identity(const Options& options) {
  Options plain = options;
  plain.max_turns = Options{}.max_turns;
  return "pylos(" + option_table().canonical(plain) + ")";
}
inline std::array<char, 256> game_field(const Options& options) {
  std::array<char, 256> out{};
  const std::string text = identity(options);
  std::copy_n(text.begin(), std::min(text.size(), out.size() - 1), out.begin());
  return out;
}

// Bounds, magic, version and the header's own checksum; BadValue names the file and what is wrong.
inline FileHeader read_header(const std::string& path, std::span<const std::byte> file) {
  const auto refuse = [&](const std::string& why) { throw BadValue(zg::quoted(path) + " is " + why); };
  FileHeader header;
  if (file.size() >= sizeof(kMagic)) std::memcpy(&header.magic, file.data(), sizeof(kMagic));
  if (file.size() < sizeof(kMagic) || header.magic != kMagic) refuse("no table of ziggurat");
  if (file.size() < sizeof(FileHeader)) refuse("truncated: the header is not whole");
  std::memcpy(&header, file.data(), sizeof(FileHeader));
  if (header.game.back() != 0) refuse("damaged: the text of its game has no end");
  if (header.version != kFormatVersion)
    refuse("a table of version " + std::to_string(header.version) + "; this ziggurat knows version " +
           std::to_string(kFormatVersion));
  if (header.header_sum != header_sum(header)) refuse("damaged: the checksum of the header is wrong");
  if (header.file_bytes != file.size())
    refuse((file.size() < header.file_bytes ? "truncated: it has " : "damaged: it has ") + std::to_string(file.size()) +
           " bytes instead of " + std::to_string(header.file_bytes));
  return header;
}

}  // namespace zg::pylos::solver
