// The line that a Newton step goes along, v + alpha dv, on the true cost.
#pragma once

#include "engine/convex/newton.h"
#include "engine/solver/line_search.h"

namespace slip {

/// The largest feasible part of the contacts' steps up to `most`: barriers end a line before the
/// overlap.
double CapStep(IslandSystem* system, const Island& island, double most);

class NewtonLine {
 public:
  /// From `here`, the point at system->v(), along system->dv() with this slope; the contacts' steps
  /// are up to date.
  NewtonLine(IslandSystem* system, const Island& island, const IslandPoint& here, double slope,
             bool dual);

  /// The point at v + alpha dv. Leaves everything as it is.
  LinePoint Look(double alpha) const;
  /// The same at alpha = 1, by way of the contacts' values there: their velocities and values are
  /// then those of the full step, which is what most lines end with. Not beyond a barrier.
  bool MayTakeFull() const { return reached_ != 1 && !system_->passes().barrier; }
  LinePoint TakeFull();
  /// Goes to v + alpha dv. True where the contacts' values are those of it.
  bool Take(double alpha);

  double CapStep(double most) const { return slip::CapStep(system_, island_, most); }
  const LinePoint& start() const { return start_; }
  /// Samples of the line on which a search chose `alpha`.
  SearchLine Sample(double alpha) const;

 private:
  /// Inertia and scalars alone.
  LinePoint LookPastContacts(double alpha) const;

  IslandSystem* system_;
  const Island& island_;
  bool dual_;
  ContactWork* work_;
  const void* frozen_;
  LinePoint start_;
  LinePoint inertia_;   // cost, slope and curvature of the inertia at the start
  double reached_ = 0;  // v_c is that of v + reached dv
};

}  // namespace slip
