#include "app/panels/plot_content.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "app/panels/annotations.h"
#include "app/panels/panels.h"
#include "engine/sim/robot_signals.h"

namespace slip::app {
namespace {

/// The formula that stands beside a measured curve, where there is one.
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
void AddChannelCurve(const Ui& ui, int channel, PlotSeries line, PlotContent* content) {
  const SeriesView all = line.data, across = line.across;
  const std::span<const MethodRun> runs = ui.session.series().Runs(channel);
  constexpr double kEver = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < std::max<std::size_t>(runs.size(), 1); ++i) {
    const bool switched = runs.size() > 1;
    const MethodId method = switched ? runs[i].method : ui.session.looks().Of(channel).model;
    line.label = ui.session.looks().Name(channel, method);
    if (!line.prediction) line.style = ui.style(channel, method);
    if (switched) {
      const double from = i > 0 ? runs[i].from : -kEver;
      const double to = i + 1 < runs.size() ? runs[i + 1].from : kEver;
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

void AddDifferences(Ui* ui, PlotContent* content) {
  const Session& session = ui->session;
  const int lead = session.looks().lead();
  content->title = "Δ " + InPhrase(content->title);
  const std::span<const MethodRun> runs = session.series().Runs(lead);
  content->note = "against ";
  for (std::size_t i = 0; i + 1 < runs.size(); ++i)
    content->note += session.looks().Name(lead, runs[i].method) + " → ";
  content->note += ui->ChannelName(lead);
  content->include_zero = true;
  // a difference has a sign
  if (content->scale == AxisScale::kLog) content->scale = AxisScale::kSymlog;
  for (int i = 0; i < session.channel_count(); ++i) {
    if (i == lead || !session.looks().Shown(i)) continue;
    PlotSeries line;
    line.data = ui->differences.View(session.series(), i, lead, content->signal);
    AddChannelCurve(*ui, i, std::move(line), content);
  }
  AddReference(ui->differences.ReferenceView(session.reference().series(), session.series(), lead,
                                             content->signal),
               content);
}

/// What the methods foretell: white for the first of them.
void AddForetold(Ui* ui, PlotContent* content) {
  if (!ForetoldForces::Has(content->signal)) return;
  bool first = true;
  for (int i = 0; i < ui->session.channel_count(); ++i) {
    if (!ui->session.looks().Shown(i)) continue;
    PlotSeries line;
    line.data = ui->foretold.View(ui->session.scene_model(), i, content->signal);
    if (line.data.empty()) continue;
    line.data.last = line.data.size();  // outside of it nothing is foretold
    line.label = ui->ChannelName(i);
    line.prediction = true;
    line.readout = false;
    line.style.colour = first ? Color(Token::kText) : ui->style(i).colour;
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
void AddLimits(const Ui& ui, PlotContent* content) {
  const double limit = LimitOf(ui.session.scene_model(), content->signal);
  if (!std::isfinite(limit)) return;
  const std::string label = "motor limit " + AsRich(FormatQuantity(limit, content->unit));
  content->lines = {{limit, label}, {-limit, label}};
}

void AddCurves(const Ui& ui, PlotContent* content) {
  const Session& session = ui.session;
  const std::optional<Signal> prediction =
      content->kind == PlotKind::kTime ? PredictionOf(content->signal) : std::nullopt;
  for (const bool predicted : {false, true}) {
    if (predicted && !prediction) break;
    for (int i = 0; i < session.channel_count(); ++i) {
      if (!session.looks().Shown(i)) continue;
      PlotSeries line;
      const auto view = [&](Signal signal) {
        return content->contact >= 0 ? ui.contact_curves.View(i, content->contact, signal)
                                     : session.series().View(i, signal);
      };
      line.data = view(predicted ? *prediction : content->signal);
      if (content->kind == PlotKind::kAgainst) line.across = view(content->against);
      if (predicted) line.style = PredictionStyle();
      line.prediction = predicted;
      line.readout = !predicted;
      AddChannelCurve(ui, i, std::move(line), content);
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
  return other.Part(end, std::numeric_limits<double>::infinity());
}

/// Curves of other branches, as pale as the user has them.
void AddAlong(const Ui& ui, PlotContent* content) {
  const Branches& branches = ui.session.branches();
  const float opacity = ui.state.along_opacity;
  if (!(opacity > 0)) return;
  std::string names;
  for (const int b : branches.Along()) {
    const SeriesStore* samples = branches.Samples(b);
    if (samples == nullptr || samples->channels() == 0) continue;
    names += (names.empty() ? "" : ", ") + branches.Name(b);
    for (int i = 0; i < samples->channels(); ++i) {
      if (i < ui.session.channel_count() && !ui.session.looks().Shown(i)) continue;
      SeriesView all = samples->View(i, content->signal);
      if (content->kind == PlotKind::kTime && i < ui.session.channel_count())
        all = WithoutTheSame(all, ui.session.series().View(i, content->signal));
      if (all.empty()) continue;
      const std::span<const MethodRun> runs = samples->Runs(i);
      constexpr double kEver = std::numeric_limits<double>::infinity();
      for (std::size_t r = 0; r < runs.size(); ++r) {
        PlotSeries line;
        line.label = ui.session.looks().Name(i, runs[r].method);
        line.style = ui.style(i, runs[r].method);
        const double from = r > 0 ? runs[r].from : -kEver;
        const double to = r + 1 < runs.size() ? runs[r + 1].from : kEver;
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
std::optional<double> FrictionOf(const Ui& ui) {
  const ContactFrame* strongest = nullptr;
  if (ui.session.channel_count() == 0) return std::nullopt;
  for (const ContactFrame& contact : ui.session.frame(ui.session.looks().lead()).contacts) {
    if (strongest == nullptr || contact.fn > strongest->fn) strongest = &contact;
  }
  if (strongest == nullptr || !(strongest->friction > 0)) return std::nullopt;
  return strongest->friction;
}

/// The x axis of a plot that is not over time, and its friction cone.
void AddOtherAxis(const Ui& ui, const PlotChoice& plot, PlotContent* content) {
  content->kind = plot.kind;
  content->against = plot.against;
  if (plot.kind == PlotKind::kHistogram) {
    content->across_title = content->title;
    content->title += ": share of steps";
    return;
  }
  content->across_title = LiteralRich(LabelOf(ui.session.scene_model(), plot.against));
  if (plot.signal == Signal::kFrictionForce && plot.against == Signal::kNormalForce)
    content->slope = FrictionOf(ui);
}

}  // namespace

bool IsHeld(const Ui& ui, Signal signal) {
  const Scene* scene = ui.session.scene();
  const LessonProgress& progress = ui.session.lessons().progress();
  if (scene == nullptr) return false;
  const int active = progress.active();
  if (active >= progress.count() || !progress.Asks(active)) return false;
  const auto& hides = scene->lesson.cards[static_cast<std::size_t>(active)].hides;
  const std::string name = NameOf(ui.session.scene_model(), signal);
  return std::find(hides.begin(), hides.end(), name) != hides.end();
}

PlotSpec PlotContent::Spec() const {
  PlotSpec spec;
  spec.id = id;
  spec.title = title;
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
  spec.include_zero = include_zero;
  spec.is_count = is_count;
  spec.noise = noise;
  return spec;
}

PlotContent MakePlotContent(Ui* ui, std::size_t slot) {
  const PlotSlot& plot = ui->state.plots[slot];
  const SignalInfo& info = slip::Info(plot.signal);
  PlotContent content;
  content.id = std::to_string(slot);
  content.title = LiteralRich(LabelOf(ui->session.scene_model(), plot.signal));
  content.unit = info.unit;
  content.signal = plot.signal;
  content.contact = plot.contact;
  if (plot.contact >= 0) content.title += ", " + LiteralRich(ui->contact_curves.Name(plot.contact));
  content.scale = info.log_axis ? AxisScale::kLog : AxisScale::kLinear;
  content.is_count = info.is_count;
  content.noise = info.noise;
  content.play_head = ui->session.snapshot().time;
  content.include_zero = plot.signal == Signal::kGlidingOffset || plot.signal == Signal::kSlipSpeed;
  if (plot.kind != PlotKind::kTime) {
    AddOtherAxis(*ui, plot, &content);
  }
  const bool over_time = plot.kind == PlotKind::kTime;
  if (IsHeld(*ui, plot.signal) || (plot.kind == PlotKind::kAgainst && IsHeld(*ui, plot.against))) {
    content.held = "Answer the lesson's card to see it";
  } else if (plot.contact >= 0) {
    AddCurves(*ui, &content);
  } else if (over_time && ShowsDifference(*ui)) {
    AddDifferences(ui, &content);
  } else {
    AddCurves(*ui, &content);
    if (plot.kind != PlotKind::kHistogram) AddLimits(*ui, &content);
    const ReferenceCurve& reference = ui->session.reference();
    AddReference(reference.series().View(0, content.signal), &content, reference.ShowsClosedForm(),
                 reference.series().View(0, content.against));
    if (over_time && plot.state.annotations) AddAnnotations(*ui, &content);
    if (over_time) AddForetold(ui, &content);
    if (plot.kind != PlotKind::kHistogram) AddAlong(*ui, &content);
  }
  return content;
}

void AddPlotEvents(std::span<const PlotEvent> events, PlotContent* content) {
  content->events.insert(content->events.end(), events.begin(), events.end());
  std::stable_sort(content->events.begin(), content->events.end(),
                   [](const PlotEvent& a, const PlotEvent& b) { return a.time < b.time; });
}

std::vector<PlotEvent> MakePlotEvents(const Ui& ui) {
  std::vector<PlotEvent> events;
  for (const TimeMark& mark : ui.session.notebook().marks()) {
    PlotEvent event;
    event.time = mark.time;
    event.detail = ui.session.notebook().Label(mark);
    if (mark.kind == TimeMark::Kind::kNote) event.detail = LiteralRich(event.detail);
    // "SAP → Lagged" is short, and says nothing without its end
    const bool whole = mark.path == kMethodParam;
    event.label = whole ? event.detail : event.detail.substr(0, event.detail.find(' '));
    event.detail += fmt::format(" (step {})", mark.step);
    if (mark.channel >= 0) event.colour = ui.MarkStyle(mark).colour;
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
