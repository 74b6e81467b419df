// What is drawn on the time line and in every plot: marks of what was done, and the user's notes.
// Notes are marks with a text of the user, known by their number; those of other branches are put
// aside until their branch is shown.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/session/session_core.h"

namespace slip::app {

class Notebook {
 public:
  explicit Notebook(const SessionCore& core) : core_(core) {}

  const std::vector<TimeMark>& marks() const { return marks_; }
  /// Notes of all branches, those of the present one first.
  std::vector<TimeMark> AllNotes() const;
  /// What was done, as rich text; a note as it was typed.
  std::string Label(const TimeMark& mark) const;
  /// The nearest one after this time [s], or with direction -1 before it; null without one.
  const TimeMark* Beside(double time, int direction) const;

  uint64_t AddNote();  ///< at the present moment, not yet named; its number
  const TimeMark* Note(uint64_t number) const;       ///< null when it has gone
  void NameNote(uint64_t number, std::string text);  ///< empty = named after its time
  void RemoveNote(uint64_t number);

  /// How often the user has changed a note: what is to be saved.
  uint64_t edits() const { return edits_; }

  // Called by the session.
  /// Makes a mark of what one is made of, or adds it to the mark that it belongs to.
  void Take(const Event& event);
  /// Another branch is shown: what was later than that goes [s].
  void Truncate(double time);
  void Restart();    ///< the run begins anew: only notes are kept, aside
  void BringBack();  ///< notes that were made on the present branch
  void Forget();     ///< another scene
  /// A note of an experiment, which is shown when its branch is.
  void AddAside(TimeMark note);

 private:
  bool Describe(const EventItem& item, TimeMark* mark);
  bool Merge(const TimeMark& change);
  void EndGrab(double time);
  void DropMark();
  void PutAside(double after);

  const SessionCore& core_;
  std::vector<TimeMark> marks_;
  std::vector<TimeMark> aside_;  ///< notes of other branches
  uint64_t notes_made_ = 0, edits_ = 0;
};

}  // namespace slip::app
