#include "app/view/ui.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "app/kit/theme.h"
#include "app/session/live_recording.h"
#include "app/session/recording_job.h"
#include "engine/sim/robot_signals.h"

namespace slip::app {

Ui::~Ui() { requests.session().SetViewSource({}); }
Ui::Ui(Session* the_session) : session(*the_session), requests(the_session) {
  the_session->SetViewSource([this] {
    WindowView view;
    view.camera = camera.spec();
    // where it was before it followed a body, beside the others
    view.camera->target -= moved();
    for (const PlotSlot& slot : state.plots)
      view.plots.push_back(NameOf(session.scene_model(), slot));
    view.run_ghost = state.view.run_ghost;
    return view;
  });
}

// How a channel is told from the others: its style and its name ------------------------------

ChannelStyle Ui::style(int channel) const {
  return style(channel, session.looks().Of(channel).model);
}

ChannelStyle Ui::style(int channel, MethodId model) const {
  // only the channels before it decide whether it is a second one of its model
  std::array<MethodId, Snapshot::kMaxChannels> models{};
  const int count = std::min(channel + 1, Snapshot::kMaxChannels);
  for (int i = 0; i < count; ++i) models[static_cast<std::size_t>(i)] = session.looks().Of(i).model;
  if (count > 0) models[static_cast<std::size_t>(count - 1)] = model;
  return StyleOfChannel(std::span(models).first(static_cast<std::size_t>(std::max(count, 0))),
                        channel, CurrentTheme());
}

ChannelStyle Ui::MarkStyle(const TimeMark& mark) const {
  MethodId model = session.looks().Of(mark.channel).model;
  if (mark.path == kMethodParam) {
    model = static_cast<MethodId>(mark.to);
  } else if (const auto made = session.series().MethodAt(mark.channel, mark.time)) {
    model = *made;
  }
  return style(mark.channel, model);
}

std::string Ui::ChannelName(int channel) const { return session.looks().Name(channel); }

// What panels ask for, and views -------------------------------------------------------------

void KeepOutOfVideo(Ui* ui) { ui->window_only.push_back(ImGui::GetWindowDrawList()); }

void Queue(Ui* ui, Action action) { ui->state.actions.push_back(action); }

void CopyText(Ui* ui, const std::string& text, const std::string& what) {
  ImGui::SetClipboardText(text.c_str());
  ui->requests.Ask([what](Session* s) { s->Say(what + " copied to the clipboard."); });
}

CameraSpec HomeView(const Ui& ui) {
  const Scene* scene = ui.session.scene();
  if (scene == nullptr) return {};
  CameraSpec view = scene->camera;
  view.target += ui.moved();
  return view;
}

void SetView(Ui* ui, const CameraSpec& view) {
  ui->camera.Set(view);
  const CameraSpec home = HomeView(*ui);
  const CameraSpec& now = ui->camera.spec();
  const bool own = (now.target - home.target).norm() > 1e-6 * home.distance ||
                   std::abs(now.distance - home.distance) > 1e-6 * home.distance ||
                   std::abs(now.azimuth - home.azimuth) > 1e-6 ||
                   std::abs(now.elevation - home.elevation) > 1e-6;
  ui->keep_in_view = {};
  ui->keep_in_view.on = !own;
}

}  // namespace slip::app
