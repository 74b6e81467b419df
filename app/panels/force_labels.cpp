// Numbers beside the arrows of the picture. The kit places them, so that none covers another.
#include <algorithm>
#include <cmath>

#include "app/kit/widgets.h"
#include "app/panels/over_view.h"
#include "app/panels/view.h"
#include "app/state/channel_style.h"

namespace slip::app {

int ShownChannels(const Session& session) {
  int count = 0;
  for (int i = 0; i < session.channel_count(); ++i) count += session.looks().Present(i) ? 1 : 0;
  return count;
}

namespace {

/// Where bodies are few, no label comes over the lead's.
void KeepBodies(const Session& session, const Pane& pane, LabelPlacer* placer) {
  constexpr int kFew = 3;
  const Model* model = session.model();
  const int count = model != nullptr ? static_cast<int>(model->bodies.size()) : 0;
  if (count > kFew) return;
  for (int body = 0; body < count; ++body) {
    if (const auto rect = BodyOnScreen(session.snapshot(), pane, session.looks().lead(), body))
      placer->Keep(rect->min, rect->max);
  }
}

/// From a label that had to go far away to what it names.
void DrawLeader(ImDrawList* list, ImVec2 named, const Rect& label, ImU32 colour) {
  const ImVec2 near(std::clamp(named.x, label.min.x, label.max.x),
                    std::clamp(named.y, label.min.y, label.max.y));
  if (std::hypot(near.x - named.x, near.y - named.y) < Px(30)) return;
  list->AddLine(near, named, colour, Px(1));
}

}  // namespace

bool HasRoomForLabels(const Pane& pane) {
  // Numbers on a stamp-sized picture would hide it.
  return pane.picture != nullptr && pane.max.y - pane.min.y >= Px(200);
}

void DrawForceLabels(const Session& session, const Pane& pane, bool tagged,
                     const FrameMarks& marks) {
  LabelPlacer placer(pane.min.y + Px(46), pane.max.y - Px(8));
  for (const Rect& taken : marks.overlays) placer.Keep(taken.min, taken.max);
  const ImVec2 gap = pane.gap == GapForm::kNone ? ImVec2(0, 0) : InstrumentSize(session, pane.gap);
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (const render::LabelAnchor& label : pane.picture->labels) {
    std::string rich, number;
    ImU32 bar = Color(Token::kText2);
    switch (label.kind) {
      case render::LabelKind::kNormalForce:
        rich = "f_n";
        break;
      case render::LabelKind::kFrictionForce:
        rich = "f_t";
        break;
      case render::LabelKind::kContactForce:
        rich = pane.picture->chains ? "Σf" : "f";  // chains: of all contacts of two bodies
        break;
      case render::LabelKind::kBeltSpeed:
        rich = "belt u =";
        break;
      case render::LabelKind::kGrabForce:
        rich = "pull";
        break;
      case render::LabelKind::kGrabTorque:
        rich = "twist";
        break;
    }
    const bool speed = label.kind == render::LabelKind::kBeltSpeed;
    const bool torque = label.kind == render::LabelKind::kGrabTorque;
    const bool contact = !speed && !torque && label.kind != render::LabelKind::kGrabForce;
    if (contact && tagged) continue;
    if (contact && pane.request.compare == render::CompareMode::kDifference) rich = "Δ" + rich;
    number = speed    ? FormatSignal(Signal::kBeltSpeed, label.value)
             : torque ? FormatQuantity(label.value, "N m")
                      : FormatSignal(Signal::kNormalForce, label.value);
    // one body is pulled in every model
    const bool several = ShownChannels(session) > 1;
    const ChannelStyle style = StyleOf(session, label.channel);
    if (contact || (!speed && several)) bar = style.colour;
    // in print without colours, too
    const ChannelStyle* mark = !speed && several ? &style : nullptr;
    const ImVec2 size = GlassLabel(list, ImVec2(0, 0), rich, number, bar, false, mark);
    ImVec2 at(pane.min.x + static_cast<float>(label.pixel.x()),
              pane.min.y + static_cast<float>(label.pixel.y()));
    const ImVec2 tip = at;
    const float dx = static_cast<float>(label.towards.x()),
                dy = static_cast<float>(label.towards.y());
    at.x += dx * Px(10);
    at.y += dy * Px(14);
    // The label hangs on the side that the arrow points to, and centred when it points up or down.
    if (dx < -0.3f) {
      at.x -= size.x;
    } else if (dx < 0.3f) {
      at.x -= size.x / 2;
    }
    at.x = std::clamp(at.x, pane.min.x + Px(4),
                      std::max(pane.min.x + Px(4), pane.max.x - size.x - Px(4)));
    // Nor may it hide behind the gap instrument.
    if (at.y - size.y / 2 < pane.min.y + Px(16) + gap.y) {
      at.x = std::min(at.x, pane.max.x - Px(20) - gap.x - size.x);
    }
    at.y =
        std::clamp(at.y, pane.min.y + Px(56), std::max(pane.min.y + Px(56), pane.max.y - Px(84)));
    std::optional<ImVec2> free;
    if (speed) {  // a belt's is not that of the body on it
      LabelPlacer clear = placer;
      KeepBodies(session, pane, &clear);
      free = clear.Place(at, size);
      if (free)
        placer.Keep(ImVec2(free->x, free->y - size.y / 2),
                    ImVec2(free->x + size.x, free->y + size.y / 2));
    } else {
      free = placer.Place(at, size);
    }
    // table and plots have its number; the hand's own is always said
    if (!free && (contact || speed)) continue;
    at = free.value_or(at);
    GlassLabel(list, at, rich, number, bar, true, mark);
    const ImVec2 min(at.x, at.y - size.y / 2);
    DrawLeader(list, tip, {min, ImVec2(min.x + size.x, min.y + size.y)}, bar);
    RegisterWidget("overlay/label/" + rich, min, ImVec2(min.x + size.x, min.y + size.y), false,
                   number);
  }
}

}  // namespace slip::app
