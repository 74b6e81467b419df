#include "app/session/clipboard.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <numbers>

#include "engine/core/param_text.h"

namespace slip::app {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
// A clipboard may hold a book.
constexpr std::size_t kMostText = 1 << 16;

std::string Trim(std::string_view text, std::string_view what = " \t\r\"'") {
  const std::size_t first = text.find_first_not_of(what);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(what) - first + 1));
}

/// "key = value", or a false pair.
bool SplitLine(std::string_view line, std::string* key, std::string* value) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return false;
  *key = Trim(line.substr(0, equals));
  std::string_view rest = line.substr(equals + 1);
  if (const std::size_t comment = rest.find('#'); comment != std::string_view::npos)
    rest = rest.substr(0, comment);
  *value = Trim(rest);
  return !key->empty() && !value->empty();
}

void TakeParam(const std::string& path, const std::string& value, const Config& config,
               bool must_exist, Pasted* out) {
  const ParamInfo* info = FindParam(config, path);
  if (info == nullptr) {
    if (!must_exist) return;
    std::vector<std::string> paths;
    for (const ParamEntry& entry : ListParams(config)) paths.push_back(entry.path);
    const std::vector<std::string_view> views(paths.begin(), paths.end());
    out->problems.push_back(
        fmt::format("This scene has no parameter '{}', {}", path, DidYouMean(path, views)));
    return;
  }
  const Result<double> parsed = ParseValue(*info, value);
  if (!parsed.ok()) {
    out->problems.push_back(fmt::format("{}: {}", path, parsed.error().Text()));
    return;
  }
  if (const Status status = CheckValue(*info, *parsed); !status.ok()) {
    out->problems.push_back(status.error().Text());
    return;
  }
  out->params.emplace_back(path, *parsed);
}

bool TakeVector(const std::string& text, Vec3* v) {
  std::string_view rest = text;
  for (int i = 0; i < 3; ++i) {
    const std::size_t end = rest.find(',');
    if ((end == std::string_view::npos) != (i == 2)) return false;
    const Result<double> number = ParseQuantity(Trim(rest.substr(0, end), " []\t"), "m");
    if (!number.ok()) return false;
    (*v)[i] = *number;
    if (i < 2) rest = rest.substr(end + 1);
  }
  return true;
}

/// False when the value is none that a camera can have.
bool TakeCamera(const std::string& key, const std::string& value, CameraSpec* camera) {
  if (key == "target") return TakeVector(value, &camera->target);
  const bool angle = key == "azimuth" || key == "elevation" || key == "field_of_view";
  if (!angle && key != "distance") return true;  // "follow" and the like stay the scene's own
  const Result<double> number = ParseQuantity(value, angle ? "rad" : "m");
  if (!number.ok()) return false;
  if (key == "azimuth") camera->azimuth = *number;
  if (key == "elevation") camera->elevation = *number;
  if (key == "field_of_view" && *number > 0 && *number < 3) camera->field_of_view = *number;
  if (key == "distance") {
    if (!(*number > 0)) return false;
    camera->distance = *number;
  }
  return true;
}

/// The arguments of every -p and --at in the order of the text, with or without quotes: the values
/// that hold at the end. Those of a single channel are passed over.
void TakeOptions(std::string_view text, const Config& config, Pasted* out) {
  const auto next = [&](std::size_t from) {
    return std::min(text.find("-p", from), text.find("--at", from));
  };
  for (std::size_t at = next(0); at != std::string_view::npos; at = next(at)) {
    const bool starts = at == 0 || std::isspace(static_cast<unsigned char>(text[at - 1])) != 0;
    const bool timed = text.substr(at).starts_with("--at");
    at += timed ? 4 : 2;
    while (at < text.size() && text[at] == ' ') ++at;
    if (!starts || at >= text.size()) continue;
    const char quote = text[at] == '\'' || text[at] == '"' ? text[at++] : ' ';
    std::size_t end = at;
    while (end < text.size() && text[end] != quote && text[end] != '\n') ++end;
    std::string_view argument = text.substr(at, end - at);
    if (timed) argument = argument.substr(std::min(argument.find(':') + 1, argument.size()));
    std::string key, value;
    if (SplitLine(argument, &key, &value) && key.find('@') == std::string::npos)
      TakeParam(key, value, config, true, out);
    at = end;
  }
}

}  // namespace

std::string CameraText(const CameraSpec& c) {
  return fmt::format(
      "[camera]\ntarget = [{:.6g}, {:.6g}, {:.6g}]\ndistance = {:.6g}\nazimuth = \"{:.6g} deg\"\n"
      "elevation = \"{:.6g} deg\"\nfield_of_view = \"{:.6g} deg\"\n",
      c.target.x(), c.target.y(), c.target.z(), c.distance, c.azimuth / kDegree,
      c.elevation / kDegree, c.field_of_view / kDegree);
}

Pasted ReadPasted(std::string_view text, const Config& config, const CameraSpec& now) {
  Pasted out;
  text = text.substr(0, kMostText);
  TakeOptions(text, config, &out);
  bool in_camera = false;
  std::string table;  // "material.steel." within [material.steel]
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string line = Trim(text.substr(0, end), " \t\r");
    text = end < text.size() ? text.substr(end + 1) : std::string_view();
    if (line.starts_with("[")) {
      const std::string name = Trim(line, "[] \t");
      in_camera = name == "camera";
      table = name + ".";
      if (in_camera && !out.camera) out.camera = now;
      continue;
    }
    std::string key, value;
    if (line.find("-p") != std::string::npos || !SplitLine(line, &key, &value)) continue;
    if (in_camera) {
      if (!TakeCamera(key, value, &*out.camera))
        out.problems.push_back(fmt::format("A camera cannot have {} = {}.", key, value));
      continue;
    }
    TakeParam(FindParam(config, table + key) != nullptr ? table + key : key, value, config, false,
              &out);
  }
  return out;
}

}  // namespace slip::app
