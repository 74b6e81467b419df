// Progress of long work on stderr.
#pragma once

#include <chrono>
#include <string>

namespace slip::app {

class Progress {
 public:
  /// mode: auto (a bar on a terminal, plain lines otherwise), none, json.
  Progress(std::string mode, std::string what);
  /// Shows the fraction now and then; silent for work shorter than a second.
  void Update(double fraction);
  /// Ends the line of the bar.
  void Finish();

 private:
  using Clock = std::chrono::steady_clock;
  std::string mode_, what_;
  Clock::time_point start_, last_;
  double begun_ = -1;  ///< fraction at the first call: what was kept says nothing of the pace
  bool drawn_ = false;
};

}  // namespace slip::app
