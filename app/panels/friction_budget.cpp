// Of a quasi-dynamic contact: what of the friction budget is used, by which force and which torque.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/kit/widgets.h"
#include "app/panels/panels.h"
#include "engine/contact/knobs.h"

namespace slip::app {

bool IsQuasiDynamic(const ChannelFrame& frame) {
  return (slip::Info(frame.config.method()).knobs & knob::kQuadraticProgram) != 0;
}

bool HasChosenPoints(const Session& session) {
  if (session.model() == nullptr) return false;
  bool method = false, points = false;
  for (int i = 0; i < session.channel_count(); ++i) method |= IsQuasiDynamic(session.frame(i));
  for (const Body& body : session.model()->bodies)
    points |= body.shape.kind == ShapeKind::kPointCloud;
  return method && points;
}

FrictionLoad LoadOf(const ContactFrame& contact, const ChannelStyle& style) {
  return {style,          contact.fn,       contact.ft_C.x(),          contact.ft_C.y(),
          contact.torque, contact.friction, contact.torsional_friction};
}

void DrawFrictionBudget(const FrictionLoad& load, float height) {
  const float width = ImGui::GetContentRegionAvail().x;
  FrictionBudget("contacts/budget", load, ImVec2(width, height));
  Tooltip(
      "Left: what of the tangential force is left beside the present torque; right: force against "
      "torque. The six corners are the directions in which the step's constraints push; λ are "
      "their multipliers. The outer outline is the set when nothing else is loaded.");
  struct Number {
    const char *name, *unit;
    double value, most;
  };
  const Number numbers[] = {{"N = Σ λ/δt", "N", load.fn, 0},
                            {"F_1 = μ (λ₁ − λ₃)/δt", "N", load.f1, load.mu * load.fn},
                            {"F_2 = μ (λ₂ − λ₄)/δt", "N", load.f2, load.mu * load.fn},
                            {"T = μ_w (λ₅ − λ₆)/δt", "N m", load.torque, load.mu_w * load.fn}};
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (const Number& number : numbers) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    DrawRich(list, at, number.name, Role::kLabel, Color(Token::kText2));
    // a millionth of the bound is what the solver leaves
    const bool noise = std::abs(number.value) < 1e-6 * number.most;
    std::string text = FormatQuantity(noise ? 0 : number.value, number.unit);
    if (number.most > 0) text += " of " + FormatQuantity(number.most, number.unit);
    DrawText(list, {at.x + width - MeasureText(text, Role::kValue).x, at.y}, text, Role::kValue,
             Color(Token::kText));
    ImGui::Dummy({width, Snap(20) - ImGui::GetStyle().ItemSpacing.y});
    RegisterWidget(std::string("budget/") + number.unit + number.name[0], at,
                   {at.x + width, at.y + Px(18)}, false, text);
  }
}

std::string RestDrag(const Ui& ui, int channel, double* share) {
  const ChannelFrame& frame = ui.session.frame(channel);
  *share = 0;
  if (!IsQuasiDynamic(frame) || ui.session.model() == nullptr) return {};
  const Model& model = *ui.session.model();
  const auto b = static_cast<std::size_t>(model.lead_body);
  if (b >= frame.bodies.size() || !frame.measured) return {};
  const double speed = frame.bodies[b].V_WB.tail<3>().norm(), mass = model.bodies[b].mass;
  const double drag = mass * speed / frame.config.step.time_step;
  const double weight = mass * frame.config.step.gravity;
  if (weight > 0) *share = drag / weight;
  return fmt::format("{} × {} / {} = {}", FormatQuantity(mass, "kg"), FormatQuantity(speed, "m/s"),
                     FormatQuantity(frame.config.step.time_step, "s"), FormatQuantity(drag, "N"));
}

}  // namespace slip::app
