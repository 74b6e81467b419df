#include "app/python/channel_file.h"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <span>

#include "app/python/errors.h"
#include "app/python/values.h"
#include "engine/core/numbers.h"
#include "engine/foreign/foreign_file.h"
#include "engine/npz/npz_file.h"
#include "engine/npz/npz_writer.h"
#include "engine/run/study/npz_recorder.h"

namespace slip::python {
namespace {

namespace py = pybind11;
namespace fs = std::filesystem;

// Words of a file beside those of its arrays.
constexpr const char *kLabel = "label", *kNotes = "notes", *kFailure = "failure",
                     *kNotConverged = "not_converged", *kStateHash = "state_hash";
constexpr std::string_view kOurEngine = "Slipscope ";

template <class Number>
void PutRows(const py::array& array, const std::string& name, NpyType type, NpzWriter* writer) {
  const auto numbers = py::array_t<Number, py::array::c_style | py::array::forcecast>(array);
  std::vector<int64_t> row(numbers.shape() + 1, numbers.shape() + numbers.ndim());
  const int at = writer->Add(name, type, row);
  for (py::ssize_t i = 0; i < numbers.size(); ++i) writer->Put(at, numbers.data()[i]);
}

// A text, texts, a number or an array.
void PutValue(const std::string& name, const py::object& value, NpzWriter* writer) {
  const bool is_array = py::isinstance<py::array>(value);
  if (py::isinstance<py::str>(value)) {
    writer->AddTexts(name, std::vector<std::string>{ToText(value, name)}, true);
  } else if (py::isinstance<py::list>(value)) {
    writer->AddTexts(name, ToTexts(value, name), false);
  } else if (!is_array || value.cast<py::array>().ndim() == 0) {
    writer->AddNumber(name, ToNumber(value, name));
  } else {
    const auto array = value.cast<py::array>();
    if (array.dtype().kind() == 'f') {
      PutRows<double>(array, name, NpyType::kF8, writer);
    } else {
      PutRows<int64_t>(array, name, array.itemsize() == 4 ? NpyType::kI4 : NpyType::kI8, writer);
    }
  }
}

void PutChannel(const Channel& channel, NpzWriter* writer) {
  for (const auto& [key, value] : channel.arrays)
    PutValue(key.cast<std::string>(), py::reinterpret_borrow<py::object>(value), writer);
  const auto text = [writer](const char* name, const std::string& words) {
    if (!words.empty()) writer->AddTexts(name, std::vector<std::string>{words}, true);
  };
  text(kLabel, channel.label);
  text(kFailure, channel.failure);
  if (channel.stepped) text(kStateHash, fmt::format("{:016x}", channel.hash));
  if (!channel.notes.empty()) writer->AddTexts(kNotes, channel.notes, false);
  writer->AddNumber(kNotConverged, static_cast<double>(channel.not_converged));
}

// As Run gives it: texts, floats, arrays that nobody changes. Nothing of other kinds.
py::object AsOfRun(const py::object& value) {
  if (!py::isinstance<py::array>(value)) return value;
  const auto array = value.cast<py::array>();
  const char kind = array.dtype().kind();
  if (kind == 'U' || kind == 'S')
    return array.ndim() == 0 ? py::object(py::str(value)) : value.attr("tolist")();
  if (kind != 'f' && kind != 'i' && kind != 'u' && kind != 'b') return py::none();
  if (array.ndim() == 0) return py::float_(value);
  value.attr("setflags")(py::arg("write") = false);
  return value;
}

py::object Pop(py::dict* words, const char* name) { return words->attr("pop")(name, py::none()); }

std::string PopText(py::dict* words, const char* name) {
  const py::object value = Pop(words, name);
  return py::isinstance<py::str>(value) ? value.cast<std::string>() : std::string();
}

// What a file has, taken apart.
std::shared_ptr<Channel> ChannelOf(py::dict words, const std::string& stem) {
  auto channel = std::make_shared<Channel>();
  channel->label = PopText(&words, kLabel);
  channel->failure = PopText(&words, kFailure);
  const std::string hash = PopText(&words, kStateHash);
  std::from_chars(hash.data(), hash.data() + hash.size(), channel->hash, 16);
  if (const py::object notes = Pop(&words, kNotes); py::isinstance<py::list>(notes))
    channel->notes = notes.cast<std::vector<std::string>>();
  if (const py::object steps = Pop(&words, kNotConverged); py::isinstance<py::float_>(steps))
    channel->not_converged = static_cast<int64_t>(steps.cast<double>());
  const py::object engine = words.attr("get")("engine", "");
  const auto maker = py::isinstance<py::str>(engine) ? engine.cast<std::string>() : std::string();
  const bool by_program = channel->label.empty() && maker.starts_with(kOurEngine);
  channel->stepped = by_program || !hash.empty();
  if (channel->label.empty())
    channel->label = by_program ? maker.substr(maker.rfind(' ') + 1) : stem;
  channel->arrays = std::move(words);
  return channel;
}

}  // namespace

py::list SaveChannels(const std::vector<const Channel*>& channels, const py::object& path,
                      const py::object& force) {
  const fs::path whole(ToPath(path, "path"));
  if (whole.extension() != kNpzSuffix)
    throw SentenceError(fmt::format("a file of arrays is called NAME.npz (found '{}')",
                                    whole.string().substr(0, 200)));
  const fs::path folder = whole.has_parent_path() ? whole.parent_path() : fs::path(".");
  std::vector<std::string> names, paths;
  for (const Channel* channel : channels) {
    const std::string label = channels.size() == 1 ? "" : "-" + channel->label;
    names.push_back(whole.stem().string() + label + std::string(kNpzSuffix));
    paths.push_back((whole.parent_path() / names.back()).string());
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  const auto files = Take(OpenOutputFiles(folder.string(), views, ToFlag(force, "force")));
  std::vector<OutputFile*> all;
  for (std::size_t c = 0; c < files.size(); ++c) {
    const auto writer = Take(NpzWriter::Open(files[c]->path()));
    PutChannel(*channels[c], writer.get());
    writer->Finish(files[c].get());
    if (!writer->good())
      throw SentenceError(paths[c] + ": cannot be written to its end, as the disk is full?");
    all.push_back(files[c].get());
  }
  Check(CommitTogether(all));
  py::list written;
  for (const std::string& each : paths) written.append(ToPythonPath(each));
  return written;
}

std::shared_ptr<Channel> LoadChannel(const py::object& path) {
  const std::string text = ToPath(path, "path");
  const NpzFile file = Take(NpzFile::Read(text));  // what is wrong with it, as a sentence
  for (const char* needed : {"time", "bodies"})
    if (file.Find(needed) == nullptr)
      Throw({Error{.message = fmt::format("has no array '{}'", needed), .file = text}});
  // a run that was refused at its first step has none
  if (file.Find("time")->count() > 0) Check(CheckForeignFile(Take(ReadForeignNpz(text, {}))));
  const py::object name = py::module_::import("os").attr("fsdecode")(path);
  const py::object npz = py::module_::import("numpy").attr("load")(name);
  py::dict words;
  for (const py::handle array : npz.attr("files")) {
    const py::object value = AsOfRun(npz[array]);
    if (!value.is_none()) words[array] = value;
  }
  npz.attr("close")();
  return ChannelOf(std::move(words), fs::path(text).stem().string());
}

std::vector<std::string> NotesIn(const std::string& path) {
  constexpr int64_t kMostNotes = 100;
  std::vector<std::string> notes;
  if (!path.ends_with(kNpzSuffix)) return notes;
  const auto file = NpzFile::Read(path);
  const NpyArray* texts = file ? file->Find(kNotes) : nullptr;
  if (texts == nullptr || !texts->IsText()) return notes;
  for (int64_t i = 0; i < std::min(texts->count(), kMostNotes); ++i)
    notes.push_back("as it was recorded: " + texts->Text(i));
  return notes;
}

py::object PackChannel(const Channel& channel) {
  py::dict words = channel.arrays.attr("copy")();
  words[kLabel] = channel.label;
  words[kFailure] = channel.failure;
  words[kNotes] = channel.notes;
  words[kNotConverged] = static_cast<double>(channel.not_converged);
  if (channel.stepped) words[kStateHash] = fmt::format("{:016x}", channel.hash);
  return words;
}

std::shared_ptr<Channel> UnpackChannel(const py::object& packed) {
  if (!py::isinstance<py::dict>(packed) || !packed.contains("time") || !packed.contains("bodies"))
    throw SentenceError("this is no pickled Channel");
  py::dict words;
  for (const auto& [key, value] : packed.cast<py::dict>())
    words[key] = AsOfRun(py::reinterpret_borrow<py::object>(value));
  return ChannelOf(std::move(words), "");
}

py::object PackOutcome(const Outcome& outcome) {
  return py::make_tuple(outcome.channels, outcome.complete);
}

std::shared_ptr<Outcome> UnpackOutcome(const py::object& packed) {
  const SentenceError refused("this is no pickled Run");
  if (!py::isinstance<py::tuple>(packed) || py::len(packed) != 2) throw refused;
  const py::object channels = packed[py::int_(0)], complete = packed[py::int_(1)];
  if (!py::isinstance<py::list>(channels) || !py::isinstance<py::bool_>(complete)) throw refused;
  auto outcome = std::make_shared<Outcome>();
  for (const py::handle channel : channels) {
    if (!py::isinstance<Channel>(channel)) throw refused;
    outcome->channels.push_back(channel.cast<std::shared_ptr<Channel>>());
  }
  outcome->complete = complete.cast<bool>();
  return outcome;
}

}  // namespace slip::python
