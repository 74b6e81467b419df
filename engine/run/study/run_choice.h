// What of a run is written: signals as columns, and which files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/dynamics/model.h"
#include "engine/sim/signals.h"

namespace slip {

class Simulation;

struct RunChoice {
  std::vector<Signal> signals;     ///< over time, wall times too; empty = those
                                   ///< that there always are
  std::vector<std::string> files;  ///< "steps", "bodies", ...; empty = all
  double foretell = 0;             ///< span of foretold.csv [s]; 0 = no such file
  bool Wants(std::string_view file) const;
  /// Whether some signal is a wall time, so that steps are to be timed.
  bool HasWallTimes() const;
};

/// "slip_speed,force:solo/FL_FOOT". Errors: an unknown one, or one given twice.
Result<std::vector<Signal>> ParseSignals(const Model& model, const std::string& list);

/// Of --signals and --files, either of which may be empty; `arrays`: of a .npz. All errors at once.
Result<RunChoice> ParseRunChoice(const Model& model, const std::string& signals,
                                 const std::string& files, bool arrays);

/// "slip_speed_m_s"; names of wall times have their unit.
std::string SignalColumn(const Model& model, Signal signal);

/// Value of a signal after the last step; NaN where there is none.
double ValueOf(const Simulation& simulation, Signal signal);

}  // namespace slip
