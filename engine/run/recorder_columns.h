// The columns of the CSV files, each with the sentence that meta.json gives for it.
#pragma once

#include <span>
#include <string_view>

namespace slip {

struct Column {
  std::string_view name;  ///< with unit, e.g. "fn_N"
  std::string_view doc;
};

std::span<const Column> StepColumns();
std::span<const Column> BodyColumns();
std::span<const Column> ContactColumns();
std::span<const Column> EventColumns();

}  // namespace slip
