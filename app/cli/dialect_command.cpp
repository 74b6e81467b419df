// dialect: the numbers of one contact in the words of another engine, or the other way round.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/commands.h"
#include "app/cli/first_channel.h"
#include "app/cli/list_rows.h"
#include "app/host/print.h"
#include "engine/core/json_writer.h"
#include "engine/core/param_text.h"
#include "engine/dialect/contact_of_run.h"
#include "engine/dialect/dialect.h"
#include "engine/run/study/run_plan.h"

namespace slip::app {
namespace {

std::string FormatRows(const DialectRows& rows) {
  Rows table = {{"engine", "name", "value", "unit", "keeps", "holds", "note"}};
  for (const DialectRow& row : rows)
    table.push_back({std::string(row.engine), row.name, row.ValueText(), row.unit, row.keeps,
                     std::string(Name(row.exactness)), row.note});
  std::vector<bool> right(table[0].size(), false);
  return FormatTable(table, right);
}

std::string FormatRowsAsJson(const DialectRows& rows) {
  JsonWriter json;
  json.BeginList(false);
  for (const DialectRow& row : rows) {
    json.BeginObject().Text("engine", row.engine).Text("name", row.name);
    if (!row.word.empty()) {
      json.Text("value", row.word);
    } else if (row.values.empty()) {
      json.Key("value").Null();
    } else if (row.values.size() == 1) {
      json.Number("value", row.values.front());
    } else {
      json.Numbers("value", row.values.data(), static_cast<int>(row.values.size()));
    }
    json.Text("unit", row.unit).Text("keeps", row.keeps);
    json.Text("exactness", Name(row.exactness)).Text("note", row.note).EndObject();
  }
  json.EndList();
  return json.Take();
}

void Append(const DialectRows& rows, DialectRows* all) {
  all->insert(all->end(), rows.begin(), rows.end());
}

/// False after the error was printed.
bool Translate(const DialectOptions& options, const DialectContact& contact, DialectRows* rows) {
  const DialectKeep keep = options.keep == "impact" ? DialectKeep::kImpact : DialectKeep::kRest;
  Append(TellState(contact), rows);
  if (options.to == "all") {
    Append(ToSlipscope(contact), rows);
    for (const Dialect& dialect : Dialects()) Append(dialect.to(contact, keep), rows);
    return true;
  }
  if (!options.to.empty()) {
    Append(ToSlipscope(contact), rows);
    Append(FindDialect(options.to)->to(contact, keep), rows);
    return true;
  }
  const Dialect& dialect = *FindDialect(options.from);
  const auto values = ParseDialectValues(dialect, options.values);
  if (!values) {
    PrintErrors(values.errors());
    return false;
  }
  for (const DialectKnob& knob : dialect.knobs)
    rows->push_back({dialect.id,
                     std::string(knob.name),
                     values->find(knob.name)->second,
                     {},
                     {},
                     {},
                     Exactness::kExact,
                     std::string(knob.doc)});
  const DialectContact made = dialect.from(*values, contact, keep, rows);
  Append(ToSlipscope(made), rows);
  return true;
}

}  // namespace

int DialectCommand(const DialectOptions& options) {
  if (options.to.empty() == options.from.empty()) {
    PrintError("dialect takes one of --to and --from", "see 'slipscope list dialects'");
    return kExitUsage;
  }
  if (!options.values.empty() && options.from.empty()) {
    PrintError("--values are those of an engine", "they go with --from");
    return kExitUsage;
  }
  int exit = kExitDone;
  SimulateOptions simulate;
  simulate.scene = options.scene;
  simulate.models = options.model;
  simulate.params = options.params;
  const std::optional<RunPlan> plan = LoadPlan(simulate, &exit);
  if (!plan) return exit;
  const std::optional<Track> track =
      RunFirstChannel(*plan, options.at, "--at takes an earlier moment", &exit);
  if (!track) return exit;
  const auto contact = FindDialectContact(track->sim(), options.contact);
  if (!contact) {
    PrintErrors(contact.errors());
    return kExitInput;
  }
  DialectRows rows;
  if (!Translate(options, contact->numbers, &rows)) return kExitUsage;
  const std::string text =
      options.json ? FormatRowsAsJson(rows)
                   : fmt::format("{} at {} s\n", contact->name, FormatNumber(track->sim().time())) +
                         FormatRows(rows);
  return Print(text) ? kExitDone : kExitFailed;
}

}  // namespace slip::app
