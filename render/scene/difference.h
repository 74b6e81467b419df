// The picture of a difference: how far the shown models are from the lead, body by body.
#pragma once

#include <array>

#include "render/scene/view_request.h"

namespace slip::render {

/// Ends of the colour scale [m]; the scale is logarithmic, so that it never has to move.
inline constexpr double kLeastDifference = 1e-6, kMostDifference = 0.1;

/// Whether a channel is compared with the lead in this picture: visible, and not the lead.
bool ComparedWithLead(const Snapshot& snapshot, const ViewRequest& request, int channel);

/// Largest |position - position in the lead| of a body over the compared channels [m]; 0 when
/// there is none.
double PositionDifference(const Snapshot& snapshot, const ViewRequest& request, int body);

/// Place of a difference on the colour scale, 0 to 1.
double DifferenceUnit(double metres);
/// Dark blue over grey to yellow: lightness grows with the difference, so that grey prints read
/// too.
Colour DifferenceColour(double metres);

}  // namespace slip::render
