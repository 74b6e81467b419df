// What a run has become: arrays by channel.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace slip::python {

struct Channel {
  std::string label, failure;
  std::vector<std::string> notes;
  int64_t not_converged = 0;
  uint64_t hash = 0;      ///< of the last state
  bool stepped = true;    ///< else measured: of another simulator's run
  pybind11::dict arrays;  ///< and words

  /// Those whose names begin so, without that.
  pybind11::dict Named(std::string_view prefix) const;
  /// An array or a signal; KeyError.
  pybind11::object Get(const pybind11::object& name) const;
};

struct Outcome {
  std::vector<std::shared_ptr<Channel>> channels;
  bool complete = false;

  std::vector<std::string> Labels() const;
  /// By label or number; KeyError, IndexError.
  std::shared_ptr<Channel> Get(const pybind11::object& which) const;
};

/// Run, Channel, CONTACT_MODES.
void AddChannels(pybind11::module_* module);

}  // namespace slip::python
