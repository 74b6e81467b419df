// The columns of the CSV files, each with the sentence that meta.json gives for it.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace slip {

struct Column {
  std::string_view name;  ///< with unit, e.g. "fn_N"
  std::string_view doc;
};

std::span<const Column> StepColumns();
std::span<const Column> BodyColumns();
std::span<const Column> JointColumns();
/// The last one, the torque about the normal, only where there is torsional friction.
std::span<const Column> ContactColumns(bool torsion);
std::span<const Column> EventColumns();

/// The name of a column that holds this quantity: ("time_step", "s") -> "time_step_s",
/// ("stiffness", "N/m") -> "stiffness_N_m".
std::string ColumnName(std::string_view name, std::string_view unit);

}  // namespace slip
