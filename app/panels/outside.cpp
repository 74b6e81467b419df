// At the border of the picture, where a model's body has gone out of it: which way, how far from
// the lead's; of the lead itself, from the middle of the picture.
#include <algorithm>
#include <cmath>
#include <optional>

#include "app/kit/widgets.h"
#include "app/panels/panels.h"

namespace slip::app {
namespace {

// Signs keep clear of the readouts above and of the legend below [design px].
constexpr float kSide = 16, kTop = 120, kFoot = 96;

/// Where it is, or a place on its side of the picture when it is behind the eye.
ImVec2 PlaceAnywhere(const Pane& pane, const Vec3& p_W) {
  const ImVec2 middle((pane.min.x + pane.max.x) / 2, (pane.min.y + pane.max.y) / 2);
  if (const auto pixel = pane.camera.Project(p_W, pane.viewport())) {
    return ImVec2(pane.min.x + static_cast<float>(pixel->x()),
                  pane.min.y + static_cast<float>(pixel->y()));
  }
  const bool left = pane.camera.right_W().dot(p_W - pane.camera.spec().target) < 0;
  return ImVec2(left ? pane.min.x - 1 : pane.max.x + 1, middle.y);
}

void DrawSign(Ui* ui, const Pane& pane, int channel, ImVec2 at, double distance) {
  const ImVec2 border(std::clamp(at.x, pane.min.x + Px(kSide), pane.max.x - Px(kSide)),
                      std::clamp(at.y, pane.min.y + Px(kTop), pane.max.y - Px(kFoot)));
  const float dx = at.x - border.x, dy = at.y - border.y;
  const float size = std::max(1.0f, std::hypot(dx, dy));
  const ImVec2 way(dx / size, dy / size);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 colour = ui->style(channel).colour;
  const auto corner = [&](float along, float aside) {
    return ImVec2(border.x + Px(along) * way.x - Px(aside) * way.y,
                  border.y + Px(along) * way.y + Px(aside) * way.x);
  };
  list->AddTriangleFilled(corner(8, 0), corner(-4, 7), corner(-4, -7), colour);
  const std::string name = ui->ChannelName(channel), number = FormatQuantity(distance, "m");
  const ImVec2 label = GlassLabel(list, ImVec2(0, 0), LiteralRich(name), number, colour, false);
  const bool right = border.x > (pane.min.x + pane.max.x) / 2;
  const ImVec2 from(border.x + (right ? -Px(12) - label.x : Px(12)), border.y);
  GlassLabel(list, from, LiteralRich(name), number, colour, true);
  const ImVec2 min(from.x, from.y - label.y / 2);
  RegisterWidget("overlay/outside/" + std::to_string(channel), min,
                 ImVec2(min.x + label.x, min.y + label.y), false, name + " " + number);
  ui->overlays.push_back({min, ImVec2(min.x + label.x, min.y + label.y)});
}

}  // namespace

void DrawOutsideSigns(Ui* ui, const Pane& pane) {
  const Session& session = ui->session;
  const Snapshot& snapshot = session.snapshot();
  const Model* model = session.model();
  if (model == nullptr || model->bodies.empty() || pane.max.y - pane.min.y < Px(kTop + kFoot))
    return;
  if (render::IsPile(snapshot, pane.request)) return;
  const int body = model->lead_body;
  const auto place = [&](int channel) {
    return render::DrawnPose(snapshot, pane.request, channel, body).p;
  };
  const auto inside = [&](const ImVec2& at) {
    return at.x >= pane.min.x && at.x <= pane.max.x && at.y >= pane.min.y && at.y <= pane.max.y;
  };
  for (int c = 0; c < session.channel_count(); ++c) {
    if (!render::ChannelShown(snapshot, pane.request, c)) continue;
    const Vec3 p_W = place(c);
    const ImVec2 at = PlaceAnywhere(pane, p_W);
    if (inside(at)) continue;
    Vec3 from = place(session.lead());
    if (c == session.lead()) {
      // who looks closely at a part of it knows where it is
      from = pane.camera.spec().target;
      bool seen = false;
      for (int b = 0; b < model->drawn() && !seen; ++b)
        seen = inside(PlaceAnywhere(pane, render::DrawnPose(snapshot, pane.request, c, b).p));
      if (seen) continue;
    }
    DrawSign(ui, pane, c, at, (p_W - from).norm());
  }
}

}  // namespace slip::app
