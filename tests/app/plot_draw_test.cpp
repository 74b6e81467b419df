// How curves are drawn and written: dashes, symlog, following, SVG.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "app/kit/widgets.h"
#include "app/plots/plot.h"
#include "app/plots/plot_frame.h"
#include "app/plots/shared_dashes.h"
#include "app/plots/svg.h"
#include "tests/support/ui_harness.h"

namespace slip::app {
namespace {

ChannelStyle Dashed() {
  ChannelStyle style;
  style.dash = {6, 4, 0, 0};
  style.dash_count = 2;
  return style;
}

/// Part of a line's length that is painted, from the vertices of one polyline after the other.
int Vertices(test::UiHarness* ui, const std::vector<ImVec2>& line, const ChannelStyle& style) {
  int vertices = 0;
  ui->Frame([&] {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const int before = list->VtxBuffer.Size;
    DrawPolyline(list, line, style);
    vertices = list->VtxBuffer.Size - before;
  });
  return vertices;
}

std::vector<ImVec2> Waves(int count, float height, float width) {
  std::vector<ImVec2> line;
  const int points = 400;
  for (int i = 0; i <= points; ++i) {
    const float t = static_cast<float>(i) / points;
    line.push_back(
        {20 + width * t, 300 + height / 2 * std::sin(6.2832f * t * static_cast<float>(count))});
  }
  return line;
}

TEST(PlotRange, ASpikeOfAnotherRunDoesNotFlattenThisOne) {
  test::UiHarness ui({1280, 720, 1.0f, Theme::kDark, false});
  Series own, other;
  for (int i = 0; i <= 100; ++i) {
    own.Append(i * 0.01, 9 + i % 3);
    other.Append(i * 0.01, i == 50 ? 900 : 13);
  }
  PlotSeries line, along;
  line.data = own.View();
  along.data = other.View();
  PlotSpec spec;
  spec.id = "range";
  spec.series = {&line, 1};
  spec.along = {&along, 1};
  PlotState state;
  LinkedX x;
  x.range = {0, 1};
  ui.Frames(3, [&] { Plot(spec, &state, &x, {400, 300}); });
  EXPECT_LT(state.y.max, 13) << "nor is 13 of this run";
  EXPECT_GT(state.y.max, 11);
  EXPECT_LT(state.y.min, 9);
}

TEST(PlotRange, IsThatOfTheNewRunOnceThereIsOne) {
  test::UiHarness ui({1280, 720, 1.0f, Theme::kDark, false});
  for (const AxisScale scale : {AxisScale::kLinear, AxisScale::kLog, AxisScale::kSymlog}) {
    for (const PlotKind kind : {PlotKind::kTime, PlotKind::kAgainst}) {
      Series own, other, own_x, other_x;
      for (int i = 0; i <= 100; ++i) {
        other.Append(i * 0.01, i < 40 ? 5 : 1e5);
        other_x.Append(i * 0.01, i < 40 ? 1 : 3e4);
      }
      PlotSeries line, along;
      along.data = other.View();
      along.across = other_x.View();
      PlotSpec spec;
      spec.id = "range";
      spec.scale = scale;
      spec.kind = kind;
      spec.across.scale = scale;
      spec.series = {&line, 1};
      spec.along = {&along, 1};
      PlotState state;
      LinkedX x;
      x.range = {0, 1};
      const auto frames = [&] {
        line.data = own.View();
        line.across = own_x.View();
        ui.Frames(2, [&] { Plot(spec, &state, &x, {400, 300}); });
      };
      // it was blown up, and is begun again
      frames();
      EXPECT_GE(state.y.max, 1e5) << "alone it is seen";
      for (int i = 0; i <= 20; ++i) {
        own.Append(i * 0.01, 9 + i % 3);
        own_x.Append(i * 0.01, 2 + i % 5);
      }
      frames();
      EXPECT_LE(state.y.max, 100) << static_cast<int>(scale);
      if (kind == PlotKind::kAgainst) EXPECT_LE(state.across.max, 100) << static_cast<int>(scale);
    }
  }
}

/// Whether the row of largest values stands in the left half, and that it stands somewhere.
bool PeaksAtLeft(test::UiHarness* ui, const Series& data, PlotState* state,
                 std::span<const PlotEvent> events = {}) {
  PlotSeries line;
  line.data = data.View();
  PlotSpec spec;
  spec.id = "peaks";
  spec.series = {&line, 1};
  spec.events = events;
  LinkedX x;
  x.range = {0, 1};
  ui->Frame([&] { Plot(spec, state, &x, {600, 300}); });
  const WidgetRecord* row = FindWidget("plot/peaks/max");
  EXPECT_NE(row, nullptr);
  return row != nullptr && row->min.x < 200;
}

Series Line(double from, double to) {
  Series series;
  for (int i = 0; i <= 100; ++i) series.Append(i * 0.01, from + (to - from) * i * 0.01);
  return series;
}

TEST(PlotPeaks, StandWhereNoCurveRuns) {
  test::UiHarness ui({1280, 720, 1.0f, Theme::kDark, false});
  const auto fixed = [] {
    PlotState state;
    state.y = {0, 10};
    state.y_valid = state.y_locked = true;
    return state;
  };
  PlotState rises = fixed(), falls = fixed();
  EXPECT_TRUE(PeaksAtLeft(&ui, Line(0, 9.8), &rises));
  EXPECT_FALSE(PeaksAtLeft(&ui, Line(9.8, 0), &falls));
  // no sample in the corner, but the line to the next
  Series two;
  two.Append(0, 9);
  two.Append(0.4, 9.9);
  two.Append(1, 9.9);
  two.Append(1.5, 0);
  PlotState sparse = fixed();
  EXPECT_TRUE(PeaksAtLeft(&ui, two, &sparse));
  // the name of an event is worth more than a free corner
  PlotEvent event;
  event.time = 0.02;
  event.label = "slip → stick";
  Series corner;
  for (int i = 0; i <= 100; ++i) corner.Append(i * 0.01, i > 98 ? 9.8 : 0);
  PlotState named = fixed();
  EXPECT_FALSE(PeaksAtLeft(&ui, corner, &named, {&event, 1}));
  PlotState unnamed = fixed();
  EXPECT_TRUE(PeaksAtLeft(&ui, corner, &unnamed));
}

TEST(PlotPeaks, DoNotHopFromFrameToFrame) {
  test::UiHarness ui({1280, 720, 1.0f, Theme::kDark, false});
  const Series rises = Line(0, 9.8), falls = Line(9.8, 0);
  PlotState state;
  state.y = {0, 10};
  state.y_valid = state.y_locked = true;
  bool left = PeaksAtLeft(&ui, rises, &state);
  EXPECT_TRUE(left);
  int hops = 0;
  for (int frame = 0; frame < 100; ++frame) {
    const bool now = PeaksAtLeft(&ui, frame % 2 ? rises : falls, &state);
    hops += now != left;
    left = now;
  }
  EXPECT_EQ(hops, 0);
  for (int frame = 0; frame < 60; ++frame) left = PeaksAtLeft(&ui, falls, &state);
  EXPECT_FALSE(left) << "after a rest it goes";
}

TEST(Dashes, OfCurvesThatCoincideTakeTurns) {
  test::UiHarness ui({1280, 720, 1.0f, Theme::kDark, false});
  Series one, same, far;
  for (int i = 0; i <= 100; ++i) {
    one.Append(i * 0.01, 1);
    same.Append(i * 0.01, i < 50 ? 1 : 5);
    far.Append(i * 0.01, 9);
  }
  const auto series = [](const Series& data) {
    PlotSeries line;
    line.data = data.View();
    line.style = Dashed();
    return line;
  };
  const PlotSeries lines[] = {series(one), series(same), series(far)};
  const PlotSeries* const all[] = {&lines[0], &lines[1], &lines[2]};
  const PlotSeries* const apart[] = {&lines[0], nullptr, &lines[2]};
  ui.Frame([&] {
    PlotFrame frame = LayoutFrame({0, 0}, {600, 300});
    frame.x = {0, 1};
    frame.y = {0, 10};
    const Turns first = CalcTurns(frame, all, 0), second = CalcTurns(frame, all, 1);
    ASSERT_EQ(first.size(), second.size());
    ASSERT_GT(first.size(), 20u);
    int turns = 0;
    for (std::size_t c = 0; c < first.size(); ++c) {
      const bool together = static_cast<double>(c) < 0.45 * static_cast<double>(first.size());
      const bool gone = static_cast<double>(c) > 0.55 * static_cast<double>(first.size());
      if (together) EXPECT_NE(first[c] == Turn::kMine, second[c] == Turn::kMine) << c;
      if (gone) EXPECT_EQ(first[c], Turn::kOwnDashes) << c;
      turns += first[c] == Turn::kMine ? 1 : 0;
    }
    EXPECT_GT(turns, 5);
    EXPECT_TRUE(CalcTurns(frame, all, 2).empty());
    EXPECT_TRUE(CalcTurns(frame, apart, 0).empty());
  });
}

TEST(Dashes, StayInTallPlotsAndGoInNoise) {
  test::UiHarness ui({1280, 720, 1.0f, Theme::kDark, false});
  ChannelStyle solid = Dashed();
  solid.dash_count = 0;
  // eight waves over the whole height of a tall plot: twenty times as long as wide
  const std::vector<ImVec2> tall = Waves(8, 500, 400);
  EXPECT_GT(Vertices(&ui, tall, Dashed()), 2 * Vertices(&ui, tall, solid));
  // a zigzag of two pixels across is a band: a thin line, not more costly than a thick one
  std::vector<ImVec2> noise;
  for (int i = 0; i < 400; ++i)
    noise.push_back({20.0f + static_cast<float>(i), i % 2 ? 100.0f : 500.0f});
  const int thin = Vertices(&ui, noise, Dashed());
  EXPECT_LE(thin, Vertices(&ui, noise, solid));
  // noise first, calm after: the calm part keeps its dashes
  std::vector<ImVec2> both = noise;
  for (int i = 0; i < 400; ++i) both.push_back({420.0f + static_cast<float>(i), 300});
  EXPECT_GT(Vertices(&ui, both, Dashed()), thin + 40 * 4);
}

TEST(Dashes, PhaseRunsOnFromPieceToPiece) {
  test::UiHarness ui({1280, 720, 1.0f, Theme::kDark, false});
  float phase = 0;
  ui.Frame([&] {
    const ImVec2 first[] = {{0, 0}, {13, 0}};
    DrawPolyline(ImGui::GetWindowDrawList(), first, Dashed(), &phase);
  });
  EXPECT_NEAR(phase, 3, 1e-3);  // one period of ten and three pixels
}

TEST(Decimate, SymlogLiesOnItsTicks) {
  Series series;
  const double values[] = {-1e6, -3000, 0, 40, 1e6};
  for (int i = 0; i < 5; ++i) series.Append(i, values[i]);
  PlotFrame frame;
  frame.y_scale = AxisScale::kSymlog;
  frame.x = {0, 4};
  frame.y = {-1e6, 1e6};
  frame.well_min = {0, 0};
  frame.well_max = {400, 200};
  DecimatedLine line;
  Decimate(series.View(), frame.x, frame.y_scale, frame.y, frame.well_min, frame.well_max, &line);
  ASSERT_EQ(line.points.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(line.points[i].y, frame.Y(values[i]), 1e-3);
}

TEST(LinkedX, CentresOnThePlayHead) {
  LinkedX x;
  x.follow = FollowMode::kCentred;
  x.last_seconds = 2;
  x.Update(0, 10, 3);
  EXPECT_EQ(x.range, (AxisRange{2, 4}));
  x.Update(0, 10, 9.5);
  EXPECT_EQ(x.range, (AxisRange{8.5, 10.5}));
}

TEST(Readout, CountsHaveNoDecimals) {
  for (const AxisScale scale : {AxisScale::kLinear, AxisScale::kLog, AxisScale::kSymlog}) {
    EXPECT_EQ(ReadoutText(9, scale, true), "9");
    EXPECT_EQ(ReadoutText(12345, scale, true), "12345");
    EXPECT_EQ(ReadoutText(8.5, scale, true), "8.50");  // between two samples of a difference
    EXPECT_EQ(ReadoutText(std::nan(""), scale, true), "–");
    EXPECT_EQ(ReadoutText(9, scale), "9.00");
  }
}

// Width of the first readout of a plot whose values end at `last`.
float ReadoutWidth(double last, bool is_count) {
  test::UiHarness ui({1280, 720, 1.0f, Theme::kDark, false});
  Series series;
  for (int i = 0; i < 10; ++i) series.Append(0.1 * i, i == 9 ? last : 4.0);
  std::vector<PlotSeries> curves(1);
  curves[0].label = "SAP";
  curves[0].data = series.View();
  PlotSpec spec;
  spec.id = "count";
  spec.title = "Contacts";
  spec.series = curves;
  spec.is_count = is_count;
  PlotState state;
  LinkedX x;
  ui.Frames(2, [&] { Plot(spec, &state, &x, {600, 200}); });
  const WidgetRecord* legend = FindWidget("plot/count/legend/0");
  return legend == nullptr ? 0 : legend->max.x - legend->min.x;
}

TEST(Readout, LegendShowsCountsWhole) {
  float dot_and_zeros = 0;
  {
    test::UiHarness ui({1280, 720, 1.0f, Theme::kDark, false});
    ui.Frame([&] {
      dot_and_zeros = MeasureRich("9.00", Role::kValue).x - MeasureRich("9", Role::kValue).x;
    });
  }
  ASSERT_GT(dot_and_zeros, 0);
  EXPECT_NEAR(ReadoutWidth(9, false) - ReadoutWidth(9, true), dot_and_zeros, 0.01);
  EXPECT_EQ(ReadoutWidth(9.5, false), ReadoutWidth(9.5, true));
}

// What counts is said where the signals are listed; the legend gets it from there.
TEST(Readout, CountsAreSignalsOfWholeNumbers) {
  for (const Signal id : {Signal::kIterations, Signal::kContacts, Signal::kIslands,
                          Signal::kSticking, Signal::kSlipping, Signal::kFallbacks}) {
    EXPECT_TRUE(slip::Info(id).is_count) << slip::Info(id).name;
  }
  for (const Signal id : {Signal::kNormalForce, Signal::kCost, Signal::kStepTimeUs}) {
    EXPECT_FALSE(slip::Info(id).is_count) << slip::Info(id).name;
  }
}

class SvgTest : public testing::Test {
 protected:
  SvgTest() {
    for (int i = 0; i <= 100; ++i) {
      force_.Append(0.01 * i, i == 50 ? std::nan("") : 9.81 + std::sin(0.3 * i));
      other_.Append(0.01 * i, 9.5);
    }
    series_.resize(2);
    series_[0].label = "SAP <a & b>";
    series_[0].data = force_.View();
    series_[1].label = "Lagged";
    series_[1].data = other_.View();
    series_[1].style = Dashed();
    series_[1].style.mark = Mark::kTriangleUp;
    spec_.id = "t";
    spec_.title = "Normal force f_n";
    spec_.unit = "N";
    spec_.note = "against Lagged";
    spec_.series = series_;
    state_.y = {8, 11};
    state_.y_valid = true;
    x_.range = {0, 1};
  }
  std::string Write() { return PlotSvg(spec_, state_, x_, {480, 300}); }

  Series force_, other_;
  std::vector<PlotSeries> series_;
  PlotSpec spec_;
  PlotState state_;
  LinkedX x_;
};

int Count(const std::string& text, const std::string& what) {
  int count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++count;
  }
  return count;
}

TEST_F(SvgTest, KeepsTextAsTextWithTitlesAndUnits) {
  const std::string svg = Write();
  EXPECT_NE(svg.find(">Time [s]</text>"), std::string::npos);
  // the subscript is a span, the unit and the note follow it
  EXPECT_NE(svg.find("Normal force f<tspan dy=\"3\" font-size=\"75%\">n</tspan>"),
            std::string::npos);
  EXPECT_NE(svg.find(" [N], against Lagged"), std::string::npos);
  EXPECT_NE(svg.find("SAP &lt;a &amp; b&gt;"), std::string::npos);
  EXPECT_EQ(svg.find("<a"), std::string::npos);
  EXPECT_EQ(Count(svg, "<text"), Count(svg, "</text>"));
  EXPECT_EQ(Count(svg, "<path"), Count(svg, "</path>"));
  EXPECT_EQ(Count(svg, "<g "), Count(svg, "</g>"));
}

TEST_F(SvgTest, KeepsDashesMarksAndGaps) {
  std::string svg = Write();
  EXPECT_NE(svg.find("stroke-dasharray=\"6 4\""), std::string::npos);
  EXPECT_GT(Count(svg, "<polygon"), 1);
  // the gap lifts the pen once
  const std::size_t begin = svg.find("<path d=\"");
  const std::string path = svg.substr(begin, svg.find('"', begin + 10) - begin);
  EXPECT_EQ(Count(path, "M"), 2);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  state_.hidden.insert("Lagged");
  svg = Write();
  EXPECT_EQ(Count(svg, "<path d="), 1);
  EXPECT_EQ(svg.find(">Lagged<"), std::string::npos);
}

TEST_F(SvgTest, LegendTakesRowsRatherThanLeaveThePage) {
  const auto lowest = [&](const std::string& label) {
    const std::string svg = Write();
    const std::size_t end = svg.find(">" + label + "</text>");
    EXPECT_NE(end, std::string::npos) << label;
    const std::size_t begin = svg.rfind("<text x=\"", end);
    EXPECT_LT(std::stod(svg.substr(begin + 9)), 440) << label;
    return std::stod(svg.substr(svg.find("y=\"", begin) + 3));
  };
  const double one_row = lowest("Lagged");
  for (int i = 0; i < 5; ++i) {
    series_.push_back(series_[1]);
    series_.back().label = "Another model " + std::to_string(i);
  }
  spec_.series = series_;
  EXPECT_EQ(lowest("Lagged"), one_row);
  EXPECT_GT(lowest("Another model 4"), one_row + 10);
}

}  // namespace
}  // namespace slip::app
