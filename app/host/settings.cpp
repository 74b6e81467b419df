// Settings as lines "name value".
#include "app/host/settings.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <vector>

#include "engine/core/output_file.h"
#include "engine/core/text_file.h"
#include "render/quantities/quantity.h"

namespace slip::app {
namespace {

/// One setting: how to write it, and how to take it back within its limits.
struct Setting {
  const char* name;
  std::function<double()> get;
  std::function<void(double)> set;
};

// How a value is read and written as a number.
using Access = std::pair<std::function<double()>, std::function<void(double)>>;

Access Flag(bool* b) {
  return {[b] { return *b ? 1.0 : 0.0; }, [b](double v) { *b = v != 0; }};
}
Access Number(float* f, float low, float high) {
  return {[f] { return static_cast<double>(*f); },
          [=](double v) { *f = std::clamp(static_cast<float>(v), low, high); }};
}
Access Real(double* value, double low, double high) {
  return {[value] { return *value; }, [=](double v) { *value = std::clamp(v, low, high); }};
}
Access Whole(int* i, int low, int high) {
  return {
      [i] { return static_cast<double>(*i); },
      [=](double v) {
        *i = static_cast<int>(std::clamp(v, static_cast<double>(low), static_cast<double>(high)));
      }};
}
template <class Enum>
Access OneOf(Enum* value, Enum count) {
  return {[value] { return static_cast<double>(*value); },
          [=](double v) {
            *value =
                static_cast<Enum>(std::clamp(static_cast<int>(v), 0, static_cast<int>(count) - 1));
          }};
}

std::vector<Setting> Table(UiState* s, WindowSize* size) {
  std::vector<Setting> table;
  const auto add = [&](const char* name, const Access& access) {
    table.push_back({name, access.first, access.second});
  };
  add("width", Whole(&size->width, 320, 16384));
  add("height", Whole(&size->height, 240, 16384));
  add("theme", {[s] { return static_cast<double>(s->shell.theme); },
                [s](double v) { s->shell.theme = v != 0 ? Theme::kLight : Theme::kDark; }});
  add("ui_scale", Number(&s->shell.user_scale, 0.5f, 4));
  add("left_width", Number(&s->shell.left_width, 240, 560));
  add("right_width", Number(&s->shell.right_width, 240, 560));
  add("plots_height", Number(&s->shell.plots_height, 120, 640));
  add("left", Flag(&s->shell.show_left));
  add("right", Flag(&s->shell.show_right));
  add("plots", Flag(&s->plots.shown));
  add("gap", Flag(&s->view.show_gap));
  add("labels", Flag(&s->view.show_labels));
  add("legend", Flag(&s->view.show_legend));
  add("info", Flag(&s->view.show_info));
  add("handles", Flag(&s->view.show_handles));
  const auto add_quantities = [&](std::string_view menu) {
    for (const render::Quantity* quantity : render::Quantities()) {
      if (quantity->setting != nullptr && quantity->menu == menu)
        add(quantity->setting, Flag(&(s->view.*quantity->on)));
    }
  };
  add_quantities("Show");
  add("quality",
      {[s] { return static_cast<double>(s->view.preset); },
       [s](double v) { s->view.preset = static_cast<Preset>(std::clamp(v, 0.0, 3.0)); }});
  add_quantities("View");
  add("smooth_edges", Flag(&s->view.smooth_edges));
  add("mark_labels", Flag(&s->time_line.show_mark_labels));
  add("along_opacity", Number(&s->plots.along_opacity, 0, 1));
  add("contact_ticks", Flag(&s->time_line.contact_ticks));
  add("drag_needs_ctrl", Flag(&s->mouse.drag_needs_ctrl));
  add("reduced_motion", Flag(&s->shell.reduced_motion));
  add("mouse_frequency", Real(&s->mouse.frequency, 0.5, 20));
  add("mouse_limit", Real(&s->mouse.limit, 0.1, 100));
  RecordSettings* record = &s->record.settings;
  add("record_source", OneOf(&record->source, RecordSource::kCount));
  add("record_region", OneOf(&record->region, RecordRegion::kCount));
  add("record_size", OneOf(&record->size, RecordSize::kCount));
  add("record_format", OneOf(&record->format, RecordFormat::kCount));
  add("record_fps",
      {[record] { return record->fps; }, [record](double v) { record->fps = v == 30 ? 30 : 60; }});
  add("record_speed", Real(&record->speed, RecordSettings::kEveryStep, 1e6));
  add("record_keys", Flag(&record->keys));
  add("record_end_card", Flag(&record->end_card));
  return table;
}

/// Seven numbers; nothing when they are none of a camera.
std::optional<CameraSpec> ReadCamera(std::istream* in) {
  CameraSpec c;
  *in >> c.target.x() >> c.target.y() >> c.target.z() >> c.distance >> c.azimuth >> c.elevation >>
      c.field_of_view;
  const bool sane = c.target.allFinite() && c.distance > 1e-6 && c.distance < 1e6 &&
                    std::isfinite(c.azimuth) && std::isfinite(c.elevation) &&
                    c.field_of_view > 0.01 && c.field_of_view < 3;
  if (!*in || !sane) return std::nullopt;
  return c;
}

void WriteCamera(std::ostream* out, const std::string& name, const CameraSpec& c) {
  *out << name;
  for (const double x : {c.target.x(), c.target.y(), c.target.z(), c.distance, c.azimuth,
                         c.elevation, c.field_of_view}) {
    *out << ' ' << x;
  }
  *out << '\n';
}

}  // namespace

std::string SettingsFile() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder;
  if (config != nullptr && config[0] != '\0') {
    folder = config;
  } else if (home != nullptr && home[0] != '\0') {
    folder = std::filesystem::path(home) / ".config";
  } else {
    return {};
  }
  return (folder / "slipscope" / "window.txt").string();
}

void LoadSettings(const std::string& file, UiState* state, WindowSize* size) {
  const Result<std::string> text = ReadTextFile(file, {.name = "file of settings"});
  if (!text) return;
  std::istringstream in(*text);
  const std::vector<Setting> table = Table(state, size);
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    words.imbue(std::locale::classic());
    std::string name;
    if (!(words >> name)) continue;
    if (name == "scene") {
      words >> state->kept.last_scene;
      continue;
    }
    if (name == "left_tab" || name == "inspect_tab") {
      std::string id;
      words >> id;
      const Side side = name == "left_tab" ? Side::kLeft : Side::kRight;
      TabId* chosen = side == Side::kLeft ? &state->shell.left_tab : &state->shell.inspect_tab;
      *chosen = FindTab(side, id).value_or(*chosen);
      continue;
    }
    if (name == "record_folder") {  // the rest of the line: names may hold blanks
      std::getline(words >> std::ws, state->record.settings.folder);
      continue;
    }
    if (name == "camera") {
      state->kept.restore = ReadCamera(&words);
      continue;
    }
    if (name == "view") {
      std::string scene;
      std::size_t slot = 0;
      words >> scene >> slot;
      if (const auto camera = ReadCamera(&words); camera && slot < 3)
        state->kept.views[scene][slot] = camera;
      continue;
    }
    double value = 0;
    if (!(words >> value) || !std::isfinite(value)) continue;
    for (const Setting& setting : table) {
      if (setting.name == name) setting.set(value);
    }
  }
}

Status SaveSettings(const std::string& file, const UiState& state, const WindowSize& size) {
  if (file.empty()) return Ok{};
  UiState copy = state;
  WindowSize size_copy = size;
  std::ostringstream out;
  out.imbue(std::locale::classic());
  for (const Setting& setting : Table(&copy, &size_copy))
    out << setting.name << ' ' << setting.get() << '\n';
  out << "left_tab " << IdOf(state.shell.left_tab) << '\n';
  out << "inspect_tab " << IdOf(state.shell.inspect_tab) << '\n';
  if (!state.kept.last_scene.empty()) out << "scene " << state.kept.last_scene << '\n';
  const std::string& folder = state.record.settings.folder;
  if (!folder.empty() && folder.find('\n') == std::string::npos)
    out << "record_folder " << folder << '\n';
  if (state.kept.restore) WriteCamera(&out, "camera", *state.kept.restore);
  for (const auto& [scene, views] : state.kept.views) {
    for (std::size_t slot = 0; slot < views.size(); ++slot) {
      if (views[slot])
        WriteCamera(&out, "view " + scene + " " + std::to_string(slot), *views[slot]);
    }
  }
  const Status made = MakeFolder(std::filesystem::path(file).parent_path().string());
  return made ? WriteFile(file, out.str(), true) : made;
}

}  // namespace slip::app
