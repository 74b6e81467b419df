#include "app/python/channel.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "app/python/bind.h"
#include "app/python/channel_file.h"
#include "app/python/errors.h"
#include "app/python/unmade.h"
#include "app/python/values.h"
#include "engine/core/numbers.h"
#include "engine/sim/snapshot.h"

namespace slip::python {
namespace {

namespace py = pybind11;

constexpr std::string_view kSignal = "signal_", kContact = "contact_";

}  // namespace

py::dict Channel::Named(std::string_view prefix) const {
  py::dict named;
  for (const auto& [key, value] : arrays) {
    const auto name = py::cast<std::string>(key);
    if (name.starts_with(prefix)) named[py::str(name.substr(prefix.size()))] = value;
  }
  return named;
}

py::object Channel::Get(const py::object& which) const {
  const std::string name = ToText(which, "the name of an array or signal");
  std::vector<std::string> known;
  for (const auto& [key, value] : arrays) {
    auto own = py::cast<std::string>(key);
    if (own == name) return py::reinterpret_borrow<py::object>(value);
    if (own.starts_with(kSignal)) own.erase(0, kSignal.size());
    if (own == name) return py::reinterpret_borrow<py::object>(value);
    known.push_back(own);
  }
  throw py::key_error(SayUnknown("array or signal", name, known));
}

std::vector<std::string> Outcome::Labels() const {
  std::vector<std::string> labels;
  for (const auto& channel : channels) labels.push_back(channel->label);
  return labels;
}

std::shared_ptr<Channel> Outcome::Get(const py::object& which) const {
  if (!py::isinstance<py::str>(which)) {
    const auto count = static_cast<int64_t>(channels.size());
    const int64_t number = ToWhole(which, "the number of a channel");
    const int64_t at = number < 0 ? number + count : number;
    if (at < 0 || at >= count)
      throw py::index_error(fmt::format("no channel {}: the run has {}", number, count));
    return At(channels, at);
  }
  const std::string label = ToText(which, "the label of a channel");
  for (const auto& channel : channels) {
    if (channel->label == label) return channel;
  }
  throw py::key_error(SayUnknown("channel", label, Labels()));
}

namespace {

py::tuple ContactModes() {
  py::list modes;
  for (const ContactMode mode : {ContactMode::kOpen, ContactMode::kStick, ContactMode::kSlip})
    modes.append(std::string(Name(mode)));
  return py::tuple(modes);
}

void AddChannel(py::module_* module) {
  py::class_<Channel, std::shared_ptr<Channel>> channel(
      *module, "Channel",
      "One model's run as arrays, a row each step. channel[\"normal_force\"] is a signal;\n"
      "channel[\"position\"] has shape (steps, bodies, 3).");
  channel.def_readonly("label", &Channel::label, "What it is called in its run.")
      .def_readonly("failure", &Channel::failure, "Why it stopped early, a sentence; else empty.")
      .def_readonly("not_converged", &Channel::not_converged,
                    "How many of its steps did not converge.")
      .def_readonly("notes", &Channel::notes, "What its numbers do not tell, as `run` prints it.")
      .def_readonly("stepped", &Channel::stepped, "False of another simulator's run.")
      .def_property_readonly(
          "state_hash", [](const Channel& c) { return fmt::format("{:016x}", c.hash); },
          "Of the last state, every bit.")
      .def_readonly("arrays", &Channel::arrays, "All arrays and words, by the names of .npz files.")
      .def_property_readonly(
          "time", [](const Channel& c) { return c.arrays["time"]; }, "At the end of each step [s].")
      .def_property_readonly(
          "bodies", [](const Channel& c) { return c.arrays["bodies"]; },
          "Names, in the order of the arrays.")
      .def_property_readonly(
          "signals", [](const Channel& c) { return c.Named(kSignal); }, "Every signal by name.")
      .def_property_readonly(
          "contacts", [](const Channel& c) { return c.Named(kContact); },
          "Arrays of all contacts of all steps, a row each: time, a and b (places in bodies, -1: "
          "none), surface,\nposition, normal, force (on b), signed_distance, normal_velocity, "
          "slip_speed, mode (a place in CONTACT_MODES), ...")
      .def("__repr__", [](const Channel& c) {
        return fmt::format("<slipscope.Channel '{}', {} steps>", c.label,
                           py::len(c.arrays["time"]));
      });
  channel.def(py::pickle(&PackChannel, &UnpackChannel));
  DefReduce(&channel);
  Def(
      &channel, "save", "(self, path, force=False)",
      [](const Channel& c, const py::object& path, const py::object& force) {
        SaveChannels({&c}, path, force);
      },
      "Writes an .npz that load and `slipscope run --foreign` read, and np.load. A file that is "
      "there is\nreplaced only by force.",
      py::arg("path"), py::arg("force") = false);
  Def(&channel, "__getitem__", "(self, name)", &Channel::Get, "An array or a signal.",
      py::arg("name"));
  channel.def("__contains__", [](const Channel& c, const py::object& name) {
    const py::dict signals = c.Named(kSignal);
    return c.arrays.contains(name) || signals.contains(name);
  });
  channel.def("__iter__", [](const Channel& c) { return py::iter(c.arrays); });
}

}  // namespace

void AddChannels(py::module_* module) {
  module->attr("CONTACT_MODES") = ContactModes();
  AddChannel(module);
  py::class_<Outcome, std::shared_ptr<Outcome>> run(
      *module, "Run", "Channels by label or by number: run[\"sap\"], run[0].");
  run.def_readonly("channels", &Outcome::channels,
                   "A Channel of each model, then of each recorded run, in their order.")
      .def_readonly("complete", &Outcome::complete, "Every channel made all its steps.")
      .def_property_readonly("labels", &Outcome::Labels, "What run[...] knows its channels by.")
      .def("__len__", [](const Outcome& o) { return o.channels.size(); })
      .def("__contains__",
           [](const Outcome& o, const py::object& label) {
             for (const auto& channel : o.channels) {
               if (py::str(channel->label).equal(label) || py::cast(channel).is(label)) return true;
             }
             return false;
           })
      .def("__repr__", [](const Outcome& o) {
        return fmt::format("<slipscope.Run of {}{}>", fmt::join(o.Labels(), ", "),
                           o.complete ? "" : ", not complete: see failure of its channels");
      });
  run.def(py::pickle(&PackOutcome, &UnpackOutcome));
  DefReduce(&run);
  Def(
      &run, "save", "(self, path, force=False)",
      [](const Outcome& o, const py::object& path, const py::object& force) {
        std::vector<const Channel*> all;
        for (const auto& channel : o.channels) all.push_back(channel.get());
        return SaveChannels(all, path, force);
      },
      "Writes an .npz of each channel, as `slipscope run -o` does: \"a.npz\", or \"a-LABEL.npz\" "
      "of several.\nGives their paths.",
      py::arg("path"), py::arg("force") = false);
  Def(&run, "__getitem__", "(self, label)", &Outcome::Get, "By label or number.", py::arg("label"));
  Def(module, "load", "(path)", LoadChannel,
      "A Channel of an .npz that save or `slipscope run -o` wrote, notes and all.",
      py::arg("path"));
  RefuseUnmade<Channel>();
  RefuseUnmade<Outcome>();
}

}  // namespace slip::python
