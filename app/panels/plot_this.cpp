#include "app/panels/plot_this.h"

#include <algorithm>
#include <cstring>

#include "app/kit/widgets.h"

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

void ShowPlot(Ui* ui, const PlotChoice& choice) {
  auto& plots = ui->state.plots;
  std::size_t slot = 0;
  while (slot + 1 < plots.size() && !SameCurves(plots[slot], choice)) ++slot;
  if (!SameCurves(plots[slot], choice)) plots[slot].Choose(choice);
  ui->state.plot_tab = static_cast<int>(slot);
  ui->state.show_plots = true;
}

void PlotThisMenu(Ui* ui, std::string_view id, Signal signal) {
  const std::string name(id);
  if (!BeginMenuOf("plot-this/" + name)) return;
  if (ImGui::MenuItem("Plot this")) ShowPlot(ui, {signal});
  RegisterLastItem(name + "/plot-this");
  if (ImGui::MenuItem("Plot as histogram")) ShowPlot(ui, {signal, PlotKind::kHistogram});
  ImGui::EndPopup();
}

void PlotContactMenu(Ui* ui, std::string_view id, ContactKey key, std::string_view name) {
  if (ImGui::BeginDragDropSource(ImGuiDragDropFlags_SourceNoPreviewTooltip)) {
    ImGui::SetDragDropPayload(kContactDrag, &key, sizeof key);
    ImGui::BeginTooltip();
    Rich(LiteralRich(name) + ": onto a plot", Role::kCaption);
    ImGui::EndTooltip();
    ImGui::EndDragDropSource();
  }
  const std::string item(id);
  if (!BeginMenuOf("plot-contact/" + item)) return;
  if (ImGui::MenuItem("Plot this contact")) {
    auto& plots = ui->state.plots;
    for (std::size_t i = 0; i < plots.size() && i < ContactCurves::Signals().size(); ++i) {
      PlotChoice choice{ContactCurves::Signals()[i]};
      choice.contact = key;
      plots[i].Choose(choice);
    }
    ui->state.show_plots = true;
  }
  RegisterLastItem(item + "/plot-this");
  Tooltip("Its normal force, friction and slip speed in the three plots.");
  ImGui::Separator();
  for (const Signal signal : ContactCurves::Signals()) {
    if (ImGui::MenuItem(std::string(slip::Info(signal).label).c_str())) {
      PlotChoice choice{signal};
      choice.contact = key;
      ShowPlot(ui, choice);
    }
    RegisterLastItem(item + "/plot/" + std::string(slip::Info(signal).name));
  }
  if (ImGui::MenuItem("Friction against normal force")) {
    ShowPlot(ui, {Signal::kFrictionForce, PlotKind::kAgainst, Signal::kNormalForce, key});
  }
  ImGui::EndPopup();
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
