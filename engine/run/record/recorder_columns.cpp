#include "engine/run/record/recorder_columns.h"

#include <iterator>
#include <string>

#include "engine/run/track/event.h"

namespace slip {
namespace {

// clang-format off
constexpr Column kSteps[] = {
    {"step", "Step number, from 1; a row describes the end of its step."},
    {"time_s", "Simulated time, from the step count."},
    {"model", "Method; a second channel of the same one is marked #2. Changes with the method."},
    {"time_step_s", "Time step in force."},
    {"iterations", "Newton iterations."},
    {"line_search_iterations", "Cost evaluations of all line searches."},
    {"momentum_residual", "Scaled residual of the momentum balance, relative."},
    {"condition_number", "Of the Hessian scaled to unit inertia, at convergence."},
    {"cost_J", "Primal cost at convergence."},
    {"contacts", "Contacts in the step's problem."},
    {"sticking", "Contacts that carry load and stick."},
    {"slipping", "Contacts that carry load and slip."},
    {"max_penetration_m", "Largest penetration; 0 when nothing overlaps."},
    {"kinetic_energy_J", "Of all bodies."},
    {"potential_energy_J", "Of gravity, zero at the world origin."},
    {"elastic_energy_J", "Stored by the normal laws."},
    {"dissipated_energy_J", "Lost to friction, damping and the time stepping since the start."},
    {"converged", "1 when the step met the tolerance."},
    {"coulomb_distance_N", "Distance from Coulomb's law of friction with the scene's normal law, largest of the contacts."},
    {"coulomb_distance", "The same of all contacts together over their forces, weighted by inverse inertia."},
    {"wall_us", "Wall time of the step; the one column that is not reproducible."},
};
constexpr Column kBodies[] = {
    {"step", "Step number."}, {"time_s", "Simulated time."}, {"model", "Contact model."},
    {"body", "Name of the body."},
    {"px_m", "Centre of mass, world frame."}, {"py_m", "As px_m."}, {"pz_m", "As px_m; z is up."},
    {"qw", "Unit quaternion, from the body's own frame to the world: a link's, mesh's or cloud's axes as its file names them, not the principal ones."}, {"qx", "As qw."}, {"qy", "As qw."}, {"qz", "As qw."},
    {"vx_m_s", "Velocity of the centre of mass, world frame."}, {"vy_m_s", "As vx_m_s."}, {"vz_m_s", "As vx_m_s."},
    {"wx_rad_s", "Angular velocity, world frame."}, {"wy_rad_s", "As wx_rad_s."}, {"wz_rad_s", "As wx_rad_s."},
};
constexpr Column kJoints[] = {
    {"step", "Step number."}, {"time_s", "Simulated time."}, {"model", "Contact model."},
    {"joint", "Name of the joint; those with one coordinate have a row."},
    {"position", "Angle in rad, or displacement in m."},
    {"velocity", "Its rate, rad/s or m/s."},
    {"torque", "Of the motor at the end of the step, N m or N."},
    {"target", "Position that the motor goes to; nan where a controller gives the torque alone."},
};
constexpr Column kContacts[] = {
    {"step", "Step number."}, {"time_s", "Simulated time."}, {"model", "Contact model."},
    {"contact", "Number of the contact; the same while the same features touch."},
    {"body_a", "Surface; the normal points away from it."},
    {"body_b", "Body on which the forces act."},
    {"px_m", "Contact point, world frame."}, {"py_m", "As px_m."}, {"pz_m", "As px_m."},
    {"nx", "Unit normal from a into b, world frame."}, {"ny", "As nx."}, {"nz", "As nx."},
    {"signed_distance_m", "phi0 + h vn; negative = penetration."},
    {"vn_m_s", "Normal velocity; positive separates."},
    {"vt_m_s", "Slip speed."},
    {"fn_N", "Normal force."},
    {"ft_N", "Friction force."},
    {"mode", "open, stick or slip; spin counts as slip where friction is torsional; estimated: of a recorded run, a share of the pair's net force."},
    {"gliding_offset_m", "Signed distance minus the one at which the normal law alone carries fn."},
    {"gliding_predicted_m", "The model's steady gliding offset at this slip speed and load."},
    {"stiction_tolerance_m_s", "Effective: slip speed of the stick-slip transition."},
    {"stiffness_N_m", "Effective normal stiffness."},
    {"coulomb_distance_N", "How far force and velocity at the end of the step are from Coulomb's friction with the scene's normal law; nan where the method has no inertia to compare them by. It saturates near sqrt(1 + mu^2) fn where a method glides: see the offset."},
    {"coulomb_offset_m", "Where the contact is, less where the scene's normal law gives fn; without force its negative part."},
    {"cone_excess_N", "Friction beyond mu fn."},
    {"dissipation_deficit_W", "Power that Coulomb's friction would take from this slip and this one does not; negative: it takes more."},
    {"coulomb_lag_N", "Friction that belongs to the normal force of another step."},
    {"torque_Nm", "Torque of torsional friction on b about the normal."},
};
// clang-format on

}  // namespace

std::span<const Column> StepColumns() { return kSteps; }
std::span<const Column> BodyColumns() { return kBodies; }
std::span<const Column> JointColumns() { return kJoints; }
std::span<const Column> ContactColumns(bool torsion) {
  return std::span(kContacts).first(std::size(kContacts) - (torsion ? 0 : 1));
}
std::span<const Column> EventColumns() {
  static const std::string kinds = EventKinds() + ".";
  static const Column columns[] = {
      {"step", "Step number before which it happened."},
      {"time_s", "Simulated time."},
      {"model", "Channel; empty = all."},
      {"kind", kinds},
      {"path", "Parameter path, or the name of a body or robot."},
      {"from", "Value before; choices by name."},
      {"to", "Value after."},
      {"note", "Sentence for people."},
  };
  return columns;
}

std::string ColumnName(std::string_view name, std::string_view unit) {
  std::string column(name);
  if (!unit.empty()) column += '_';
  for (const char c : unit) {
    if (c == '^') continue;  // "m/s^2" -> "m_s2"
    column += c == '/' || c == ' ' ? '_' : c;
  }
  return column;
}

}  // namespace slip
