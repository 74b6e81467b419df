// Invented conveyor data: humps of the gliding offset, force spikes at sticking, condition numbers.
#include "tests/support/ui_gallery.h"
#include "engine/contact/knobs.h"
#include "engine/sim/method_list.h"
#include "tests/support/methods.h"

#include <algorithm>
#include <cmath>

#include "app/kit/label_placer.h"

namespace slip::test {
namespace {

using app::ChannelStyle;
using app::ModelStyle;
using app::Px;
using app::Role;
using app::Token;

constexpr MethodId kModels[] = {method_id::kSap, method_id::kLagged, method_id::kSimilar};
constexpr std::string_view kNames[] = {"SAP", "Lagged", "Similar"};
constexpr std::string_view kLaws[] = {"Hunt–Crossley", "Hertz", "Kelvin–Voigt"};

ParamInfo Row(std::string_view name, std::string_view label, std::string_view symbol,
              std::string_view unit, double min, double max, Scale scale, bool zero = false) {
  ParamInfo info;
  info.name = name;
  info.label = label;
  info.symbol = symbol;
  info.unit = unit;
  info.min = min;
  info.max = max;
  info.scale = scale;
  info.zero = zero;
  info.doc = "One sentence that says what it means and what it changes.";
  info.formula = "φ = μ (δt + τ_d) |v_t|";
  info.source = "Castro et al. 2024, eq. 12";
  return info;
}

std::vector<ParamInfo> MakeParams() {
  std::vector<ParamInfo> rows{
      Row("time_step", "Time step", "δt", "s", 1e-5, 1e-1, Scale::kLog),
      Row("stiffness", "Stiffness", "k", "N/m", 1e2, 1e12, Scale::kLog),
      Row("dissipation", "Hunt–Crossley", "d", "s/m", 1e-3, 1e3, Scale::kLog, true),
      Row("relaxation_time", "Relaxation time", "τ_d", "s", 1e-5, 1, Scale::kLog, true),
      Row("normal_law", "Normal law", "", "", 0, 2, Scale::kChoice),
      Row("friction", "Friction coefficient", "μ", "", 0, 3, Scale::kLinear),
      Row("stiction_tolerance", "Stiction tolerance", "v_s", "m/s", 1e-7, 1e-1, Scale::kLog),
      Row("tilt", "Tilt", "α", "rad", -0.7853981633974483, 0.7853981633974483, Scale::kLinear),
      Row("solver_tolerance", "Relative tolerance", "ε_r", "", 1e-12, 1e-2, Scale::kLog),
      Row("max_iterations", "Iteration limit", "", "", 1, 1000, Scale::kInteger)};
  rows[2].knob = knob::kDissipation;
  rows[6].knob = knob::kStictionTolerance;
  rows[3].knob = knob::kNearRigid;  // for the mark of SAP alone
  rows[4].choices = kLaws;
  return rows;
}

}  // namespace

const std::vector<ParamInfo>& GalleryParams() {
  static const std::vector<ParamInfo> rows = MakeParams();
  return rows;
}

UiGallery::UiGallery() {
  const double scale[3] = {1, 0, 0.9};
  for (int i = 0; i <= 3660; ++i) {
    const double t = i * 1e-3;
    const double late = t > 2.35 ? 0.45 : 1.0;
    const double hump = std::max(0.0, std::sin(6.2832 * 2 * t) - 0.12) * 3.5e-3 * late;
    const bool stick = hump == 0;
    for (int c = 0; c < 3; ++c) {
      const double spike = stick && std::fmod(2 * t, 1.0) < 0.06 ? 2.4 * scale[c] : 0;
      force_[c].Append(t, 9.81 - 0.25 * scale[c] * std::cos(12.566 * t) + spike);
      gap_[c].Append(t, hump * scale[c] - (c == 1 ? 1e-6 : 0));
      predicted_[c].Append(t, stick ? std::nan("") : hump * scale[c] * 1.01);
      const double level = c == 0 ? 105 : c == 1 ? 900 : 1200;
      const bool dip = std::fmod(2 * t + 0.1, 1.0) < 0.15;
      condition_[c].Append(t, dip ? (c == 0 ? 25 : 2 + i % 3) : level * (t > 2.35 && c ? 0.2 : 1));
    }
  }
  for (int i = 0; i < 27; ++i) {
    const double r = i < 18 ? 0.6 : std::pow(10.0, -0.25 * (i - 18) * (i - 18) * 0.9);
    residual_.push_back({static_cast<double>(i + 1), std::max(r, 1e-14), 0, app::Mark::kNone});
  }
}

void UiGallery::DrawParameters() {
  constexpr std::string_view kTabs[] = {"Lesson", "Parameters"};
  app::TabStrip("left", kTabs, &tab_, {});
  app::SearchBox("search", &search_, "Find a parameter");
  const double defaults[] = {1e-2, 1e7, 0.2, 1e-3, 0, 0.5, 1e-4, 0, 1e-6, 100};
  double values[] = {time_step, 1e7, dissipation, relaxation_time, 0, 0.5, 1e-4, 0.5236, 1e-6, 100};
  const auto& rows = GalleryParams();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == 0) app::GroupHeading("Time");
    if (i == 1) app::GroupHeading("Contact", "shared");
    if (i == 5) app::GroupHeading("Friction", "shared");
    if (i == 8) app::GroupHeading("Solver");
    app::ParamRowOptions options;
    options.path = rows[i].name;
    options.default_value = defaults[i];
    options.channels = kModels;
    for (std::size_t m = 0; m < std::size(kModels) && !ReadByAll(rows[i]); ++m) {
      if (Reads(Info(kModels[m]), rows[i])) options.readers |= 1u << m;
    }
    if (i == 3) options.style = app::ModelStyle(method_id::kSap);
    if (i == 1) options.lock = app::LockState::kLocked;
    if (i == 0) options.glow = 0.8f;
    if (i == 6) {
      options.enabled = false;
      options.disabled_reason = "SAP does not use it: its tolerance follows from σ.";
    }
    const app::ParamRowResult result = app::ParamRow(rows[i], values[i], options);
    if (result.value && i == 0) time_step = *result.value;
    if (result.reset && i == 0) time_step = defaults[0];
    if (result.value && i == 2) dissipation = *result.value;
    if (result.value && i == 3) relaxation_time = *result.value;
    if (i == 1) {
      app::AmberNote("note/near_rigid",
                     "SAP softens contact here: near-rigid limit active on 33 of 33 contacts.",
                     "k_eff 0.12 of 10.0 MN/m");
    }
  }
}

void UiGallery::DrawMiddle() {
  for (int i = 0; i < 3; ++i) {
    app::Chip("chip/" + std::string(kNames[i]), kNames[i], ModelStyle(kModels[i]),
              i == 0 ? "lead" : "", i != 2, false, "Contact model");
    ImGui::SameLine(0, Px(8));
  }
  app::IconButton("add", app::icon::kAdd, "Add a model");
  constexpr std::string_view kCompare[] = {"Single", "Ghosts", "Split 2", "Split 4", "Difference"};
  app::Segmented("compare", kCompare, &segment_, {});
  ImGui::SameLine(0, Px(8));
  app::IconButton("record", app::icon::kRecord, "Record", 32, true, false, Token::kErr);
  ImGui::SameLine(0, Px(8));
  app::TextButton("next", "Next: Hunt–Crossley d", nullptr, true);
  ImGui::SameLine(0, Px(8));
  app::TextButton("hint", "Hint", app::icon::kHint);
  app::Toggle("toggle", "Force arrows f_n, f_t", &toggle_, "Shows the forces");
  ImGui::SameLine(0, Px(16));
  app::Pill("live", app::icon::kDone, "Converged", Token::kOk);
  ImGui::SameLine(0, Px(16));
  app::Rich("φ = μ (δt + τ_d) |v_t|,  10^{−3} N/m^{1.5}", Role::kCardTitle);

  const ImVec2 p = ImGui::GetCursorScreenPos();
  app::GapReading readings[3];
  const double gaps[] = {2.513e-3, -1e-6, 1.115e-3}, predicted[] = {2.51e-3, 0, 1.12e-3};
  for (int i = 0; i < 3; ++i) {
    const double offset = std::max(0.0, gaps[i]);
    readings[i] = {ModelStyle(kModels[i]), gaps[i], offset, predicted[i], offset, predicted[i]};
  }
  app::GapInstrument(
      "gap", {p.x, p.y + Px(4)}, "Gap under the box", readings, {},
      std::vector<app::LawLine>{{{ModelStyle(kModels[0])}, "φ = μ (δt + τ_d) |v_t|"}});
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float left = p.x + Px(320);
  app::LabelPlacer placer(p, {p.x + Px(800), p.y + Px(300)});
  constexpr std::string_view kForces[] = {"9.63 N", "9.81 N", "9.73 N"};
  for (int i = 0; i < 3; ++i) {
    const ImU32 colour = ModelStyle(kModels[i]).colour;
    const ImVec2 size = app::GlassLabel(list, {}, "f_n", kForces[i], colour, false);
    const ImVec2 tip{left + Px(10) * static_cast<float>(i), p.y + Px(90)};
    const auto at = placer.Place({tip, tip, size, -1, {}, false});
    if (at) app::GlassLabel(list, *at, "f_n", kForces[i], colour);
    app::DrawLegendSample(list, {left, p.y + Px(140 + 24 * static_cast<float>(i))},
                          ModelStyle(kModels[i]));
  }
  for (int i = 0; i < kMethodCount; ++i) {
    const auto model = static_cast<MethodId>(i);
    app::DrawMark(list, {left + Px(8 + 22 * static_cast<float>(i)), p.y + Px(220)},
                  ModelStyle(model), 5);
    app::DrawMark(list, {left + Px(8 + 22 * static_cast<float>(i)), p.y + Px(242)},
                  ModelStyle(model, true), 5);
  }
}

void UiGallery::DrawPlots() {
  x.Update(0, 3.66, 3.66);
  x.hover_step = 1240;
  const auto series = [](app::Series* data, app::Series* predicted) {
    std::vector<app::PlotSeries> list;
    for (int i = 0; i < 3; ++i) {
      app::PlotSeries one;
      one.label = kNames[i];
      one.data = data[i].View();
      one.style = ModelStyle(kModels[i]);
      list.push_back(one);
      if (predicted && i != 1) {
        one.data = predicted[i].View();
        one.prediction = true;
        list.push_back(one);
      }
    }
    return list;
  };
  const app::PlotEvent events[] = {
      {2.33, "δt", "δt 10 → 4 ms (step 233)", 0},
      {2.83, "τ_d", "SAP τ_d 1 → 5 ms", ModelStyle(kModels[0]).colour}};
  const app::PlotLine weight[] = {{9.81, "m g"}};
  const float gap_px = Px(4);
  const ImVec2 size{(ImGui::GetContentRegionAvail().x - 2 * gap_px) / 3, Px(236)};
  app::PlotSpec spec;
  spec.events = events;
  spec.play_head = play_head;
  auto list = series(force_, nullptr);
  spec.id = "force";
  spec.title = "Normal force";
  spec.unit = "N";
  spec.series = list;
  spec.lines = weight;
  app::Plot(spec, &force, &x, size);
  ImGui::SameLine(0, gap_px);
  spec.lines = {};
  list = series(gap_, predicted_);
  spec.id = "gap";
  spec.title = "Gliding offset";
  spec.unit = "m";
  spec.series = list;
  app::Plot(spec, &gap, &x, size);
  ImGui::SameLine(0, gap_px);
  list = series(condition_, nullptr);
  spec.id = "condition";
  spec.title = "Condition number";
  spec.unit = "";
  spec.scale = app::AxisScale::kLog;
  spec.series = list;
  app::Plot(spec, &condition, &x, size);
}

void UiGallery::DrawInspector() {
  constexpr std::string_view kTabs[] = {"Contacts", "Solver", "Body", "Compare"};
  app::TabStrip("right", kTabs, &inspect_, {});
  app::StatTile("stat/iterations", "Iterations", "27", "of 100", 160);
  ImGui::SameLine(0, Px(8));
  app::StatTile("stat/condition", "Condition κ", "3.94×10³", "", 160);
  app::PointSeries residual;
  residual.points = residual_;
  residual.style = ModelStyle(kModels[0]);
  residual.line = true;
  const app::PlotLine tolerance[] = {{1e-6, "tolerance 10^{−6}"}};
  app::PointPlotSpec spec;
  spec.id = "residual";
  spec.title = "Residual";
  spec.unit = "";
  spec.x_label = "iteration";
  spec.note = "iteration 19";
  spec.y_scale = app::AxisScale::kLog;
  spec.series = {&residual, 1};
  spec.lines = tolerance;
  spec.selected = 18;
  app::PointPlot(spec, {ImGui::GetContentRegionAvail().x, Px(160)});
  for (int i = 0; i < 3; ++i) {
    app::FrictionUsedRow("used/" + std::string(kNames[i]), ModelStyle(kModels[i]), 1.0 - 0.2 * i,
                         1.0 - 0.2 * i);
  }
  const app::ConePoint points[] = {{ModelStyle(kModels[0]), -4.81, 9.63},
                                   {ModelStyle(kModels[1]), -4.90, 9.81},
                                   {ModelStyle(kModels[2]), -2.5, 9.73}};
  app::FrictionCone("cone", points, 0.5, {ImGui::GetContentRegionAvail().x, Px(190)}, "two slip");
}

void UiGallery::Draw() {
  const ImVec2 o = ImGui::GetWindowPos();
  const auto region = [&](const char* id, float left, float top, float right, float bottom,
                          auto draw) {
    ImGui::SetCursorScreenPos({o.x + Px(left), o.y + Px(top)});
    ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 0.0f);
    ImGui::BeginChild(id, {Px(right - left), Px(bottom - top)}, false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding);
    draw();
    ImGui::EndChild();
    ImGui::PopStyleVar();
  };
  const float width = ImGui::GetWindowSize().x / app::UiScale();
  const float height = ImGui::GetWindowSize().y / app::UiScale();
  region("left", 0, 0, 320, height, [this] { DrawParameters(); });
  region("middle", 324, 0, width - 364, height - 264, [this] { DrawMiddle(); });
  region("right", width - 360, 0, width, height - 264, [this] { DrawInspector(); });
  region("plots", 324, height - 260, width, height, [this] { DrawPlots(); });
}

}  // namespace slip::test
