// Channels in files and in pickles.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "app/python/channel.h"

namespace slip::python {

/// Writes one as `path`, several as STEM-LABEL.npz, all or none. Gives the paths.
pybind11::list SaveChannels(const std::vector<const Channel*>& channels,
                            const pybind11::object& path, const pybind11::object& force);
std::shared_ptr<Channel> LoadChannel(const pybind11::object& path);
/// What Python's save had to say in the .npz; none of other files.
std::vector<std::string> NotesIn(const std::string& path);

pybind11::object PackChannel(const Channel& channel);
std::shared_ptr<Channel> UnpackChannel(const pybind11::object& packed);
pybind11::object PackOutcome(const Outcome& outcome);
std::shared_ptr<Outcome> UnpackOutcome(const pybind11::object& packed);

}  // namespace slip::python
