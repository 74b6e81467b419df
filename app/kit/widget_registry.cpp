#include "app/kit/widget_registry.h"

#include "app/kit/kit.h"

namespace slip::app {
void EnableWidgetRegistry(bool enabled) {
  CurrentKit().widgets.enabled = enabled;
  CurrentKit().widgets.records.clear();
}
bool WidgetRegistryEnabled() { return CurrentKit().widgets.enabled; }
void BeginWidgetFrame() { CurrentKit().widgets.records.clear(); }

void RegisterWidget(std::string_view id, ImVec2 min, ImVec2 max, bool clipped,
                    std::string_view text) {
  if (!CurrentKit().widgets.enabled) return;
  CurrentKit().widgets.records.push_back({std::string(id), min, max, clipped, std::string(text)});
}

void RegisterLastItem(std::string_view id, bool clipped) {
  if (!CurrentKit().widgets.enabled) return;
  RegisterWidget(id, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), clipped);
}

const std::vector<WidgetRecord>& Widgets() { return CurrentKit().widgets.records; }

const WidgetRecord* FindWidget(std::string_view id) {
  for (const WidgetRecord& record : CurrentKit().widgets.records) {
    if (record.id == id) return &record;
  }
  return nullptr;
}

std::vector<std::string> ClippedWidgets() {
  std::vector<std::string> ids;
  for (const WidgetRecord& record : CurrentKit().widgets.records) {
    if (record.clipped) ids.push_back(record.id);
  }
  return ids;
}

}  // namespace slip::app
