#include "app/state/requests.h"

#include <imgui.h>

#include "app/session/session.h"

namespace slip::app {

void Requests::Copy(const std::string& text, const std::string& what) {
  ImGui::SetClipboardText(text.c_str());
  Ask([what](Session* s) { s->Say(what + " copied to the clipboard."); });
}

}  // namespace slip::app
