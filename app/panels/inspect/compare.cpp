// Compare: one column per channel, one row per metric, over the time that is shown.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/kit/widgets.h"
#include "app/panels/common/tab.h"
#include "app/panels/curves/plot_this.h"
#include "app/panels/inspect/apart_rows.h"
#include "app/panels/inspect/tables.h"
#include "app/state/channel_style.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

enum class Kind { kNow, kMax, kMean, kError };

struct Metric {
  const char* label;  ///< rich text
  const char* plain;  ///< for CSV
  Signal signal;
  Kind kind;
  const char* unit;  ///< of files, and of rows with fixed decimals
  double factor;     ///< shown units per SI unit
  int decimals;      ///< negative: significant digits
};

constexpr Metric kMetrics[] = {
    {"Gap", "gap_mm", Signal::kSignedDistance, Kind::kNow, "mm", 1e3, 3},
    {"Gliding offset", "gliding_offset_mm", Signal::kGlidingOffset, Kind::kNow, "mm", 1e3, 3},
    {"  predicted", "gliding_predicted_mm", Signal::kGlidingPredicted, Kind::kNow, "mm", 1e3, 3},
    {"Slip speed", "slip_speed_m_s", Signal::kSlipSpeed, Kind::kNow, "m/s", 1, -3},
    {"Creep predicted", "creep_predicted_mm_s", Signal::kCreepPredicted, Kind::kNow, "mm/s", 1e3,
     -3},
    {"Penetration", "penetration_um", Signal::kPenetration, Kind::kNow, "µm", 1e6, 2},
    {"f_n", "normal_force_N", Signal::kNormalForce, Kind::kNow, "N", 1, 3},
    {"f_n, max", "normal_force_max_N", Signal::kNormalForce, Kind::kMax, "N", 1, 2},
    {"Kinetic energy", "kinetic_energy_mJ", Signal::kKineticEnergy, Kind::kNow, "mJ", 1e3, -3},
    {"Potential energy", "potential_energy_mJ", Signal::kPotentialEnergy, Kind::kNow, "mJ", 1e3,
     -3},
    {"Elastic energy", "elastic_energy_mJ", Signal::kElasticEnergy, Kind::kNow, "mJ", 1e3, -3},
    {"Drive work", "drive_work_mJ", Signal::kDriveWork, Kind::kNow, "mJ", 1e3, -3},
    {"Friction loss", "friction_dissipation_mJ", Signal::kFrictionDissipation, Kind::kNow, "mJ",
     1e3, -3},
    {"Damping loss", "damping_dissipation_mJ", Signal::kDampingDissipation, Kind::kNow, "mJ", 1e3,
     -3},
    {"Numerical loss", "numerical_dissipation_mJ", Signal::kNumericalDissipation, Kind::kNow, "mJ",
     1e3, -3},
    {"Iterations, mean", "iterations_mean", Signal::kIterations, Kind::kMean, "", 1, 2},
    {"Iterations, max", "iterations_max", Signal::kIterations, Kind::kMax, "", 1, 0},
    {"Condition, max", "condition_number_max", Signal::kConditionNumber, Kind::kMax, "", 1, -3},
    {"x − reference, rms", "x_error_rms_mm", Signal::kPositionX, Kind::kError, "mm", 1e3, -3},
    {"z − reference, rms", "z_error_rms_mm", Signal::kPositionZ, Kind::kError, "mm", 1e3, -3},
    {"f_n − reference, rms", "normal_force_error_rms_N", Signal::kNormalForce, Kind::kError, "N", 1,
     -3},
    {"Step time, mean", "step_time_mean_us", Signal::kStepTimeUs, Kind::kMean, "µs", 1, 0},
};

/// Where the model that is in force at this moment began in the channel [s]: steps of another model
/// are not its own.
double BeginOf(const Session& session, int channel, double until) {
  double begin = session.series().start();
  for (const MethodRun& run : session.series().Runs(channel)) {
    if (run.from <= until + 1e-9) begin = std::max(begin, run.from);
  }
  return begin;
}

double MeanOf(const SeriesView& view, double from, double until) {
  // The last thousand samples say as much about a mean and cost less on every frame.
  const std::size_t end = std::min(view.size(), view.LowerBound(until + 1e-9));
  const std::size_t begin =
      std::max(view.LowerBound(from - 1e-9), end > 1000 ? end - 1000 : std::size_t{0});
  if (begin >= end) return kNaN;
  double sum = 0;
  // the start state has no solve behind it
  int count = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const auto value = static_cast<double>(view.ValueAt(i));
    if (std::isnan(value)) continue;
    sum += value;
    ++count;
  }
  return count > 0 ? sum / count : kNaN;
}

double Value(const Session& session, int channel, const Metric& metric,
             DifferenceStore* differences) {
  if (!session.looks().Begun(channel)) return kNaN;
  if (metric.kind == Kind::kNow) {
    return At(session.written().frame(channel).signals, metric.signal);
  }
  if (metric.kind == Kind::kError) {
    return differences
        ->Against(session.series(), channel, session.reference().series(), metric.signal)
        .Rms();
  }
  const SeriesView view = session.series().View(channel, metric.signal);
  const double now = session.written().time();
  const double from = BeginOf(session, channel, now);
  if (metric.kind == Kind::kMean) return MeanOf(view, from, now);
  const MinMax range = view.Query(from, session.written().until());
  return range.empty() ? kNaN : static_cast<double>(range.max);
}

/// The same of a recorded run.
double ForeignValue(const Session& session, int index, const Metric& metric) {
  const SeriesView view = session.files().foreign().series(index).View(0, metric.signal);
  const double now = session.written().time();
  if (metric.kind == Kind::kNow) return view.empty() || view.IsOver(now) ? kNaN : view.At(now);
  if (metric.kind != Kind::kMax) return kNaN;
  const MinMax range = view.Query(-kInfinity, now + 1e-9);
  return range.empty() ? kNaN : static_cast<double>(range.max);
}

/// Columns: the channels, then recorded runs.
int ColumnCount(const Session& session) {
  return session.channel_count() + session.files().foreign().count();
}
double ColumnValue(const Session& session, int column, const Metric& metric,
                   DifferenceStore* differences) {
  const int foreign = column - session.channel_count();
  return foreign < 0 ? Value(session, column, metric, differences)
                     : ForeignValue(session, foreign, metric);
}

/// Errors need something to be measured against.
bool Listed(const Session& session, const Metric& metric) {
  return metric.kind != Kind::kError || session.reference().series().channels() > 0;
}

/// A row on the screen: one unit for all channels. Rows of fixed decimals keep theirs, so that
/// running numbers stand still; the others take the prefix of their largest value.
struct Row {
  std::string unit;
  double factor;  ///< units per SI unit
};

Row RowOf(const Session& session, const Metric& metric, DifferenceStore* differences) {
  const SignalInfo& info = slip::Info(metric.signal);
  if (metric.decimals >= 0 || !TakesPrefix(info.unit)) return {metric.unit, metric.factor};
  double largest = 0;
  for (int i = 0; i < ColumnCount(session); ++i) {
    const double value = AboveNoise(metric.signal, ColumnValue(session, i, metric, differences));
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return {SplitQuantity(largest, info.unit).unit, DisplayFactor(largest, info.unit)};
}

/// In `room` pixels; powers of ten lose figures before they lose their neighbour's room.
std::string Fitted(double value, int decimals, float room) {
  std::string text =
      decimals < 0 ? FormatSignificant(value, -decimals) : FormatFixed(value, decimals);
  for (int digits = 3; digits > 0 && MeasureRich(AsRich(text), Role::kValue).x > room; --digits)
    text = FormatSignificant(value, digits);
  return AsRich(text);
}

std::string Shown(const Metric& metric, const Row& row, double value, float room) {
  if (!std::isfinite(value)) return "–";
  return Fitted(AboveNoise(metric.signal, value) * row.factor, metric.decimals, room);
}

/// Of which time the numbers are.
std::string WhenText(const Session& session) {
  const double now = session.written().time();
  std::string when = "at t = " + FormatQuantity(now, "s", 4);
  for (int i = 0; i < session.channel_count(); ++i) {
    const double begin = BeginOf(session, i, now);
    if (begin > session.series().start() && session.looks().Begun(i))
      when += fmt::format(", {} since {}", session.looks().Name(i), FormatQuantity(begin, "s", 4));
  }
  // long runs forget their first samples
  if (const auto begin = session.series().Begin())
    when += ", largest and mean values since " + FormatQuantity(*begin, "s", 4);
  if (!session.written().snapshot().live) when += ", largest values of all that was recorded";
  return when;
}

void DrawHeads(const Session& session) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  for (int i = 0; i < ColumnCount(session); ++i) {
    const int foreign = i - session.channel_count();
    ImGui::TableNextColumn();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    DrawMark(ImGui::GetWindowDrawList(),
             ImVec2(at.x + ImGui::GetContentRegionAvail().x - Px(6), at.y + Px(9)),
             foreign < 0 ? StyleOf(session, i) : ForeignStyle(foreign), 5);
    ImGui::Dummy(ImVec2(1, Px(18)));
    if (ImGui::IsItemHovered()) {
      Tooltip(foreign < 0 ? session.looks().Name(i)
                          : LiteralRich(session.files().foreign().run(foreign).name()));
    }
  }
}

/// Name and unit of a metric.
void DrawMetric(const Metric& metric, const Row& row, PlotsState* plots) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  // a number without its unit is none: the name gives way
  const float unit = row.unit.empty() ? 0 : MeasureRich(row.unit, Role::kCaption).x + Px(4);
  // smaller letters before fewer
  const bool long_name = MeasureRich(metric.label, Role::kLabel).x > room - unit;
  const Role role = long_name ? Role::kCaption : Role::kLabel;
  const float used =
      DrawRich(list, at, EllipsizeRich(metric.label, role, room - unit), role, Color(Token::kText));
  if (!row.unit.empty()) {
    DrawRich(list, ImVec2(at.x + used + Px(4), at.y + Px(1)), row.unit, Role::kCaption,
             Color(Token::kText3));
  }
  RegisterWidget(std::string("compare/unit/") + metric.plain, at,
                 ImVec2(at.x + room, at.y + Px(17)), used + unit > room + 0.5f, row.unit);
  ImGui::Dummy(ImVec2(room, Px(17)));
  PlotThisMenu(std::string("compare/") + metric.plain, metric.signal, plots);
  Tooltip(row.unit.empty() ? std::string(metric.label)
                           : std::string(metric.label) + " [" + row.unit + "]");
}

void DrawCell(const std::string& id, const std::string& text, float cell, std::string_view why) {
  const float w = MeasureRich(text, Role::kValue).x;
  const ImVec2 c = ImGui::GetCursorScreenPos();
  DrawRich(ImGui::GetWindowDrawList(), ImVec2(c.x + ImGui::GetContentRegionAvail().x - w, c.y),
           text, Role::kValue, Color(Token::kText));
  RegisterWidget(id, c, ImVec2(c.x + cell, c.y + Px(17)), w > cell + 0.5f, text);
  if (why.empty()) return;
  ImGui::Dummy(ImVec2(cell, Px(17)));
  Tooltip(why);
}

/// How far the columns are from the lead.
void DrawApart(const Session& session, float cell) {
  for (const ApartRow& row : ApartRows(session)) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float unit = MeasureRich(row.unit, Role::kCaption).x + Px(4);
    const bool long_name = MeasureRich(row.label, Role::kLabel).x > room - unit;
    const Role role = long_name ? Role::kCaption : Role::kLabel;
    const float used =
        DrawRich(list, at, EllipsizeRich(row.label, role, room - unit), role, Color(Token::kText));
    DrawRich(list, ImVec2(at.x + used + Px(4), at.y + Px(1)), row.unit, Role::kCaption,
             Color(Token::kText3));
    ImGui::Dummy(ImVec2(room, Px(17)));
    Tooltip(row.tip);
    for (int i = 0; i < ColumnCount(session); ++i) {
      ImGui::TableNextColumn();
      const double value = row.value(session, i);
      DrawCell(fmt::format("compare/{}/{}", row.plain, i),
               std::isfinite(value) ? Fitted(value * row.factor, row.decimals, cell) : "–", cell,
               i == session.looks().lead() ? "This is the lead." : "");
    }
  }
}

void DrawMetrics(const Session& session, DifferenceStore* differences, float cell,
                 PlotsState* plots) {
  for (const Metric& metric : kMetrics) {
    if (!Listed(session, metric)) continue;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const Row row = RowOf(session, metric, differences);
    DrawMetric(metric, row, plots);
    for (int i = 0; i < ColumnCount(session); ++i) {
      ImGui::TableNextColumn();
      const double value = ColumnValue(session, i, metric, differences);
      const bool of_file = i >= session.channel_count() && !std::isfinite(value);
      DrawCell(fmt::format("compare/{}/{}", metric.plain, i), Shown(metric, row, value, cell), cell,
               of_file ? ForeignReason(metric.signal) : std::string_view());
    }
  }
}

}  // namespace

DataTable MetricsTable(const Session& session, DifferenceStore* differences) {
  DataTable table{"metrics", {"metric"}, {}};
  for (int i = 0; i < session.channel_count(); ++i)
    table.columns.emplace_back(slip::Info(session.looks().Of(i).model).id);
  for (int i = 0; i < session.files().foreign().count(); ++i)
    table.columns.emplace_back(session.files().foreign().run(i).name());
  for (const ApartRow& apart : ApartRows(session)) {
    auto& row = table.rows.emplace_back();
    row.emplace_back(std::string(apart.plain));
    for (int i = 0; i < ColumnCount(session); ++i)
      row.emplace_back(apart.value(session, i) * apart.factor);
  }
  for (const Metric& metric : kMetrics) {
    if (!Listed(session, metric)) continue;
    auto& row = table.rows.emplace_back();
    row.emplace_back(std::string(metric.plain));
    for (int i = 0; i < ColumnCount(session); ++i)
      row.emplace_back(ColumnValue(session, i, metric, differences) * metric.factor);
  }
  return table;
}

std::string MetricsText(const Session& session, DifferenceStore* differences, bool markdown) {
  const DataTable table = MetricsTable(session, differences);
  return markdown ? Markdown(table) : Csv(table);
}

namespace {

void DrawCompare(const TabContext& context) {
  const Session& session = context.session;
  DifferenceStore* differences = &context.differences;
  Requests* requests = &context.requests;
  const int count = ColumnCount(session);
  Paragraph(WhenText(session), Role::kCaption, Token::kText3);
  const float width = ImGui::GetContentRegionAvail().x;
  const float columns = static_cast<float>(std::max(1, count));
  const float cell = std::min(Px(58), (width - Px(96)) / columns - Px(8));
  const float footer = Px(44);
  ImGui::BeginChild("metrics",
                    ImVec2(0, std::max(Px(120), ImGui::GetContentRegionAvail().y - footer)));
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(Px(4), Px(5)));
  const bool open = ImGui::BeginTable("metrics", count + 1,
                                      ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit);
  ImGui::PopStyleVar();
  if (open) {
    ImGui::TableSetupColumn("metric", ImGuiTableColumnFlags_WidthStretch);
    for (int i = 0; i < count; ++i)
      ImGui::TableSetupColumn(std::to_string(i).c_str(), ImGuiTableColumnFlags_WidthFixed, cell);
    DrawHeads(session);
    DrawApart(session, cell);
    DrawMetrics(session, differences, cell, &context.state.plots);
    ImGui::EndTable();
  }
  ImGui::EndChild();
  if (TextButton("compare/csv", "Copy CSV", icon::kCopy, false, 0, true,
                 "The table as comma-separated values, SI units in its header."))
    requests->Copy(MetricsText(session, differences, false), "Table");
  ImGui::SameLine(0, Px(8));
  if (TextButton("compare/markdown", "Copy Markdown", icon::kCopy, false, 0, true,
                 "The table as it is shown, for a paper or a ticket.")) {
    requests->Copy(MetricsText(session, differences, true), "Table");
  }
}

}  // namespace

const Tab kCompareTab{
    .name = "Compare",
    .tip = "Metrics of all models side by side.",
    .doc = "Metrics of all models side by side.",
    .draw = DrawCompare,
    .table = MetricsTable,
};

}  // namespace slip::app
