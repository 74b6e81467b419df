// At the border of the picture, where bodies of a model have gone out of it: which way, how far
// from the lead's; of the lead itself, from the middle of the picture.
#include <algorithm>
#include <cmath>
#include <optional>

#include "app/kit/widgets.h"
#include "app/panels/picture/over_view.h"
#include "app/state/channel_style.h"

namespace slip::app {
namespace {

// Signs keep clear of the readouts above and of the legend below [design px].
constexpr float kSide = 16, kTop = 120, kFoot = 96;
constexpr float kInstrumentGap = 24;  // likewise of the scene's instrument
constexpr int kMostOthers = 2;        // signs of one model beside that of its first body

/// Where it is, or a place on its side of the picture when it is behind the eye.
ImVec2 PlaceAnywhere(const Pane& pane, const Vec3& p_W) {
  const ImVec2 middle((pane.min.x + pane.max.x) / 2, (pane.min.y + pane.max.y) / 2);
  if (const auto at = OnScreen(pane, p_W)) return *at;
  const bool left = pane.camera.right_W().dot(p_W - pane.camera.spec().target) < 0;
  return ImVec2(left ? pane.min.x - 1 : pane.max.x + 1, middle.y);
}

/// `body` is -1 for a model's first one.
void DrawSign(const Session& session, const Pane& pane, int channel, int body, ImVec2 at,
              double distance, FrameMarks* marks) {
  ImVec2 border(std::clamp(at.x, pane.min.x + Px(kSide), pane.max.x - Px(kSide)),
                std::clamp(at.y, pane.min.y + Px(kTop), pane.max.y - Px(kFoot)));
  const ImVec2 card = InstrumentSize(session, pane.gap);
  if (pane.gap != GapForm::kNone && border.y < pane.min.y + card.y + Px(kInstrumentGap))
    border.x = std::min(border.x, pane.max.x - card.x - Px(kInstrumentGap));
  const float dx = at.x - border.x, dy = at.y - border.y;
  const float size = std::max(1.0f, std::hypot(dx, dy));
  const ImVec2 way(dx / size, dy / size);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 colour = StyleOf(session, channel).colour;
  const auto corner = [&](float along, float aside) {
    return ImVec2(border.x + Px(along) * way.x - Px(aside) * way.y,
                  border.y + Px(along) * way.y + Px(aside) * way.x);
  };
  list->AddTriangleFilled(corner(8, 0), corner(-4, 7), corner(-4, -7), colour);
  DrawMark(list, corner(-12, 0), StyleOf(session, channel), 4, true);
  std::string name = session.looks().Name(channel), id = std::to_string(channel);
  if (body >= 0) {
    name += " · " + session.model()->body(body).name;
    id += "/" + std::to_string(body);
  }
  const std::string number = FormatQuantity(distance, "m");
  const ImVec2 label = GlassLabel(list, ImVec2(0, 0), LiteralRich(name), number, colour, false);
  const bool right = border.x > (pane.min.x + pane.max.x) / 2;
  const ImVec2 from(border.x + (right ? -Px(22) - label.x : Px(22)), border.y);
  GlassLabel(list, from, LiteralRich(name), number, colour, true);
  const ImVec2 min(from.x, from.y - label.y / 2);
  RegisterWidget("overlay/outside/" + id, min, ImVec2(min.x + label.x, min.y + label.y), false,
                 name + " " + number);
  marks->overlays.push_back({min, ImVec2(min.x + label.x, min.y + label.y)});
}

bool Inside(const Pane& pane, const ImVec2& at) {
  return at.x >= pane.min.x && at.x <= pane.max.x && at.y >= pane.min.y && at.y <= pane.max.y;
}

/// As written: from the lead's; of the lead itself from the middle of the picture, as who looks
/// closely at a part of it knows where that is [m].
double DistanceOf(const Session& session, const Pane& pane, int channel, int body) {
  const Snapshot& written = session.written().snapshot();
  const int lead = session.looks().lead();
  const Vec3 from = channel == lead ? pane.camera.spec().target
                                    : render::DrawnPose(written, pane.request, lead, body).p;
  return (render::DrawnPose(written, pane.request, channel, body).p - from).norm();
}

/// Signs of bodies beside the first one that go their own ways.
void DrawOthers(const Session& session, const Pane& pane, int channel, FrameMarks* marks) {
  const Snapshot& snapshot = session.snapshot();
  const Model& model = *session.model();
  int drawn = 0;
  for (int b = 0; b < static_cast<int>(model.bodies.size()) && drawn < kMostOthers; ++b) {
    const Body& body = model.body(b);
    const bool own =
        body.Moves() && body.joint.parent < 0 && body.shape_of_link < 0 && body.robot < 0;
    if (!own || b == model.lead_body || pane.request.hidden.Has(b)) continue;
    const ImVec2 at = PlaceAnywhere(pane, render::DrawnPose(snapshot, pane.request, channel, b).p);
    if (Inside(pane, at)) continue;
    DrawSign(session, pane, channel, b, at, DistanceOf(session, pane, channel, b), marks);
    ++drawn;
  }
}

}  // namespace

void DrawOutsideSigns(const Session& session, const Pane& pane, FrameMarks* marks) {
  const Snapshot& snapshot = session.snapshot();
  const Model* model = session.model();
  if (model == nullptr || model->bodies.empty() || pane.max.y - pane.min.y < Px(kTop + kFoot))
    return;
  if (render::IsPile(snapshot, pane.request)) return;
  const int body = model->lead_body;
  for (int c = 0; c < session.channel_count(); ++c) {
    if (!render::ChannelShown(snapshot, pane.request, c)) continue;
    const ImVec2 at = PlaceAnywhere(pane, render::DrawnPose(snapshot, pane.request, c, body).p);
    if (Inside(pane, at)) continue;
    if (c == session.looks().lead()) {
      bool seen = false;
      for (int b = 0; b < model->drawn() && !seen; ++b)
        seen = Inside(pane, PlaceAnywhere(pane, render::DrawnPose(snapshot, pane.request, c, b).p));
      if (seen) continue;
    }
    DrawSign(session, pane, c, -1, at, DistanceOf(session, pane, c, body), marks);
  }
  for (int c = 0; c < session.channel_count(); ++c) {
    if (render::ChannelShown(snapshot, pane.request, c)) DrawOthers(session, pane, c, marks);
  }
}

}  // namespace slip::app
