// Which parameters act in which method: a table made from what the methods say that they read.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/bars/popups.h"
#include "app/panels/common/region.h"

namespace slip::app {
namespace {

/// The parameters that some methods read and others do not, in the order of the panel.
std::vector<const ParamInfo*> RowsOfSomeMethods() {
  std::vector<const ParamInfo*> rows;
  for (const auto& row : MaterialTable()) {
    if (!ReadByAll(row.info)) rows.push_back(&row.info);
  }
  for (const auto& row : StepParamTable()) {
    if (!ReadByAll(row.info)) rows.push_back(&row.info);
  }
  return rows;
}

bool Runs(const Session& session, MethodId id) {
  for (int i = 0; i < session.channel_count(); ++i) {
    if (session.looks().Of(i).model == id) return true;
  }
  return false;
}

}  // namespace

void DrawReaders(const Session& session, bool* open) {
  if (!*open) return;
  const std::vector<const ParamInfo*> rows = RowsOfSomeMethods();
  const auto methods = static_cast<int>(Methods().size());
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float line = Px(22), name_width = Px(236), step = Px(16),
              head = step * static_cast<float>(methods) + Px(24);
  const float cell = Px(44);
  const ImVec2 size(
      std::min(Px(32) + name_width + cell * static_cast<float>(methods), display.x - Px(32)),
      std::min(Px(32) + Px(34) + head + line * static_cast<float>(rows.size()) + Px(100),
               display.y - Px(32)));
  if (!BeginOverlay("readers", ImVec2((display.x - size.x) / 2, (display.y - size.y) / 2), size))
    return;
  Rich("Which parameter acts in which method", Role::kLessonTitle);
  ImGui::SetCursorScreenPos(
      ImVec2(ImGui::GetWindowPos().x + size.x - Px(44), ImGui::GetWindowPos().y + Px(14)));
  bool close = IconButton("readers/close", icon::kClose, "Close (Esc)", 28);
  ImGui::SetCursorPos(ImVec2(Px(16), Px(50)));
  ImGui::BeginChild("table", ImVec2(0, 0));
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const auto column = [&](int i) {
    return at.x + name_width + cell * (static_cast<float>(i) + 0.5f);
  };

  // each name ends over its column; those of columns further right stand higher
  for (int i = 0; i < methods; ++i) {
    const auto id = static_cast<MethodId>(i);
    const ImVec2 mark(column(i), at.y + head - Px(12));
    const bool here = Runs(session, id);
    const Role role = here ? Role::kLabelStrong : Role::kCaption;
    const std::string label(slip::Info(id).label);
    const float y = at.y + step * static_cast<float>(methods - 1 - i);
    list->AddLine(ImVec2(mark.x, y + Px(8)), ImVec2(mark.x, mark.y - Px(8)), Color(Token::kLine),
                  Snap(1));
    DrawText(list, ImVec2(mark.x - Px(6) - MeasureText(label, role).x, y), label, role,
             Color(here ? Token::kText : Token::kText2));
    DrawMark(list, mark, ModelStyle(id), 5);
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const ParamInfo& info = *rows[r];
    const ImVec2 min(at.x, at.y + head + line * static_cast<float>(r));
    if (r % 2 == 0) {
      list->AddRectFilled(min, ImVec2(at.x + size.x - Px(32), min.y + line), Color(Token::kRowAlt));
    }
    std::string label(info.label);
    if (!info.symbol.empty()) label += " " + std::string(info.symbol);
    if (!info.unit.empty()) label += " [" + AsRich(info.unit) + "]";
    DrawRich(list, ImVec2(min.x + Px(4), min.y + Px(3)),
             EllipsizeRich(label, Role::kLabel, name_width), Role::kLabel, Color(Token::kText));
    std::string readers;
    for (int i = 0; i < methods; ++i) {
      const MethodInfo& method = slip::Info(static_cast<MethodId>(i));
      if (!Reads(method, info)) continue;
      readers += (readers.empty() ? "" : ", ") + std::string(method.id);
      list->AddCircleFilled(ImVec2(column(i), min.y + line / 2), Px(4), Color(Token::kText2));
    }
    ImGui::SetCursorScreenPos(min);
    ImGui::InvisibleButton(fmt::format("row{}", r).c_str(), ImVec2(size.x - Px(32), line));
    RegisterWidget(fmt::format("readers/{}", info.name), min,
                   ImVec2(at.x + size.x - Px(32), min.y + line), false, readers);
    Tooltip(info.doc);
  }
  ImGui::SetCursorScreenPos(
      ImVec2(at.x, at.y + head + line * static_cast<float>(rows.size()) + Px(10)));
  Paragraph(
      "All others act in every method; of a model with a normal law those of its law alone. Where "
      "two running models have parameters of one effect, a match stands under the row: the "
      "stiffness of anchors by equal penetration at the present load; dissipation, relaxation time "
      "and B by equal loss at the hardest impact in the plots; friction regularisation and "
      "stiction tolerance "
      "by "
      "equal creep.",
      Role::kCaption, Token::kText2);
  ImGui::EndChild();
  close = close || ClickedOutside();
  EndOverlay();
  if (close) *open = false;
}

}  // namespace slip::app
