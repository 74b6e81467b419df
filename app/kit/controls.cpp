// Buttons, chips, tabs, segments and drop-downs (design tokens, sections 4 and 5).
#include <algorithm>
#include <cmath>
#include <cstring>

#include "app/kit/param_scale.h"
#include "app/kit/widgets.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

/// Draws text centred on a point.
void Centred(ImDrawList* list, ImVec2 centre, std::string_view text, Role role, ImU32 colour) {
  const ImVec2 size = MeasureRich(text, role);
  DrawRich(list, {centre.x - size.x / 2, centre.y - size.y / 2}, text, role, colour);
}

/// An invisible button of the kit; leaves the state of the item for the caller to read.
struct Pressed {
  bool clicked, hovered, held;
  ImVec2 min, max, centre;
};
Pressed Area(std::string_view id, ImVec2 size, bool enabled = true, bool clipped = false) {
  ImGui::PushID(id.data(), id.data() + id.size());
  const bool clicked = ImGui::InvisibleButton("area", size);
  ImGui::PopID();
  RegisterLastItem(id, clipped);
  Pressed p{clicked && enabled,      ImGui::IsItemHovered(),  ImGui::IsItemActive() && enabled,
            ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), {}};
  p.centre = {(p.min.x + p.max.x) / 2, (p.min.y + p.max.y) / 2};
  return p;
}

ImU32 ControlFill(const Pressed& p) {
  return Color(p.held ? Token::kActive : p.hovered ? Token::kHover : Token::kControl);
}

}  // namespace

bool IconButton(std::string_view id, const char* icon, std::string_view tooltip, float size,
                bool enabled, bool selected, Token colour) {
  const Pressed p = Area(id, {Snap(size), Snap(size)}, enabled);
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (enabled) {
    const ImU32 fill = selected && !p.hovered ? Color(Token::kAccentFill) : ControlFill(p);
    list->AddRectFilled(p.min, p.max, fill, Px(4));
  } else {
    list->AddRect(p.min, p.max, Color(Token::kLine), Px(4), 0, Snap(1));
  }
  const Token token = !enabled ? Token::kText3 : selected ? Token::kAccentText : colour;
  Centred(list, p.centre, icon, size >= 28 ? Role::kIcon : Role::kIconSmall, Color(token));
  Tooltip(tooltip);
  return p.clicked;
}

bool TextButton(std::string_view id, std::string_view label, const char* icon, bool primary,
                float width, bool enabled, std::string_view tooltip) {
  const float text = MeasureRich(label, Role::kLabelStrong).x;
  const float lead = icon ? Px(22) : 0;
  const float needed = text + lead + Px(24);
  const float w = width > 0 ? Px(width) : std::round(needed);
  const Pressed p = Area(id, {w, Snap(32)}, enabled, needed - Px(16) > w);
  ImDrawList* list = ImGui::GetWindowDrawList();
  Token token = primary ? Token::kAccentText : Token::kText;
  if (!enabled) {
    list->AddRect(p.min, p.max, Color(Token::kLine), Px(4), 0, Snap(1));
    token = Token::kText3;
  } else if (primary) {
    list->AddRectFilled(p.min, p.max, p.held ? Color(Token::kActive) : Color(Token::kAccentFill),
                        Px(4));
    if (p.hovered) list->AddRect(p.min, p.max, Color(Token::kAccent), Px(4), 0, Snap(1));
  } else {
    list->AddRectFilled(p.min, p.max, ControlFill(p), Px(4));
  }
  float x = p.centre.x - (text + lead) / 2;
  if (icon) {
    DrawText(list, {x, p.centre.y - FontPx(Role::kIcon) / 2}, icon, Role::kIcon,
             Color(enabled && !primary ? Token::kText2 : token));
    x += lead;
  }
  DrawRich(list, {x, p.centre.y - FontPx(Role::kLabelStrong) / 2}, label, Role::kLabelStrong,
           Color(token));
  Tooltip(tooltip);
  return p.clicked;
}

bool LinkText(std::string_view id, std::string_view label, std::string_view tooltip, Role role) {
  const ImVec2 size = MeasureRich(label, role);
  const Pressed p = Area(id, size);
  ImDrawList* list = ImGui::GetWindowDrawList();
  DrawRich(list, p.min, label, role, Color(Token::kAccent));
  if (p.hovered) {
    list->AddLine({p.min.x, p.max.y}, {p.max.x, p.max.y}, Color(Token::kAccent), Snap(1));
  }
  if (!tooltip.empty()) Tooltip(tooltip);
  return p.clicked;
}

ChipResult Chip(std::string_view id, std::string_view name, const ChannelStyle& style,
                std::string_view word, bool visible, bool solo, std::string_view tooltip,
                bool buttons) {
  ChipResult result;
  const float text = MeasureText(name, visible ? Role::kLabelStrong : Role::kLabel).x;
  const float tag_width = std::max(Px(30), MeasureText(word, Role::kTag).x + Px(8));
  const float tag = word.empty() ? Px(6) : std::round(tag_width) + Px(8);
  const ImVec2 size{std::round(Px(26) + text + tag + Px(buttons ? 48 : 6)), Snap(32)};
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const ImVec2 max{min.x + size.x, min.y + size.y};
  const float middle = (min.y + max.y) / 2;
  ImDrawList* list = ImGui::GetWindowDrawList();

  // three areas side by side: body, eye, solo
  ImGui::BeginGroup();
  ImGui::PushID(id.data(), id.data() + id.size());
  const float eye_x = buttons ? max.x - Px(46) : max.x, solo_x = max.x - Px(25);
  ImGui::InvisibleButton("body", {eye_x - min.x, size.y},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
  RegisterLastItem(id);
  result.clicked = ImGui::IsItemClicked(ImGuiMouseButton_Left);
  result.right_clicked = ImGui::IsItemClicked(ImGuiMouseButton_Right);
  const bool hovered = ImGui::IsItemHovered();
  Tooltip(tooltip);
  const auto small = [&](const char* part, float x, std::string_view tip) {
    ImGui::SetCursorScreenPos({x, min.y});
    const bool clicked = ImGui::InvisibleButton(part, {Px(21), size.y});
    RegisterLastItem(std::string(id) + "/" + part);
    Tooltip(tip);
    return clicked;
  };
  bool eye_hot = false, solo_hot = false;
  if (buttons) {
    result.eye = small("eye", eye_x, visible ? "Hide this model" : "Show this model");
    eye_hot = ImGui::IsItemHovered();
    result.solo = small("solo", solo_x, solo ? "Show all again" : "Show this model alone");
    solo_hot = ImGui::IsItemHovered();
  }
  ImGui::PopID();
  ImGui::EndGroup();

  if (visible) {
    list->AddRectFilled(min, max, Color(hovered ? Token::kHover : Token::kControl), Px(4));
  } else {
    list->AddRect(min, max, Color(Token::kLine), Px(4), 0, Snap(1));
  }
  const float bar = std::round(middle - Px(12));
  list->AddRectFilled({min.x + Snap(2), bar}, {min.x + Snap(2) + Snap(3), bar + Px(24)},
                      visible ? style.colour : WithAlpha(style.colour, 0.5f), Px(1.5f));
  DrawMark(list, {min.x + Px(15), middle}, style, 4.5f);
  const Role role = visible ? Role::kLabelStrong : Role::kLabel;
  DrawText(list, {min.x + Px(26), middle - FontPx(role) / 2}, name, role,
           Color(visible ? Token::kText : Token::kText3));
  if (!word.empty()) {
    const float x = std::round(min.x + Px(26) + text + Px(6));
    const ImVec2 a{x, std::round(middle - Px(8))};
    const ImVec2 b{x + std::round(tag_width), std::round(middle + Px(8))};
    list->AddRectFilled(a, b, Color(Token::kPanel), Px(3));
    Centred(list, {(a.x + b.x) / 2, middle}, word, Role::kTag, Color(Token::kText2));
  }
  if (!buttons) return result;
  const auto tint = [&](bool on, bool hot) {
    return Color(hot ? Token::kText : on ? Token::kText2 : Token::kText3);
  };
  Centred(list, {max.x - Px(34), middle}, visible ? icon::kShow : icon::kHide, Role::kIconSmall,
          tint(visible, eye_hot));
  Centred(list, {max.x - Px(14), middle}, icon::kSolo, Role::kIconSmall,
          solo ? Color(Token::kAccent) : tint(visible, solo_hot));
  return result;
}

bool Segmented(std::string_view id, std::span<const std::string_view> labels, int* selected,
               std::span<const std::string_view> tips) {
  const ImVec2 min = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float height = Snap(32), inset = Snap(2);
  float width = 0;
  for (const std::string_view label : labels) {
    width += std::round(MeasureText(label, Role::kLabelStrong).x + Px(20));
  }
  const ImVec2 max{min.x + width + 2 * inset, min.y + height};
  list->AddRectFilled(min, max, Color(Token::kWell), Px(4));
  list->AddRect(min, max, Color(Token::kLine), Px(4), 0, Snap(1));
  float x = min.x + inset;
  bool changed = false;
  ImGui::BeginGroup();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const float w = std::round(MeasureText(labels[i], Role::kLabelStrong).x + Px(20));
    ImGui::SetCursorScreenPos({x, min.y});
    const Pressed p = Area(std::string(id) + "/" + std::string(labels[i]), {w, height});
    if (i < tips.size() && !tips[i].empty()) Tooltip(tips[i]);
    const bool on = static_cast<int>(i) == *selected;
    const ImVec2 a{x, min.y + inset}, b{x + w, max.y - inset};
    if (on || p.hovered) {
      list->AddRectFilled(a, b, on ? Color(Token::kAccentFill) : Color(Token::kControl), Px(3));
    }
    Centred(list, p.centre, labels[i], on ? Role::kLabelStrong : Role::kLabel,
            Color(on ? Token::kAccentText : Token::kText2));
    if (p.clicked && !on) {
      *selected = static_cast<int>(i);
      changed = true;
    }
    x += w;
  }
  ImGui::SetCursorScreenPos(min);
  ImGui::Dummy({max.x - min.x, height});
  ImGui::EndGroup();
  return changed;
}

bool TabStrip(std::string_view id, std::span<const std::string_view> labels, int* selected,
              std::span<const std::string_view> tips) {
  const ImVec2 min = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float height = Snap(32), available = ImGui::GetContentRegionAvail().x;
  float x = min.x, words = 0;
  for (const std::string_view label : labels)
    words += std::round(MeasureText(label, Role::kTitle).x);
  // many tabs stand closer
  const float gap =
      labels.size() < 2
          ? 0
          : std::clamp(std::floor((available - words) / static_cast<float>(labels.size() - 1)),
                       Px(8), Px(24));
  bool changed = false;
  ImGui::BeginGroup();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const float w = std::round(MeasureText(labels[i], Role::kTitle).x);
    ImGui::SetCursorScreenPos({x, min.y});
    const bool clipped = x + w > min.x + available + 0.5f;
    const Pressed p =
        Area(std::string(id) + "/" + std::string(labels[i]), {w, height}, true, clipped);
    if (i < tips.size() && !tips[i].empty()) Tooltip(tips[i]);
    const bool on = static_cast<int>(i) == *selected;
    Centred(list, p.centre, labels[i], on ? Role::kTitle : Role::kLabel,
            Color(on || p.hovered ? Token::kText : Token::kText2));
    if (on) {
      list->AddRectFilled({x, min.y + height - Snap(2)}, {x + w, min.y + height},
                          Color(Token::kAccent));
    }
    if (p.clicked && !on) {
      *selected = static_cast<int>(i);
      changed = true;
    }
    x += w + gap;
  }
  list->AddRectFilled({min.x, min.y + height}, {min.x + available, min.y + height + Snap(1)},
                      Color(Token::kLine));
  ImGui::SetCursorScreenPos(min);
  ImGui::Dummy({available, height + Snap(1)});
  ImGui::EndGroup();
  return changed;
}

bool Choice(std::string_view id, std::span<const std::string_view> labels, int* selected,
            std::string_view tooltip, float width, bool enabled) {
  const bool valid = *selected >= 0 && static_cast<std::size_t>(*selected) < labels.size();
  const std::string shown(valid ? At(labels, *selected) : "–");
  const float w = width > 0 ? width : ImGui::GetContentRegionAvail().x;
  const bool clipped = MeasureText(shown, Role::kLabel).x > w - Px(38);
  ImGui::PushID(id.data(), id.data() + id.size());
  const Pressed p = Area("combo", {w, Snap(24)}, enabled);
  if (!tooltip.empty()) Tooltip(tooltip);
  RegisterWidget(id, p.min, p.max, clipped);
  if (p.clicked) ImGui::OpenPopup("list");
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (enabled) {
    list->AddRectFilled(p.min, p.max, ControlFill(p), Px(4));
  } else {
    list->AddRect(p.min, p.max, Color(Token::kLine), Px(4), 0, Snap(1));
  }
  DrawRich(list, {p.min.x + Px(8), p.centre.y - FontPx(Role::kLabel) / 2},
           EllipsizeRich(shown, Role::kLabel, w - Px(38)), Role::kLabel,
           Color(enabled ? Token::kText : Token::kText3));
  Centred(list, {p.max.x - Px(14), p.centre.y}, icon::kMenu, Role::kIconSmall,
          Color(enabled ? Token::kText2 : Token::kLineStrong));

  bool changed = false;
  const bool open = enabled && ImGui::IsPopupOpen("list");
  if (open) {
    // without a window that begins they would hold for the next panel
    ImGui::SetNextWindowPos({p.min.x, p.max.y + Px(4)});
    ImGui::SetNextWindowSizeConstraints({w, 0}, {1e6f, Px(400)});
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {Px(8), Px(8)});
  if (open && ImGui::BeginPopup("list")) {
    PushRole(Role::kLabel);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const bool on = static_cast<int>(i) == *selected;
      if (ImGui::Selectable(std::string(labels[i]).c_str(), on)) {
        changed = !on;
        *selected = static_cast<int>(i);
      }
      RegisterLastItem(std::string(id) + "/" + std::string(labels[i]));
    }
    PopRole();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
  ImGui::PopID();
  return changed;
}

bool Toggle(std::string_view id, std::string_view label, bool* on, std::string_view tooltip,
            bool enabled) {
  const float text = MeasureRich(label, Role::kLabel).x;
  const Pressed p = Area(id, {Px(26) + text, Snap(24)}, enabled);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 a{p.min.x, std::round(p.centre.y - Px(8))}, b{a.x + Snap(16), a.y + Snap(16)};
  if (enabled) {
    list->AddRectFilled(a, b, *on ? Color(Token::kAccentFill) : ControlFill(p), Px(4));
  } else {
    list->AddRect(a, b, Color(Token::kLine), Px(4), 0, Snap(1));
  }
  if (*on && enabled) {
    Centred(list, {(a.x + b.x) / 2, p.centre.y}, icon::kDone, Role::kIconSmall,
            Color(Token::kAccentText));
  }
  DrawRich(list, {b.x + Px(10), p.centre.y - FontPx(Role::kLabel) / 2}, label, Role::kLabel,
           Color(enabled ? Token::kText : Token::kText3));
  if (p.clicked) *on = !*on;
  Tooltip(tooltip);
  return p.clicked;
}

}  // namespace slip::app
