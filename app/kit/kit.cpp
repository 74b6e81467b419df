#include "app/kit/kit.h"

#include "engine/core/check.h"

namespace slip::app {

Kit::Kit() : context_(ImGui::CreateContext()) {
  MakeCurrent();
  ImGui::GetIO().UserData = this;
}

Kit::~Kit() { ImGui::DestroyContext(context_); }

Kit& CurrentKit() {
  SLIP_CHECK(ImGui::GetCurrentContext() != nullptr);
  auto* kit = static_cast<Kit*>(ImGui::GetIO().UserData);
  SLIP_CHECK(kit != nullptr);
  return *kit;
}

}  // namespace slip::app
