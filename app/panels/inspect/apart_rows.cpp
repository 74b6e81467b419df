#include "app/panels/inspect/apart_rows.h"

namespace slip::app {
namespace {

ForeignDifference ToLead(const Session& session, int column) {
  const int lead = session.looks().lead(), foreign = column - session.channel_count();
  if (column == lead) return {};
  return foreign < 0 ? session.files().foreign().Between(column, lead)
                     : session.files().foreign().Difference(foreign, lead);
}

constexpr ApartRow kApartRows[] = {
    {"1 mm apart first at", "apart_s", "s",
     "When some body was first 1 mm away from where the lead has it, of what was on the screen.", 1,
     3, [](const Session& s, int c) { return ToLead(s, c).apart; }},
    {"Position, rms", "position_rms_mm", "mm",
     "Distance of all bodies from where the lead has them, root mean square.", 1e3, -3,
     [](const Session& s, int c) { return ToLead(s, c).position_rms; }},
    {"Angle, rms", "angle_rms_deg", "°", "The same of how they are turned.", 57.29577951308232, -3,
     [](const Session& s, int c) { return ToLead(s, c).angle_rms; }},
    {"Momentum defect", "momentum_defect_N", "N",
     "Largest sum of the forces that a recording gives, minus what its motion needs: a wrong "
     "sign, frame or time shows here.",
     1, -3,
     [](const Session& s, int c) {
       const int foreign = c - s.channel_count();
       return foreign < 0 ? kNaN : s.files().foreign().forces(foreign).defect_max;
     }},
};

}  // namespace

std::span<const ApartRow> ApartRows(const Session& session) {
  if (session.files().foreign().count() == 0) return {};
  return kApartRows;
}

}  // namespace slip::app
