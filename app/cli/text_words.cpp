#include "app/cli/text_words.h"

namespace slip::app {

std::span<const TextWord<RunOptions>> RunTexts() {
  static constexpr TextWord<RunOptions> kWords[] = {
      {"-o,--output", &RunOptions::output,
       "Folder for CSV and JSON, or FILE.npz for arrays, of several models FILE-MODEL.npz"},
      {"--signals", &RunOptions::signals,
       "Comma list from 'list signals': columns over time in signals.csv, wall times too; in a "
       ".npz these instead of all"},
      {"--files", &RunOptions::files,
       "Comma list of what is written beside meta.json: steps, bodies, contacts, joints, events, "
       "signals, metrics; in a .npz bodies, contacts, signals"},
      {"--foretell", &RunOptions::foretell,
       "Span in s: foretold.csv, the contact forces that methods foretell from the start"},
      {"--save", &RunOptions::save, "Write the experiment file"},
  };
  return kWords;
}

std::span<const ListWord<SweepOptions>> SweepLists() {
  static constexpr ListWord<SweepOptions> kWords[] = {
      {"--vary", &SweepOptions::vary,
       "PATH=SPEC, SPEC being log:a:b:n, lin:a:b:n or v1,v2,...; several make a grid, the first "
       "one slowest; 'a=1,2; b=3,4' in one go side by side"},
      {"--derive", &SweepOptions::derive,
       "PATH=EXPRESSION, a parameter that follows from others and from names that --vary gives, "
       "for example 'damping=2*zeta*sqrt(stiffness)'"},
      {"--expect", &SweepOptions::expect,
       "Condition on the measured steps of each grid point; false: exit 4"},
      {"--largest-if", &SweepOptions::largest_if,
       "Condition on the measured steps that must hold, too, for example 'max(tilt_angle) < 0.3'"},
  };
  return kWords;
}

std::span<const TextWord<SweepOptions>> SweepTexts() {
  static constexpr TextWord<SweepOptions> kWords[] = {
      {"--signals", &SweepOptions::signals,
       "Comma list from 'list signals': columns with their minimum, last value and median"},
      {"--reference", &SweepOptions::reference,
       "Time step or auto (a tenth of the smallest): measure the error of each run against a run "
       "with it, and fit orders"},
      {"--truth", &SweepOptions::truth,
       "Method of that run, or of the ground truth of --local-error, whose steps are about 1/64 ms "
       "(default: the run's own)"},
      {"--largest", &SweepOptions::largest,
       "PATH=LOW,HIGH: for each run the largest value at which it is bounded (it ends, and nothing "
       "is faster than 1000 m/s or rad/s)"},
      {"--shard", &SweepOptions::shard, "I/N, only the I-th of N parts of the grid"},
  };
  return kWords;
}

}  // namespace slip::app
