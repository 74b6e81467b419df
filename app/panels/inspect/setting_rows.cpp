#include "app/panels/inspect/setting_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/state/channel_style.h"
#include "engine/core/quantity_text.h"
#include "engine/dialect/contact_of_run.h"

namespace slip::app {
namespace {

/// The contact with the largest normal force, in the dialects' terms.
std::optional<PickedContact> MostLoaded(const Snapshot& snapshot, int channel,
                                        StartMasses* masses) {
  const ChannelFrame& frame = At(snapshot.channels, channel);
  const ContactFrame* most = FindMostLoaded(frame.contacts);
  if (most == nullptr || snapshot.model == nullptr) return std::nullopt;
  const auto found = DescribeContact(*snapshot.model, frame.config, frame.contacts, *most,
                                     masses->Of(snapshot.model));
  if (!found) return std::nullopt;
  return *found;
}

/// Of a recording's engine, by its first word and its cone.
const Dialect* DialectOf(const ForeignMeta& meta) {
  const std::string engine = Lower(meta.engine);
  const auto cone = meta.settings.find("cone");
  const bool pyramid = cone != meta.settings.end() && Lower(cone->second).starts_with("pyramid");
  const Dialect* found = nullptr;
  for (const Dialect& dialect : Dialects()) {
    const std::string_view base = dialect.id.substr(0, dialect.id.find('-'));
    if (engine.find(base) == std::string::npos) continue;
    const bool of_pyramid = dialect.id.find("pyramid") != std::string_view::npos;
    if (found == nullptr || of_pyramid == pyramid) found = &dialect;
  }
  return found;
}

/// Those of its settings that its engine's dialect knows, in our terms.
DialectRows RowsOf(const ForeignRun& run, const std::optional<PickedContact>& at,
                   std::vector<std::string>* notes) {
  const ForeignMeta& meta = run.file().meta;
  const Dialect* dialect = DialectOf(meta);
  if (dialect == nullptr || meta.settings.empty()) {
    notes->push_back(fmt::format(
        "{}: its file says {}.", run.name(),
        dialect == nullptr ? "no engine whose terms are known here" : "nothing of its settings"));
    return {};
  }
  std::string values;
  for (const DialectKnob& knob : dialect->knobs) {
    const auto said = meta.settings.find(std::string(knob.name));
    if (said != meta.settings.end()) values += fmt::format("{}=\"{}\" ", said->first, said->second);
  }
  const auto parsed = ParseDialectValues(*dialect, values);
  if (!parsed || !at) {
    notes->push_back(fmt::format("{}: {}.", run.name(),
                                 parsed
                                     ? "nothing carries load, so its settings have no meaning yet"
                                     : parsed.error().message));
    return {};
  }
  DialectContact numbers = at->numbers;
  if (run.time_step() > 0) numbers.time_step = run.time_step();
  DialectRows lost;
  DialectRows rows = ToSlipscope(dialect->from(*parsed, numbers, DialectKeep::kRest, &lost));
  notes->push_back(fmt::format("{}: by {}; what its file does not say is at its defaults.",
                               run.name(), dialect->label));
  return rows;
}

/// In a cell of seven letters: "0.5", "82.1", "8.21e4", "9.95e-5".
std::string Compact(double value) {
  const double size = std::abs(value);
  if (size == 0 || (size >= 1e-2 && size < 999.5)) return fmt::format("{:.3g}", value);
  std::string text = fmt::format("{:.2e}", value);
  std::size_t e = text.find('e');
  std::string power = text.substr(e + 1);
  text.resize(e);
  if (text.find('.') != std::string::npos) {
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
  }
  const bool below = power.front() == '-';
  power.erase(0, std::min(power.find_first_not_of("+-0"), power.size()));
  return text + (below ? "e-" : "e") + power;
}

void Put(const std::string& id, const std::string& name, std::size_t column, std::size_t columns,
         std::string text, std::vector<SettingRow>* rows) {
  auto row =
      std::find_if(rows->begin(), rows->end(), [&](const SettingRow& r) { return r.id == id; });
  if (row == rows->end()) {
    rows->push_back({id, name, std::vector<std::string>(columns, std::string(kNoSetting))});
    row = rows->end() - 1;
  }
  row->cells[column] = std::move(text);
}

void PutRows(const DialectRows& from, std::size_t column, std::size_t columns,
             std::vector<SettingRow>* rows) {
  for (const DialectRow& row : from) {
    std::string name = row.name;
    std::replace(name.begin(), name.end(), '_', ' ');
    if (!row.unit.empty()) name += " " + row.unit;
    Put(row.name, name, column, columns,
        row.values.size() == 1 ? Compact(row.values.front()) : row.ValueText(3), rows);
  }
}

}  // namespace

SettingTable CompareSettings(const Session& session, StartMasses* masses) {
  SettingTable table;
  const Snapshot& snapshot = session.written().snapshot();
  const int channels = session.channel_count();
  const ForeignRuns& foreign = session.files().foreign();
  const auto columns = static_cast<std::size_t>(channels + foreign.count());
  std::optional<PickedContact> lead;
  for (int c = 0; c < channels; ++c) {
    table.columns.push_back({session.looks().Name(c), StyleOf(session, c)});
    const auto column = static_cast<std::size_t>(c);
    Put("time_step", "time step s", column, columns,
        Compact(session.frame(c).config.step.time_step), &table.rows);
    const std::optional<PickedContact> contact = MostLoaded(snapshot, c, masses);
    if (contact) PutRows(ToSlipscope(contact->numbers), column, columns, &table.rows);
    if (contact && (!lead || c == session.looks().lead())) lead = contact;
  }
  for (int i = 0; i < foreign.count(); ++i) {
    const ForeignRun& run = foreign.run(i);
    const auto column = static_cast<std::size_t>(channels + i);
    table.columns.push_back({run.name(), ForeignStyle(i)});
    if (run.time_step() > 0)
      Put("time_step", "time step s", column, columns, Compact(run.time_step()), &table.rows);
    PutRows(RowsOf(run, lead, &table.notes), column, columns, &table.rows);
  }
  for (SettingRow& row : table.rows) {
    const auto has = std::count_if(row.cells.begin(), row.cells.end(),
                                   [](const std::string& cell) { return cell != kNoSetting; });
    row.agrees = has == static_cast<std::ptrdiff_t>(row.cells.size()) && has > 1 &&
                 std::all_of(row.cells.begin(), row.cells.end(),
                             [&](const std::string& cell) { return cell == row.cells.front(); });
  }
  table.words = lead ? fmt::format("In our terms, for {} at {}.", lead->name,
                                   FormatQuantity(lead->numbers.fn, "N"))
                     : "In our terms. Nothing carries load at this moment.";
  return table;
}

}  // namespace slip::app
