// A solution that is being computed, in a file that a killed run leaves behind: the header of a table, what each pass
// has found, and the codes. The system writes the file in its own time; a pass counts when its record is whole, and
// only if the codes say the same.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solvers/pylos/analysis.hpp"
#include "solvers/pylos/catalogue.hpp"
#include "solvers/pylos/mapped_file.hpp"
#include "solvers/pylos/retrograde.hpp"
#include "solvers/pylos/summary.hpp"
#include "solvers/pylos/table_format.hpp"
#include "solvers/pylos/table_writer.hpp"

namespace zg::pylos::solver {

template <int Base>
class Solving {
 public:
  using Geo = Geometry<Base>;
  using Machine = Retrograde<Base>;
  using Tally = typename Machine::Tally;

  // Goes on with the file if it is there. BadValue if it is damaged or of something else, FileError if the disk is
  // full.
  Solving(const Options& options, const std::string& path, int threads)
      : options_(without_limit(options)),
        threads_(threads),
        path_(path),
        file_(MappedFile::exists(path) ? MappedFile(path, MappedFile::Access::Write) : created()) {
    if (is_blank()) file_ = created();  // killed before there was a header
    check();
    while (found_.size() < kMostRecords && record(found_.size()).sum == sum_of(record(found_.size())))
      found_.push_back(record(found_.size()).found);
    if (found_.empty()) file_ = created();  // codes of a first pass that was not finished go
  }

  static std::uint64_t file_bytes() { return kCodesAt + Catalogue<Base>(Sets<Base>()).size(); }
  const Options& options() const { return options_; }

  struct Found {
    Pass pass;
    Tally by_balls;
    std::uint64_t positions() const { return std::accumulate(by_balls.begin(), by_balls.end(), std::uint64_t{0}); }
  };
  int num_passes() const { return static_cast<int>(found_.size()); }
  Found pass(int i) const { return {pass_of(skips_turns(options_), i + 1), found_[static_cast<std::size_t>(i)]}; }

  // Runs the next pass; false if there is nothing left to find. After Stopped, or any other exception, it can be called
  // again.
  bool advance(const Monitor& monitor) {
    if (!machine_) start(monitor);
    finished_ = machine_->is_finished();
    if (finished_) return false;
    try {
      const Tally found = machine_->run_pass(monitor);
      write_record(found);
      found_.push_back(found);
    } catch (...) {
      machine_.reset();
      throw;
    }
    return true;
  }

  Summary summary() const {
    Summary out;
    const std::vector<std::uint64_t> positions = count_positions<Base>(options_);
    out.by_balls.resize(positions.size());
    std::size_t last = 0;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const Found f = pass(static_cast<int>(i));
      for (std::size_t balls = 0; balls < f.by_balls.size(); ++balls)
        (f.pass.win ? out.by_balls[balls].wins : out.by_balls[balls].losses) += f.by_balls[balls];
      out.passes.push_back({f.pass, f.positions()});
      if (f.positions() > 0) last = i + 1;
    }
    out.passes.resize(last);
    // A full pyramid is lost for who does not own the apex. (That the player to move does cannot come about.)
    out.by_balls.back().wins = out.by_balls.back().losses = positions.back() / 2;
    for (std::size_t balls = 0; balls < positions.size(); ++balls)
      out.by_balls[balls].draws = positions[balls] - out.by_balls[balls].wins - out.by_balls[balls].losses;
    return out;
  }

  // BadValue for these two before `advance` has said that there is nothing left.
  Analysis analysis() {
    check_finished();
    machine_.reset();
    const Sets<Base> sets;
    return analyse<Base>(options_, Catalogue<Base>(sets), codes(), static_cast<int>(summary().passes.size()));
  }

  void save(const std::string& values, const std::string& distances, const Monitor& monitor) {
    check_finished();
    machine_.reset();  // its memory is wanted
    const Sets<Base> sets;
    const Catalogue<Base> catalogue(sets);
    TableWriter<Base> writer(options_, catalogue, codes(), summary(), threads_);
    writer.write(Content::Values, values, monitor);
    writer.write(Content::Distances, distances, monitor);
  }

 private:
  struct Record {
    std::uint64_t sum;  // of what was found; another one where nothing was written yet
    std::uint64_t number;
    Tally found;
  };
  static constexpr std::size_t kMostRecords = kCodes - 1;
  static constexpr std::size_t kCodesAt = std::size_t{1} << 17;
  static_assert(sizeof(FileHeader) + kMostRecords * sizeof(Record) <= kCodesAt);

  MappedFile created() const {
    MappedFile file = MappedFile::create(path_, file_bytes());
    FileHeader header;
    header.content = Content::Work;
    header.game = game_field(options_);
    header.file_bytes = file.bytes().size();
    header.header_sum = header_sum(header);
    std::memcpy(file.data(), &header, sizeof(header));
    return file;
  }
  bool is_blank() const {
    return std::ranges::all_of(file_.bytes().first(std::min(file_.bytes().size(), sizeof(FileHeader))),
                               [](std::byte b) { return b == std::byte{0}; });
  }
  void check() const {
    const FileHeader header = read_header(path_, file_.bytes());
    if (header.content != Content::Work) throw BadValue(zg::quoted(path_) + " is a table, not a solution at work");
    if (header.game != game_field(options_) || header.file_bytes != file_bytes())
      throw BadValue(zg::quoted(path_) + " is a solution at work of " + header.game.data() + ", not of " +
                     identity(options_));
  }

  void check_finished() const {
    if (!finished_) throw BadValue("the solution is not complete: there may be more to find");
  }

  Record record(std::size_t i) const {
    Record out;
    std::memcpy(&out, file_.bytes().data() + sizeof(FileHeader) + i * sizeof(Record), sizeof(Record));
    return out;
  }
  static std::uint64_t sum_of(const Record& r) {
    return checksum(std::as_bytes(std::span(&r, 1)).subspan(sizeof(r.sum)), 1);
  }
  void write_record(const Tally& found) {
    Record r{0, found_.size(), found};
    r.sum = sum_of(r);
    std::memcpy(file_.data() + sizeof(FileHeader) + found_.size() * sizeof(Record), &r, sizeof(Record));
  }
  Code* codes() { return reinterpret_cast<Code*>(file_.data()) + kCodesAt; }

  void start(const Monitor& monitor) {
    auto machine = std::make_unique<Machine>(options_, threads_, codes());
    if (found_.empty()) {
      machine_ = std::move(machine);
      return;
    }
    const auto counts = machine->resume(num_passes(), monitor);
    found_.resize(static_cast<std::size_t>(machine->passes()));
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const std::uint64_t sum = pass(static_cast<int>(i)).positions();
      if (sum != counts[i + 1])
        throw BadValue(zg::quoted(path_) + " is damaged: pass " + std::to_string(i + 1) + " has " +
                       std::to_string(counts[i + 1]) + " positions instead of " + std::to_string(sum));
    }
    machine_ = std::move(machine);
  }

  Options options_;
  int threads_;
  std::string path_;
  MappedFile file_;
  std::vector<Tally> found_;
  std::unique_ptr<Machine> machine_;
  bool finished_ = false;
};

}  // namespace zg::pylos::solver
