// Rows of a dialect in the syntax of its engine.
#include <fmt/format.h>

#include <initializer_list>

#include "engine/dialect/dialect.h"

namespace slip {
namespace {

constexpr int kDigits = 9;

const DialectRow* FindRow(const DialectRows& rows, std::string_view name) {
  for (const DialectRow& row : rows)
    if (row.name == name) return &row;
  return nullptr;
}

bool HasValue(const DialectRow& row) { return !row.values.empty() || !row.word.empty(); }

std::string Attributes(const DialectRows& rows, std::initializer_list<std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) {
    const DialectRow* row = FindRow(rows, name);
    if (row != nullptr && HasValue(*row))
      text += fmt::format(" {}=\"{}\"", name, row->ValueText(kDigits));
  }
  return text;
}

std::string Mjcf(const DialectRows& rows) {
  return fmt::format("<option{}/>\n<geom{}/>\n", Attributes(rows, {"impratio", "cone"}),
                     Attributes(rows, {"solref", "solimp", "friction", "condim"}));
}

std::string Sdf(const DialectRows& rows) {
  const auto element = [&](std::string_view of, std::string_view name) {
    const DialectRow* row = FindRow(rows, of);
    return row == nullptr || !HasValue(*row)
               ? std::string()
               : fmt::format("<{0}>{1}</{0}>", name, row->ValueText(kDigits));
  };
  return fmt::format(
      "<surface>\n  <contact><ode>{}{}</ode></contact>\n  "
      "<friction><ode>{}{}{}{}</ode></friction>\n</surface>\n",
      element("kp", "kp"), element("kd", "kd"), element("mu", "mu"), element("mu", "mu2"),
      element("slip1", "slip1"), element("slip1", "slip2"));
}

std::string PyBullet(const DialectRows& rows) {
  std::string text = "p.changeDynamics(body, link";
  for (const DialectRow& row : rows) {
    if (row.values.empty()) continue;
    text += fmt::format(", {}={}", row.name == "friction" ? "lateralFriction" : row.name,
                        row.ValueText(kDigits));
  }
  return text + ")\n";
}

std::string Assignments(const DialectRows& rows) {
  std::string text;
  for (const DialectRow& row : rows) {
    if (!HasValue(row)) continue;
    text += fmt::format("{} = {}", row.name, row.ValueText(kDigits));
    if (!row.unit.empty()) text += "  # " + row.unit;
    text += "\n";
  }
  return text;
}

}  // namespace

std::string FormatForEngine(const Dialect& dialect, const DialectRows& rows, std::string_view of) {
  const bool xml = dialect.syntax == DialectSyntax::kMjcf || dialect.syntax == DialectSyntax::kSdf;
  const auto comment = [xml](const std::string& text) {
    return xml ? fmt::format("<!-- {} -->\n", text) : fmt::format("# {}\n", text);
  };
  std::string text = comment(fmt::format("{}: {}", dialect.label, of));
  switch (dialect.syntax) {
    case DialectSyntax::kMjcf:
      text += Mjcf(rows);
      break;
    case DialectSyntax::kSdf:
      text += Sdf(rows);
      break;
    case DialectSyntax::kPyBullet:
      text += PyBullet(rows);
      break;
    case DialectSyntax::kAssignments:
      text += Assignments(rows);
      break;
  }
  for (const DialectRow& row : rows)
    if (!HasValue(row)) text += comment(row.name + ": " + row.note);
  return text;
}

}  // namespace slip
