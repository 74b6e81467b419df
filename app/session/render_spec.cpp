#include "app/session/render_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/session/tab_list.h"
#include "engine/core/json_document.h"
#include "engine/core/json_writer.h"

namespace slip::app {
namespace {

constexpr TextFileKind kRenderSection{.name = "render section", .most_bytes = kMebibyte};

/// Reads keys that may be missing; the checker reports what is wrong.
class SectionReader {
 public:
  SectionReader(const Json& json, JsonChecker* check) : json_(json), check_(*check) {}

  void Number(const char* key, double min, double max, double* value) {
    if (json_.contains(key)) *value = check_.Number(json_, "render", key, min, max);
  }
  void Whole(const char* key, int min, int max, int* value) {
    double number = *value;
    Number(key, min, max, &number);
    if (number != std::floor(number)) check_.Add(fmt::format("render.{} must be whole", key));
    *value = static_cast<int>(number);
  }
  void Flag(const char* key, bool* value) {
    if (!json_.contains(key)) return;
    if (!json_[key].is_boolean())
      return check_.Add(fmt::format("render.{} must be true or false", key));
    *value = json_[key].get<bool>();
  }
  void Word(const char* key, const std::vector<std::string>& words, std::string* value) {
    if (!json_.contains(key)) return;
    const std::string word = check_.Text(json_, "render", key);
    if (std::find(words.begin(), words.end(), word) != words.end()) {
      *value = word;
    } else if (!word.empty()) {
      check_.Add(fmt::format("render.{} must be one of {} (found '{}')", key,
                             fmt::join(words, ", "), word.substr(0, 60)));
    }
  }
  void Words(const char* key, std::vector<std::string>* value) {
    if (!json_.contains(key)) return;
    const Json& list = json_[key];
    const bool texts = list.is_array() && std::all_of(list.begin(), list.end(),
                                                      [](const Json& x) { return x.is_string(); });
    if (!texts) return check_.Add(fmt::format("render.{} must be a list of texts", key));
    *value = list.get<std::vector<std::string>>();
  }

 private:
  const Json& json_;
  JsonChecker& check_;
};

void ReadSize(const Json& json, JsonChecker* check, RenderSpec* spec) {
  if (!json.contains("size")) return;
  constexpr double kLeast = 16, kMost = 16384;
  const std::vector<double> size = check->Numbers(json, "render", "size", 2);
  if (size.empty()) return;
  for (const double pixels : size) {
    if (pixels >= kLeast && pixels <= kMost && pixels == std::floor(pixels)) continue;
    return check->Add(fmt::format("render.size must be two whole numbers from {} to {} (found {})",
                                  kLeast, kMost, pixels));
  }
  spec->width = static_cast<int>(size[0]);
  spec->height = static_cast<int>(size[1]);
}

void ReadCameraSpec(const Json& json, JsonChecker* check, RenderSpec* spec) {
  if (!json.contains("camera")) return;
  const std::vector<double> c = check->Numbers(json, "render", "camera", 7);
  if (c.empty()) return;
  if (!(c[3] > 0) || !(c[6] > 0 && c[6] < 3.1)) {
    return check->Add(
        "render.camera must be target (3) [m], distance > 0 [m], azimuth, elevation, field of view "
        "within 0 and 3.1 [rad]");
  }
  spec->camera = MakeCamera(c);
}

void ReadTimeRange(const Json& json, JsonChecker* check, RenderSpec* spec) {
  if (!json.contains("time_range")) return;
  const std::vector<double> range = check->Numbers(json, "render", "time_range", 2);
  if (range.empty()) return;
  if (!(range[1] > range[0]))
    return check->Add("render.time_range must be two times [s], the second later than the first");
  spec->time_range = {range[0], range[1]};
}

void ReadHidden(const Json& json, JsonChecker* check, RenderSpec* spec) {
  if (!json.contains("hidden")) return;
  const Json& list = json["hidden"];
  if (!list.is_array()) return check->Add("render.hidden must be a list of channels");
  for (const Json& item : list) {
    if (!item.is_number_unsigned() || item.get<uint64_t>() > 3)
      return check->Add("render.hidden must hold numbers of channels");
    spec->hidden.push_back(item.get<int>());
  }
}

}  // namespace

CameraSpec MakeCamera(std::span<const double> c) {
  CameraSpec camera;
  camera.target = Vec3(c[0], c[1], c[2]);
  camera.distance = std::clamp(c[3], 1e-4, 1e4);
  camera.azimuth = c[4];
  camera.elevation = c[5];
  camera.field_of_view = std::clamp(c[6], 0.05, 2.5);
  return camera;
}

int64_t RenderSpec::Frames(double end) const {
  return static_cast<int64_t>(std::max(1.0, std::floor((end - from) / speed * fps + 0.5)));
}

int64_t RenderSpec::EndFrames() const {
  return end_card.empty() ? 0 : static_cast<int64_t>(std::floor(kEndCardTime * fps + 0.5));
}

const std::vector<std::string>& QualityNames() {
  static const std::vector<std::string> names = {"best", "balanced", "fast"};
  return names;
}

const std::vector<std::string>& PlotScaleNames() {
  static const std::vector<std::string> names = {"auto", "linear", "log", "symlog"};
  return names;
}

const std::vector<std::string>& TimeAxisNames() {
  static const std::vector<std::string> names = {"all", "last", "free", "centred"};
  return names;
}

const std::vector<std::string>& RegionNames() {
  static const std::vector<std::string> names = {"view", "plots", "view-plots", "window"};
  return names;
}

const std::vector<std::string>& CompareNames() {
  static const std::vector<std::string> names = {"single", "ghosts", "split-2", "split-4",
                                                 "difference"};
  return names;
}

std::string FormatRenderSpec(const RenderSpec& spec) {
  JsonWriter json;
  const double size[] = {static_cast<double>(spec.width), static_cast<double>(spec.height)};
  json.BeginObject().Text("region", spec.region).Numbers("size", size, 2);
  json.Number("fps", spec.fps).Number("speed", spec.speed).Number("from", spec.from);
  if (spec.to) json.Number("to", *spec.to);
  json.Text("theme", spec.theme).Number("scale", spec.scale);
  if (!spec.plots.empty()) json.Texts("plots", spec.plots);
  if (!spec.plot_scales.empty()) json.Texts("plot_scales", spec.plot_scales);
  if (!spec.time_axis.empty())
    json.Text("time_axis", spec.time_axis).Numbers("time_range", spec.time_range.data(), 2);
  if (!spec.left_tab.empty()) json.Text("left_tab", spec.left_tab);
  if (!spec.inspect_tab.empty()) json.Text("inspect_tab", spec.inspect_tab);
  if (spec.camera) {
    const CameraSpec& c = *spec.camera;
    const double numbers[] = {c.target.x(), c.target.y(), c.target.z(),   c.distance,
                              c.azimuth,    c.elevation,  c.field_of_view};
    json.Numbers("camera", numbers, 7);
  }
  if (spec.orthographic) json.Flag("orthographic", true);
  if (spec.transparent) json.Flag("transparent", true);
  if (spec.follow_body >= 0) json.Integer("follow_body", spec.follow_body);
  if (!spec.compare.empty()) json.Text("compare", spec.compare);
  json.Integer("lead", spec.lead);
  if (!spec.hidden.empty()) {
    json.Key("hidden").BeginList();
    for (const int channel : spec.hidden) json.Integer(channel);
    json.EndList();
  }
  if (!spec.quality.empty()) json.Text("quality", spec.quality);
  if (!spec.end_card.empty()) json.Texts("end_card", spec.end_card);
  if (spec.show) json.Texts("show", *spec.show);
  std::string text = json.EndObject().Take();
  text.pop_back();  // the line feed
  return text;
}

Result<RenderSpec> ReadRenderSpec(std::string_view text, const std::string& file) {
  return ReadJson<RenderSpec>(
      text, file, kRenderSection, [&](const Json& json) -> Result<RenderSpec> {
        JsonChecker check(file);
        RenderSpec spec;
        if (!check.Object(json, "render")) return check.errors();
        check.Known(
            json, "render",
            {"region",      "size",        "fps",       "speed",       "from",     "to",
             "theme",       "scale",       "plots",     "plot_scales", "camera",   "orthographic",
             "transparent", "follow_body", "compare",   "lead",        "hidden",   "quality",
             "end_card",    "show",        "time_axis", "time_range",  "left_tab", "inspect_tab"});
        SectionReader read(json, &check);
        read.Word("region", RegionNames(), &spec.region);
        ReadSize(json, &check, &spec);
        read.Number("fps", 1, 1000, &spec.fps);
        read.Number("speed", 1e-6, 1e6, &spec.speed);
        read.Number("from", 0, 1e6, &spec.from);
        double to = 0;
        read.Number("to", 0, 1e6, &to);
        if (json.contains("to")) spec.to = to;
        read.Word("theme", {"dark", "light"}, &spec.theme);
        read.Number("scale", 0.25, 8, &spec.scale);
        read.Words("plots", &spec.plots);
        read.Words("plot_scales", &spec.plot_scales);
        for (const std::string& scale : spec.plot_scales) {
          const auto& names = PlotScaleNames();
          if (std::find(names.begin(), names.end(), scale) == names.end())
            check.Add("render.plot_scales must hold auto, linear, log or symlog");
        }
        read.Word("time_axis", TimeAxisNames(), &spec.time_axis);
        ReadTimeRange(json, &check, &spec);
        read.Word("left_tab", TabIds(Side::kLeft), &spec.left_tab);
        read.Word("inspect_tab", TabIds(Side::kRight), &spec.inspect_tab);
        ReadCameraSpec(json, &check, &spec);
        read.Flag("orthographic", &spec.orthographic);
        read.Flag("transparent", &spec.transparent);
        read.Whole("follow_body", -1, 1 << 20, &spec.follow_body);
        read.Word("compare", CompareNames(), &spec.compare);
        read.Whole("lead", 0, 3, &spec.lead);
        ReadHidden(json, &check, &spec);
        read.Word("quality", QualityNames(), &spec.quality);
        read.Words("end_card", &spec.end_card);
        if (json.contains("show")) read.Words("show", &spec.show.emplace());
        if (!check.empty()) return check.errors();
        return spec;
      });
}

}  // namespace slip::app
