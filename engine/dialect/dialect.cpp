#include "engine/dialect/dialect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "engine/core/param_text.h"
#include "engine/core/quantity_text.h"
#include "engine/dialect/dialect_rows.h"

namespace slip {
namespace {

constexpr double kRigid = 1e18;

const std::vector<DialectKnob>& MujocoKnobs() {
  static const std::vector<DialectKnob> knobs = {
      {"solref", {0.02, 1}, "time constant and damping ratio, or -stiffness -damping"},
      {"solimp", {0.9, 0.95, 1e-3, 0.5, 2}, "impedance: d0, dwidth, width, midpoint, power"},
      {"friction", {1, 0.005, 1e-4}, "sliding, torsional, rolling, of the pair"},
      {"condim", {3}, "1, 3, 4 or 6"},
      {"impratio", {1}, "friction over normal impedance"},
      {"noslip_iterations", {0}, "sweeps against creep"},
      {"refsafe", {1}, "0: time constants below two steps are taken as they are"}};
  return knobs;
}

/// Engines of games and of learning.
std::vector<Dialect> MakeCompliantDialects() {
  return {
      {"physx",
       "PhysX and Isaac, compliant contact",
       "documentation",
       {{"restitution", {0}, "a negative one is a stiffness"},
        {"damping", {0}, ""},
        {"accelerationSpring", {0}, "1: both are per unit of mass"},
        {"staticFriction", {0.5}, ""},
        {"dynamicFriction", {0.5}, ""}},
       ToPhysx,
       FromPhysx},
      {"box2d",
       "Box2D 3, Box3D; Rapier alike",
       "documentation",
       {{"contactHertz", {30}, ""},
        {"contactDampingRatio", {10}, ""},
        {"friction", {0.6}, ""},
        {"restitution", {0}, ""}},
       ToBox2d,
       FromBox2d},
      {"newton",
       "Newton, SemiImplicit",
       "source",
       {{"ke", {1e4}, ""},
        {"kd", {1e2}, ""},
        {"kf", {1e3}, ""},
        {"mu", {0.5}, ""},
        {"ka", {0}, ""}},
       ToNewton,
       FromNewton},
      {"vbd",
       "Newton, VBD",
       "source",
       {{"ke", {1e4}, ""}, {"kd", {1e2}, ""}, {"mu", {0.5}, ""}, {"friction_epsilon", {1e-2}, ""}},
       ToVbd,
       FromVbd}};
}

std::vector<Dialect> MakeDialects() {
  std::vector<Dialect> all = {
      {"mujoco", "MuJoCo, elliptic cones", "libmujoco 2.2.2", MujocoKnobs(), ToMujoco, FromMujoco},
      {"mujoco-pyramidal", "MuJoCo, pyramids (its default)", "libmujoco 2.2.2", MujocoKnobs(),
       ToMujocoPyramid, FromMujocoPyramid},
      {"ode",
       "ODE",
       "ODE 0.16.2",
       {{"soft_erp", {0.2}, "error reduction"},
        {"soft_cfm", {1e-10}, "constraint force mixing"},
        {"slip", {0}, "slip1 and slip2; 0 = flags off"},
        {"mu", {0.5}, ""},
        {"bounce", {0}, ""}},
       ToOde,
       FromOde},
      {"sdf",
       "SDF, as Gazebo Classic hands it to ODE",
       "documentation",
       {{"kp", {1e12, 1e12}, "of both surfaces"},
        {"kd", {1, 1}, "of both surfaces"},
        {"mu", {1, 1}, "of both surfaces"},
        {"slip1", {0}, ""}},
       ToSdf,
       FromSdf},
      {"bullet",
       "Bullet, sequential impulse",
       "Bullet 3.24",
       {{"contactStiffness", {kRigid, kRigid}, "of both bodies"},
        {"contactDamping", {0.1, 0.1}, "of both bodies"},
        {"contactERP", {0.2}, "of a contact without stiffness"},
        {"contactCFM", {0}, "of a contact without stiffness"},
        {"friction", {0.5, 0.5}, "of both bodies"},
        {"restitution", {0}, "of both, multiplied"}},
       ToBullet,
       FromBullet},
      {"drake",
       "Drake, point contact",
       "documentation",
       {{"point_contact_stiffness", {1e6, 1e6}, "of both bodies"},
        {"relaxation_time", {0.1, 0.1}, "of both bodies, sap"},
        {"hunt_crossley_dissipation", {0, 0}, "of both bodies, similar and lagged"},
        {"dynamic_friction", {0.5, 0.5}, "of both bodies"},
        {"stiction_tolerance", {1e-3}, "similar and lagged"}},
       ToDrake,
       FromDrake}};
  for (Dialect& dialect : MakeCompliantDialects()) all.push_back(std::move(dialect));
  return all;
}

/// "solref", and its text: up to a blank, or between quotes. False at the end, or where none
/// begins.
bool TakePair(std::string_view* text, std::string* name, std::string* value) {
  const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text->empty() && blank(text->front())) text->remove_prefix(1);
  const std::size_t equals = text->find('=');
  if (equals == text->npos) return false;
  *name = std::string(text->substr(0, equals));
  text->remove_prefix(equals + 1);
  const char quote =
      !text->empty() && (text->front() == '"' || text->front() == '\'') ? text->front() : '\0';
  if (quote != '\0') text->remove_prefix(1);
  std::size_t end = 0;
  while (end < text->size() && ((*text)[end] != quote) && (quote != '\0' || !blank((*text)[end])))
    ++end;
  *value = std::string(text->substr(0, end));
  text->remove_prefix(std::min(text->size(), end + (quote != '\0' ? 1 : 0)));
  return true;
}

Result<std::vector<double>> ReadNumbers(const std::string& name, std::string text,
                                        std::size_t most) {
  std::replace(text.begin(), text.end(), ',', ' ');
  std::vector<double> numbers;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(" \t", at)) != text.npos) {
    const std::size_t end = std::min(text.size(), text.find_first_of(" \t", at));
    const Result<double> number = ParseQuantity(text.substr(at, end - at), "");
    if (!number)
      return Error{
          fmt::format("{} of --values: '{}' is no number", name, text.substr(at, end - at))};
    numbers.push_back(*number);
    at = end;
  }
  if (numbers.empty() || numbers.size() > most)
    return Error{fmt::format("{} of --values takes {} (found '{}')", name,
                             most == 1 ? "a number" : fmt::format("1 to {} numbers", most), text)};
  return numbers;
}

}  // namespace

std::string_view Name(Exactness exactness) {
  switch (exactness) {
    case Exactness::kExact:
      return "exact";
    case Exactness::kAtLoad:
      return "at this load";
    case Exactness::kAtSpeed:
      return "at this speed";
    case Exactness::kAtStep:
      return "at this step";
    case Exactness::kNone:
      break;
  }
  return "none";
}

std::string DialectRow::ValueText(int digits) const {
  if (!word.empty()) return word;
  std::string text;
  for (const double value : values)
    text += fmt::format("{}{:.{}g}", text.empty() ? "" : " ", value, digits);
  return text.empty() ? "–" : text;
}

double CalcCreep(const DialectContact& contact) {
  return contact.c_t && *contact.c_t > 0 && !contact.slides ? contact.ft / *contact.c_t : 0;
}

std::span<const Dialect> Dialects() {
  static const std::vector<Dialect> dialects = MakeDialects();
  return dialects;
}

const Dialect* FindDialect(std::string_view id) {
  const std::span<const Dialect> all = Dialects();
  const auto at =
      std::find_if(all.begin(), all.end(), [id](const Dialect& d) { return d.id == id; });
  return at == all.end() ? nullptr : &*at;
}

Result<DialectValues> ParseDialectValues(const Dialect& dialect, std::string_view text) {
  DialectValues values;
  std::vector<std::string_view> names;
  for (const DialectKnob& knob : dialect.knobs) {
    values.emplace(knob.name, knob.normal);
    names.push_back(knob.name);
  }
  std::string name, value;
  while (TakePair(&text, &name, &value)) {
    const auto at = values.find(name);
    if (at == values.end())
      return Error{.message = fmt::format("{} has no '{}'", dialect.id, name),
                   .hint = DidYouMean(name, names)};
    const Result<std::vector<double>> numbers = ReadNumbers(name, value, at->second.size());
    if (!numbers) return numbers.errors();
    // fewer than there are: the rest stays as it is, but of two alike bodies
    const bool twins = at->second.size() == 2 && at->second[0] == at->second[1];
    if (twins && numbers->size() == 1) at->second = {numbers->front(), numbers->front()};
    std::copy(numbers->begin(), numbers->end(), at->second.begin());
  }
  if (text.find_first_not_of(" \t") != text.npos)
    return Error{.message = fmt::format("--values: '{}' is no NAME=NUMBERS", text),
                 .hint = "as in 'solref=\"0.02 1\" impratio=10'"};
  return values;
}

double ValueOf(const DialectValues& values, std::string_view name, std::size_t i) {
  const auto at = values.find(name);
  return at != values.end() && i < at->second.size() ? at->second[i] : 0;
}

void WriteLost(const DialectContact& contact, const DialectTakes& takes, DialectWriter* rows) {
  if (contact.dissipation > 0 && !takes.dissipation)
    rows->Lost("dissipation", fmt::format("Hunt & Crossley's law is kept at impacts of {} only",
                                          FormatQuantity(kDialectSpeed, "m/s", 2)));
  if (contact.c_t && !takes.creep) {
    const double creep = CalcCreep(contact);
    rows->Lost("creep", creep > 0
                            ? fmt::format("a contact that sticks creeps by {} here, not there",
                                          FormatQuantity(creep, "m/s"))
                            : "under load a contact that sticks creeps here, not there");
  }
  if (contact.torsion > 0 && !takes.torsion)
    rows->Lost("torsional friction", "no number there that means the same");
  if (contact.before_touch && !takes.before_touch)
    rows->Lost("before touch",
               "the force begins at the touch there, here a gap of tau v before it");
  if (contact.force_bends)
    rows->Lost("normal law", "a linear spring there: it is that of this load");
}

DialectRows TellState(const DialectContact& contact) {
  DialectWriter rows("state");
  rows.Number(
      "normal force", contact.fn, "N", "", Exactness::kExact,
      contact.points > 1 ? fmt::format("of one of {} contacts of the two", contact.points) : "");
  rows.Number("friction force", contact.ft, "N", "", Exactness::kExact,
              contact.slides ? "it slides: what is said of creep is that of a small force" : "");
  rows.Number("inverse mass", contact.inverse_mass, "1/kg", "", Exactness::kExact,
              "of both bodies, as engines with an average weigh them");
  rows.Number("w", contact.w, "1/kg", "", Exactness::kExact, "the same at the contact point");
  rows.Number("time_step", contact.time_step, "s", "", Exactness::kExact);
  return rows.Take();
}

}  // namespace slip
