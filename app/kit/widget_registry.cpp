// One list per program, like ImGui's context; filled only while a test asks for it.
#include "app/kit/widget_registry.h"

namespace slip::app {
namespace {

struct Registry {
  bool enabled = false;
  std::vector<WidgetRecord> records;
};

Registry& TheRegistry() {
  static Registry registry;
  return registry;
}

}  // namespace

void EnableWidgetRegistry(bool enabled) {
  TheRegistry().enabled = enabled;
  TheRegistry().records.clear();
}
bool WidgetRegistryEnabled() { return TheRegistry().enabled; }
void BeginWidgetFrame() { TheRegistry().records.clear(); }

void RegisterWidget(std::string_view id, ImVec2 min, ImVec2 max, bool clipped,
                    std::string_view text) {
  if (!TheRegistry().enabled) return;
  TheRegistry().records.push_back({std::string(id), min, max, clipped, std::string(text)});
}

void RegisterLastItem(std::string_view id, bool clipped) {
  if (!TheRegistry().enabled) return;
  RegisterWidget(id, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), clipped);
}

const std::vector<WidgetRecord>& Widgets() { return TheRegistry().records; }

const WidgetRecord* FindWidget(std::string_view id) {
  for (const WidgetRecord& record : TheRegistry().records) {
    if (record.id == id) return &record;
  }
  return nullptr;
}

std::vector<std::string> ClippedWidgets() {
  std::vector<std::string> ids;
  for (const WidgetRecord& record : TheRegistry().records) {
    if (record.clipped) ids.push_back(record.id);
  }
  return ids;
}

}  // namespace slip::app
