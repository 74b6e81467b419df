// The plots by keyboard: which plot and series have it, and the crosshair walking from sample to
// sample.
#include "app/panels/curves/plot_keys.h"

#include <algorithm>
#include <cmath>

#include "app/panels/curves/plot_content.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

constexpr int kFarSamples = 10;  // with Shift

/// Labels of the series of the focused plot, predictions left out.
std::vector<std::string> Labels(const PlotContent& content) {
  std::vector<std::string> labels;
  for (const PlotSeries& series : content.series) {
    if (series.prediction || std::count(labels.begin(), labels.end(), series.label) > 0) continue;
    labels.push_back(series.label);
  }
  return labels;
}

/// Place of the chosen series among `labels`; 0 when it has gone.
std::size_t PlaceOf(const std::vector<std::string>& labels, const std::string& label) {
  const auto at = std::find(labels.begin(), labels.end(), label);
  return at == labels.end() ? 0 : static_cast<std::size_t>(at - labels.begin());
}

void ShowCursor(double time, LinkedX* x) {
  x->hover = time;
  x->hover_owner = kKeyboardOwner;
  if (time >= x->range.min && time <= x->range.max) return;
  // a cursor that leaves the picture takes it along
  const double span = x->range.span();
  x->Remember();
  x->follow = FollowMode::kFree;
  const double start = time < x->range.min ? time - 0.1 * span : time - 0.9 * span;
  x->range = {start, start + span};
}

const PlotSeries* ChosenSeries(const PlotContent& content, const std::string& label) {
  for (const PlotSeries& series : content.series) {
    if (!series.prediction && series.label == label && !series.data.empty()) return &series;
  }
  return nullptr;
}

void MoveCursor(const Session& session, const PlotContent& content, int samples,
                PlotsState* plots) {
  const PlotSeries* series = ChosenSeries(content, plots->focus.series);
  if (series == nullptr || series->data.empty()) return;
  const LinkedX& x = plots->linked_x;
  const double from = x.hover.value_or(session.snapshot().time);
  const auto last = static_cast<std::ptrdiff_t>(series->data.size()) - 1;
  const auto here = static_cast<std::ptrdiff_t>(series->data.Nearest(from));
  const std::ptrdiff_t next = std::clamp<std::ptrdiff_t>(here + samples, 0, last);
  ShowCursor(series->data.TimeAt(static_cast<std::size_t>(next)), &plots->linked_x);
}

void Leave(PlotsState* plots) {
  plots->focus.on = false;
  LinkedX& x = plots->linked_x;
  if (x.hover_owner != kKeyboardOwner) return;
  x.hover.reset();
  x.hover_owner = 0;
}

void Enter(const Session& session, Compare compare, bool one, PlotsState* plots,
           PlotSources* sources) {
  plots->shown = true;
  plots->focus.on = true;
  if (one) plots->focus.slot = plots->tab;
  const std::vector<std::string> labels = Labels(MakePlotContent(
      session, *plots, static_cast<std::size_t>(plots->focus.slot), compare, sources));
  if (!labels.empty()) plots->focus.series = labels[PlaceOf(labels, plots->focus.series)];
  ShowCursor(session.snapshot().time, &plots->linked_x);
}

/// What a key does while a plot has the keys; `labels` are those of its curves.
void MoveFocus(const Session& session, Action action, const PlotContent& content,
               const std::vector<std::string>& labels, PlotsState* plots, Requests* requests) {
  PlotFocus& focus = plots->focus;
  const auto turn = [](int value, int by, int count) {
    return ((value + by) % count + count) % count;
  };
  switch (action) {
    case Action::kPlotLeft:
      MoveCursor(session, content, -1, plots);
      break;
    case Action::kPlotRight:
      MoveCursor(session, content, 1, plots);
      break;
    case Action::kPlotFarLeft:
      MoveCursor(session, content, -kFarSamples, plots);
      break;
    case Action::kPlotFarRight:
      MoveCursor(session, content, kFarSamples, plots);
      break;
    case Action::kPlotNext:
    case Action::kPlotPrevious:
      focus.slot = turn(focus.slot, action == Action::kPlotNext ? 1 : -1, kPlotSlots);
      plots->tab = focus.slot;
      break;
    case Action::kPlotSeriesUp:
    case Action::kPlotSeriesDown: {
      if (labels.empty()) break;
      const int step = action == Action::kPlotSeriesDown ? 1 : -1;
      const int at = static_cast<int>(PlaceOf(labels, focus.series));
      focus.series = At(labels, turn(at, step, static_cast<int>(labels.size())));
      break;
    }
    case Action::kPlotHide: {
      auto& hidden = At(plots->slots, focus.slot).state.hidden;
      if (ChosenSeries(content, focus.series) == nullptr) break;
      if (hidden.erase(focus.series) == 0) hidden.insert(focus.series);
      break;
    }
    case Action::kPlotAnchor:
      if (plots->linked_x.anchor) {
        plots->linked_x.anchor.reset();
      } else {
        plots->linked_x.anchor = plots->linked_x.hover;
      }
      break;
    case Action::kPlotSeek:
      if (!plots->linked_x.hover) break;
      requests->Ask([time = *plots->linked_x.hover](Session* s) {
        s->playback().SetPlaying(false);
        s->playback().Seek(time);
      });
      break;
    case Action::kPlotLeave:
      Leave(plots);
      break;
    default:
      break;
  }
}

}  // namespace

bool PerformPlotAction(const Session& session, Action action, Compare compare, bool one,
                       PlotsState* plots, PlotSources* sources, Requests* requests) {
  PlotFocus& focus = plots->focus;
  if (action == Action::kZoomBack) {
    plots->linked_x.Undo();
    return true;
  }
  if (action == Action::kPlotOverTime || action == Action::kPlotAgainst ||
      action == Action::kPlotHistogram) {
    PlotSlot& slot = At(plots->slots, focus.on ? focus.slot : 0);
    PlotChoice choice = slot;
    choice.kind = action == Action::kPlotAgainst     ? PlotKind::kAgainst
                  : action == Action::kPlotHistogram ? PlotKind::kHistogram
                                                     : PlotKind::kTime;
    slot.Choose(choice);
    plots->shown = true;
    return true;
  }
  if (action >= Action::kPlotCsv && action <= Action::kPlotSvg) {
    const PlotExport wanted = action == Action::kPlotCsv   ? PlotExport::kCsvVisible
                              : action == Action::kPlotPng ? PlotExport::kPng
                                                           : PlotExport::kSvg;
    plots->wanted = {.wanted = wanted, .slot = focus.on ? focus.slot : one ? plots->tab : 0};
    return true;
  }
  if (action == Action::kPlotFocus) {
    focus.on ? Leave(plots) : Enter(session, compare, one, plots, sources);
    return true;
  }
  if (action < Action::kPlotLeft || action > Action::kPlotLeave) return false;
  if (!focus.on || session.channel_count() == 0) return true;
  const PlotContent content =
      MakePlotContent(session, *plots, static_cast<std::size_t>(focus.slot), compare, sources);
  const std::vector<std::string> labels = Labels(content);
  // a curve that has gone leaves its place to the first
  if (!labels.empty()) focus.series = labels[PlaceOf(labels, focus.series)];
  MoveFocus(session, action, content, labels, plots, requests);
  return true;
}

}  // namespace slip::app
