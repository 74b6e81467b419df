// The lesson of the present scene: its cards are measured by what the channels did since the last
// change of a parameter.
#pragma once

#include <string_view>
#include <vector>

#include "app/plots/series.h"
#include "app/session/channel_looks.h"
#include "app/session/lesson_progress.h"
#include "app/session/notebook.h"
#include "app/session/session_core.h"

namespace slip::app {

class Lessons {
 public:
  Lessons(SessionCore* core, const ChannelLooks& looks, const Notebook& notebook,
          const SeriesStore& series)
      : core_(*core), looks_(looks), notebook_(notebook), series_(series) {}

  const LessonProgress& progress() const { return progress_; }
  LessonProgress& progress() { return progress_; }

  // Called by the session.
  void Start(const Scene& scene);
  bool Update();  ///< once per frame; true when a card says something else

 private:
  bool IsMeant(int channel, std::string_view model) const;
  bool IsAnotherRun();

  SessionCore& core_;
  const ChannelLooks& looks_;
  const Notebook& notebook_;
  const SeriesStore& series_;
  LessonProgress progress_;
  double checked_ = -1;  ///< when [s of the session's clock]
  // of the run that was measured last
  std::vector<Config> configs_;
  double history_end_ = 0;
  int branch_ = 0;
};

}  // namespace slip::app
