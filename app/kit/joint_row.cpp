#include "app/kit/joint_row.h"

#include <algorithm>
#include <cmath>

#include "app/kit/kit.h"
#include "app/kit/param_scale.h"
#include "app/kit/value_box.h"

namespace slip::app {
namespace {

constexpr float kJointRow = 38;  // design pixels
constexpr float kTextY = 11, kTrackY = 28;
constexpr float kTrackShare = 120.0f / (120 + 112);

void Triangle(ImDrawList* list, float x, float tip, ImU32 colour) {
  list->AddTriangleFilled({x - Px(4), tip - Px(6)}, {x + Px(4), tip - Px(6)}, {x, tip}, colour);
}

void Knob(ImDrawList* list, float x, float y, bool hot) {
  if (hot) list->AddCircleFilled({x, y}, Px(9), Color(Token::kAccent, 0.22f));
  list->AddCircleFilled({x, y}, Px(6), Color(Token::kHead), 24);
  list->AddCircleFilled({x, y}, Px(2.5f), Color(Token::kPanel), 16);
}

void EndStroke(ImDrawList* list, float x, float y) {
  const float left = std::round(x - Px(1));
  list->AddRectFilled({left, y - Px(6)}, {left + Snap(1.5f), y + Px(6)}, Color(Token::kText3));
}

/// From its middle; a force beyond the ends stays there.
void ForceBar(ImDrawList* list, const JointReading& joint, float begin, float end, float y) {
  const float middle = std::round((begin + end) / 2), half = (end - begin) / 2;
  list->AddRectFilled({begin, y - Px(4)}, {end, y + Px(4)}, Color(Token::kControl), Px(2));
  const double share = std::clamp(joint.force / joint.full_force, -1.0, 1.0);
  const float x = middle + half * static_cast<float>(share);
  list->AddRectFilled({std::min(x, middle), y - Px(4)}, {std::max(x, middle), y + Px(4)},
                      joint.colour);
  list->AddRectFilled({middle, y - Px(6)}, {middle + Snap(1), y + Px(6)}, Color(Token::kText3));
  if (!joint.force_limited) return;
  EndStroke(list, begin, y);
  EndStroke(list, end, y);
}

bool Slides(const JointReading& joint) { return joint.target_info.unit == "m"; }

/// Angles in degrees, as everywhere in the window.
std::string Position(const JointReading& joint, double value) {
  if (Slides(joint)) return FormatFixed(value, 4);
  const double degrees = value * DisplayFactor(value, "rad");
  return FormatFixed(degrees, std::abs(degrees) < 99.995 ? 2 : 1);
}

void Numbers(ImDrawList* list, const JointReading& joint, ImVec2 min, const JointColumns& at) {
  const float y = min.y + Px(kTextY) - FontPx(Role::kAxis) / 2;
  const std::string position = Position(joint, joint.written_position);
  float left = min.x + at.track;
  left += DrawText(list, {left, y}, position, Role::kAxis, Color(Token::kText));
  const std::string force = FormatFixed(joint.written_force, joint.force_decimals);
  DrawText(list, {min.x + at.bar_end - MeasureText(force, Role::kAxis).x, y}, force, Role::kAxis,
           Color(Token::kText));
  if (at.rate_end > 0) {
    const double size = std::abs(joint.written_rate);
    const std::string rate =
        FormatFixed(size < 5e-3 ? 0 : joint.written_rate, size < 9.995 ? 2 : 1);
    DrawText(list, {min.x + at.rate_end - MeasureText(rate, Role::kAxis).x, y}, rate, Role::kAxis,
             Color(Token::kText3));
  }
  if (std::isnan(joint.written_target)) return;
  const std::string target = Position(joint, joint.written_target);
  const float right = min.x + at.track_end - MeasureText(target, Role::kAxis).x;
  DrawText(list, {right, y}, target, Role::kAxis, Color(Token::kText3));
  const float arrow = MeasureText("→", Role::kCaption).x;
  if (right - left < arrow + Px(4)) return;
  DrawText(list, {(left + right - arrow) / 2, min.y + Px(kTextY) - FontPx(Role::kCaption) / 2}, "→",
           Role::kCaption, Color(Token::kText3));
}

}  // namespace

JointColumns ArrangeJointColumns(float width, float longest_name) {
  const float gap = Px(26);  // targets end before it, rates behind it
  JointColumns at;
  at.name = std::round(std::clamp(longest_name + Px(10), Px(40), Px(88)));
  const float room = width - at.name - gap;
  at.track = at.name;
  at.track_end = std::round(at.track + std::min(room * kTrackShare, Px(160)));
  at.bar = at.track_end + gap;
  at.bar_end = width;
  return at;
}

JointRowResult JointRow(const JointReading& joint, const JointColumns& at) {
  JointRowResult result;
  const ParamInfo& info = joint.target_info;
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const ImVec2 max{min.x + at.bar_end, min.y + Snap(kJointRow)};
  const std::string id(joint.id);
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImGui::PushID(id.c_str());
  const bool has_target = !std::isnan(joint.target);
  const float y = std::round(min.y + Px(kTrackY)), reach = Px(8);
  const float begin = min.x + at.track, end = min.x + at.track_end;
  const auto place = [&](double value) {
    return begin + static_cast<float>(SliderPosition(info, value)) * (end - begin);
  };

  // the numbers above, the track, and what is right of it
  const float split = y - Px(9);
  ImGui::SetCursorScreenPos(min);
  result.clicked = ImGui::InvisibleButton("numbers", {max.x - min.x, split - min.y});
  const bool type = has_target && ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0);
  TooltipBeside(joint.tooltip);
  ImGui::SetCursorScreenPos({end + reach, split});
  result.clicked =
      ImGui::InvisibleButton("bar", {max.x - end - reach, max.y - split}) || result.clicked;
  TooltipBeside(joint.tooltip);
  ImGui::SetCursorScreenPos({begin - reach, split});
  ImGui::InvisibleButton("track", {end - begin + 2 * reach, max.y - split});
  RegisterWidget(id + "/track", {begin, y - reach}, {end, y + reach});
  const bool active = ImGui::IsItemActive();
  const bool hot = (ImGui::IsItemHovered() || active) && has_target;
  if (!active) TooltipBeside(joint.tooltip);
  result.clicked = ImGui::IsItemActivated() || result.clicked;
  double target = joint.target;
  if (active && has_target) {
    const float mouse = ImGui::GetIO().MousePos.x;
    // a press on the knob itself moves nothing
    const bool still = !ImGui::IsMouseDragging(ImGuiMouseButton_Left, 2) &&
                       std::fabs(mouse - place(joint.target)) < reach;
    // whole tenths of a millimetre or a degree
    const double steps = Slides(joint) ? 1e4 : 10 * DisplayFactor(1, "rad");
    const double value = SliderValue(info, static_cast<double>((mouse - begin) / (end - begin)));
    if (!still) target = std::clamp(std::round(value * steps) / steps, info.min, info.max);
    if (target != joint.target) result.target = target;
  }
  result.hovered = active || (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max));

  if (joint.selected || result.hovered) {
    list->AddRectFilled({min.x - Px(6), min.y}, {max.x + Px(6), max.y},
                        Color(joint.selected ? Token::kSel : Token::kRowAlt), Px(4));
  }
  const float name_room = at.track - Px(8);
  const bool clipped = MeasureText(joint.name, Role::kLabel).x > name_room;
  DrawText(list, {min.x, min.y + Px(kTextY) - FontPx(Role::kLabel) / 2},
           EllipsizeMiddle(joint.name, Role::kLabel, name_room),  // they differ at their ends
           joint.selected ? Role::kTitle : Role::kLabel, Color(Token::kText2));
  RegisterWidget(id, min, max, clipped, joint.tooltip);

  const ImGuiID box = ImGui::GetID("value");
  const bool typing = CurrentKit().edit.id == box;
  if (!typing) Numbers(list, joint, min, at);
  list->AddRectFilled({begin, y - Px(2)}, {end, y + Px(2)}, Color(Token::kControl), Px(2));
  if (joint.lower_limit) EndStroke(list, begin, y);
  if (joint.upper_limit) EndStroke(list, end, y);
  if (has_target) Knob(list, place(target), y, hot);
  Triangle(list, place(joint.position), y - Px(1), joint.colour);
  ForceBar(list, joint, min.x + at.bar, max.x, y);

  if (typing || type) {
    ParamRowOptions options;
    options.path = joint.id;
    const ImVec2 corner{std::round(end - Snap(96)), std::round(min.y)};
    if (const auto typed = ValueBox(info, joint.target, options, id + "/value", corner, type))
      result.target = typed;
  }
  ImGui::PopID();
  ImGui::SetCursorScreenPos(min);
  ImGui::Dummy({max.x - min.x, max.y - min.y});
  return result;
}

void JointLegend(ImU32 colour, bool targets) {
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const float y = min.y + Px(9), text_y = y - FontPx(Role::kCaption) / 2;
  ImDrawList* list = ImGui::GetWindowDrawList();
  float x = min.x;
  const auto word = [&](std::string_view text) {
    x += DrawText(list, {x, text_y}, text, Role::kCaption, Color(Token::kText2)) + Px(16);
  };
  Triangle(list, x + Px(4), y + Px(3), colour);
  x += Px(13);
  word("measured");
  if (targets) {
    Knob(list, x + Px(6), y, false);
    x += Px(17);
    word("target, drag it");
  }
  EndStroke(list, x + Px(2), y);
  x += Px(9);
  word("limit");
  RegisterWidget("joints/legend", min, {x, min.y + Px(20)},
                 x - Px(16) > min.x + ImGui::GetContentRegionAvail().x);
  ImGui::Dummy({x - min.x, Px(20)});
}

}  // namespace slip::app
