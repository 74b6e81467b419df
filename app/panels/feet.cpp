// Feet: what the ground does to each foot of the robots, in every shown channel.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/panels.h"
#include "engine/sim/foot_load.h"
#include "engine/sim/robot_signals.h"

namespace slip::app {
namespace {

struct FootRow {
  int channel = 0;
  FootLoad load;
};

// Places in a row, from its left end [px].
struct FeetColumns {
  float mark, force, bar, bar_end, used, slip, mode;  // numbers and modes end there
};

FeetColumns ColumnsOf(float width) {
  const float mode = width - Px(8);
  const float slip = mode - Px(44);
  const float used = slip - Px(68);
  const float bar_end = used - Px(40);
  return {Px(44), Px(112), Px(122), bar_end, used, slip, mode};
}

void PutRight(const std::string& text, float right, float y, Role role, Token colour) {
  const std::string rich = AsRich(text);
  DrawRich(ImGui::GetWindowDrawList(), ImVec2(right - MeasureRich(rich, role).x, y), rich, role,
           Color(colour));
}

std::vector<FootRow> RowsOf(const Ui& ui, const Model& model, const Robot::Foot& foot) {
  std::vector<FootRow> rows;
  for (int i = 0; i < ui.session.channel_count(); ++i) {
    const ChannelFrame& frame = ui.session.frame(i);
    const auto body = static_cast<std::size_t>(foot.body);
    if (!ui.session.Shown(i) || body >= frame.bodies.size()) continue;
    rows.push_back({i, CalcFootLoad(model, foot, frame.bodies[body].X_WB, frame.contacts)});
  }
  return rows;
}

void DrawFootRow(const Ui& ui, const FootRow& row, ImVec2 at, float width) {
  const FootLoad& load = row.load;
  const FeetColumns x = ColumnsOf(width);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float middle = std::round(at.y + Px(10));
  const float y = middle - FontPx(Role::kAxis) / 2;
  DrawMark(list, ImVec2(at.x + x.mark, middle), ui.style(row.channel), 4);
  const bool loaded = load.contacts > 0;
  PutRight(FormatFixed(load.normal, load.normal < 100 ? 2 : 0), at.x + x.force, y, Role::kAxis,
           loaded ? Token::kText : Token::kText3);
  const ImVec2 bar_min(at.x + x.bar, middle - Px(3)), bar_max(at.x + x.bar_end, middle + Px(3));
  list->AddRectFilled(bar_min, bar_max, Color(Token::kControl), Px(2));
  if (load.friction_used > 0) {
    const auto part = static_cast<float>(std::min(load.friction_used, 1.0));
    list->AddRectFilled(bar_min, ImVec2(bar_min.x + part * (bar_max.x - bar_min.x), bar_max.y),
                        ui.style(row.channel).colour, Px(2));
  }
  const std::string used =
      loaded ? FormatFixed(load.friction_used * 100, 0) + " %" : std::string("–");
  PutRight(used, at.x + x.used, y, Role::kAxis, Token::kText2);
  PutRight(FormatSignificant(AboveNoise(Signal::kSlipSpeed, load.slip_speed) * 1e6), at.x + x.slip,
           y, Role::kAxis, loaded ? Token::kText : Token::kText3);
  const bool slips = load.mode == ContactMode::kSlip;
  PutRight(loaded ? std::string(Name(load.mode)) : "air", at.x + x.mode,
           middle - FontPx(Role::kCaption) / 2, Role::kCaption,
           slips ? Token::kWarn : Token::kText2);
}

// "in the air in both, 15 mm above the ground"
std::string AirSentence(const std::vector<FootRow>& rows) {
  double height = HUGE_VAL;
  for (const FootRow& row : rows) height = std::min(height, row.load.height);
  std::string text = "in the air";
  if (rows.size() == 2) text += " in both";
  if (rows.size() > 2) text += " in all";
  if (!std::isfinite(height)) return text;
  return text + ", " + FormatSignal(Signal::kSignedDistance, height) + " above the ground";
}

void DrawFoot(Ui* ui, const Model& model, const Robot& robot, const Robot::Foot& foot) {
  const std::vector<FootRow> rows = RowsOf(*ui, model, foot);
  const bool flies = std::all_of(rows.begin(), rows.end(),
                                 [](const FootRow& row) { return row.load.contacts == 0; });
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = flies ? Px(24) : Px(20) * static_cast<float>(rows.size()) + Px(8);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string id = "feet/" + robot.name + "/" + foot.name;
  const bool clicked = ImGui::InvisibleButton(id.c_str(), ImVec2(width, height));
  RegisterLastItem(id);
  UiState& s = ui->state;
  const bool selected = s.selection.body == foot.body && s.selection.key < 0;
  if (clicked) s.selection = selected ? Selection{} : Selection{foot.body, -1, -1};
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) s.hover_body = foot.body;
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (selected || hovered)
    list->AddRectFilled(at, ImVec2(at.x + width, at.y + height),
                        Color(selected ? Token::kSel : Token::kHover), Px(4));
  const float name = flies ? at.y + Px(12) : at.y + Px(14);
  DrawRich(list, ImVec2(at.x + Px(8), name - FontPx(Role::kTitle) / 2),
           LiteralRich(Ellipsize(std::string(ShortName(robot, foot)), Role::kTitle, Px(28))),
           Role::kTitle, Color(flies ? Token::kText3 : Token::kText));
  if (flies) {
    DrawText(list, ImVec2(at.x + Px(44), name - FontPx(Role::kCaption) / 2), AirSentence(rows),
             Role::kCaption, Color(Token::kText3));
    return;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    DrawFootRow(*ui, rows[i], ImVec2(at.x, at.y + Px(4) + Px(20) * static_cast<float>(i)), width);
  }
}

void FeetHeadings(float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const FeetColumns x = ColumnsOf(width);
  const auto right = [&](const char* rich, float end) {
    DrawRich(ImGui::GetWindowDrawList(),
             ImVec2(at.x + end - MeasureRich(rich, Role::kCaption).x, at.y), rich, Role::kCaption,
             Color(Token::kText3));
  };
  right("foot", Px(8) + MeasureText("foot", Role::kCaption).x);
  right("f_n [N]", x.force);
  right("friction", x.bar + MeasureText("friction", Role::kCaption).x);
  right("slip [µm/s]", x.slip);
  right("mode", x.mode);
  ImGui::Dummy(ImVec2(width, FontPx(Role::kCaption) + Px(2)));
}

}  // namespace

bool HasFeet(const Ui& ui) {
  const Model* model = ui.session.model();
  return model != nullptr && std::any_of(model->robots.begin(), model->robots.end(),
                                         [](const Robot& robot) { return !robot.feet.empty(); });
}

void DrawFeet(Ui* ui) {
  const Model& model = *ui->session.model();
  FeetHeadings(ImGui::GetContentRegionAvail().x);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, Px(2)));
  for (const Robot& robot : model.robots) {
    if (robot.feet.empty()) continue;
    if (model.robots.size() > 1) Rich(LiteralRich(robot.name), Role::kTitle);
    for (const Robot::Foot& foot : robot.feet) DrawFoot(ui, model, robot, foot);
  }
  ImGui::PopStyleVar();
}

}  // namespace slip::app
