#include "app/panels/curves/plot_this.h"

#include <algorithm>
#include <cstring>

#include "app/kit/widgets.h"
#include "app/plots/contact_curves.h"

namespace slip::app {
namespace {

bool SameCurves(const PlotChoice& a, const PlotChoice& b) {
  return a.signal == b.signal && a.kind == b.kind && a.contact == b.contact &&
         (a.kind != PlotKind::kAgainst || a.against == b.against);
}

/// Of one contact in place of the channel's; a signal that no contact has by itself gives way.
PlotChoice OfContact(PlotChoice choice, ContactKey key) {
  choice.contact = key;
  if (!ContactCurves::Has(choice.signal)) choice.signal = Signal::kNormalForce;
  if (choice.kind == PlotKind::kAgainst && !ContactCurves::Has(choice.against))
    choice.kind = PlotKind::kTime;
  return choice;
}

/// Of an item that has no id as well.
bool BeginMenuOf(const std::string& id) {
  if (ImGui::IsItemHovered() && ImGui::IsMouseReleased(ImGuiMouseButton_Right))
    ImGui::OpenPopup(id.c_str());
  return ImGui::BeginPopup(id.c_str());
}

}  // namespace

void ShowPlot(const PlotChoice& choice, PlotsState* plots) {
  auto& slots = plots->slots;
  std::size_t slot = 0;
  while (slot + 1 < slots.size() && !SameCurves(slots[slot], choice)) ++slot;
  if (!SameCurves(slots[slot], choice)) slots[slot].Choose(choice);
  plots->tab = static_cast<int>(slot);
  plots->shown = true;
}

void PlotThisMenu(std::string_view id, Signal signal, PlotsState* plots) {
  const std::string name(id);
  if (!BeginMenuOf("plot-this/" + name)) return;
  if (ImGui::MenuItem("Plot this")) ShowPlot({signal}, plots);
  RegisterLastItem(name + "/plot-this");
  if (ImGui::MenuItem("Plot as histogram")) ShowPlot({signal, PlotKind::kHistogram}, plots);
  ImGui::EndPopup();
}

bool PlotContactMenu(std::string_view id, ContactKey key, std::string_view name,
                     PlotsState* plots) {
  if (ImGui::BeginDragDropSource(ImGuiDragDropFlags_SourceNoPreviewTooltip)) {
    ImGui::SetDragDropPayload(kContactDrag, &key, sizeof key);
    ImGui::BeginTooltip();
    Rich(LiteralRich(name) + ": onto a plot", Role::kCaption);
    ImGui::EndTooltip();
    ImGui::EndDragDropSource();
  }
  const std::string item(id);
  if (!BeginMenuOf("plot-contact/" + item)) return false;
  if (ImGui::MenuItem("Plot this contact")) {
    auto& slots = plots->slots;
    for (std::size_t i = 0; i < slots.size() && i < ContactCurves::Signals().size(); ++i) {
      PlotChoice choice{ContactCurves::Signals()[i]};
      choice.contact = key;
      slots[i].Choose(choice);
    }
    plots->shown = true;
  }
  RegisterLastItem(item + "/plot-this");
  Tooltip("Its normal force, friction and slip speed in the three plots.");
  ImGui::Separator();
  for (const Signal signal : ContactCurves::Signals()) {
    if (ImGui::MenuItem(std::string(slip::Info(signal).label).c_str())) {
      PlotChoice choice{signal};
      choice.contact = key;
      ShowPlot(choice, plots);
    }
    RegisterLastItem(item + "/plot/" + std::string(slip::Info(signal).name));
  }
  if (ImGui::MenuItem("Friction against normal force")) {
    ShowPlot({Signal::kFrictionForce, PlotKind::kAgainst, Signal::kNormalForce, key}, plots);
  }
  ImGui::Separator();
  const bool in_terms = ImGui::MenuItem("In other engines' terms");
  RegisterLastItem(item + "/in-terms");
  Tooltip(
      "Its stiffness, damping and friction as MuJoCo, Drake, Bullet, ODE and others have them.");
  ImGui::EndPopup();
  return in_terms;
}

void TakeContactDrop(PlotSlot* plot) {
  if (!ImGui::BeginDragDropTarget()) return;
  if (const ImGuiPayload* payload = ImGui::AcceptDragDropPayload(kContactDrag)) {
    ContactKey key = -1;
    std::memcpy(&key, payload->Data, sizeof key);
    plot->Choose(OfContact(*plot, key));
  }
  ImGui::EndDragDropTarget();
}

}  // namespace slip::app
