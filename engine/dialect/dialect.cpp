#include "engine/dialect/dialect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "engine/core/param_text.h"
#include "engine/core/quantity_text.h"
#include "engine/dialect/dialect_rows.h"
#include "engine/export/contact_terms.h"

namespace slip {
namespace {

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
  static const std::vector<Dialect> dialects = [] {
    std::vector<Dialect> all = MujocoDialects();
    for (const auto& more : {SpringDialects(), OtherDialects()})
      all.insert(all.end(), more.begin(), more.end());
    return all;
  }();
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

Exactness HoldsOf(const DialectContact& contact) {
  return contact.force_bends       ? Exactness::kAtLoad
         : contact.dissipation > 0 ? Exactness::kAtSpeed
                                   : Exactness::kExact;
}

DialectContact WithLaw(const DialectContact& at, std::optional<double> k, double c, double mu) {
  DialectContact out = at;
  out.k = k;
  out.c = c;
  out.c_t = std::nullopt;
  out.creep_holds = Exactness::kAtLoad;
  out.friction = mu;
  out.torsion = out.dissipation = 0;
  out.before_touch = out.glides = out.near_rigid = out.force_bends = false;
  return out;
}

void WriteLost(const DialectContact& contact, const DialectTakes& takes, DialectWriter* rows) {
  if (contact.dissipation > 0 && !takes.dissipation)
    rows->Lost("dissipation", fmt::format("Hunt & Crossley's law is kept at impacts of {} only",
                                          FormatQuantity(kImpactSpeed, "m/s", 2)));
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
  if (contact.glides && !takes.glide) rows->Lost("glide", "what slides has no gap there");
  if (contact.near_rigid && !takes.near_rigid)
    rows->Lost("near_rigid",
               "the stiffness is what the near-rigid limit leaves of it at this step");
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
