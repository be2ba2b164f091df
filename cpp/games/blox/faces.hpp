// The layout of the board: two sides for each quarter (RULES.md, BX-1.1, BX-1.3, BX-9.1).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/random.hpp"
#include "games/blox/builtin_faces.hpp"

namespace zg::blox {

inline constexpr std::string_view kColourLetters = "WRGK";  // the order of colours everywhere
inline constexpr int kNumColours = 4;
inline constexpr int kNumQuarters = 4;
inline constexpr int kNumFaces = 2 * kNumQuarters;
inline constexpr int kMostFaceFields = 25;
inline constexpr std::array<std::string_view, kNumFaces> kFaceNames{"NWA", "NWB", "NEA", "NEB",
                                                                    "SWA", "SWB", "SEA", "SEB"};

// A quarter of a board of some size; the western and the northern ones have five columns and rows.
struct Quarter {
  int rows, columns, top, left;
  constexpr Quarter(int board, int quarter)
      : rows(quarter < 2 ? 5 : board - 5),
        columns(quarter % 2 == 0 ? 5 : board - 5),
        top(quarter < 2 ? 0 : 5),
        left(quarter % 2 == 0 ? 0 : 5) {}
};

struct Face {
  std::uint64_t colours = 0;             // two bits a field, row by row
  std::uint8_t fields = 0;               // 0: no face
  std::array<std::uint8_t, 4> towers{};  // 10 x row + column of the towers of heights 1 to 4

  constexpr int colour(int field) const { return static_cast<int>(colours >> (2 * field) & 3); }
  friend constexpr bool operator==(const Face&, const Face&) = default;
};
using Faces = std::array<Face, kNumFaces>;  // in the order of kFaceNames

// The face of a text that was checked.
constexpr Face face_of(std::string_view text) {
  Face face;
  for (; text[face.fields] != ':'; ++face.fields)
    face.colours |= std::uint64_t{kColourLetters.find(text[face.fields])} << (2 * face.fields);
  const std::string_view digits = text.substr(std::size_t{face.fields} + 1);
  for (std::size_t i = 0; i < face.towers.size(); ++i)
    face.towers[i] = static_cast<std::uint8_t>(10 * (digits[2 * i] - '0') + digits[2 * i + 1] - '0');
  return face;
}

// Calls f(i, text) for each part between plus signs.
template <class F>
constexpr void for_each_face_text(std::string_view text, F&& f) {
  for (std::size_t i = 0;; ++i) {
    const std::size_t plus = text.find('+');
    f(i, text.substr(0, plus));
    if (plus == text.npos) return;
    text.remove_prefix(plus + 1);
  }
}

constexpr Faces faces_of(std::string_view text) {
  Faces faces{};
  for_each_face_text(text, [&](std::size_t i, std::string_view part) { faces[i] = face_of(part); });
  return faces;
}

inline constexpr Faces kShipped10 = faces_of(kFaces10);
inline constexpr Faces kShipped9 = faces_of(kFaces9);

constexpr const Faces& shipped_faces(int board) { return board == 10 ? kShipped10 : kShipped9; }
constexpr bool is_given(const Faces& faces) { return faces[0].fields != 0; }

namespace detail {

// What is wrong with the text of a face of whatever quarter; empty if nothing is.
inline std::string face_text_fault(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == text.npos) return "has no ':' between letters and tower fields: " + quoted(text);
  const std::string_view letters = text.substr(0, colon);
  const std::string_view digits = text.substr(colon + 1);
  if (letters.empty() || letters.size() > kMostFaceFields)
    return "has " + std::to_string(letters.size()) + " letters, not one for each field of its quarter, at most 25";
  const std::size_t odd = letters.find_first_not_of(kColourLetters);
  if (odd != letters.npos) return "has the letter " + quoted(letters.substr(odd, 1)) + ", which is none of W R G K";
  if (digits.size() != 8 || digits.find_first_not_of("0123456789") != digits.npos)
    return "has the tower fields " + quoted(digits) + ", not eight digits";
  return "";
}

// What is wrong with a face of a quarter of that size; empty if nothing is.
inline std::string face_fault(const Face& face, const Quarter& quarter) {
  const int wanted = quarter.rows * quarter.columns;
  if (face.fields != wanted) return "has " + std::to_string(face.fields) + " letters, not " + std::to_string(wanted);
  for (auto at = face.towers.begin(); at != face.towers.end(); ++at) {
    const std::string where = "row " + std::to_string(*at / 10) + ", column " + std::to_string(*at % 10);
    if (*at / 10 >= quarter.rows || *at % 10 >= quarter.columns)
      return "has a tower field in " + where + ", outside its " + std::to_string(quarter.rows) + " rows and " +
             std::to_string(quarter.columns) + " columns";
    if (std::find(face.towers.begin(), at, *at) != at) return "has two towers in " + where;
  }
  return "";
}

}  // namespace detail

// Throws BadValue if a text is no layout, whatever the board.
inline void check_faces_text(std::string_view text) {
  const auto faces = 1 + std::count(text.begin(), text.end(), '+');
  if (faces != kNumFaces) throw BadValue(quoted(text) + " has " + std::to_string(faces) + " faces, not eight");
  for_each_face_text(text, [](std::size_t i, std::string_view part) {
    const std::string fault = detail::face_text_fault(part);
    if (!fault.empty()) throw BadValue("face " + std::string(kFaceNames[i]) + " " + fault);
  });
}

// Throws BadValue if the faces do not make up a board of that size.
inline void check_faces(const Faces& faces, int board) {
  for (std::size_t i = 0; i < kNumFaces; ++i) {
    const std::string fault = detail::face_fault(faces[i], Quarter(board, static_cast<int>(i / 2)));
    if (!fault.empty())
      throw BadValue("option faces is no layout of board " + std::to_string(board) + ": face " +
                     std::string(kFaceNames[i]) + " " + fault);
  }
}

inline std::string faces_text(const Faces& faces) {
  std::string out;
  for (const Face& face : faces) {
    if (!out.empty()) out += '+';
    for (int f = 0; f < face.fields; ++f) out += kColourLetters[static_cast<std::size_t>(face.colour(f))];
    out += ':';
    for (const std::uint8_t at : face.towers)
      (out += static_cast<char>('0' + at / 10)) += static_cast<char>('0' + at % 10);
  }
  return out;
}

}  // namespace zg::blox
