// The arrays that the steps of a batch fill: made once, by us or by the caller, and written again and again.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/arrays.hpp"
#include "core/error.hpp"
#include "engine/batch.hpp"

namespace zg::bindings {

inline Encoding encoding_from(std::string_view name) {
  if (name == "planes") return Encoding::Planes;
  if (name == "compact") return Encoding::Compact;
  throw BadValue("an encoding is 'planes' or 'compact', not " + quoted(name));
}

// Are elements bytes (in 255ths), rather than float32? `dtype` is what numpy.dtype takes.
inline bool is_bytes(const py::object& dtype) {
  const auto given = py::dtype::from_args(dtype);
  if (given.equal(py::dtype::of<std::uint8_t>())) return true;
  if (given.equal(py::dtype::of<float>())) return false;
  throw BadValue("observations have dtype float32 or uint8, not " + repr_of(given));
}

inline py::ssize_t packed_size(py::ssize_t actions) {
  return static_cast<py::ssize_t>(zg::packed_size(static_cast<int>(actions)));
}

// The sizes that arrays and batch must agree on.
struct BatchShape {
  py::ssize_t rows = 0;
  py::ssize_t players = 0;
  py::ssize_t actions = 0;
  friend bool operator==(const BatchShape&, const BatchShape&) = default;
};

class Buffers {
 public:
  // What is wanted, and the caller's arrays for it by name; what he does not give is made.
  Buffers(const BatchShape& shape, Encoding encoding, const std::vector<int>& observation_shape,
          const py::object& observation, bool bytes, bool final_observation, const py::object& legal,
          const py::dict& arrays)
      : shape_(shape), encoding_(encoding), bytes_(bytes), given_(arrays) {
    const auto n = shape.rows;
    rewards_ = take<float>("rewards", {n, shape.players});
    terminations_ = take<bool>("terminations", {n});
    current_players_ = take<std::int32_t>("current_players", {n});
    if (!observation.is_none()) {
      for (const int length : observation_shape) observation_size_ *= length;
      std::vector<py::ssize_t> whole{n};
      whole.insert(whole.end(), observation_shape.begin(), observation_shape.end());
      observation_ = take_observation("observation", whole);
      if (final_observation) final_observation_ = take_observation("final_observation", whole);
    }
    if (!legal.is_none()) take_legal(std::string(py::str(legal)));
    for (const auto& [name, array] : arrays)
      if (!taken_.contains(name)) throw BadValue("these buffers have no array " + repr_of(name));
    given_ = taken_ = py::dict();
  }

  const BatchShape& shape() const { return shape_; }
  const py::object& rewards() const { return rewards_; }
  const py::object& terminations() const { return terminations_; }
  const py::object& current_players() const { return current_players_; }
  const py::object& observation() const { return observation_; }
  const py::object& final_observation() const { return final_observation_; }
  const py::object& legal_mask() const { return mask_; }
  const py::object& legal_packed() const { return packed_; }
  const py::object& legal_indptr() const { return indptr_; }
  py::object legal_actions() const {
    if (!list_) return py::none();
    return (*list_)[py::slice(0, static_cast<py::ssize_t>(listed_), 1)];
  }
  bool is_list_wanted() const { return list_.has_value(); }

  BatchTargets targets() {
    BatchTargets out;
    const auto n = shape_.rows;
    out.rewards = elements<float>(rewards_, n * shape_.players);
    out.terminations = elements<bool>(terminations_, n);
    out.current_players = elements<std::int32_t>(current_players_, n);
    out.observation = target(observation_);
    out.final_observation = target(final_observation_);
    out.mask = elements<std::uint8_t>(mask_, n * shape_.actions);
    out.packed = elements<std::uint8_t>(packed_, n * packed_size(shape_.actions));
    out.indptr = elements<std::int64_t>(indptr_, n + 1);
    return out;
  }
  // Room for so many listed actions; what was handed out before stays as it is if more is needed.
  std::span<std::int32_t> room_for(std::size_t listed) {
    listed_ = listed;
    if (static_cast<std::size_t>(list_->size()) < listed)
      list_ = py::array_t<std::int32_t>(static_cast<py::ssize_t>(listed + listed / 2));
    return {list_->mutable_data(), listed};
  }

 private:
  template <class T>
  py::object take(const char* name, const std::vector<py::ssize_t>& shape) {
    taken_[name] = true;
    return output_array<T>(given_.contains(name) ? py::object(given_[name]) : py::none(), shape);
  }
  py::object take_observation(const char* name, const std::vector<py::ssize_t>& shape) {
    return bytes_ ? take<std::uint8_t>(name, shape) : take<float>(name, shape);
  }
  void take_legal(const std::string& form) {
    const auto n = shape_.rows;
    if (form == "mask") {
      mask_ = take<std::uint8_t>("legal_mask", {n, shape_.actions});
    } else if (form == "packed") {
      packed_ = take<std::uint8_t>("legal_packed", {n, packed_size(shape_.actions)});
    } else if (form == "csr") {
      indptr_ = take<std::int64_t>("legal_indptr", {n + 1});
      list_ = py::array_t<std::int32_t>(64 * n);
    } else {
      throw BadValue("legal is 'mask', 'packed', 'csr' or None, not " + quoted(form));
    }
  }

  // NumPy lets the owner of an array make it read-only, or another size, at any time.
  template <class T>
  static std::span<T> elements(const py::object& object, py::ssize_t size) {
    if (object.is_none()) return {};
    auto array = py::reinterpret_borrow<py::array_t<T>>(object);
    if (array.size() != size) throw BadValue("an array of these buffers has another size now");
    return {array.mutable_data(), static_cast<std::size_t>(size)};
  }
  ObservationTarget target(const py::object& object) const {
    ObservationTarget out{encoding_, static_cast<std::size_t>(observation_size_)};
    const auto size = shape_.rows * observation_size_;
    if (bytes_)
      out.bytes = elements<std::uint8_t>(object, size);
    else
      out.floats = elements<float>(object, size);
    return out;
  }

  BatchShape shape_;
  Encoding encoding_;
  bool bytes_;
  py::ssize_t observation_size_ = 1;
  py::dict given_, taken_;
  py::object rewards_, terminations_, current_players_;
  py::object observation_ = py::none(), final_observation_ = py::none();
  py::object mask_ = py::none(), packed_ = py::none(), indptr_ = py::none();
  std::optional<py::array_t<std::int32_t>> list_;  // grows
  std::size_t listed_ = 0;
};

inline void define_buffers(py::module_& m) {
  py::class_<Buffers>(m, "Buffers", py::is_final(),
                      "The arrays that BatchEnv.reset and BatchEnv.step fill, made by BatchEnv.buffers; None where one "
                      "was not asked for. n games, p players.")
      .def_property_readonly("rewards", &Buffers::rewards, "float32[n, p]: returns of games that ended, else 0.")
      .def_property_readonly("terminations", &Buffers::terminations, "bool[n]: has this step ended the game?")
      .def_property_readonly("current_players", &Buffers::current_players,
                             "int32[n]: the player to move; -4 after the end.")
      .def_property_readonly("observation", &Buffers::observation,
                             "[n, ...]: what the player to move sees (after the end: who would be next).")
      .def_property_readonly("final_observation", &Buffers::final_observation,
                             "[n, ...]: the last observation of games that this step ended and reset "
                             "(autoreset=\"same_step\"); other rows are left alone.")
      .def_property_readonly("legal_mask", &Buffers::legal_mask, "uint8[n, actions]: 1 for legal ids.")
      .def_property_readonly("legal_packed", &Buffers::legal_packed,
                             "uint8[n, ceil(actions / 8)]: numpy.packbits of the mask, bitorder=\"little\".")
      .def_property_readonly("legal_indptr", &Buffers::legal_indptr,
                             "int64[n + 1]: the legal ids of row i are legal_actions[indptr[i]:indptr[i + 1]].")
      .def_property_readonly("legal_actions", &Buffers::legal_actions, "int32[k]: legal ids, ascending in each row.");
}

}  // namespace zg::bindings
