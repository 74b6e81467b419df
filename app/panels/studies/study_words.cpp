#include "app/panels/studies/study_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/report/report_words.h"
#include "engine/core/quantity_text.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

/// "A Theory of Irrotational Contact Fields", without who wrote it and where it is found.
std::string ShortPaper(const std::string& paper) {
  const std::size_t comma = paper.find(", ");
  std::string title = comma == std::string::npos ? paper : paper.substr(comma + 2);
  const std::size_t bracket = title.find(" (");
  if (bracket != std::string::npos && bracket > 0) title.resize(bracket);
  return title;
}

std::string Capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

/// What stands behind the last comma of a source is a part of a paper.
bool IsPart(const std::string& part) {
  const auto begins = [&part](const char* word) { return part.starts_with(word); };
  return begins("figure") || begins("table") || begins("appendix");
}

/// "figure 3" as "Figure 3", "figure 14 and 15" likewise; a file of one's own by its name.
std::string PartOf(const StudyEntry& entry) {
  const std::string part = SplitSource(entry.source).part;
  return entry.own || !IsPart(part) ? entry.id : Capitalised(part);
}

std::string GroupOf(const StudyEntry& entry) {
  if (entry.own) return "Yours";
  const SourceParts source = SplitSource(entry.source);
  return IsPart(source.part) ? ShortPaper(source.paper) : std::string("Our own");
}

bool Passes(StudyMood mood, StudyFilter filter) {
  switch (filter) {
    case StudyFilter::kHold:
      return mood == StudyMood::kHolds;
    case StudyFilter::kKnown:
      return mood == StudyMood::kKnown || mood == StudyMood::kDiffers;
    case StudyFilter::kFail:
      return mood == StudyMood::kFails;
    case StudyFilter::kRun:
      return mood == StudyMood::kRuns || mood == StudyMood::kWaits;
    case StudyFilter::kAll:
      break;
  }
  return true;
}

bool Matches(const StudyEntry& entry, const std::string& search) {
  const std::string all = Lower(entry.id + " " + entry.title + " " + entry.source + " " +
                                entry.shows + " " + SignOf(MoodOf(entry)).word);
  return all.find(Lower(search)) != std::string::npos;
}

}  // namespace

StudyMood MoodOf(const StudyEntry& entry) {
  if (entry.state == StudyState::kRuns) return StudyMood::kRuns;
  if (entry.state == StudyState::kWaits) return StudyMood::kWaits;
  if (!entry.error.empty()) return StudyMood::kBroken;
  if (entry.shown == nullptr) return StudyMood::kFresh;
  if (!entry.shown->whole) return StudyMood::kStopped;
  const auto& verdicts = entry.shown->report.verdicts;
  if (std::any_of(verdicts.begin(), verdicts.end(),
                  [](const StudyVerdict& verdict) { return verdict.Fails(); }))
    return StudyMood::kFails;
  const AnswerCounts counts = CountAnswers(entry.shown->report);
  if (counts[static_cast<std::size_t>(StudyAnswer::kFalse)] > 0) return StudyMood::kDiffers;
  return counts[static_cast<std::size_t>(StudyAnswer::kNotReproduced)] > 0 ? StudyMood::kKnown
                                                                           : StudyMood::kHolds;
}

StudySign SignOf(StudyMood mood) {
  switch (mood) {
    case StudyMood::kWaits:
      return {icon::kEmpty, Token::kAccent, "waits"};
    case StudyMood::kRuns:
      return {icon::kRun, Token::kAccent, "runs"};
    case StudyMood::kStopped:
      return {icon::kPause, Token::kText2, "stopped"};
    case StudyMood::kHolds:
      return {icon::kHolds, Token::kOk, "holds"};
    case StudyMood::kKnown:
      return {icon::kKnown, Token::kText2, "known"};
    case StudyMood::kDiffers:
      return {icon::kFails, Token::kWarn, "holds in part"};
    case StudyMood::kFails:
      return {icon::kFails, Token::kErr, "fails"};
    case StudyMood::kBroken:
      return {icon::kWarning, Token::kErr, "cannot be run"};
    case StudyMood::kFresh:
      break;
  }
  return {icon::kEmpty, Token::kText3, "not run yet"};
}

bool Waits(const StudyVerdict& verdict, bool whole) {
  return !whole && verdict.answer != StudyAnswer::kLeftOut && !verdict.note.empty();
}

StudySign SignOf(const StudyVerdict& verdict, bool whole) {
  if (Waits(verdict, whole)) return {icon::kEmpty, Token::kText3, "waits"};
  switch (verdict.answer) {
    case StudyAnswer::kHolds:
      return {icon::kHolds, Token::kOk, "holds"};
    case StudyAnswer::kNotReproduced:
      return {icon::kKnown, Token::kText2, "known"};
    case StudyAnswer::kFalse:
      // a chosen value proves nothing: it is told, and no more
      return verdict.Fails() ? StudySign{icon::kFails, Token::kErr, "fails"}
                             : StudySign{icon::kFails, Token::kWarn, "does not hold"};
    case StudyAnswer::kHoldsNow:
      return {icon::kFails, Token::kErr, "holds now"};
    case StudyAnswer::kLeftOut:
      break;
  }
  return {icon::kEmpty, Token::kText3, "whole study only"};
}

std::string HeldText(const StudyEntry& entry) {
  if (entry.shown == nullptr || entry.shown->report.verdicts.empty()) return {};
  int hold = 0, known = 0, asked = 0;
  for (const StudyVerdict& verdict : entry.shown->report.verdicts) {
    if (verdict.answer == StudyAnswer::kLeftOut) continue;
    ++asked;
    hold += verdict.answer == StudyAnswer::kHolds ? 1 : 0;
    const bool waits = Waits(verdict, entry.shown->whole);
    known += verdict.answer == StudyAnswer::kNotReproduced && !waits ? 1 : 0;
  }
  return fmt::format("{}/{}", hold, asked - known) + (known > 0 ? fmt::format(" +{}", known) : "");
}

std::string TimeText(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  if (seconds < 599.5) return fmt::format("{:.0f} s", seconds);
  return fmt::format("{:.0f} min", seconds / 60);
}

std::string AnswersText(const StudyShown& shown) {
  std::array<int, 6> counts{};
  for (const StudyVerdict& verdict : shown.report.verdicts) {
    if (Waits(verdict, shown.whole)) {
      ++counts[5];
    } else if (verdict.answer == StudyAnswer::kHolds) {
      ++counts[0];
    } else if (verdict.answer == StudyAnswer::kNotReproduced) {
      ++counts[1];
    } else if (verdict.answer == StudyAnswer::kLeftOut) {
      ++counts[4];
    } else {
      ++counts[verdict.Fails() ? 2 : 3];
    }
  }
  constexpr std::array<std::array<const char*, 2>, 6> kWords = {{{"holds", "hold"},
                                                                 {"known", "known"},
                                                                 {"fails", "fail"},
                                                                 {"does not hold", "do not hold"},
                                                                 {"left out", "left out"},
                                                                 {"waits", "wait"}}};
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts[i],
                          kWords[i][counts[i] == 1 ? 0 : 1]);
  return text.empty() ? "no statements" : text;
}

std::vector<StudyRow> RowsOf(const std::vector<StudyEntry>& list, const StudiesView& view) {
  std::vector<StudyRow> rows;
  std::string group;
  for (const bool own : {false, true}) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const StudyEntry& entry = list[i];
      if (entry.own != own || !Passes(MoodOf(entry), view.filter) || !Matches(entry, view.search))
        continue;
      const std::string of = GroupOf(entry);
      if (of != group) rows.push_back({-1, of, {}});
      group = of;
      rows.push_back({static_cast<int>(i), PartOf(entry), entry.title});
    }
  }
  return rows;
}

std::array<int, 5> CountByFilter(const std::vector<StudyEntry>& list) {
  std::array<int, 5> counts{};
  for (const StudyEntry& entry : list)
    for (std::size_t i = 0; i < counts.size(); ++i)
      counts[i] += Passes(MoodOf(entry), static_cast<StudyFilter>(i)) ? 1 : 0;
  return counts;
}

int FindEntry(const std::vector<StudyEntry>& list, const std::string& file) {
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&](const StudyEntry& entry) { return entry.file == file; });
  if (found != list.end()) return static_cast<int>(found - list.begin());
  return list.empty() ? -1 : 0;
}

std::string PointWords(const StudyRun& run, std::size_t point) {
  if (run.suite != nullptr) {
    auto of = run.suite->cases.begin();
    for (; point >= of->variants.size(); ++of) point -= of->variants.size();
    return of->variants.size() > 1 ? fmt::format("{} {}", of->id, point + 1) : of->id;
  }
  std::string text;
  const std::vector<double> values = run.plan.Values(point);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const SweepAxis& axis = run.plan.axes[i];
    const std::string name = axis.IsName() ? axis.path : std::string(axis.info->label);
    text += (text.empty() ? "" : ", ") + name + " " + ShortValue(*axis.info, values[i]);
  }
  return text;
}

std::size_t PointAt(const StudyRun& run, std::size_t point, double value) {
  const std::vector<double> now = run.plan.Values(point);
  std::size_t best = point;
  int most = -1;
  for (std::size_t p = 0; p < run.plan.points(); ++p) {
    const std::vector<double> values = run.plan.Values(p);
    bool has = false;
    int same = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      has = has || std::abs(values[i] - value) <= 1e-9 * std::abs(value);
      same += values[i] == now[i] ? 1 : 0;
    }
    if (!has || same <= most) continue;
    most = same;
    best = p;
  }
  return best;
}

double MarkedValue(const Study& study, const StudyFigure& figure, const StudyRun& run,
                   std::size_t point) {
  if (!figure.x || figure.run != run.id || study.FindRun(figure.run) != &run) return kNaN;
  for (std::size_t i = 0; i < run.plan.axes.size(); ++i)
    if (figure.x->text() == run.id + "." + run.plan.axes[i].path) return run.plan.Values(point)[i];
  return kNaN;
}

std::string StudyRich(const std::string& text) {
  std::string rich;
  bool code = false;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t tick = std::min(text.find('`', at), text.size());
    const std::string part = text.substr(at, tick - at);
    rich += code ? LiteralRich(part) : part;
    code = !code;
    at = tick + 1;
  }
  return rich;
}

}  // namespace slip::app
