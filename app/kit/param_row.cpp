// The parameter row: label line of 20, track line of 24, 8 of air (design tokens, section 4).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/kit/kit.h"
#include "app/kit/param_scale.h"
#include "app/kit/value_box.h"
#include "app/kit/widgets.h"

namespace slip::app {
namespace {

struct RowLayout {
  ImVec2 origin;  // top left corner of the label
  float right;
  float label_middle, track_middle;
  float track_begin, track_end;
  float box_left;
};

RowLayout Layout() {
  RowLayout row;
  const ImVec2 cursor = ImGui::GetCursorScreenPos();
  // room at the left for the changed-dot and half the knob
  row.origin = {cursor.x + Snap(4), cursor.y};
  row.right = cursor.x + ImGui::GetContentRegionAvail().x;
  row.label_middle = row.origin.y + Px(10);
  row.track_middle = std::round(row.origin.y + Px(31));
  row.box_left = row.right - Snap(96);
  row.track_begin = row.origin.x;
  row.track_end = std::max(row.track_begin + Px(20), row.box_left - Px(55));
  return row;
}

std::string Id(const ParamRowOptions& options, const char* part) {
  return "param/" + std::string(options.path) + "/" + part;
}

void DrawLabel(const ParamInfo& info, const ParamRowOptions& options, const RowLayout& row,
               bool changed) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (changed) {
    list->AddCircleFilled({row.origin.x - Px(8), row.label_middle}, Px(3), Color(Token::kAccent));
  }
  std::string text(info.label);
  if (!info.symbol.empty()) text += " " + std::string(info.symbol);
  const float room = row.right - row.origin.x - (options.lock == LockState::kNone ? 0 : Px(22));
  const bool clipped = MeasureRich(text, Role::kLabel).x > room;
  const float top = row.label_middle - FontPx(Role::kLabel) / 2;
  float x = row.origin.x;
  x += DrawRich(list, {x, top}, clipped ? EllipsizeRich(text, Role::kLabel, room) : text,
                Role::kLabel, Color(options.enabled ? Token::kText : Token::kText3));
  RegisterWidget(Id(options, "label"), row.origin, {x, row.origin.y + Px(20)}, clipped);

  // the channel it belongs to, or marks of the models that use it when not all do
  x += Px(12);
  if (!options.channel.empty() && options.style) {
    DrawMark(list, {x, row.label_middle}, *options.style, 4);
    const float end = x + Px(10) + MeasureText(options.channel, Role::kLabel).x;
    DrawText(list, {x + Px(10), row.label_middle - FontPx(Role::kLabel) / 2}, options.channel,
             Role::kLabel, Color(options.enabled ? Token::kText2 : Token::kText3));
    RegisterWidget(Id(options, "channel"), {x - Px(4), row.origin.y}, {end, row.origin.y + Px(20)},
                   end > row.origin.x + room, options.channel);
    x = end + Px(16);
  }
  for (std::size_t i = 0; i < options.channels.size(); ++i) {
    if (!options.channel.empty() || (options.readers >> i & 1) == 0 || x > row.origin.x + room)
      continue;
    const int channel = static_cast<int>(i);
    DrawMark(list, {x, row.label_middle}, StyleOfChannel(options.channels, channel, CurrentTheme()),
             4);
    RegisterWidget(Id(options, "mark/") + std::to_string(i), {x - Px(4), row.label_middle - Px(4)},
                   {x + Px(4), row.label_middle + Px(4)});
    x += Px(14);
  }
  if (!options.owner.empty()) {
    const float width = MeasureText(options.owner, Role::kCaption).x;
    if (x + width < row.origin.x + room) {
      DrawText(list, {x - Px(4), row.label_middle - FontPx(Role::kCaption) / 2}, options.owner,
               Role::kCaption, Color(Token::kText3));
    }
  }
}

bool LockSlot(const ParamRowOptions& options, const RowLayout& row) {
  if (options.lock == LockState::kNone) return false;
  const bool locked = options.lock == LockState::kLocked;
  ImGui::SetCursorScreenPos({row.right - Px(20), row.label_middle - Px(10)});
  const bool clicked = ImGui::InvisibleButton("lock", {Px(20), Px(20)});
  RegisterLastItem(Id(options, "lock"));
  const bool hovered = ImGui::IsItemHovered();
  const char* glyph = locked ? icon::kLock : icon::kUnlock;
  const ImVec2 size = MeasureText(glyph, Role::kIconSmall);
  DrawText(ImGui::GetWindowDrawList(), {row.right - size.x - Px(2), row.label_middle - size.y / 2},
           glyph, Role::kIconSmall, Color(hovered ? Token::kText : Token::kText2));
  TooltipBeside(
      locked ? "One value for all models. Click lets each model have its own."
             : "Each model has its own value. Click gives all of them the value of this row.");
  return clicked;
}

void DrawTicks(const ParamInfo& info, const RowLayout& row, ImU32 colour) {
  if (!IsLogSlider(info) || !(info.min > 0)) return;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const int first = static_cast<int>(std::floor(std::log10(info.min) + 1e-9));
  const int last = static_cast<int>(std::ceil(std::log10(info.max) - 1e-9));
  const float width = row.track_end - row.track_begin;
  // 2 and 5 need three pixels each
  const bool fine = width / static_cast<float>(std::max(1, last - first)) >= Px(14);
  const float top = row.track_middle + Px(8);
  const auto tick = [&](double value, float length) {
    if (value < info.min * (1 - 1e-9) || value > info.max * (1 + 1e-9)) return;
    const auto at = static_cast<float>(SliderPosition(info, value));
    const float x = std::round(row.track_begin + at * width);
    list->AddRectFilled({x, top}, {x + Snap(1), top + Px(length)}, colour);
  };
  for (int n = first; n <= last; ++n) {
    const double decade = std::pow(10.0, n);
    tick(decade, 5);
    if (fine) {
      tick(2 * decade, 2);
      tick(5 * decade, 2);
    }
  }
}

/// Track, ticks, default triangle and knob.
void DrawTrack(const ParamInfo& info, double value, const ParamRowOptions& options,
               const RowLayout& row, bool hot) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float width = row.track_end - row.track_begin, y = row.track_middle;
  const auto place = [&](double v) {
    return row.track_begin + static_cast<float>(SliderPosition(info, v)) * width;
  };
  const float half = Px(2), x = place(value);
  ImU32 fill = options.style ? options.style->colour : Color(Token::kAccent);
  if (!options.enabled) fill = Color(Token::kLineStrong);
  list->AddRectFilled({row.track_begin, y - half}, {row.track_end, y + half},
                      Color(options.enabled ? Token::kControl : Token::kLine), half);
  list->AddRectFilled({row.track_begin, y - half}, {x, y + half}, fill, half);
  DrawTicks(info, row, Color(Token::kLineStrong));
  if (options.default_value && options.scene_values.empty()) {
    const float d = place(*options.default_value), tip = y - Px(5);
    list->AddTriangleFilled({d - Px(4), tip - Px(6)}, {d + Px(4), tip - Px(6)}, {d, tip},
                            Color(options.enabled ? Token::kText3 : Token::kLineStrong));
  }
  for (std::size_t i = 0; i < options.marks.size(); ++i) {
    const float at = std::round(place(options.marks[i].value));
    list->AddRectFilled({at - Snap(1), y - Px(8)}, {at + Snap(1), y + Px(8)}, Color(Token::kWarn));
    list->AddTriangleFilled({at - Px(4), y + Px(13)}, {at + Px(4), y + Px(13)}, {at, y + Px(8)},
                            Color(Token::kWarn));
    RegisterWidget(Id(options, "limit/") + std::to_string(i), {at - Px(4), y - Px(8)},
                   {at + Px(4), y + Px(13)}, false, options.marks[i].tip);
  }
  if (options.glow > 0) {
    list->AddCircleFilled({x, y}, Px(14), Color(Token::kAccent, 0.22f * options.glow));
  }
  if (hot) list->AddCircleFilled({x, y}, Px(10), Color(Token::kAccent, 0.22f));
  const ImU32 hole = Color(options.enabled ? Token::kPanel : Token::kLine);
  list->AddCircleFilled({x, y}, Px(7), Color(options.enabled ? Token::kHead : Token::kLineStrong),
                        24);
  list->AddCircleFilled({x, y}, Px(3), hole, 16);
}

/// Small icon without a frame: ◄ ► ↺.
bool RowIcon(const char* id, const char* glyph, ImVec2 centre, bool enabled) {
  ImGui::SetCursorScreenPos({centre.x - Px(7), centre.y - Px(12)});
  const bool clicked = ImGui::InvisibleButton(id, {Px(14), Px(24)}) && enabled;
  const bool hovered = ImGui::IsItemHovered() && enabled;
  const ImVec2 size = MeasureText(glyph, Role::kIconSmall);
  const Token token = !enabled ? Token::kControl : hovered ? Token::kText : Token::kText2;
  DrawText(ImGui::GetWindowDrawList(), {centre.x - size.x / 2, centre.y - size.y / 2}, glyph,
           Role::kIconSmall, Color(token));
  return clicked;
}

bool Same(double a, double b) {
  return std::fabs(a - b) <= 1e-12 * std::max(std::fabs(a), std::fabs(b));
}

/// One row on its way: what it shows, and what is done to it.
class Row {
 public:
  Row(const ParamInfo& info, double value, const ParamRowOptions& options)
      : info_(info), value_(value), shown_(value), options_(options), row_(Layout()) {}

  ParamRowResult Draw() {
    // one value cannot be that of several channels which the scene sets apart
    const bool changed = options_.default_value &&
                         (!options_.scene_values.empty() || !Same(value_, *options_.default_value));
    DrawLabel(info_, options_, row_, changed);
    result_.lock_clicked = LockSlot(options_, row_);
    if (!info_.choices.empty()) {
      DrawChoice();
    } else {
      const bool types = Slider();
      Nudges();
      const ImVec2 box{row_.box_left, row_.track_middle - Px(12)};
      if (const auto typed = ValueBox(info_, shown_, options_, Id(options_, "value"), box, types))
        Set(*typed);
    }
    if (options_.default_value) DrawReset(changed);
    return result_;
  }

 private:
  void Set(double next) {
    if (Same(next, value_)) return;
    result_.value = next;
    result_.committed = true;
  }

  void DrawChoice() {
    ImGui::SetCursorScreenPos({row_.track_begin, row_.track_middle - Px(12)});
    int selected = static_cast<int>(value_);
    const float width = row_.right - row_.track_begin - (options_.default_value ? Px(22) : 0);
    if (Choice(Id(options_, "value"), info_.choices, &selected, {}, width, options_.enabled))
      Set(selected);
    if (ImGui::IsItemHovered()) ParamTooltip(info_, value_, options_);
    row_.box_left = row_.right + Px(2);
  }

  /// The mark under the mouse, if any.
  const SliderMark* MarkBelow() const {
    const SliderMark* mark = nullptr;
    for (const SliderMark& each : options_.marks) {
      const float x = row_.track_begin + static_cast<float>(SliderPosition(info_, each.value)) *
                                             (row_.track_end - row_.track_begin);
      if (std::fabs(ImGui::GetIO().MousePos.x - x) <= Px(5)) mark = &each;
    }
    return mark;
  }

  /// True when a Ctrl+click asks for the box to type in.
  bool Slider() {
    const float reach = Px(7);
    ImGui::SetCursorScreenPos({row_.track_begin - reach, row_.track_middle - Px(12)});
    ImGui::InvisibleButton("slider", {row_.track_end - row_.track_begin + 2 * reach, Px(24)});
    RegisterWidget(Id(options_, "slider"), {row_.track_begin, row_.track_middle - Px(12)},
                   {row_.track_end, row_.track_middle + Px(12)});
    const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
    const bool types = options_.enabled && ImGui::IsItemClicked() && ImGui::GetIO().KeyCtrl;
    if (hovered && !active) {
      if (const SliderMark* mark = MarkBelow(); mark != nullptr) {
        TooltipBeside(mark->tip);
      } else {
        ParamTooltip(info_, value_, options_);
      }
    }
    double& drag_start = CurrentKit().drag_start;
    if (ImGui::IsItemActivated()) drag_start = value_;
    if (active && options_.enabled && !types && !ImGui::GetIO().KeyCtrl) Drag(reach);
    if (ImGui::IsItemDeactivated() && !Same(drag_start, value_)) result_.committed = true;
    DrawTrack(info_, shown_, options_, row_, (hovered || active) && options_.enabled);
    return types;
  }

  void Drag(float reach) {
    const float at =
        (ImGui::GetIO().MousePos.x - row_.track_begin) / (row_.track_end - row_.track_begin);
    // a press on the knob itself moves nothing
    const bool still = ImGui::GetIO().MouseDownDuration[0] < 0.2f &&
                       !ImGui::IsMouseDragging(ImGuiMouseButton_Left, 2) &&
                       std::fabs(static_cast<double>(at) - SliderPosition(info_, value_)) *
                               static_cast<double>(row_.track_end - row_.track_begin) <
                           static_cast<double>(reach);
    if (!still) shown_ = SliderDragValue(info_, static_cast<double>(at));
    result_.editing = true;
    if (!Same(shown_, value_)) result_.value = shown_;
  }

  /// ◄ ► before the box.
  void Nudges() {
    const bool fine = ImGui::GetIO().KeyShift;
    ImGui::PushButtonRepeat(true);
    for (const int direction : {-1, 1}) {
      const char* side = direction < 0 ? "left" : "right";
      const double next = NudgeValue(info_, value_, direction, fine);
      const bool end = Same(next, value_);
      if (RowIcon(side, direction < 0 ? icon::kNudgeLeft : icon::kNudgeRight,
                  {row_.box_left - Px(direction < 0 ? 40 : 26), row_.track_middle},
                  options_.enabled && !end)) {
        Set(next);
      }
      RegisterLastItem(Id(options_, side));
      if (!options_.enabled) {
        TooltipBeside(options_.disabled_reason);
      } else if (end) {
        TooltipBeside(fmt::format("{} is the {} value that is possible.",
                                  FormatParam(info_, value_),
                                  direction < 0 ? "smallest" : "largest"));
      } else {
        TooltipBeside(FormatParam(info_, next) + ". Shift: a finer step.");
      }
    }
    ImGui::PopButtonRepeat();
  }

  void DrawReset(bool changed) {
    if (RowIcon("reset", icon::kReset, {row_.box_left - Px(11), row_.track_middle},
                changed && options_.enabled)) {
      result_.reset = result_.committed = true;
    }
    RegisterLastItem(Id(options_, "reset"));
    const std::string own = !options_.scene_values.empty()
                                ? std::string(options_.scene_values)
                                : FormatParam(info_, *options_.default_value);
    std::string tip =
        (changed ? "Back to the scene's " : "Nothing to reset: it is the scene's ") + own;
    if (options_.table_default)
      tip += "; the default is " + FormatParam(info_, *options_.table_default);
    TooltipBeside(tip + ".");
  }

  const ParamInfo& info_;
  double value_, shown_;  // as it is, and while it is dragged
  const ParamRowOptions& options_;
  RowLayout row_;
  ParamRowResult result_;
};

}  // namespace

ParamRowResult ParamRow(const ParamInfo& info, double value, const ParamRowOptions& options) {
  const ImVec2 cursor = ImGui::GetCursorScreenPos();
  ImGui::PushID(options.path.data(), options.path.data() + options.path.size());
  const ParamRowResult result = Row(info, value, options).Draw();
  ImGui::PopID();
  ImGui::SetCursorScreenPos(cursor);
  ImGui::Dummy({ImGui::GetContentRegionAvail().x, Snap(52) - ImGui::GetStyle().ItemSpacing.y});
  return result;
}

}  // namespace slip::app
