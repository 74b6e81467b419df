// One contact's numbers in the words of other engines, both ways. Pure functions: nothing goes from
// name to name, all goes through the springs, dampers and limits of DialectContact.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace slip {

/// What a number is good for beyond the state in which it was translated.
enum class Exactness : int { kExact, kAtLoad, kAtSpeed, kAtStep, kNone };
/// "exact", "at this load", ..., "none".
std::string_view Name(Exactness exactness);

/// A contact between all languages, and the state in which it is translated.
struct DialectContact {
  std::optional<double> k;    ///< spring at this load [N/m]; none = rigid
  double c = 0;               ///< damper beside it [N s/m]
  std::optional<double> c_t;  ///< damper along the surface of a contact that sticks, at this load
                              ///< [N s/m]; none = it does not creep
  Exactness creep_holds = Exactness::kAtLoad;  ///< of c_t
  double friction = 0;                         ///< mu [-]
  double torsion = 0;                          ///< largest torque over normal force [m]
  double dissipation = 0;     ///< Hunt & Crossley d [s/m]; c is then that of one impact speed
  bool before_touch = false;  ///< spring and damper act from a gap on, as SAP's do
  bool glides = false;        ///< it slides with a gap, as SAP and Similar do
  bool near_rigid = false;    ///< k is what the near-rigid limit leaves of a larger one
  bool force_bends = false;   ///< k is that of this load only: Hertz, barriers

  bool slides = false;      ///< now: c_t is then that of a small friction force
  double fn = 0, ft = 0;    ///< [N]
  double inverse_mass = 1;  ///< of both bodies, as other engines weigh them: A [1/kg]
  double w = 1;             ///< the same as our models do: RMS of the Delassus block [1/kg]
  double time_step = 1e-3;  ///< [s]
  int points = 1;           ///< contacts that the two bodies have
  bool boxes = false;       ///< both shapes are boxes
};

/// Creep of a sticking contact under its load [m/s]; 0 where it does not creep.
double CalcCreep(const DialectContact& contact);

struct DialectRow {
  std::string_view engine;     ///< id, or "slipscope"
  std::string name;            ///< of the parameter there
  std::vector<double> values;  ///< one, or a list; empty = there is none, or a word
  std::string word;            ///< value that is no number
  std::string unit;
  std::string keeps;  ///< letters: R rest depth, I impact, C creep, G glide, L friction limit
  Exactness exactness = Exactness::kExact;
  std::string note;

  /// "-990 -29.7", the word, or a dash.
  std::string ValueText(int digits = 6) const;
};
using DialectRows = std::vector<DialectRow>;

/// Where one number cannot keep both.
enum class DialectKeep : int { kRest, kImpact };

/// One parameter of an engine as --values takes it.
struct DialectKnob {
  std::string_view name;
  std::vector<double> normal;  ///< default; its length is the most that are taken
  std::string_view doc;
};
using DialectValues = std::map<std::string, std::vector<double>, std::less<>>;

/// How an engine's files or calls write its numbers.
enum class DialectSyntax : int {
  kAssignments,  ///< name = value, a line each
  kMjcf,         ///< elements option and geom
  kSdf,          ///< element surface
  kPyBullet      ///< arguments of changeDynamics
};

struct Dialect {
  std::string_view id;       ///< of --to and --from: "mujoco"
  std::string_view label;    ///< "MuJoCo, elliptic cones"
  std::string_view checked;  ///< what its rows were held to: "libmujoco 2.2.2"
  std::vector<DialectKnob> knobs;
  DialectRows (*to)(const DialectContact& contact, DialectKeep keep);
  /// The law of these values under the load of `at`; rows say what has no equivalent here.
  DialectContact (*from)(const DialectValues& values, const DialectContact& at, DialectKeep keep,
                         DialectRows* rows);
  DialectSyntax syntax = DialectSyntax::kAssignments;
};

/// THE TABLE of dialects, in the order of the help.
std::span<const Dialect> Dialects();
/// Null when there is none of that id.
const Dialect* FindDialect(std::string_view id);

/// 'solref="0.02 1" impratio=10' over the defaults of the dialect. Errors: an unknown name, too
/// many numbers, no number.
Result<DialectValues> ParseDialectValues(const Dialect& dialect, std::string_view text);

/// Rows of a dialect as that engine reads them, with what has no equivalent in comments. `of` says
/// whose numbers they are.
std::string FormatForEngine(const Dialect& dialect, const DialectRows& rows, std::string_view of);

/// The contact in the terms of our own models. Values outside a parameter's range say so.
DialectRows ToSlipscope(const DialectContact& contact);
/// Loads, masses, step: the state that all rows hold at.
DialectRows TellState(const DialectContact& contact);

}  // namespace slip
