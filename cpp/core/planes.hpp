// Observations: what they hold, and the forms in which that is stored. A game tells the content to a sink, in the order
// of its rules page, with values from 0 to 1:
//   out.cells(f)     a plane of cells: f(mark), and mark(cell, value) for those that are not 0
//   out.planes(n, f) n planes of cells at once: f(mark), and mark(plane, cell, value)
//   out.all(value)   a plane of one value
//   out.list(n, f)   n entries, each in a cell of as many planes as they need: f(mark), and mark(entry, value)
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace zg {

// How many cells a plane has, how many elements its array, and where in it each cell lies (null: cell i is element i).
struct PlaneLayout {
  int cells;
  int elements;
  const std::uint8_t* places = nullptr;
};

// A value as an element of type T: itself, or in 255ths.
template <class T>
T stored(double value) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(value);
  else
    return static_cast<T>(255 * value + 0.5);
}

// Every plane as a whole array.
template <class T>
class Planes {
 public:
  Planes(std::span<T> out, const PlaneLayout& layout) : out_(out.data()), layout_(layout) {
    std::fill(out.begin(), out.end(), T{0});
  }
  template <class F>
  void cells(F&& f) {
    planes(1, [&](auto mark) { f([&](auto cell, double value) { mark(0, cell, value); }); });
  }
  template <class F>
  void planes(int n, F&& f) {
    f([&](int plane, auto cell, double value) {
      out_[layout_.elements * plane + place(static_cast<int>(cell))] = stored<T>(value);
    });
    out_ += n * layout_.elements;
  }
  void all(double value) {
    if (layout_.places == nullptr)
      std::fill_n(out_, layout_.elements, stored<T>(value));
    else if (value != 0)
      for (int cell = 0; cell < layout_.cells; ++cell) out_[layout_.places[cell]] = stored<T>(value);
    out_ += layout_.elements;
  }
  template <class F>
  void list(int n, F&& f) {
    f([&](auto entry, double value) { out_[static_cast<int>(entry)] = stored<T>(value); });
    out_ += (n + layout_.elements - 1) / layout_.elements * layout_.elements;
  }

 private:
  int place(int cell) const { return layout_.places == nullptr ? cell : layout_.places[cell]; }

  T* out_;
  PlaneLayout layout_;
};

// The same content in one row: the cells of a plane, or its one value; the entries of a list.
template <class T>
class Compact {
 public:
  Compact(std::span<T> out, const PlaneLayout& layout) : out_(out.data()), cells_(layout.cells) {
    std::fill(out.begin(), out.end(), T{0});
  }
  template <class F>
  void cells(F&& f) {
    list(cells_, f);
  }
  template <class F>
  void planes(int n, F&& f) {
    f([&](int plane, auto cell, double value) { out_[cells_ * plane + static_cast<int>(cell)] = stored<T>(value); });
    out_ += n * cells_;
  }
  void all(double value) { *out_++ = stored<T>(value); }
  template <class F>
  void list(int n, F&& f) {
    f([&](auto entry, double value) { out_[static_cast<int>(entry)] = stored<T>(value); });
    out_ += n;
  }

 private:
  T* out_;
  int cells_;
};

// The length of that row.
class CompactLength {
 public:
  explicit CompactLength(const PlaneLayout& layout) : cells_(layout.cells) {}
  template <class F>
  void cells(F&&) {
    length_ += cells_;
  }
  template <class F>
  void planes(int n, F&&) {
    length_ += n * cells_;
  }
  void all(double) { ++length_; }
  template <class F>
  void list(int n, F&&) {
    length_ += n;
  }
  int length() const { return length_; }

 private:
  int cells_;
  int length_ = 0;
};

}  // namespace zg
