// Contact problems in FCLIB's form, made here: as messages, and as HDF5 files.
#pragma once

#include <string>
#include <vector>

#include "engine/fclib/fclib_message.h"

namespace slip::test {

/// Whether this build can write them.
bool CanWriteFclib();
/// Groups, arrays and title of the message as an HDF5 file.
void WriteFclib(const FclibMessage& message, const std::string& path);

/// Dense matrix in triplets, zeros left out.
void AddTriplets(const std::string& group, const std::vector<std::vector<double>>& rows,
                 FclibMessage* message);

/// A ball of 2 kg over the ground, which one contact holds up: three coordinates, so no spin. Its
/// free motion is (1, 0, -0.1).
FclibMessage SlidingPoint(double mu);

/// A column of bodies with six coordinates each, four contacts between neighbours: more than hold
/// it. The upper ones slide.
FclibMessage Column(int bodies, double mu);

}  // namespace slip::test
