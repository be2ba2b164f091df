// Tables of the small pyramid: what is written is read, and what is damaged, even by somebody who gets all checksums
// right, is refused or does no harm.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>

#include "pylos_solver_check.hpp"
#include "solvers/pylos/excerpt.hpp"
#include "solvers/pylos/self_check.hpp"
#include "solvers/pylos/survey.hpp"
#include "solvers/pylos/work_file.hpp"

namespace zg::tests::pylos_solver {

using Bytes = std::vector<std::byte>;

// A folder that goes, with the files that were named in it, when the test ends.
class Folder {
 public:
  Folder() { ZG_CHECK(mkdtemp(path_.data()) != nullptr); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    for (const std::string& name : names_) unlink(name.c_str());
    rmdir(path_.c_str());
  }
  std::string operator/(const char* name) const { return *names_.insert(path_ + "/" + name).first; }

 private:
  std::string path_ = "/tmp/ziggurat-XXXXXX";
  mutable std::set<std::string> names_;
};

inline Bytes read_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}
inline void write_bytes(const std::string& path, std::span<const std::byte> bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  ZG_CHECK(out.good());
}
template <class F>
bool is_refused_by(F&& f) {
  try {
    f();
  } catch (const BadValue&) {
    return true;
  }
  return false;
}

// ---- the order of positions ----
template <int Base>
void check_order() {
  using G = zg::pylos::Pylos<Base>;
  using Ord = Order<Base>;
  zg::pylos::Options options;
  options.base = Base;
  const PositionSampler<Base> sampler(options);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint64_t, std::uint64_t>> classes;
  Stream random{Base};
  int met_again = 0;
  for (int i = 0; i < 6000; ++i) {
    const auto s = sampler.draw(random);
    const auto place = Ord::place_of(s.balls[0], s.balls[1]);
    std::pair least{s.balls[0], s.balls[1]};
    for (int k = 1; k < 8; ++k) {
      const auto image = G::transform(s, k);
      const auto same = Ord::place_of(image.balls[0], image.balls[1]);
      ZG_CHECK(same.cells == place.cells && same.number == place.number);
      least = std::min(least, {image.balls[0], image.balls[1]});
    }
    ZG_CHECK(std::uint64_t{place.number} >> std::popcount(place.cells) == 0);
    const auto [at, is_new] = classes.try_emplace({place.cells, place.number}, least);
    ZG_CHECK(at->second == least);
    met_again += !is_new;
  }
  ZG_CHECK(Base == 4 || met_again > 100);
}

// ---- blocks as bytes ----
// A block whose values are mostly alike; some positions do not matter, and none outside of the count does.
inline WantedBlock random_block(Stream& random, const Kind& kind, BallCount count) {
  WantedBlock out{};
  const std::uint64_t rarity = 1 + random.bounded(40), holes = 1 + random.bounded(12);
  std::uint16_t usual = 0;
  for (std::size_t x = 0; x < kSymbols; ++x) {
    if (!count.allows(x, kind.positions_bits)) continue;
    for (int i = 0; i < 1 << kind.positions_bits; ++i) {
      const int balls = count.high + std::popcount(x) + std::popcount(static_cast<unsigned>(i));
      if (balls < count.least || balls > count.most || random.bounded(holes) == 1) continue;
      const auto symbols = kind.shapes ? std::uint64_t{3} : static_cast<std::uint64_t>(kind.none);
      if (random.bounded(rarity) == 0) usual = static_cast<std::uint16_t>(random.bounded(symbols));
      out[x].value = static_cast<std::uint16_t>(out[x].value | usual << (kind.shapes ? 2 * i : 0));
      out[x].care = static_cast<std::uint16_t>(out[x].care | (kind.shapes ? 3 << (2 * i) : 0xFFFF));
    }
  }
  return out;
}
inline BallCount random_count(Stream& random) {
  const int balls = static_cast<int>(random.bounded(29)), high = static_cast<int>(random.bounded(12));
  return {high, std::max(0, balls - 15), std::min(15, balls)};
}
inline std::uint16_t told_by(const Kind& kind, std::uint8_t symbol) {
  return kind.shapes ? kQuadBits[symbol] : std::uint16_t{symbol};
}

inline Codec trained_codec(Stream& random, const Kind& kind, int blocks) {
  std::vector<std::pair<WantedBlock, BallCount>> list;
  for (int i = 0; i < blocks; ++i) {
    const BallCount count = random_count(random);
    list.emplace_back(random_block(random, kind, count), count);
  }
  Survey survey;
  for (const auto& [block, count] : list) survey.count_shapes(block);
  const auto shapes = kind.shapes ? survey.frequent_shapes() : std::vector<std::uint64_t>{};
  const Codec plain(kind, Models(), shapes, Models());
  for (const auto& [block, count] : list) survey.count_symbols(plain, block, count);
  return Codec(kind, Models(survey.symbols(), kind.none, 3), shapes, Models(survey.shapes(), Codec::kNoneBefore, 2));
}

inline void check_round_trip(const Codec& codec, const WantedBlock& block, BallCount count) {
  const std::vector<std::uint16_t> words = codec.encode(block, count);
  const bool any = std::ranges::any_of(block, [](const Wanted& w) { return w.care != 0; });
  ZG_CHECK(words.empty() != any && words.size() < 0xFFFF);
  if (!any) return;
  std::size_t last = kSymbols - 1;
  while (block[last].care == 0) --last;
  Codec::Symbols all, some;
  codec.decode(words, count, last, all);
  for (std::size_t x = 0; x <= last; ++x) ZG_CHECK(block[x].fits(told_by(codec.kind(), all[x])));
  codec.decode(words, count, last / 3, some);
  for (std::size_t x = 0; x <= last / 3; ++x) ZG_CHECK(some[x] == all[x]);
}
// In memory of their own, so that a sanitizer sees a step too far.
inline void decode_garbage(Stream& random, const Codec& codec) {
  std::vector<std::uint16_t> words(random.bounded(40));
  for (auto& w : words) w = static_cast<std::uint16_t>(random.draw());
  Codec::Symbols out;
  codec.decode(words, random_count(random), kSymbols - 1, out);
  for (const std::uint8_t symbol : out) ZG_CHECK(symbol < codec.kind().none);
}

// Models from words that are garbage, or nearly those of real ones.
inline void check_unpacking(Stream& random, const Codec& codec) {
  const std::vector<std::uint32_t> good = codec.symbols().packed();
  const int none = codec.kind().none;
  int taken = 0, refused = 0;
  for (int round = 0; round < 400; ++round) {
    std::vector<std::uint32_t> words = good;
    for (auto n = random.bounded(3); n > 0; --n) {
      const auto flip =
          random.bounded(2) == 0 ? std::uint32_t{1} << random.bounded(32) : static_cast<std::uint32_t>(random.draw());
      words[random.bounded(random.bounded(2) == 0 ? std::min<std::size_t>(8, words.size()) : words.size())] ^= flip;
    }
    if (round % 8 == 0) words.resize(random.bounded(words.size()));
    if (round % 9 == 0) std::ranges::generate(words, [&] { return static_cast<std::uint32_t>(random.bounded(5)); });
    Models models;
    if (!Models::unpack(words, none, models)) {
      ++refused;
      continue;
    }
    ZG_CHECK(words != good || models.packed() == good);
    ++taken;
    decode_garbage(random, Codec(codec.kind(), std::move(models), codec.shapes(), codec.shape_models()));
  }
  ZG_CHECK(taken > 20 && refused > 50);
  Models models;
  ZG_CHECK(!Models::unpack(good, none - 1, models));
}

inline void check_codec() {
  Stream random{3};
  for (const Kind& kind : {kValues, kDistances(3), kDistances(60)})
    for (const int blocks : {0, 1, 40}) {
      const Codec codec = trained_codec(random, kind, blocks);
      for (int i = 0; i < 25; ++i) {
        const BallCount count = random_count(random);
        check_round_trip(codec, random_block(random, kind, count), count);
        decode_garbage(random, codec);
      }
      if (blocks == 40) check_unpacking(random, codec);
    }
  const Codec wide(kDistances(255), Models({}, 256, 2), {}, Models({}, Codec::kNoneBefore, 2));
  for (int i = 0; i < 10; ++i) check_round_trip(wide, random_block(random, wide.kind(), {0, 0, 10}), {0, 0, 10});
}

// ---- files ----
inline std::unique_ptr<Solving<3>> solved_in(const std::string& work, const zg::pylos::Options& options) {
  auto solving = std::make_unique<Solving<3>>(options, work, 1);
  while (solving->advance({})) {
  }
  return solving;
}

// Two files, and what they say.
class Files {
 public:
  using Tables = Tablebase<3>;

  Files(const Folder& folder, std::string_view settings)
      : values(folder / "x.wdl"), distances(folder / "x.distances"), options(mini_options(settings)) {
    const std::string work = folder / "x.work";
    solved_in(work, options)->save(values, distances, {});
    unlink(work.c_str());
    const Tables tables(options, values, distances);
    const PositionSampler<3> sampler(options);
    Stream random{17};
    for (int i = 0; i < 2000; ++i) {
      positions_.push_back(sampler.draw(random));
      probes_.push_back(tables(positions_.back()));
    }
  }

  // Opens the tables and asks them. How often an answer was refused; nothing if the files were.
  std::optional<std::size_t> ask(std::size_t positions, bool is_true = true) const {
    std::optional<Tables> tables;
    if (is_refused_by([&] { tables.emplace(options, values, distances); })) return {};
    std::size_t refused = 0;
    for (std::size_t i = 0; i < positions; ++i) refused += is_refused_by([&] { check_probe(*tables, i, is_true); });
    return refused;
  }

  const std::string values, distances;
  const zg::pylos::Options options;

 private:
  void check_probe(const Tables& tables, std::size_t i, bool is_true) const {
    const auto& s = positions_[i];
    const Probe found = tables(s);
    ZG_CHECK(!is_true || found == probes_[i]);
    const int value = Mini::is_terminal(s) ? -1 : tables.value_open(s.balls[0], s.balls[1]);
    ZG_CHECK(!is_true || value == probes_[i].value);
  }

  std::vector<Mini::State> positions_;
  std::vector<Probe> probes_;
};

inline FileHeader header_of(const Bytes& bytes) {
  FileHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  return header;
}

// Every bit that is flipped in the header or in the index is seen at once, or lies in a gap between parts; one in the
// data is seen when its group is asked for.
inline void check_flipped_bits(const Files& files, const std::string& path) {
  const Bytes good = read_bytes(path);
  const FileHeader header = header_of(good);
  std::vector<bool> is_gap(good.size(), true);
  std::fill_n(is_gap.begin(), sizeof(header), false);
  for (const SectionPlace& part : header.sections)
    std::fill_n(is_gap.begin() + static_cast<std::ptrdiff_t>(part.start), part.bytes, false);
  const std::size_t data = header.sections[kDataPart].start;
  Stream random{9};
  int gaps = 0;
  const std::size_t every = 1 + (good.size() - data) / 40;
  for (std::size_t i = 0; i < good.size(); i += i < data ? 1 : every) {
    MappedFile file(path, MappedFile::Access::Write);
    file.data()[i] ^= std::byte{1} << random.bounded(8);
    if (is_gap[i])
      ZG_CHECK(gaps++ % 8 != 0 || files.ask(200) == 0);
    else if (i >= data)
      ZG_CHECK(files.ask(200).has_value());
    else
      ZG_CHECK(is_refused_by([&] { Table<3>(path, header.content, identity(files.options)); }));
    file.data()[i] = good[i];
  }
  ZG_CHECK(files.ask(2000) == 0 && read_bytes(path) == good);
}

inline void check_truncations(const Files& files, const std::string& path) {
  const Bytes good = read_bytes(path);
  for (std::size_t n = 0; n < good.size(); n += n < sizeof(FileHeader) ? 7 : good.size() / 60) {
    write_bytes(path, std::span(good).first(n));
    ZG_CHECK(is_refused_by([&] { Table<3>(path, header_of(good).content, identity(files.options)); }));
  }
  write_bytes(path, good);
}

// A table that somebody has changed and given right checksums.
class Forgery {
 public:
  explicit Forgery(const Bytes& bytes) : bytes_(bytes), header(header_of(bytes)) {}
  template <class T>
  std::span<T> part(Section section) {
    const SectionPlace& place = header.sections[section];
    return {reinterpret_cast<T*>(bytes_.data() + place.start), place.bytes / sizeof(T)};
  }
  Bytes finished() {
    header.index_sum = 0;
    for (std::size_t i = 0; i < kDataPart; ++i) {
      const SectionPlace& place = header.sections[i];
      if (place.start > bytes_.size() || place.bytes > bytes_.size() - place.start) continue;
      header.index_sum = checksum(std::span(bytes_).subspan(place.start, place.bytes), header.index_sum);
    }
    header.header_sum = header_sum(header);
    std::memcpy(bytes_.data(), &header, sizeof(header));
    return bytes_;
  }
  void sum_groups() {
    const auto starts = part<std::uint64_t>(kGroupStartPart);
    const auto data = part<std::byte>(kDataPart);
    for (std::size_t g = 0; g < starts.size(); ++g) {
      const std::size_t end = g + 1 < starts.size() ? starts[g + 1] : data.size();
      part<std::uint64_t>(kGroupSumPart)[g] = checksum(data.subspan(starts[g], end - starts[g]));
    }
  }

 private:
  Bytes bytes_;

 public:
  FileHeader header;
};

inline void check_forgeries(const Files& files, const std::string& path) {
  const Bytes good = read_bytes(path);
  const auto forged = [&](const std::function<void(Forgery&)>& change) {
    Forgery forgery(good);
    change(forgery);
    write_bytes(path, forgery.finished());
    return files.ask(300, false);
  };
  ZG_CHECK(forged([](Forgery&) {}) == 0);
  const std::vector<std::function<void(Forgery&)>> refused{
      [](Forgery& f) { f.header.sections[kSizePart].bytes -= 10; },  // blocks before the first one
      [](Forgery& f) {
        for (auto& b : f.part<std::uint32_t>(kFirstBlockPart)) b += 1;
      },
      [](Forgery& f) {
        for (auto& b : f.part<std::uint32_t>(kFirstBlockPart)) b -= 1;
      },
      [](Forgery& f) { f.part<std::uint32_t>(kFirstBlockPart)[0] = 1u << 31; },
      [](Forgery& f) { f.part<std::uint32_t>(kFirstBlockPart)[1] += 1000; },
      [](Forgery& f) { std::ranges::reverse(f.part<std::uint32_t>(kCellPart)); },
      [](Forgery& f) { f.part<std::uint32_t>(kCellPart).back() |= 1u << 31; },
      [](Forgery& f) { f.part<std::uint64_t>(kGroupStartPart)[0] = 1; },
      [](Forgery& f) { f.header.sections[kGroupSumPart].bytes -= 8; },
      [](Forgery& f) { f.header.sections[kDataPart].bytes = ~std::uint64_t{0}; },
      [](Forgery& f) { f.header.sections[kCellPart].start = ~std::uint64_t{7}; },
      [](Forgery& f) { f.header.sections[kSummaryPart].start += 4; },
      [](Forgery& f) { f.header.passes = 0x7FFFFFFF; },
      [](Forgery& f) { f.header.passes = 256; },
      [](Forgery& f) { f.header.num_balls += 1; },
      [](Forgery& f) { f.header.game.fill('x'); },
      [](Forgery& f) { f.part<std::uint32_t>(kSymbolPart)[0] += 1; },
      [](Forgery& f) { f.part<std::uint32_t>(kSymbolPart)[2] += 1; },
      [](Forgery& f) { f.part<std::uint64_t>(kSummaryPart)[3] = 0x7FFFFFFF; },  // a distance
  };
  for (std::size_t i = 0; i < refused.size(); ++i)
    if (forged(refused[i])) {
      std::fprintf(stderr, "forgery %zu of %s is not refused\n", i, path.c_str());
      ZG_CHECK(false);
    }
  Stream random{21};
  for (int round = 0; round < 150; ++round)  // whatever comes of it, nothing breaks
    forged([&](Forgery& f) {
      const auto bytes =
          f.part<std::byte>(round % 3 == 0 ? kDataPart : static_cast<Section>(random.bounded(kDataPart)));
      for (int n = 0; n < 3 && !bytes.empty(); ++n)
        bytes[random.bounded(bytes.size())] ^= static_cast<std::byte>(random.draw());
      if (round % 3 == 0) f.sum_groups();
    });
  write_bytes(path, good);
}

// ---- the work file ----
inline void check_work(const Folder& folder, const Files& files) {
  const std::string work = folder / "y.work", values = folder / "y.wdl", distances = folder / "y.distances";
  const auto is_the_same = [&](Solving<3>& solving) {
    solving.save(values, distances, {});
    return read_bytes(values) == read_bytes(files.values) && read_bytes(distances) == read_bytes(files.distances);
  };
  ZG_CHECK(is_refused_by([&] { Solving<3>(files.options, work, 1).save(values, distances, {}); }));
  int calls = 0;
  {
    Solving<3> solving(files.options, work, 2);  // a monitor that fails every other time
    const Monitor monitor = [&](std::uint64_t) {
      if (++calls % 2 != 0) throw std::runtime_error("no");
      return true;
    };
    for (bool more = true; more;) try {
        more = solving.advance(monitor);
      } catch (const std::runtime_error&) {
      }
    ZG_CHECK(calls > 1 && is_the_same(solving));
  }
  const Bytes good = read_bytes(work);
  const std::size_t passes = Solving<3>(files.options, work, 1).num_passes();
  const std::size_t record = 2 * 8 + 14 * 8, records = sizeof(FileHeader);
  for (const std::size_t broken : {std::size_t{0}, std::size_t{3}, passes - 1}) {  // goes on from the pass before
    Bytes bytes = good;
    bytes[records + broken * record + 20] ^= std::byte{4};
    for (std::size_t i = records + (broken + 1) * record; i < records + passes * record; ++i) bytes[i] = {};
    write_bytes(work, bytes);
    const auto solving = solved_in(work, files.options);
    ZG_CHECK(is_the_same(*solving));
  }
  const auto is_code = [](std::byte b) { return b != std::byte{0}; };
  const auto codes = good.begin() + (1 << 17);
  for (const auto found : {std::find_if(codes, good.end(), is_code), std::find_if(codes + 999, good.end(), is_code)}) {
    Bytes bytes = good;  // a code that is not as in the records
    bytes[static_cast<std::size_t>(found - good.begin())] ^= std::byte{2};
    write_bytes(work, bytes);
    ZG_CHECK(is_refused_by([&] { solved_in(work, files.options); }));
  }
  for (const std::size_t size : {std::size_t{9}, std::size_t{100}, good.size() - 1}) {
    write_bytes(work, std::span(good).first(size));
    ZG_CHECK(is_refused_by([&] { Solving<3>(files.options, work, 1); }));
  }
  write_bytes(work, good);
  ZG_CHECK(is_refused_by([&] { Solving<3>(mini_options("removal=mandatory"), work, 1); }));
  const auto solving = solved_in(work, files.options);
  ZG_CHECK(static_cast<std::size_t>(solving->num_passes()) == passes);  // it is complete: no new ones
}

// Files that are written again, or are none, while or before they are open.
inline void check_file_names(const Folder& folder, const Files& files) {
  const Tablebase<3> tables(files.options, files.values, files.distances);
  const auto start = Mini::initial(files.options, 0);
  const Probe before = tables(start);
  write_excerpt(tables, 2, files.values, files.distances, {});
  ZG_CHECK(tables(start) == before && self_check(tables, 3000, 1, 2, {}).positions == 3000);
  const Tablebase<3> part(files.options, files.values, files.distances);
  ZG_CHECK(part(start) == before && is_refused_by([&] { self_check(part, 100, 1, 1, {}); }));
  for (int most = 0; most <= 5; ++most) {  // hardly anything to learn chances from
    write_excerpt(tables, most, folder / "z.wdl", folder / "z.distances", {});
    ZG_CHECK(Tablebase<3>(files.options, folder / "z.wdl", folder / "z.distances")(start) == before);
  }
  const std::string pipe = folder / "pipe";
  ZG_CHECK(mkfifo(pipe.c_str(), 0600) == 0);
  ZG_CHECK(is_refused_by([&] { Tablebase<3>(files.options, pipe, ""); }));
}

// Not `thoroughly`: what threads do is gone through once.
inline void check_tables(bool thoroughly) {
  const Folder folder;
  if (!thoroughly) {
    const Files files(folder, "patterns=none");
    check_work(folder, files);
    return check_file_names(folder, files);
  }
  check_order<3>();
  check_order<4>();
  check_codec();
  for (const std::string_view settings : {"patterns=none", "patterns=lines,no_move=passes"}) {
    const Files files(folder, settings);
    for (const std::string& path : {files.values, files.distances}) {
      check_flipped_bits(files, path);
      check_truncations(files, path);
      check_forgeries(files, path);
    }
    ZG_CHECK(files.ask(2000) == 0);
    check_work(folder, files);
    unlink((folder / "y.work").c_str());
    check_file_names(folder, files);
    unlink((folder / "pipe").c_str());
  }
}

}  // namespace zg::tests::pylos_solver
