// Feet: what the ground does to each foot of the robots, in every shown channel.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/common/tab.h"
#include "app/panels/curves/plot_content.h"
#include "app/panels/inspect/tables.h"
#include "app/state/channel_style.h"
#include "engine/sim/foot_load.h"
#include "engine/sim/part_signals.h"

namespace slip::app {
namespace {

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

/// The lesson asks for what slips; the other feet would give it away too.
bool HoldsSlip(const Session& session, const Model& model) {
  if (HeldSignals(session).empty()) return false;
  for (const Signal signal : ListSignals(model)) {
    const std::string_view name = slip::Info(signal).name;
    if ((name == "slip" || signal == Signal::kSlipSpeed) && IsHeld(session, signal)) return true;
  }
  return false;
}

/// What the ground does to a foot of one channel.
struct FootRow {
  int channel = 0;
  LegRest rest = LegRest::kAir;
  FootLoad load;
  bool held = false;      ///< the lesson asks for the slip
  bool computed = false;  ///< a step has been: before, nobody knows what carries
};

std::vector<FootRow> RowsOf(const Session& session, const Model& model, const Robot& robot,
                            const Robot::Foot& foot, bool held) {
  std::vector<FootRow> rows;
  for (int i = 0; i < session.channel_count(); ++i) {
    const ChannelFrame& frame = session.written().frame(i);
    const auto body = static_cast<std::size_t>(foot.body);
    if (!session.looks().Present(i) || body >= frame.bodies.size()) continue;
    rows.push_back({i, FindLegRest(model, robot, foot, frame.contacts),
                    CalcFootLoad(model, foot, frame.bodies[body].X_WB, frame.contacts), held,
                    frame.measured});
  }
  return rows;
}

std::string SlipText(double speed) {
  const double noise = slip::Info(Signal::kSlipSpeed).noise;
  if (speed > 0 && speed < noise) return "< " + FormatFixed(noise * 1e6, 3);
  return FormatSignificant(speed * 1e6);
}

/// In millimetres with a tenth, unless it left the ground for good.
std::string HeightText(double height) {
  return std::abs(height) < 10 ? FormatFixed(1e3 * height, 1) + " mm" : FormatQuantity(height, "m");
}

/// "43.1 mm above the floor", or that the leg lies there.
std::string Unloaded(const FootRow& row) {
  if (!row.computed) return "not computed yet";
  // a foot may stand a little in the floor before it carries anything
  const double gap = row.load.height;
  const std::string height =
      !std::isfinite(gap) ? "" : HeightText(std::abs(gap)) + (gap < -0.5e-4 ? " below" : " above");
  if (row.rest == LegRest::kOther)
    return "leg on the floor" + (height.empty() ? "" : ", foot " + height + " it");
  return height.empty() ? "in the air" : height + " the floor";
}

void DrawFootRow(const Session& session, const std::string& id, const FootRow& row, ImVec2 at,
                 float width) {
  const FootLoad& load = row.load;
  const FeetColumns x = ColumnsOf(width);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float middle = std::round(at.y + Px(10));
  const float y = middle - FontPx(Role::kAxis) / 2;
  const float caption = middle - FontPx(Role::kCaption) / 2;
  DrawMark(list, ImVec2(at.x + x.mark, middle), StyleOf(session, row.channel), 4);
  if (load.contacts == 0) {
    DrawText(list, ImVec2(at.x + x.mark + Px(12), caption), Unloaded(row), Role::kCaption,
             Color(Token::kText3));
    return;
  }
  const std::string force = FormatFixed(load.normal, load.normal < 100 ? 2 : 0);
  PutRight(force, at.x + x.force, y, Role::kAxis, Token::kText);
  RegisterWidget(id, ImVec2(at.x + x.mark, at.y), ImVec2(at.x + x.force, at.y + Px(20)), false,
                 force);
  const ImVec2 bar_min(at.x + x.bar, middle - Px(3)), bar_max(at.x + x.bar_end, middle + Px(3));
  list->AddRectFilled(bar_min, bar_max, Color(Token::kControl), Px(2));
  if (load.friction_used > 0) {
    const auto part = static_cast<float>(std::min(load.friction_used, 1.0));
    list->AddRectFilled(bar_min, ImVec2(bar_min.x + part * (bar_max.x - bar_min.x), bar_max.y),
                        StyleOf(session, row.channel).colour, Px(2));
  }
  PutRight(FormatFixed(load.friction_used * 100, 0) + " %", at.x + x.used, y, Role::kAxis,
           Token::kText2);
  PutRight(row.held ? "?" : SlipText(load.slip_speed), at.x + x.slip, y, Role::kAxis,
           row.held ? Token::kText3 : Token::kText);
  PutRight(std::string(Name(load.mode)), at.x + x.mode, caption, Role::kCaption,
           load.mode == ContactMode::kSlip ? Token::kWarn : Token::kText2);
}

/// One line for a foot that all models lift: each with its own height.
std::string DrawHeights(const Session& session, const std::vector<FootRow>& rows, ImVec2 at,
                        float width) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float y = at.y - FontPx(Role::kCaption) / 2;
  std::string line;
  float x = at.x;
  for (const FootRow& row : rows) {
    const std::string number = FormatFixed(1e3 * row.load.height, 1);
    DrawMark(list, ImVec2(x, at.y), StyleOf(session, row.channel), 4);
    x += Px(12);
    x += DrawText(list, ImVec2(x, at.y - FontPx(Role::kAxis) / 2), number, Role::kAxis,
                  Color(Token::kText3)) +
         Px(18);
    line += number + " ";
  }
  for (const char* words : {"mm above the floor", "mm"}) {
    if (x - Px(12) + MeasureText(words, Role::kCaption).x > at.x + width) continue;
    DrawText(list, ImVec2(x - Px(12), y), words, Role::kCaption, Color(Token::kText3));
    return line + words;
  }
  return line;
}

/// What the columns leave out.
std::string FootTip(const Session& session, const Robot::Foot& foot,
                    const std::vector<FootRow>& rows) {
  std::string tip = foot.name;
  for (const FootRow& row : rows) {
    const FootLoad& load = row.load;
    tip += "\n" + session.looks().Name(row.channel) + ": ";
    if (load.contacts == 0) {
      tip += Unloaded(row);
      continue;
    }
    tip += "f_n " + FormatSignal(Signal::kNormalForce, load.normal);
    if (foot.points > 1) {
      tip += fmt::format(" on {} of {} points, moment {}", load.contacts, foot.points,
                         FormatQuantity(load.moment_W.norm(), "N m"));
    }
  }
  if (foot.points > 1) tip += "\nThe moment is about the centre of pressure.";
  return tip;
}

void DrawFoot(const Session& session, const Robot& robot, const Robot::Foot& foot,
              const std::vector<FootRow>& rows, Picked* picked) {
  const bool flies = std::all_of(rows.begin(), rows.end(), [](const FootRow& row) {
    return row.computed && row.rest == LegRest::kAir && std::abs(row.load.height) < 10;
  });
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = flies ? Px(24) : Px(20) * static_cast<float>(rows.size()) + Px(8);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string id = "feet/" + robot.name + "/" + foot.name;
  const bool clicked = ImGui::InvisibleButton(id.c_str(), ImVec2(width, height));
  const bool hovered = ImGui::IsItemHovered();
  std::string tip;
  if (hovered || WidgetRegistryEnabled()) tip = FootTip(session, foot, rows);
  if (hovered) TooltipBeside(tip);
  const bool selected = picked->selection.body == foot.body && picked->selection.key < 0;
  if (clicked) picked->selection = selected ? Selection{} : Selection{foot.body, -1, -1};
  if (hovered) picked->hover_body = foot.body;
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (selected || hovered)
    list->AddRectFilled(at, ImVec2(at.x + width, at.y + height),
                        Color(selected ? Token::kSel : Token::kHover), Px(4));
  const float name = flies ? at.y + Px(12) : at.y + Px(14);
  DrawRich(list, ImVec2(at.x + Px(8), name - FontPx(Role::kTitle) / 2),
           LiteralRich(Ellipsize(std::string(ShortName(robot, foot)), Role::kTitle, Px(28))),
           Role::kTitle, Color(flies ? Token::kText3 : Token::kText));
  const float mark = ColumnsOf(width).mark;
  if (flies) tip += "\n" + DrawHeights(session, rows, ImVec2(at.x + mark, name), width - mark);
  RegisterWidget(id, at, ImVec2(at.x + width, at.y + height), false, tip);
  if (flies) return;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string row = fmt::format("{}/f_n/{}", id, rows[i].channel);
    DrawFootRow(session, row, rows[i], ImVec2(at.x, at.y + Px(4) + Px(20) * static_cast<float>(i)),
                width);
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

const char* WhyNoFeet(const Session& session) {
  const Model* model = session.model();
  const bool has =
      model != nullptr && std::any_of(model->robots.begin(), model->robots.end(),
                                      [](const Robot& robot) { return !robot.feet.empty(); });
  return has ? nullptr : "No robot of this scene has feet.";
}

void DrawFeet(const TabContext& context) {
  const Session& session = context.session;
  const Model& model = *session.model();
  const bool held = HoldsSlip(session, model);
  FeetHeadings(ImGui::GetContentRegionAvail().x);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, Px(2)));
  for (const Robot& robot : model.robots) {
    if (robot.feet.empty()) continue;
    if (model.robots.size() > 1) Rich(LiteralRich(robot.name), Role::kTitle);
    for (const Robot::Foot& foot : robot.feet)
      DrawFoot(session, robot, foot, RowsOf(session, model, robot, foot, held),
               &context.state.picked);
  }
  ImGui::PopStyleVar();
}

}  // namespace

const Tab kFeetTab{
    .name = "Feet",
    .tip = "Load, friction, slip and mode of each foot.",
    .doc = "Force, friction and slip of each foot of a robot.",
    .why_not = WhyNoFeet,
    .draw = DrawFeet,
    .table = FeetTable,
};

}  // namespace slip::app
