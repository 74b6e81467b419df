// Curves that are worked out of the session's, for the plots.
#pragma once

#include "app/plots/contact_curves.h"
#include "app/plots/difference.h"
#include "app/plots/foretold.h"

namespace slip::app {

struct PlotSources {
  DifferenceStore differences;   ///< of models minus the lead
  ForetoldForces foretold;       ///< while the run rests
  ContactCurves contact_curves;  ///< of plots of one contact
};

}  // namespace slip::app
