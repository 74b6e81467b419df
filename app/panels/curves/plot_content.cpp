#include "app/panels/curves/plot_content.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/panels/curves/annotations.h"
#include "app/state/channel_style.h"
#include "app/view/shown.h"
#include "engine/core/numbers.h"
#include "engine/sim/part_signals.h"

namespace slip::app {
namespace {

/// The formula that is drawn beside a measured curve, where there is one.
std::optional<Signal> PredictionOf(Signal signal) {
  if (signal == Signal::kGlidingOffset) return Signal::kGlidingPredicted;
  return std::nullopt;
}

/// "Normal force" inside a phrase: "normal force"; capitals, symbols and Newton stay.
std::string InPhrase(std::string_view label) {
  std::string text(label);
  if (text.size() > 1 && !text.starts_with("Newton") &&
      std::islower(static_cast<unsigned char>(text[1])) != 0) {
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  }
  return text;
}

/// The curve of a channel: what another method made before a switch keeps that one's name and
/// colours, as a series of its own.
void AddChannelCurve(const Session& session, int channel, PlotSeries line, PlotContent* content) {
  const SeriesView all = line.data, across = line.across;
  line.read_until = session.written().until();
  const std::span<const MethodRun> runs = session.series().Runs(channel);
  for (std::size_t i = 0; i < std::max<std::size_t>(runs.size(), 1); ++i) {
    const bool switched = runs.size() > 1;
    const MethodId method = switched ? runs[i].method : session.looks().Of(channel).model;
    line.label = session.looks().Name(channel, method);
    if (!line.prediction) line.style = StyleOf(session, channel, method);
    if (switched) {
      const double from = i > 0 ? runs[i].from : -kInfinity;
      const double to = i + 1 < runs.size() ? runs[i + 1].from : kInfinity;
      line.data = all.Part(from, to);
      if (!across.empty()) line.across = across.Part(from, to);
    }
    content->series.push_back(line);
  }
}

/// Thin and grey, under the models' curves; a closed form over them, as what is predicted.
void AddReference(SeriesView data, PlotContent* content, bool closed_form = false,
                  SeriesView across = {}) {
  if (data.Query(-1e300, 1e300).empty()) return;  // none, or not measured
  PlotSeries line;
  line.label = "Reference";
  line.data = data;
  line.across = across;
  line.style = closed_form ? PredictionStyle() : ReferenceStyle();
  line.prediction = closed_form;
  if (closed_form) line.label = "Closed form";
  content->series.push_back(std::move(line));
}

void AddDifferences(const Session& session, DifferenceStore* differences, PlotContent* content) {
  const int lead = session.looks().lead();
  content->title = "Δ " + InPhrase(content->title);
  const std::span<const MethodRun> runs = session.series().Runs(lead);
  content->note = "against ";
  for (std::size_t i = 0; i + 1 < runs.size(); ++i)
    content->note += session.looks().Name(lead, runs[i].method) + " → ";
  content->note += session.looks().Name(lead);
  content->include_zero = true;
  // a difference has a sign
  if (content->scale == AxisScale::kLog) content->scale = AxisScale::kSymlog;
  for (int i = 0; i < session.channel_count(); ++i) {
    if (i == lead || !session.looks().Shown(i)) continue;
    PlotSeries line;
    line.data = differences->View(session.series(), i, lead, content->signal);
    AddChannelCurve(session, i, std::move(line), content);
  }
  AddReference(differences->ReferenceView(session.reference().series(), session.series(), lead,
                                          content->signal),
               content);
  const ForeignRuns& foreign = session.files().foreign();
  for (int i = 0; i < foreign.count(); ++i) {
    if (!foreign.Visible(i)) continue;
    PlotSeries line;
    line.data = differences->ReferenceView(foreign.series(i), session.series(), lead,
                                           content->signal, i + 1);
    if (line.data.Query(-1e300, 1e300).empty()) continue;
    line.label = LiteralRich(foreign.run(i).name());
    line.style = ForeignStyle(i);
    content->series.push_back(std::move(line));
  }
}

/// Curves of recorded runs: measured by the same rules, never steered.
void AddForeign(const Session& session, PlotContent* content) {
  const ForeignRuns& foreign = session.files().foreign();
  for (int i = 0; i < foreign.count(); ++i) {
    if (!foreign.Visible(i)) continue;
    PlotSeries line;
    line.data = foreign.series(i).View(0, content->signal);
    if (content->kind == PlotKind::kAgainst)
      line.across = foreign.series(i).View(0, content->against);
    if (line.data.Query(-1e300, 1e300).empty()) continue;  // it does not tell
    line.label = LiteralRich(foreign.run(i).name());
    line.style = ForeignStyle(i);
    content->series.push_back(std::move(line));
  }
}

/// What the methods foretell: white for the first of them.
void AddForetold(const Session& session, ForetoldForces* foretold, PlotContent* content) {
  if (!ForetoldForces::Has(content->signal)) return;
  bool first = true;
  for (int i = 0; i < session.channel_count(); ++i) {
    if (!session.looks().Shown(i)) continue;
    PlotSeries line;
    line.data = foretold->View(session.scene_model(), i, content->signal);
    if (line.data.empty()) continue;
    line.data.last = line.data.size();  // outside of it nothing is foretold
    line.label = session.looks().Name(i);
    line.prediction = true;
    line.readout = false;
    line.style.colour = first ? Color(Token::kText) : StyleOf(session, i).colour;
    line.style.dash = {5, 3, 0, 0};
    line.style.dash_count = 2;
    line.style.width = 1.5f;
    const double span = line.data.TimeAt(line.data.size() - 1) - line.data.TimeAt(0);
    line.end_note = fmt::format("predicted for {:.0f} ms", 1e3 * span);
    content->series.push_back(std::move(line));
    first = false;
  }
}

// What the motor of a joint can give.
void AddLimits(const Session& session, PlotContent* content) {
  const double limit = LimitOf(session.scene_model(), content->signal);
  if (!std::isfinite(limit)) return;
  const std::string label = "motor limit " + AsRich(FormatQuantity(limit, content->unit));
  content->lines = {{limit, label}, {-limit, label}};
}

void AddCurves(const Session& session, const ContactCurves& contact_curves, PlotContent* content) {
  const std::optional<Signal> prediction =
      content->kind == PlotKind::kTime ? PredictionOf(content->signal) : std::nullopt;
  for (const bool predicted : {false, true}) {
    if (predicted && !prediction) break;
    for (int i = 0; i < session.channel_count(); ++i) {
      if (!session.looks().Shown(i)) continue;
      PlotSeries line;
      const auto view = [&](Signal signal) {
        return content->contact >= 0 ? contact_curves.View(i, content->contact, signal)
                                     : session.series().View(i, signal);
      };
      line.data = view(predicted ? *prediction : content->signal);
      if (content->kind == PlotKind::kAgainst) line.across = view(content->against);
      if (predicted) line.style = PredictionStyle();
      line.prediction = predicted;
      line.readout = !predicted;
      AddChannelCurve(session, i, std::move(line), content);
    }
  }
}

/// What remains of another run's curve where it is not this one's: a run that went on from the past
/// without a change is the same to the last bit, as far as both go.
SeriesView WithoutTheSame(const SeriesView& other, const SeriesView& own) {
  constexpr int kMoments = 64;
  if (other.empty() || own.empty()) return other;
  const double from = std::max(other.TimeAt(0), own.TimeAt(0));
  const double end = own.TimeAt(own.size() - 1), other_end = other.TimeAt(other.size() - 1);
  const double to = std::min(end, other_end);
  if (!(to > from)) return other;
  for (int i = 0; i <= kMoments; ++i) {
    const double t = from + (to - from) * i / kMoments;
    const double a = other.At(t), b = own.At(t);
    if (a != b && !(std::isnan(a) && std::isnan(b))) return other;
  }
  return other.Part(end, kInfinity);
}

/// Curves of other branches, as pale as the user has them.
void AddAlong(const Session& session, float opacity, PlotContent* content) {
  const Branches& branches = session.branches();
  if (!(opacity > 0)) return;
  std::string names;
  for (const int b : branches.along().Numbers()) {
    const SeriesStore* samples = branches.along().Samples(b);
    if (samples == nullptr || samples->channels() == 0) continue;
    names += (names.empty() ? "" : ", ") + branches.Name(b);
    for (int i = 0; i < samples->channels(); ++i) {
      if (i < session.channel_count() && !session.looks().Shown(i)) continue;
      SeriesView all = samples->View(i, content->signal);
      if (content->kind == PlotKind::kTime && i < session.channel_count())
        all = WithoutTheSame(all, session.series().View(i, content->signal));
      if (all.empty()) continue;
      const std::span<const MethodRun> runs = samples->Runs(i);
      for (std::size_t r = 0; r < runs.size(); ++r) {
        PlotSeries line;
        line.label = session.looks().Name(i, runs[r].method);
        line.style = StyleOf(session, i, runs[r].method);
        const double from = r > 0 ? runs[r].from : -kInfinity;
        const double to = r + 1 < runs.size() ? runs[r + 1].from : kInfinity;
        line.data = all.Part(from, to);
        if (content->kind == PlotKind::kAgainst)
          line.across = samples->View(i, content->against).Part(from, to);
        line.alpha = opacity;
        content->along.push_back(std::move(line));
      }
    }
  }
  if (content->along.empty()) return;
  const bool several = names.find(", ") != std::string::npos;
  content->along_note = LiteralRich(fmt::format("dimmed: run{} {} at {:.0f} %", several ? "s" : "",
                                                names, 100 * static_cast<double>(opacity)));
}

/// The coefficient of friction of the lead's contact that carries most; nothing without one.
std::optional<double> FrictionOf(const Session& session) {
  const ContactFrame* strongest = nullptr;
  if (session.channel_count() == 0) return std::nullopt;
  for (const ContactFrame& contact : session.written().frame(session.looks().lead()).contacts) {
    if (strongest == nullptr || contact.fn > strongest->fn) strongest = &contact;
  }
  if (strongest == nullptr || !(strongest->friction > 0)) return std::nullopt;
  return strongest->friction;
}

/// The x axis of a plot that is not over time, and its friction cone.
void AddOtherAxis(const Session& session, const PlotChoice& plot, PlotContent* content) {
  content->kind = plot.kind;
  content->against = plot.against;
  if (plot.kind == PlotKind::kHistogram) {
    content->across_title = content->title;
    content->title += ": share of steps";
    return;
  }
  content->across_title = LiteralRich(LabelOf(session.scene_model(), plot.against));
  if (plot.signal == Signal::kFrictionForce && plot.against == Signal::kNormalForce)
    content->slope = FrictionOf(session);
}

}  // namespace

std::vector<Signal> HeldSignals(const Session& session) {
  std::vector<Signal> held;
  const Scene* scene = session.scene();
  const LessonProgress& progress = session.lessons().progress();
  if (scene == nullptr) return held;
  const int active = progress.active();
  if (active >= progress.count() || !progress.Asks(active)) return held;
  for (const std::string& name : At(scene->lesson.cards, active).hides) {
    if (const Result<Signal> signal = SignalNamed(session.scene_model(), name); signal.ok())
      held.push_back(*signal);
  }
  return held;
}

bool IsHeld(const Session& session, Signal signal) {
  const std::vector<Signal> held = HeldSignals(session);
  return std::find(held.begin(), held.end(), signal) != held.end();
}

PlotSpec PlotContent::Spec() const {
  PlotSpec spec;
  spec.id = id;
  spec.title = title;
  if (contact < 0 && IsOfEnum(signal)) spec.symbol = slip::Info(signal).symbol;
  spec.unit = unit;
  spec.note = note;
  spec.held = held;
  spec.scale = scale;
  spec.kind = kind;
  spec.slope = slope;
  if (kind != PlotKind::kTime) {
    // a histogram counts the values of the signal itself
    const SignalInfo& info = slip::Info(kind == PlotKind::kAgainst ? against : signal);
    spec.across = {across_title, info.unit, info.log_axis ? AxisScale::kLog : AxisScale::kLinear,
                   info.noise, info.is_count};
  }
  spec.series = series;
  spec.along = along;
  spec.along_note = along_note;
  spec.events = events;
  spec.lines = lines;
  spec.play_head = play_head;
  spec.read_at = read_at;
  spec.include_zero = include_zero;
  spec.is_count = is_count;
  spec.noise = noise;
  return spec;
}

PlotContent MakePlotContent(const Session& session, const PlotsState& plots, std::size_t slot,
                            Compare compare, PlotSources* sources) {
  const PlotSlot& plot = plots.slots[slot];
  const SignalInfo& info = slip::Info(plot.signal);
  PlotContent content;
  content.id = std::to_string(slot);
  content.title = LiteralRich(LabelOf(session.scene_model(), plot.signal));
  content.unit = info.unit;
  content.signal = plot.signal;
  content.contact = plot.contact;
  if (plot.contact >= 0)
    content.title += ", " + LiteralRich(sources->contact_curves.Name(plot.contact));
  content.scale = info.log_axis ? AxisScale::kLog : AxisScale::kLinear;
  content.is_count = info.is_count;
  content.noise = info.noise;
  content.play_head = session.snapshot().time;
  content.read_at = session.written().time();
  content.include_zero = plot.signal == Signal::kGlidingOffset || plot.signal == Signal::kSlipSpeed;
  if (plot.kind != PlotKind::kTime) {
    AddOtherAxis(session, plot, &content);
  }
  const bool over_time = plot.kind == PlotKind::kTime;
  if (IsHeld(session, plot.signal) ||
      (plot.kind == PlotKind::kAgainst && IsHeld(session, plot.against))) {
    content.held = "Answer the lesson's card to see it";
  } else if (plot.contact >= 0) {
    AddCurves(session, sources->contact_curves, &content);
  } else if (over_time && ShowsDifference(session, compare)) {
    AddDifferences(session, &sources->differences, &content);
  } else {
    AddCurves(session, sources->contact_curves, &content);
    AddForeign(session, &content);
    if (plot.kind != PlotKind::kHistogram) AddLimits(session, &content);
    const ReferenceCurve& reference = session.reference();
    AddReference(reference.series().View(0, content.signal), &content, reference.ShowsClosedForm(),
                 reference.series().View(0, content.against));
    if (over_time && plot.state.annotations) AddAnnotations(session, &content);
    if (over_time) AddForetold(session, &sources->foretold, &content);
    if (plot.kind != PlotKind::kHistogram) AddAlong(session, plots.along_opacity, &content);
  }
  return content;
}

void AddPlotEvents(std::span<const PlotEvent> events, PlotContent* content) {
  content->events.insert(content->events.end(), events.begin(), events.end());
  std::stable_sort(content->events.begin(), content->events.end(),
                   [](const PlotEvent& a, const PlotEvent& b) { return a.time < b.time; });
}

std::vector<PlotEvent> MakePlotEvents(const Session& session) {
  std::vector<PlotEvent> events;
  for (const TimeMark& mark : session.notebook().marks()) {
    PlotEvent event;
    event.time = mark.time;
    event.detail = session.notebook().Label(mark);
    if (mark.kind == TimeMark::Kind::kNote) event.detail = LiteralRich(event.detail);
    // "SAP → Lagged" is short, and says nothing without its end
    const bool whole = mark.path == kMethodParam;
    event.label = whole ? event.detail : event.detail.substr(0, event.detail.find(' '));
    event.detail += fmt::format(" (step {})", mark.step);
    if (mark.channel >= 0) event.colour = StyleOf(session, mark).colour;
    if (mark.kind == TimeMark::Kind::kNotConverged) {
      event.label.clear();
      event.colour = Color(Token::kWarn);
    }
    if (mark.kind == TimeMark::Kind::kFailure) event.colour = Color(Token::kErr);
    events.push_back(std::move(event));
  }
  return events;
}

}  // namespace slip::app
