// The instrument of a scene, over the upper right corner of its picture: what each model makes of
// the scene's idea, measured and, where a formula says it, predicted.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/picture/instrument_laws.h"
#include "app/panels/picture/instrument_place.h"
#include "app/panels/picture/over_view.h"
#include "app/panels/picture/view.h"
#include "app/plots/reduce.h"
#include "app/state/channel_style.h"
#include "engine/core/numbers.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

// With more bodies than this the motion of one is no longer the subject.
constexpr std::size_t kFewBodies = 3;
// The picture is at least this many times as wide as the instrument in it.
constexpr float kInstrumentRoom = 2.5f, kWideRoom = 1.9f;
/// As it is drawn.
double ValueOf(const Session& session, int channel, Signal signal) {
  return At(session.frame(channel).signals, signal);
}

/// As it is written.
double NumberOf(const Session& session, int channel, Signal signal) {
  return At(session.written().frame(channel).signals, signal);
}

InstrumentForm FormOf(GapForm form) {
  return form == GapForm::kFull   ? InstrumentForm::kFull
         : form == GapForm::kWide ? InstrumentForm::kWide
                                  : InstrumentForm::kCompact;
}

const std::string& FirstBody(const Session& session) {
  return session.model()->bodies.front().name;
}

/// How fast each model creeps, measured and predicted.
bool Creep(const Session& session, const Pane& pane, CreepDistances* distances, FrameMarks* marks) {
  constexpr double kLeastFull = 1e-8;  // [m/s]
  const auto micrometres = [](double speed) { return FormatFixed(speed * 1e6, 2); };
  std::vector<GaugeRow> rows;
  double largest = 0;
  for (int i = 0; i < session.channel_count(); ++i) {
    if (!session.looks().Present(i)) continue;
    const double measured = ValueOf(session, i, Signal::kSlipSpeed);
    const double predicted = ValueOf(session, i, Signal::kCreepPredicted);
    const bool sticks = std::isfinite(predicted);
    // a slip that is no creep does not flatten the gauges of the others
    if (sticks && std::isfinite(measured)) largest = std::max({largest, predicted, measured});
    const double speed = NumberOf(session, i, Signal::kSlipSpeed);
    const double formula = NumberOf(session, i, Signal::kCreepPredicted);
    const std::string was = !std::isfinite(speed)    ? "–"
                            : std::isfinite(formula) ? micrometres(speed)
                                                     : "slides";
    const double now = session.written().time();
    const double distance =
        session.series().Covers(i, now) ? distances->Until(session.series(), i, now) : kNaN;
    rows.push_back({StyleOf(session, i),
                    {was, std::isfinite(formula) ? micrometres(formula) : "–",
                     AsRich(FormatQuantity(distance, "m"))},
                    sticks ? measured : 0,
                    predicted});
  }
  const InstrumentPlace place = TakePlace(session, pane, marks);
  // of a robot it is the foot that carries most
  const bool robot = session.model()->body(session.model()->lead_body).robot >= 0;
  const GaugeTableText text = {"Creep of the " + (robot ? "main foot" : FirstBody(session)),
                               "µm/s",
                               {"measured", "predicted", "crept"},
                               LawsOf(session),
                               "Why does a box that sticks creep?",
                               1,
                               1};
  return GaugeTable("overlay/creep", place.at, text, rows, RoundFull(largest, kLeastFull),
                    place.form);
}

/// The hardest impact until `until`, from the samples of a channel.
struct Rebound {
  double impact = kNaN, rebound = kNaN;  ///< speeds of the first body [m/s]
  double limit = kNaN;                   ///< 1/d [m/s]
};

Rebound FindRebound(const Session& session, int channel, double until) {
  const SeriesView force = session.series().View(channel, Signal::kNormalForce);
  const SeriesView speed = session.series().View(channel, Signal::kVelocityZ);
  const SeriesView damping = session.series().View(channel, Signal::kEffectiveDissipation);
  const std::size_t end = std::min({force.LowerBound(until + 1e-9), speed.size(), damping.size()});
  Rebound out;
  // of one material: two of it have its dissipation together
  const Config& config = session.frame(channel).config;
  if (config.materials.size() == 1 && config.materials[0].dissipation > 0)
    out.limit = 1 / config.materials[0].dissipation;
  if (end == 0 || !session.series().Covers(channel, until)) return out;
  // the fall was fastest where the hardest impact began
  const float fastest = speed.Extent(0, end).min;
  const std::size_t begin =
      FindFirst(speed, end, [&](const MinMax& part) { return part.min <= fastest; });
  std::size_t touch = begin;
  while (touch < end && !(force.ValueAt(touch) > 0)) ++touch;
  std::size_t leave = touch;
  while (leave < end && force.ValueAt(leave) > 0) ++leave;
  if (touch == end) return out;
  if (const double d = static_cast<double>(damping.ValueAt(touch)); d > 0) out.limit = 1 / d;
  out.impact = std::max(0.0, -static_cast<double>(speed.ValueAt(begin)));
  if (leave == end) return out;  // it presses still
  const double rebound = std::max(static_cast<double>(speed.ValueAt(leave - 1)),
                                  static_cast<double>(speed.ValueAt(leave)));
  out.rebound = std::max(0.0, rebound);
  return out;
}

/// How fast the first body fell and rose at its hardest impact, and the speed that Hunt &
/// Crossley's law never exceeds.
bool ReboundTable(const Session& session, const Pane& pane, FrameMarks* marks) {
  constexpr double kLeastFull = 0.1;  // [m/s]
  std::vector<GaugeRow> rows;
  double largest = 0;
  const auto metres = [](double speed) { return FormatFixed(speed, speed < 100 ? 2 : 0); };
  for (int i = 0; i < session.channel_count(); ++i) {
    if (!session.looks().Present(i)) continue;
    const Rebound found = FindRebound(session, i, session.written().until());
    for (const double speed : {found.impact, found.rebound})
      if (std::isfinite(speed)) largest = std::max(largest, speed);
    rows.push_back({StyleOf(session, i),
                    {metres(found.rebound), metres(found.impact), metres(found.limit)},
                    std::isfinite(found.rebound) ? found.rebound : 0,
                    found.limit});
  }
  // a limit beyond the scale has no mark
  const double full = RoundFull(largest, kLeastFull);
  for (GaugeRow& row : rows)
    if (!(row.tick <= full)) row.tick = kNaN;
  const InstrumentPlace place = TakePlace(session, pane, marks);
  const GaugeTableText text = {"Hardest impact of the " + FirstBody(session),
                               "m/s",
                               {"rebound", "impact", "1/d"},
                               {{{}, "Hunt–Crossley: rebound < 1/d"}},
                               "Why is the rebound below 1/d?"};
  return GaugeTable("overlay/rebound", place.at, text, rows, full, place.form);
}

/// What each model's problem costs to solve.
bool Conditioning(const Session& session, const Pane& pane, FrameMarks* marks) {
  std::vector<GaugeRow> rows;
  double largest = 0;
  for (int i = 0; i < session.channel_count(); ++i) {
    if (!session.looks().Present(i)) continue;
    const double condition = ValueOf(session, i, Signal::kConditionNumber);
    const double decades = condition > 0 ? std::log10(condition) : kNaN;
    if (std::isfinite(decades)) largest = std::max(largest, decades);
    const double number = NumberOf(session, i, Signal::kConditionNumber);
    const double iterations = NumberOf(session, i, Signal::kIterations);
    const MinMax extent = session.series()
                              .View(i, Signal::kConditionNumber)
                              .Query(0, session.written().until() + 1e-9);
    const bool told = !extent.empty() && session.series().Covers(i, session.written().time());
    const double most = told ? double{extent.max} : kNaN;
    const double peak = most > 0 ? std::log10(most) : kNaN;
    if (std::isfinite(peak)) largest = std::max(largest, peak);
    rows.push_back({StyleOf(session, i),
                    {AsRich(FormatSignificant(number, 2)), AsRich(FormatSignificant(most, 2)),
                     FormatFixed(iterations, 0)},
                    std::isfinite(decades) ? decades : 0,
                    peak});
  }
  const InstrumentPlace place = TakePlace(session, pane, marks);
  const GaugeTableText text = {"Conditioning",
                               "",
                               {"κ", "largest", "iterations"},
                               {{{}, "bars: log κ, scaled to unit inertia"}},
                               "What does the condition number say?",
                               1};
  return GaugeTable("overlay/conditioning", place.at, text, rows, RoundFull(largest, 1),
                    place.form);
}

/// By the extents of what the gap instrument draws.
GapScale ScaleOfGap(const Session& session, const Pane& pane, double magnification) {
  const double now = session.snapshot().time;
  MinMax gap, offset;
  for (int i = 0; i < session.channel_count(); ++i) {
    if (!session.looks().Present(i)) continue;
    const double back = LookBack(session, i);
    const auto add = [&](Signal signal, MinMax* out) {
      out->Add(session.series().View(i, signal).Query(now - back, now));
      out->Add(static_cast<float>(ValueOf(session, i, signal)));
    };
    add(Signal::kSignedDistance, &gap);
    add(Signal::kGlidingOffset, &offset);
    add(Signal::kGlidingPredicted, &offset);
  }
  const auto known = [](float value) {
    return std::isfinite(value) ? static_cast<double>(value) : 0.0;
  };
  const double picture =
      1 / pane.camera.MetresPerPixel(pane.camera.spec().distance, pane.viewport());
  return ChooseGapScale(gap.empty() ? 0 : known(gap.min), gap.empty() ? 0 : known(gap.max),
                        offset.empty() ? 0 : known(offset.max), picture, magnification);
}

/// How high each model floats, measured and predicted.
bool Gap(const Session& session, const Pane& pane, double* magnification, FrameMarks* marks) {
  std::vector<GapReading> readings;
  for (int i = 0; i < session.channel_count(); ++i) {
    if (!session.looks().Present(i)) continue;
    readings.push_back({StyleOf(session, i), ValueOf(session, i, Signal::kSignedDistance),
                        ValueOf(session, i, Signal::kGlidingOffset),
                        ValueOf(session, i, Signal::kGlidingPredicted),
                        NumberOf(session, i, Signal::kGlidingOffset),
                        NumberOf(session, i, Signal::kGlidingPredicted)});
  }
  const GapScale scale = ScaleOfGap(session, pane, *magnification);
  const std::string title = (scale.below ? "Under the " : "Gap under the ") + FirstBody(session);
  const InstrumentPlace place = TakePlace(session, pane, marks);
  switch (
      GapInstrument("overlay/gap", place.at, title, readings, scale, LawsOf(session), place.form)) {
    case GapClick::kNone:
      break;
    case GapClick::kHelp:
      return true;
    case GapClick::kScale:
      *magnification = scale.locked ? 0 : scale.magnification;
      break;
  }
  return false;
}

}  // namespace

double LookBack(const Session& session, int channel) {
  constexpr double kOfPlaying = 2;  // [s]
  constexpr double kLeastSteps = 20;
  const double speed = std::isfinite(session.playback().speed()) ? session.playback().speed() : 16;
  const bool runs = session.playback().playing() || session.playback().looping();
  return std::max(runs ? kOfPlaying * speed : 0.0,
                  kLeastSteps * session.frame(channel).config.step.time_step);
}

InstrumentPlace TakePlace(const Session& session, const Pane& pane, FrameMarks* marks) {
  const ImVec2 size = InstrumentSize(session, pane.gap);
  const ImVec2 at(pane.max.x - Px(12) - size.x, pane.min.y + Px(12));
  marks->overlays.push_back({at, ImVec2(at.x + size.x, at.y + size.y)});
  return {at, FormOf(pane.gap)};
}

ImVec2 InstrumentSize(const Session& session, GapForm form) {
  if (form == GapForm::kNone) return {0, 0};
  const int readings = ShownChannels(session);
  const int rows = readings + (HasClosedFormRow(session) ? 1 : 0);
  return InstrumentOf(session) == Instrument::kGap
             ? GapInstrumentSize(readings, FormOf(form), CountLaws(session))
             : GaugeTableSize(rows, FormOf(form),
                              InstrumentOf(session) == Instrument::kCreep ? CountLaws(session) : 1);
}

void FitGap(const Session& session, const ViewState& view, const CameraRig& rig, Pane* pane) {
  const Model* model = session.model();
  pane->camera = render::Shifted(rig.camera, rig.keep_in_view.shift);
  if (!view.show_gap || pane->channel >= 0 || model == nullptr) return;
  if (ShownChannels(session) == 0 || model->bodies.empty()) return;
  const Instrument instrument = InstrumentOf(session);
  const bool of_any_scene = instrument != Instrument::kGap && instrument != Instrument::kRebound;
  if (!of_any_scene && model->bodies.size() > kFewBodies) return;
  if (!of_any_scene && render::IsPile(session.snapshot(), pane->request)) return;
  const float width = pane->max.x - pane->min.x, height = pane->max.y - pane->min.y;
  // Bodies come before instruments: beside it there must be room for them.
  const auto fits = [&](GapForm form) {
    const ImVec2 size = InstrumentSize(session, form);
    const float room = form == GapForm::kWide ? kWideRoom : kInstrumentRoom;
    return width >= room * size.x && height >= size.y + Px(80);
  };
  // a wide one: a picture beside the numbers, or all three numbers
  const bool can_be_wide =
      instrument != Instrument::kNumbers || session.scene()->numbers.size() > 2;
  if (!fits(GapForm::kCompact)) return;
  pane->gap = fits(GapForm::kFull)                  ? GapForm::kFull
              : can_be_wide && fits(GapForm::kWide) ? GapForm::kWide
                                                    : GapForm::kCompact;
  const float wide = instrument == Instrument::kGap ? 205 : 130;
  const float shift = pane->gap == GapForm::kFull ? 140 : pane->gap == GapForm::kWide ? wide : 112;
  pane->shift = static_cast<double>(Px(shift));
  pane->camera.Pan(-pane->shift, 0, pane->viewport());
}

bool DrawSceneInstrument(const Session& session, const Pane& pane, bool shows_machine,
                         double* magnification, CreepDistances* distances, FrameMarks* marks) {
  switch (InstrumentOf(session)) {
    case Instrument::kGap:
      return Gap(session, pane, magnification, marks);
    case Instrument::kCreep:
      return Creep(session, pane, distances, marks);
    case Instrument::kRebound:
      return ReboundTable(session, pane, marks);
    case Instrument::kConditioning:
      return Conditioning(session, pane, marks);
    case Instrument::kNumbers:
      return DrawNumbers(session, pane, shows_machine, marks);
  }
  return false;
}

}  // namespace slip::app
