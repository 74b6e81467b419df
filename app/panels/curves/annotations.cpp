#include "app/panels/curves/annotations.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/panels/curves/plot_content.h"
#include "app/state/channel_style.h"
#include "engine/core/numbers.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

/// Of all bodies that move, and how many they are [N].
struct Weight {
  double force = 0;
  int bodies = 0;
};

Weight WeightOf(const Session& session) {
  Weight weight;
  const double gravity = session.snapshot().gravity_W.norm();
  for (const Body& body : session.scene_model().bodies) {
    if (!body.Moves() || body.shape_of_link >= 0) continue;
    weight.force += body.mass * gravity;
    ++weight.bodies;
  }
  return weight;
}

/// Nothing else moves, and no base carries it: its feet do.
bool IsOneFreeRobot(const Model& model) {
  if (model.robots.size() != 1) return false;
  const Body& base = model.body(model.robots[0].first_body);
  return base.Moves() && base.joint.kind == JointKind::kFree &&
         std::all_of(model.bodies.begin(), model.bodies.end(),
                     [](const Body& body) { return !body.Moves() || body.robot >= 0; });
}

void AddWeight(const Session& session, PlotContent* content) {
  const Weight weight = WeightOf(session);
  // forces inside a pile have no one weight to stand beside
  const bool has = weight.bodies == 1 || content->signal == Signal::kSupportForce ||
                   IsOneFreeRobot(session.scene_model());
  if (!has || !(weight.force > 0)) return;
  const std::string of = weight.bodies == 1 ? "m g = " : "Σ m g = ";
  content->lines.push_back({weight.force, of + AsRich(FormatQuantity(weight.force, "N"))});
}

/// The sum over the contacts.
double FrictionLimit(const ChannelFrame& frame) {
  double limit = 0;
  for (const ContactFrame& contact : frame.contacts)
    limit += contact.friction * std::max(contact.fn, 0.0);
  return limit;
}

/// Of the lead at the time shown.
void AddFrictionLimit(const Session& session, PlotContent* content) {
  const int lead = session.looks().lead();
  const double limit = FrictionLimit(session.frame(lead));
  const double written = FrictionLimit(session.written().frame(lead));
  if (!(limit > 0)) return;
  content->lines.push_back({limit, "limit now " + AsRich(FormatQuantity(written, "N"))});
}

/// What a box glides at, divided by the step, of the lead at the time shown (PCF, 6.1).
void AddGlidingLaw(const Session& session, PlotContent* content) {
  const auto law = [](const ChannelFrame& frame) -> double {
    const auto most =
        std::max_element(frame.contacts.begin(), frame.contacts.end(),
                         [](const ContactFrame& a, const ContactFrame& b) { return a.fn < b.fn; });
    return most == frame.contacts.end() ? 0
                                        : most->friction * At(frame.signals, Signal::kSlipSpeed);
  };
  const int lead = session.looks().lead();
  const double speed = law(session.frame(lead)), written = law(session.written().frame(lead));
  if (!(speed > 0)) return;
  content->lines.push_back({speed, "μ |v_t| = " + FormatSignificant(written, 2) + " m/s"});
}

void AddFirstStick(const Session& session, PlotContent* content) {
  const SeriesStore& series = session.series();
  const int lead = session.looks().lead();
  const auto time =
      FirstStick(series.View(lead, Signal::kSticking), series.View(lead, Signal::kSlipping));
  if (!time) return;
  PlotEvent event;
  event.time = *time;
  event.label = "slip → stick";
  event.detail =
      LiteralRich(fmt::format("{}: first change from slip to stick, at {}",
                              session.looks().Name(lead), FormatQuantity(*time, "s", 4)));
  event.colour = StyleOf(session, lead).colour;
  content->events.push_back(std::move(event));
}

}  // namespace

std::optional<double> FirstStick(const SeriesView& sticking, const SeriesView& slipping) {
  bool slipped = false;
  const std::size_t size = std::min(sticking.size(), slipping.size());
  for (std::size_t i = 0; i < size; ++i) {
    const bool slips = slipping.ValueAt(i) > 0;
    if (slipped && !slips && sticking.ValueAt(i) > 0) return sticking.TimeAt(i);
    slipped = slipped || slips;
  }
  return std::nullopt;
}

void AddAnnotations(const Session& session, PlotContent* content) {
  if (session.channel_count() == 0) return;
  switch (content->signal) {
    case Signal::kNormalForce:
    case Signal::kSupportForce:
      AddWeight(session, content);
      break;
    case Signal::kGlidingOverStep:
      AddGlidingLaw(session, content);
      break;
    case Signal::kFrictionForce:
      AddFrictionLimit(session, content);
      AddFirstStick(session, content);
      break;
    case Signal::kSlipSpeed:
      AddFirstStick(session, content);
      break;
    case Signal::kFrictionUsed:
    case Signal::kFrictionBudget:
      content->lines.push_back({1, "limit"});
      AddFirstStick(session, content);
      break;
    default:
      break;
  }
}

}  // namespace slip::app
