// The menu of the 3-D view.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/curves/plot_this.h"
#include "app/panels/picture/view.h"
#include "app/state/action_states.h"
#include "engine/sim/part_signals.h"
#include "render/quantities/picking.h"

namespace slip::app {
namespace {

void PlotMenu(const Session& session, int body, PlotsState* plots) {
  if (!ImGui::BeginMenu("Plot")) return;
  const auto item = [&](Signal signal) {
    const Model& model = session.scene_model();
    if (ImGui::MenuItem(LabelOf(model, signal).c_str())) ShowPlot({signal}, plots);
    RegisterLastItem("view-menu/plot/" + NameOf(model, signal));
    Tooltip(slip::Info(signal).doc);
  };
  const std::vector<Signal> own = SignalsOfBody(session.scene_model(), body);
  for (const Signal signal : own) item(signal);
  if (!own.empty()) ImGui::Separator();
  for (const Signal signal : {Signal::kNormalForce, Signal::kFrictionForce, Signal::kSignedDistance,
                              Signal::kGlidingOffset, Signal::kSlipSpeed, Signal::kNormalVelocity,
                              Signal::kFrictionUsed}) {
    item(signal);
  }
  // the signals of motion are those of one body
  if (body >= 0 && body == session.model()->lead_body) {
    ImGui::Separator();
    for (const Signal signal : {Signal::kPositionX, Signal::kPositionZ, Signal::kVelocityX,
                                Signal::kVelocityZ, Signal::kPitch, Signal::kPitchRate}) {
      item(signal);
    }
  }
  ImGui::Separator();
  item(Signal::kKineticEnergy);
  item(Signal::kMechanicalEnergy);
  ImGui::EndMenu();
}

/// One line per model: what the tool tip of the body or contact says.
std::string SelectionNumbers(const Session& session, const Selection& selected) {
  std::string text;
  for (int i = 0; i < session.channel_count(); ++i) {
    std::optional<render::BodyHit> body;
    std::optional<render::ContactHit> contact;
    const auto& contacts = session.frame(i).contacts;
    for (std::size_t c = 0; selected.key >= 0 && c < contacts.size(); ++c) {
      if (contacts[c].key == selected.key)
        contact = render::ContactHit{i, static_cast<int>(c), selected.key, 0};
    }
    if (selected.key < 0 && selected.body >= 0) {
      body.emplace();
      body->channel = i;
      body->body = selected.body;
    }
    const std::string lines = HoverText(session, contact, body);
    if (!lines.empty()) text += (text.empty() ? "" : "\n\n") + lines;
  }
  return text;
}

}  // namespace

void DrawViewMenu(const Session& session, const ActionStates& states, ViewState* view,
                  Picked* picked, PlotsState* plots, Requests* requests) {
  if (!ImGui::BeginPopup("view-menu")) return;
  const int body = picked->selection.body;
  const Model* model = session.model();
  const bool known =
      model != nullptr && body >= 0 && static_cast<std::size_t>(body) < model->bodies.size();
  if (known) {
    const std::string& name = model->body(body).name;
    ImGui::TextDisabled("%s", name.c_str());
    const auto item = [](const char* label, const char* id, bool on = false) {
      const bool clicked = ImGui::MenuItem(label, nullptr, on);
      RegisterLastItem(std::string("view-menu/") + id);
      return clicked;
    };
    PlotMenu(session, body, plots);
    RegisterLastItem("view-menu/plot");
    if (item("Centre here", "centre")) requests->Do(Action::kFocus);
    if (Movable(model, body) && item("Follow", "follow", picked->follow_body == body))
      picked->follow_body = picked->follow_body == body ? -1 : body;
    if (item("Hide", "hide")) {
      view->hidden.Set(body, true);
      picked->selection = {};
    }
    if (item("Show its contacts", "contacts")) requests->Do(Action::kContactsTab);
    if (item("Show its numbers", "numbers")) requests->Do(Action::kBodyTab);
    if (item("Copy its numbers", "copy"))
      requests->Copy(SelectionNumbers(session, picked->selection),
                     picked->selection.key >= 0 ? "Contact" : name);
    ImGui::Separator();
  }
  const auto action = [&](Action id) {
    const ActionInfo& info = Info(id);
    const char* why = states.WhyDisabled(id);
    ImGui::PushStyleColor(ImGuiCol_Text, Color(why != nullptr ? Token::kText3 : Token::kText));
    const bool clicked =
        ImGui::MenuItem(info.name, requests->keys().Label(id).c_str(), false, why == nullptr);
    ImGui::PopStyleColor();
    RegisterLastItem("view-menu/" + ActionId(id));
    if (why != nullptr && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) Tooltip(why);
    if (clicked) requests->Do(id);
  };
  action(Action::kShowAllBodies);
  action(Action::kHomeView);
  action(Action::kSideView);
  action(Action::kCopyState);
  ImGui::EndPopup();
}

}  // namespace slip::app
