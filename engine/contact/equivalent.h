// Parameters of different models that have the same effect: damping by the energy that an impact
// loses, friction regularisation by the creep under a load (engine/README.md 2, 3, 6).
#pragma once

namespace slip {

/// Restitution of a free impact at speed v [m/s] under Hunt & Crossley's force
/// f = F(x)(1 + d xdot)+, whatever the mass and F: with u the speed, m u du = -F(x)(1 + d u) dx
/// integrates to  ln(1 + d v) - d v = ln(1 - d e v) + d e v.  1 without dissipation d [s/m].
double CalcHuntCrossleyRestitution(double d, double v);
/// The dissipation [s/m] with this restitution 0 < e <= 1 at speed v > 0 [m/s].
double CalcHuntCrossleyDissipation(double restitution, double v);

/// Restitution of a free impact of mass m [kg] under f = k (x + tau xdot)+, at any speed. The force
/// begins before the bodies touch, at a gap of tau v, and ends before the overlap does. In between
/// x + tau xdot swings for half a period from 0 to 0: with zeta = tau/2 sqrt(k/m)
/// e = exp(-pi zeta/sqrt(1 - zeta^2)), and nothing is left from critical damping on.
double CalcKelvinVoigtRestitution(double tau, double k, double m);
/// The least relaxation time [s] with this restitution 0 <= e <= 1 for stiffness k [N/m] and mass
/// m [kg].
double CalcKelvinVoigtRelaxation(double restitution, double k, double m);

/// The same where the damper acts from the touch on, as in contacts with anchors: f = (k x + b
/// xdot)+ where x > 0, b = k tau. With zeta = cos(a):  e = exp(-2 a cot a), beyond critical damping
/// zeta = cosh(a):  e = exp(-2 a coth a).
double CalcTouchDampingRestitution(double tau, double k, double m);
/// The relaxation time b/k [s] with this restitution 0 < e <= 1.
double CalcTouchDampingRelaxation(double restitution, double k, double m);

/// Period 2 pi sqrt(m/k) of a contact of stiffness k [N/m] under mass m [kg], in seconds.
double CalcContactPeriod(double k, double m);

/// The friction of a sticking contact: the impulse mu gamma_n, the share r = f_t/(mu f_n) of it in
/// use, 0 <= r < 1, and the tangential compliance per unit of sigma, R_t/sigma [1/kg].
struct StictionLoad {
  double limit = 0;       ///< mu gamma_n [N s]
  double used = 0;        ///< r
  double compliance = 0;  ///< w for SAP
};
/// Stiction tolerance v_s [m/s] whose creep v_s r/sqrt(1 - r^2) is the creep sigma R r mu gamma_n
/// of a friction regularisation sigma. For small r also the same tolerance mu sigma R gamma_n.
double CalcEquivalentStictionTolerance(double sigma, const StictionLoad& load);
/// The inverse: sigma for a stiction tolerance [m/s].
double CalcEquivalentRegularization(double stiction_tolerance, const StictionLoad& load);

}  // namespace slip
