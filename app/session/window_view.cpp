#include "app/session/window_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/session/render_spec.h"
#include "app/session/session.h"
#include "engine/core/json_document.h"
#include "engine/core/json_writer.h"

namespace slip::app {

std::string FormatView(const Session& session, const WindowView& view) {
  JsonWriter json;
  json.BeginObject().Key("notes").BeginList(false);
  for (const TimeMark& note : session.notebook().AllNotes()) {
    json.BeginObject().Number("time", note.time).Integer("step", note.step);
    json.Integer("branch", note.branch).Text("text", note.label).EndObject();
  }
  json.EndList().Integer("lead", session.looks().chosen_lead());
  json.Key("along").BeginList();
  for (const int branch : session.branches().along().Numbers()) json.Integer(branch);
  json.EndList().Integer("ghost", session.branches().along().Ghost());
  json.Flag("show_ghost", view.run_ghost).Texts("plots", view.plots);
  if (view.camera) {
    const CameraSpec& c = *view.camera;
    const double numbers[] = {c.target.x(), c.target.y(), c.target.z(),   c.distance,
                              c.azimuth,    c.elevation,  c.field_of_view};
    json.Numbers("camera", numbers, 7);
  }
  json.EndObject();
  return json.Take();
}

// The notes come back when their branch is shown, the rest when the scene is set up.
std::optional<WindowView> ReadView(const std::string& text, const std::string& path,
                                   Session* session) {
  constexpr TextFileKind kView{.name = "view", .most_bytes = kMebibyte};
  std::optional<WindowView> opened;
  static_cast<void>(ReadJson<bool>(text, path, kView, [&](const Json& json) -> Result<bool> {
    for (const Json& item : json.at("notes")) {
      TimeMark mark;
      mark.kind = TimeMark::Kind::kNote;
      mark.time = mark.end_time = item.at("time").get<double>();
      mark.step = item.at("step").get<int64_t>();
      mark.branch = item.at("branch").get<int>();
      mark.label = item.at("text").get<std::string>();
      session->notebook().AddAside(std::move(mark));
    }
    session->looks().RestoreLead(json.at("lead").get<int>());
    WindowView view;
    for (const Json& name : json.at("plots")) view.plots.push_back(name.get<std::string>());
    // files of before name none
    if (json.contains("along"))
      session->branches().along().Restore(json.at("along").get<std::vector<int>>(),
                                          json.value("ghost", -1));
    view.run_ghost = json.value("show_ghost", false);
    const std::vector<double> c = json.value("camera", std::vector<double>());
    if (c.size() == 7 &&
        std::all_of(c.begin(), c.end(), [](double x) { return std::isfinite(x); })) {
      view.camera = MakeCamera(c);
    }
    opened = std::move(view);
    return true;
  }));
  return opened;
}

}  // namespace slip::app
