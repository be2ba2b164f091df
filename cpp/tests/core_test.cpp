// The bricks against naive models.
#include <algorithm>
#include <cstdio>
#include <set>
#include <vector>

#include "check.hpp"
#include "core/cellset.hpp"
#include "core/index.hpp"
#include "core/listing.hpp"
#include "core/mixed_radix.hpp"
#include "core/options.hpp"
#include "core/pyramid.hpp"
#include "core/random.hpp"
#include "core/rect.hpp"
#include "core/text.hpp"

namespace {

using namespace zg;

template <int N>
CellSet<N> set_of(const std::set<int>& cells) {
  CellSet<N> out = CellSet<N>::empty();
  for (const int c : cells) out |= CellSet<N>::single(c);
  return out;
}

template <int N>
std::set<int> cells_of(const CellSet<N>& set) {
  std::set<int> out;
  set.for_each([&](int c) { out.insert(c); });
  return out;
}

std::set<int> random_cells(Stream& random, int n) {
  std::set<int> out;
  const auto density = random.bounded(5);
  for (int c = 0; c < n; ++c)
    if (random.bounded(5) <= density) out.insert(c);
  return out;
}

template <int N>
void check_shifts(const CellSet<N>& set, const std::set<int>& cells) {
  for (int n = 0; n < N; n += 1 + n / 9) {
    std::set<int> down;
    std::set<int> up;
    for (const int c : cells) {
      if (c - n >= 0) down.insert(c - n);
      if (c + n < N) up.insert(c + n);
    }
    ZG_CHECK(cells_of(set.down(n)) == down);
    ZG_CHECK(cells_of(set.up(n)) == up);
  }
}

template <int N>
void check_cell_set() {
  Stream random{N};
  for (int round = 0; round < 60; ++round) {
    const std::set<int> a = random_cells(random, N);
    const std::set<int> b = random_cells(random, N);
    const auto sa = set_of<N>(a);
    const auto sb = set_of<N>(b);
    std::set<int> both, either, one, only_a, not_a;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::inserter(either, either.end()));
    std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(one, one.end()));
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(only_a, only_a.end()));
    for (int c = 0; c < N; ++c)
      if (!a.contains(c)) not_a.insert(c);
    ZG_CHECK(cells_of(sa) == a);
    ZG_CHECK(cells_of(sa & sb) == both && cells_of(sa | sb) == either && cells_of(sa ^ sb) == one);
    ZG_CHECK(cells_of(sa.minus(sb)) == only_a && cells_of(~sa) == not_a);
    ZG_CHECK(sa.count() == static_cast<int>(a.size()) && sa.any() == !a.empty() && sa.intersects(sb) == !both.empty());
    ZG_CHECK((sa == sb) == (a == b) && sa == set_of<N>(a));
    ZG_CHECK(sa.hash(0) == set_of<N>(a).hash(0) && (a == b || sa.hash(0) != sb.hash(0)));
    int k = 0;
    for (const int c : a) ZG_CHECK(sa.select(k++) == c && sa.contains(c));
    for (const int c : not_a) ZG_CHECK(!sa.contains(c));
    if (!a.empty()) ZG_CHECK(sa.lowest() == *a.begin() && sa.highest() == *a.rbegin());
    typename CellSet<N>::Tally tally;
    tally.add(sa.bits());
    tally.add(sb.bits());
    ZG_CHECK(tally.total() == static_cast<int>(a.size() + b.size()));
    check_shifts<N>(sa, a);
  }
}

template <int W, int H>
void check_rect() {
  using R = Rect<W, H>;
  Stream random{W * 100 + H};
  ZG_CHECK(R::board().count() == W * H);
  for (int round = 0; round < 40; ++round) {
    const auto set = set_of<R::Set::kCells>(random_cells(random, R::Set::kCells)) & R::board();
    std::set<int> edges, corners;
    set.for_each([&](int cell) {
      for (int dr = -1; dr <= 1; ++dr)
        for (int dc = -1; dc <= 1; ++dc) {
          const int r = R::row(cell) + dr;
          const int c = R::column(cell) + dc;
          if (!R::inside(r, c) || (dr == 0 && dc == 0)) continue;
          (dr != 0 && dc != 0 ? corners : edges).insert(R::cell(r, c));
        }
    });
    ZG_CHECK(cells_of(R::edges(set) & R::board()) == edges);
    ZG_CHECK(cells_of(R::corners(set) & R::board()) == corners);
  }
}

// Numbers of cells, from sets of every density: words with up to 64 cells, and more cells than are written at a time.
template <int W, int H, int Rows>
void check_listing() {
  using R = Rect<W, H>;
  using Part = Rect<W, Rows, R::kStride>;
  Stream random{W * 1000 + H};
  for (int round = 0; round < 30; ++round) {
    Listing<R, 12> listing;
    std::vector<std::int32_t> expected;
    const auto add = [&](const auto& set) {
      const int first = static_cast<int>(random.bounded(30000));
      const int skipped = static_cast<int>(random.bounded(6));
      listing.add(set, {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(skipped)});
      set.for_each([&](int cell) { expected.push_back((first + cell - R::row(cell) * skipped) & 0xFFFF); });
    };
    for (int i = 0; i < 6; ++i) {
      auto cells = set_of<R::Set::kCells>(random_cells(random, R::Set::kCells));
      if (i % 2 == 1) cells |= set_of<R::Set::kCells>(random_cells(random, R::Set::kCells));
      add(i == 5 ? R::Set::full() : cells);
      add(set_of<Part::Set::kCells>(random_cells(random, Part::Set::kCells)));
    }
    std::vector<std::int32_t> listed;
    listing.for_each([&](std::int32_t number) { listed.push_back(number); });
    ZG_CHECK(listed == expected);
  }
}

// The first words of a shifted set are those of the whole.
template <int N, int Words>
void check_first_words() {
  Stream random{N};
  for (int n = 0; n < 64 * (CellSet<N>::kWords - Words); n += 7) {
    const auto set = set_of<N>(random_cells(random, N));
    const Shifter<CellSet<N>::kWords> shifter(set.bits());
    ZG_CHECK(shifter.template down<Words>(n) == shifter.down(n).template first_words<Words>());
  }
}

struct Spot {
  int level, row, column;
};

template <int Base>
std::vector<Spot> spots() {
  std::vector<Spot> out;
  for (int level = 0; level < Base; ++level)
    for (int row = 0; row < Base - level; ++row)
      for (int column = 0; column < Base - level; ++column) out.push_back({level, row, column});
  return out;
}

bool rests_on(const Spot& upper, const Spot& lower) {
  return upper.level == lower.level + 1 && (lower.row == upper.row || lower.row == upper.row + 1) &&
         (lower.column == upper.column || lower.column == upper.column + 1);
}

template <int Base>
void check_pyramid() {
  using P = Pyramid<Base>;
  using Cell = typename P::Cell;
  const auto all = spots<Base>();
  ZG_CHECK(static_cast<int>(all.size()) == P::kCells);
  Stream random{Base};
  for (int round = 0; round < 400; ++round) {
    std::uint64_t balls = 0;
    for (int c = 0; c < P::kCells; ++c)
      if (random.bounded(3) != 0) balls |= P::ball(Cell(c));
    for (int c = 0; c < P::kCells; ++c) {
      ZG_CHECK(P::cell_of(P::ball(Cell(c))) == Cell(c));
      bool supported = true;
      bool covered = false;
      std::uint64_t supports = 0;
      for (int d = 0; d < P::kCells; ++d) {
        const auto at = [&](int i) { return all[static_cast<std::size_t>(i)]; };
        if (rests_on(at(c), at(d))) supports |= P::ball(Cell(d));
        if (rests_on(at(c), at(d)) && (balls & P::ball(Cell(d))) == 0) supported = false;
        if (rests_on(at(d), at(c)) && (balls & P::ball(Cell(d))) != 0) covered = true;
      }
      ZG_CHECK(P::supports(P::ball(Cell(c))) == supports);
      ZG_CHECK(((P::supported(balls) & P::ball(Cell(c))) != 0) == supported);
      ZG_CHECK(((P::covered(balls) & P::ball(Cell(c))) != 0) == covered);
      const bool makes_square = (P::squares(balls | P::ball(Cell(c))) & P::squares_around(P::ball(Cell(c)))) != 0;
      ZG_CHECK(((P::completes_square(balls) & P::ball(Cell(c))) != 0) == makes_square);
    }
  }
  // Every symmetry is a permutation that keeps "rests on".
  for (int k = 0; k < 8; ++k) {
    std::set<int> images;
    for (int c = 0; c < P::kCells; ++c) images.insert(P::transformed_cell(Cell(c), k).value());
    ZG_CHECK(static_cast<int>(images.size()) == P::kCells);
    for (int c = 0; c < P::kCells; ++c)
      for (int d = 0; d < P::kCells; ++d) {
        const auto at = [&](int i) { return all[static_cast<std::size_t>(i)]; };
        ZG_CHECK(rests_on(at(c), at(d)) ==
                 rests_on(at(P::transformed_cell(Cell(c), k).value()), at(P::transformed_cell(Cell(d), k).value())));
      }
  }
}

// Support-closed sets by ball count, the column of figures in the rules: 141,120 in all for the full pyramid.
template <int Base>
int count_stable() {
  using P = Pyramid<Base>;
  std::set<std::uint64_t> layer{0};
  int total = 0;
  while (!layer.empty()) {
    total += static_cast<int>(layer.size());
    std::set<std::uint64_t> next;
    for (const std::uint64_t balls : layer) {
      ZG_CHECK(P::is_stable(balls));
      for_each_bit(P::playable(balls), [&](int i) { next.insert(balls | bit(i)); });
    }
    layer = std::move(next);
  }
  return total;
}

void check_random() {
  Stream published{1234567};
  for (const std::uint64_t expected :
       {6457827717110365317U, 3203168211198807973U, 9817491932198370423U, 4593380528125082431U, 16408922859458223821U})
    ZG_CHECK(published.draw() == expected);
  Stream one{5};
  ZG_CHECK(one.bounded(1) == 0 && one.counter == 1);
  std::array<int, 6> counts{};
  for (int i = 0; i < 60000; ++i) ++counts[one.bounded(6)];
  for (const int c : counts) ZG_CHECK(c > 9500 && c < 10500);
  std::vector<int> list{0, 1, 2, 3, 4, 5, 6};
  Stream shuffles{9};
  Stream twin{9};
  shuffles.shuffle(list);
  std::vector<int> model{0, 1, 2, 3, 4, 5, 6};
  for (std::size_t i = 6; i > 0; --i) std::swap(model[i], model[twin.bounded(i + 1)]);
  ZG_CHECK(list == model && std::set<int>(list.begin(), list.end()).size() == 7);
  std::set<std::uint64_t> keys;
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    for (std::uint64_t index = 0; index < 100; ++index)
      for (const auto tag : {StreamTag::Chance, StreamTag::Playout}) keys.insert(stream_key(seed, index, tag));
  ZG_CHECK(keys.size() == 2000);
}

void check_numbers() {
  constexpr MixedRadix<3> kLay{{2, 9, 4}};
  std::set<int> codes;
  for (int code = 0; code < kLay.size(); ++code) {
    ZG_CHECK(kLay.encode(kLay.decode(code)) == code);
    codes.insert(code);
  }
  ZG_CHECK(codes.size() == 72 && kLay.encode({1, 8, 3}) == 71);
  constexpr IdBlocks<5> kBlocks{{3, 0, 4, 0, 1}};
  const std::array<std::size_t, 8> expected{0, 0, 0, 2, 2, 2, 2, 4};
  for (int id = 0; id < kBlocks.total(); ++id) ZG_CHECK(kBlocks.block_of(id) == expected[static_cast<std::size_t>(id)]);
  struct CellTag {};
  using Cell = Index<CellTag, 30>;
  ZG_CHECK(Cell{}.is_none() && !Cell{0}.is_none() && Cell{3} < Cell{4} && Cell{29}.value() == 29 && sizeof(Cell) == 1);
  ZG_CHECK(select_bit(0b10110, 2) == 4 && gather_bits(0b10110, 0b11010) == 0b101);
}

void check_cursor() {
  Cursor in("ab12,x");
  ZG_CHECK(in.take("ab") == 'a' && in.accept('b') && in.number(0, 99) == 12 && in.take_until("x") == "," &&
           !in.at_end());
  try {
    in.finish();
    ZG_CHECK(false);
  } catch (const ParseError& e) {
    ZG_CHECK(std::string(e.what()).find("at character 6") != std::string::npos);
  }
  ZG_CHECK(quoted("a\xff") == "'a\\xff'");
}

}  // namespace

int main() {
  tests::skip_unless_cpu_has_level();
  check_cell_set<30>();
  check_cell_set<81>();
  check_cell_set<100>();
  check_cell_set<196>();
  check_cell_set<400>();
  check_cell_set<20 * 21>();
  check_rect<20, 20>();
  check_rect<14, 14>();
  check_rect<9, 9>();
  check_rect<5, 8>();
  check_listing<20, 20, 12>();
  check_listing<14, 14, 8>();
  check_listing<8, 8, 3>();
  check_first_words<420, 4>();
  check_first_words<210, 2>();
  check_pyramid<4>();
  check_pyramid<3>();
  ZG_CHECK(count_stable<4>() == 141120);
  check_random();
  check_numbers();
  check_cursor();
  std::puts("the bricks agree with their models");
}
