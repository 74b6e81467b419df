// Of a quasi-dynamic contact: what of the friction budget is used, by which force and which torque.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/kit/widgets.h"
#include "app/panels/common/friction.h"

namespace slip::app {

bool HasChosenPoints(const Session& session) {
  if (session.model() == nullptr) return false;
  bool method = false, points = false;
  for (int i = 0; i < session.channel_count(); ++i)
    method |= slip::Info(session.frame(i).config.method()).family == Family::kProgram;
  for (const Body& body : session.model()->bodies)
    points |= body.shape.kind == ShapeKind::kPointCloud;
  return method && points;
}

FrictionLoad LoadOf(const ContactFrame& contact, const ChannelStyle& style, double time_step) {
  FrictionLoad load{.style = style,
                    .fn = contact.fn,
                    .f1 = contact.ft_C.x(),
                    .f2 = contact.ft_C.y(),
                    .torque = contact.torque,
                    .mu = contact.friction,
                    .mu_w = contact.torsional_friction};
  for (std::size_t i = 0; i < load.pushes.size(); ++i)
    load.pushes[i] = contact.multipliers[i] / time_step;
  return load;
}

void DrawFrictionBudget(const FrictionLoad& load, const FrictionLoad& written, float height) {
  const float width = ImGui::GetContentRegionAvail().x;
  FrictionBudget("contacts/budget", load, ImVec2(width, height));
  Tooltip(
      "(|F₁| + |F₂|)/(μ N) + |T|/(μ_w N) ≤ 1. Left: what of the tangential force is left beside "
      "the "
      "present torque; right: force against torque. The six corners are the directions in which "
      "the "
      "step's constraints push; λ are their multipliers. The outer outline is the set when nothing "
      "else is loaded.");
  FrictionBudgetTable(written);
}

}  // namespace slip::app
