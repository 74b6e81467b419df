// What the place of the studies says, without drawing: rows of the list, signs and words of
// verdicts.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/kit/theme.h"
#include "app/session/studies.h"
#include "app/state/studies_view.h"

namespace slip::app {

/// A sign is never alone: its word says the same.
struct StudySign {
  const char* icon = "";
  Token colour = Token::kText3;
  std::string word;
};

/// Of a whole study: how its statements came out, or what it does now.
enum class StudyMood : int {
  kFresh,
  kWaits,
  kRuns,
  kStopped,
  kHolds,
  kKnown,    ///< all but differences that it knows
  kDiffers,  ///< what we chose does not hold, which fails nothing
  kFails,
  kBroken
};
StudyMood MoodOf(const StudyEntry& entry);
StudySign SignOf(StudyMood mood);

/// Of one statement; `whole`: all cells are made, so that what has no number has none.
StudySign SignOf(const StudyVerdict& verdict, bool whole);
/// It waits for cells.
bool Waits(const StudyVerdict& verdict, bool whole);

/// "6/9", "5/8 +1" with one that is known not to be reproduced; empty before the first run.
std::string HeldText(const StudyEntry& entry);
/// "0.4 s", "38 s", "12 min"
std::string TimeText(double seconds);
/// "5 hold, 1 known, 1 fails, 2 wait"
std::string AnswersText(const StudyShown& shown);

/// A row of the list: a study, or the heading of those that follow.
struct StudyRow {
  int entry = -1;      ///< -1 = a heading
  std::string strong;  ///< "Figure 16", or the paper
  std::string words;
};
/// Those that fit the search and the filter, under their papers; the user's own come last.
std::vector<StudyRow> RowsOf(const std::vector<StudyEntry>& list, const StudiesView& view);
/// How many studies each filter shows.
std::array<int, 5> CountByFilter(const std::vector<StudyEntry>& list);

/// The entry with this file; the first one where there is none. -1 of an empty list.
int FindEntry(const std::vector<StudyEntry>& list, const std::string& file);

/// "time step 10 ms, stiffness 1 MN/m"; empty without axes.
std::string PointWords(const StudyRun& run, std::size_t point);
/// The point nearest to `point` at which an axis has this value; `point` where none has.
std::size_t PointAt(const StudyRun& run, std::size_t point, double value);
/// Of a figure whose x is an axis of its run: its value at the point; else NaN.
double MarkedValue(const Study& study, const StudyFigure& figure, const StudyRun& run,
                   std::size_t point);

/// Text of a study for DrawRich: what stands between backticks stays as it is.
std::string StudyRich(const std::string& text);

}  // namespace slip::app
