// A record of a step as a row of numbers, which the history keeps: exact, and without what is not
// known.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/sim/simulation.h"

namespace slip {

/// At most so many numbers WriteNumbers writes, found in no time.
std::size_t MostNumbers(const StepRecord& record);
/// So many places WriteNumbers needs.
std::size_t CountNumbers(const StepRecord& record);
/// Writes a record; returns how many numbers it has become.
std::size_t WriteNumbers(const StepRecord& record, double* out);
/// What was written. Members that no number tells are those of a new record.
void ReadNumbers(const double* in, StepRecord* record);
/// StepRecord::state.step of a record that was written.
int64_t StepOfNumbers(const double* in);

}  // namespace slip
