// The arrays that the steps of a batch fill: made once, by us or by the caller, and written again and again.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
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

// What arrays and batch must agree on.
struct BatchShape {
  py::ssize_t rows = 0;
  py::ssize_t players = 0;
  py::ssize_t actions = 0;
  std::array<std::vector<int>, 2> observations{};  // of each encoding
  bool same_step = false;
  friend bool operator==(const BatchShape&, const BatchShape&) = default;
};

// An array of ours or of the caller's that is written again and again.
template <class T>
class HeldArray {
 public:
  HeldArray() = default;
  HeldArray(const py::object& given, std::vector<py::ssize_t> shape)
      : array_(output_array<T>(given, shape)), dtype_(array_.attr("dtype")), shape_(std::move(shape)) {}

  bool is_held() const { return !array_.is_none(); }
  const py::object& object() const { return array_; }
  // Its elements, if it is still what it was: NumPy lets the owner of an array change all of it, at any time.
  std::span<T> elements() const {
    if (!is_held()) return {};
    if (!is_as_it_was()) static_cast<void>(output_array<T>(array_, shape_));  // says what is wrong
    auto* const raw = py::detail::array_proxy(array_.ptr());
    return {reinterpret_cast<T*>(raw->data), size()};
  }

 private:
  bool is_as_it_was() const {
    using Flags = py::detail::npy_api::constants;
    constexpr int kWanted = Flags::NPY_ARRAY_C_CONTIGUOUS_ | Flags::NPY_ARRAY_ALIGNED_ | Flags::NPY_ARRAY_WRITEABLE_;
    const auto* const raw = py::detail::array_proxy(array_.ptr());
    return raw->descr == dtype_.ptr() && (raw->flags & kWanted) == kWanted &&
           static_cast<std::size_t>(raw->nd) == shape_.size() &&
           std::equal(raw->dimensions, raw->dimensions + raw->nd, shape_.begin(), shape_.end());
  }
  std::size_t size() const {
    std::size_t n = 1;
    for (const auto length : shape_) n *= static_cast<std::size_t>(length);
    return n;
  }

  py::object array_ = py::none();
  py::object dtype_;
  std::vector<py::ssize_t> shape_;
};

class Buffers {
 public:
  // What is wanted, and the caller's arrays for it by name; what he does not give is made.
  Buffers(const BatchShape& shape, const py::object& observation, bool bytes, const py::object& legal,
          const py::dict& given)
      : shape_(shape) {
    const auto n = shape.rows;
    std::vector<std::string> taken;
    const auto take = [&](const char* name) {
      taken.emplace_back(name);
      return given.contains(name) ? py::object(given[name]) : py::object(py::none());
    };
    rewards_ = {take("rewards"), {n, shape.players}};
    terminations_ = {take("terminations"), {n}};
    current_players_ = {take("current_players"), {n}};
    if (!observation.is_none()) {
      encoding_ = encoding_from(std::string(py::str(observation)));
      observation_ = Observation(take("observation"), observation_shape(), bytes);
      if (shape.same_step) {
        final_observation_ = Observation(take("final_observation"), observation_shape(), bytes);
        if (!given.contains("final_observation")) final_observation_.object().attr("fill")(0);
      }
    }
    if (!legal.is_none()) take_legal(std::string(py::str(legal)), take);
    for (const auto& [name, array] : given)
      if (std::find(taken.begin(), taken.end(), std::string(py::str(name))) == taken.end())
        throw BadValue("these buffers have no array " + repr_of(name));
  }

  const BatchShape& shape() const { return shape_; }
  py::object rewards() const { return rewards_.object(); }
  py::object terminations() const { return terminations_.object(); }
  py::object current_players() const { return current_players_.object(); }
  py::object observation() const { return observation_.object(); }
  py::object final_observation() const { return final_observation_.object(); }
  py::object legal_mask() const { return mask_.object(); }
  py::object legal_packed() const { return packed_.object(); }
  py::object legal_indptr() const { return indptr_.object(); }
  py::object legal_actions() const {
    if (!is_list_wanted()) return py::none();
    const std::lock_guard lock(mutex_);
    return list_[py::slice(0, static_cast<py::ssize_t>(listed_), 1)];
  }
  bool is_list_wanted() const { return indptr_.is_held(); }

  BatchTargets targets() const {
    BatchTargets out;
    out.rewards = rewards_.elements();
    out.terminations = terminations_.elements();
    out.current_players = current_players_.elements();
    out.observation = observation_.target(encoding_);
    out.final_observation = final_observation_.target(encoding_);
    out.mask = mask_.elements();
    out.packed = packed_.elements();
    out.indptr = indptr_.elements();
    return out;
  }
  // What was handed out before stays as it is.
  void keep_list(const std::vector<std::int32_t>& listed) {
    const std::lock_guard lock(mutex_);
    const auto n = static_cast<py::ssize_t>(listed.size());
    if (list_.size() < n || !list_.writeable()) list_ = py::array_t<std::int32_t>(n + n / 2);
    std::copy(listed.begin(), listed.end(), list_.mutable_data());
    listed_ = listed.size();
  }

 private:
  // float32, or bytes in 255ths.
  class Observation {
   public:
    Observation() = default;
    Observation(const py::object& given, const std::vector<py::ssize_t>& shape, bool bytes) {
      if (bytes)
        bytes_ = {given, shape};
      else
        floats_ = {given, shape};
      for (std::size_t i = 1; i < shape.size(); ++i) size_ *= static_cast<std::size_t>(shape[i]);
    }
    const py::object& object() const { return bytes_.is_held() ? bytes_.object() : floats_.object(); }
    ObservationTarget target(Encoding encoding) const {
      return {encoding, size_, floats_.elements(), bytes_.elements()};
    }

   private:
    HeldArray<float> floats_;
    HeldArray<std::uint8_t> bytes_;
    std::size_t size_ = 1;
  };

  std::vector<py::ssize_t> observation_shape() const {
    std::vector<py::ssize_t> out{shape_.rows};
    const auto& one = shape_.observations[static_cast<std::size_t>(encoding_)];
    out.insert(out.end(), one.begin(), one.end());
    return out;
  }
  template <class Take>
  void take_legal(const std::string& form, Take&& take) {
    const auto n = shape_.rows;
    if (form == "mask")
      mask_ = {take("legal_mask"), {n, shape_.actions}};
    else if (form == "packed")
      packed_ = {take("legal_packed"), {n, packed_size(shape_.actions)}};
    else if (form == "csr")
      indptr_ = {take("legal_indptr"), {n + 1}};
    else
      throw BadValue("legal is 'mask', 'packed', 'csr' or None, not " + quoted(form));
  }

  BatchShape shape_;
  Encoding encoding_ = Encoding::Planes;
  HeldArray<float> rewards_;
  HeldArray<bool> terminations_;
  HeldArray<std::int32_t> current_players_;
  Observation observation_, final_observation_;
  HeldArray<std::uint8_t> mask_, packed_;
  HeldArray<std::int64_t> indptr_;
  mutable std::mutex mutex_;  // of the list, which is replaced when it must grow
  py::array_t<std::int32_t> list_{0};
  std::size_t listed_ = 0;
};

inline void define_buffers(py::module_& m) {
  py::class_<Buffers> buffers(
      m, "Buffers", py::is_final(),
      "The arrays that BatchEnv.reset and BatchEnv.step fill, made by BatchEnv.buffers; None where one was not asked "
      "for. n games, p players.");
  forbid_new(buffers);
  buffers.def_property_readonly("rewards", &Buffers::rewards, "float32[n, p]: returns of games that ended, else 0.")
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
