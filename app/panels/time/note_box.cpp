// The box over the time line in which the text of a note is typed.
#include <fmt/format.h>

#include <algorithm>

#include "app/kit/widgets.h"
#include "app/panels/time/time_line.h"

namespace slip::app {
namespace {

std::string Trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

void Keep(NoteEdit* edit, Requests* requests) {
  if (edit->note != 0) {
    requests->Ask([note = edit->note, text = Trimmed(edit->text)](Session* s) {
      s->notebook().NameNote(note, text);
    });
  }
  *edit = {};
}

}  // namespace

void EditNote(const Session& session, uint64_t note, NoteEdit* edit, Requests* requests) {
  if (edit->note == note) return;  // what is typed in it is not yet its name
  Keep(edit, requests);
  const TimeMark* mark = session.notebook().Note(note);
  if (mark == nullptr) return;
  edit->note = note;
  edit->text = mark->label;
}

void DrawNoteBox(const Session& session, float x, const Rect& time_line, NoteEdit* edit,
                 Requests* requests) {
  const TimeMark* mark = session.notebook().Note(edit->note);
  if (mark == nullptr) return;
  const bool opens = !edit->opened;
  if (opens) ImGui::OpenPopup("note");
  edit->opened = true;
  const float display = ImGui::GetIO().DisplaySize.x;
  const float width = std::min(Px(320), display - Px(16)), inner = width - Px(24);
  const float left = std::clamp(x - Px(12), Px(8), std::max(Px(8), display - width - Px(8)));
  ImGui::SetNextWindowPos(ImVec2(left, time_line.min.y - Px(4)), ImGuiCond_Always, ImVec2(0, 1));
  ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, 1e6f));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(Px(12), Px(12)));
  const bool open = ImGui::BeginPopup("note");
  ImGui::PopStyleVar();
  if (!open) return Keep(edit, requests);  // a click elsewhere has closed it
  const TextBoxResult box =
      TextBox("note/text", &edit->text, "What is to be seen here?", inner, icon::kNote, opens);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  DrawText(ImGui::GetWindowDrawList(), at,
           fmt::format("Note at {:.3f} s. Enter keeps the text.", mark->time), Role::kCaption,
           Color(Token::kText3));
  ImGui::SetCursorScreenPos(ImVec2(at.x + inner - MeasureRich("Remove", Role::kCaption).x, at.y));
  const bool remove = LinkText("note/remove", "Remove", "Takes this note off the time line.");
  if (box.entered || remove) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  if (remove) {
    requests->Ask([note = edit->note](Session* s) { s->notebook().RemoveNote(note); });
    *edit = {};
  } else if (box.entered) {
    Keep(edit, requests);
  }
}

}  // namespace slip::app
