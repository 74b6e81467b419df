// A small study of a box that creeps on a slope, in the parts that tests choose.
#pragma once

#include <string>

namespace slip::test {

struct CreepStudy {
  std::string source = {};  ///< with it the study says what it shows
  std::string story = "It creeps.";
  std::string methods = "\"lagged\", \"sap\"";
  bool tilted = true;  ///< by 12 degrees, else as the scene is
  std::string steps, quick_steps;
  bool with_tolerance = true;  ///< a second axis, of which each value is a curve
  std::string duration, quick_duration = {};
  int every = 0;          ///< steps from sample to sample; 0 = no samples
  bool predicted = true;  ///< a metric of the law's own creep, too
  std::string rest = {};  ///< tables and conditions

  std::string Text() const {
    const std::string axis = with_tolerance ? ", \"stiction_tolerance=1e-4,1e-5\"" : "";
    std::string text = "\nschema = \"slipscope.study/1\"\ntitle = \"Creep on a slope\"\n";
    if (!source.empty())
      text += "source = \"" + source + "\"\nshows = \"A box that holds creeps.\"\n";
    text += "story = \"" + story + "\"\n[[run]]\nid = \"slope\"\nscene = \"slope-creep\"\n";
    text += "methods = [" + methods + "]\n";
    if (tilted) text += "set = [\"tilt=12 deg\"]\n";
    text += "axes = [\"time_step=" + steps + "\"" + axis + "]\n";
    text += "quick_axes = [\"time_step=" + quick_steps + "\"" + axis + "]\n";
    text += "duration = " + duration + "\n";
    if (!quick_duration.empty()) text += "quick_duration = " + quick_duration + "\n";
    if (every > 0) text += "series = [\"slip_speed\"]\nevery = " + std::to_string(every) + "\n";
    text += "metrics = {creep = \"last(slip_speed)\"";
    if (predicted) text += ", predicted = \"last(creep_predicted)\"";
    text +=
        "}\n[[figure]]\nid = \"creep\"\ntitle = \"Creep\"\nrun = \"slope\"\n"
        "x = \"slope.time_step\"\nx_label = \"Time step\"\nx_unit = \"s\"\nx_log = true\n";
    if (with_tolerance) text += "by = \"stiction_tolerance\"\n";
    text += "panel = [{y = \"slope.creep\", label = \"Creep v_t\", unit = \"m/s\", log = true}]\n";
    return text + rest;
  }
};

/// A table of all cells.
inline constexpr const char* kCreepTable =
    "[[table]]\ntitle = \"All\"\nrun = \"slope\"\ncolumns = [\"creep\"]\n";
/// Lagged creeps as its law says; `text` is the statement's.
inline std::string CreepLaw(const std::string& text) {
  return "[[condition]]\nid = \"law\"\nmark = \"derived\"\ntext = \"" + text +
         "\"\nvalue = \"slope.creep[lagged] / slope.predicted[lagged]\"\nlow = 0.99\n"
         "high = 1.01\n";
}

}  // namespace slip::test
