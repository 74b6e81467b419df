// Ten plots in a window of 1600 x 900 pixels, six series of a million points in each: whole frames,
// pixels included. Still: the same range again. Moving: the range scrolls with every frame, as it
// does while a run plays. Run: tests/run --bench
#include <benchmark/benchmark.h>
#include <glad/gl.h>

#include <cmath>
#include <vector>

#include "app/kit/theme.h"
#include "app/plots/plot.h"
#include "tests/support/ui_harness.h"

namespace slip::app {
namespace {

constexpr int kWidth = 1600, kHeight = 900, kPlots = 10, kColumns = 5, kSeries = 6;
constexpr int kPoints = 1000000;
constexpr double kStep = 1e-3;  // [s]

const std::vector<Series>& Data() {
  static const std::vector<Series> data = [] {
    std::vector<Series> all(kSeries);
    for (int s = 0; s < kSeries; ++s) {
      for (int i = 0; i < kPoints; ++i) {
        const double t = kStep * i;
        const double spike = i % 9973 == 17 * s ? 5 : 0;
        all[static_cast<std::size_t>(s)].Append(
            t, std::sin(0.05 * t + s) + 0.1 * std::sin(97 * t) + spike);
      }
    }
    return all;
  }();
  return data;
}

void Draw(benchmark::State& state, bool moving) {
  test::UiHarness ui({kWidth, kHeight, 1.0f, Theme::kDark, true});
  if (!ui.ok()) return state.SkipWithError("no off-screen OpenGL here");
  const std::vector<Series>& data = Data();
  std::vector<PlotSeries> series(kSeries);
  const std::vector<std::string> names = {"one", "two", "three", "four", "five", "six"};
  for (std::size_t s = 0; s < series.size(); ++s) {
    series[s].data = data[s].View();
    series[s].label = names[s];
    series[s].style.colour = Color(s % 2 == 0 ? Token::kAccent : Token::kWarn);
  }
  std::vector<PlotState> states(kPlots);
  std::vector<std::string> ids;
  for (int p = 0; p < kPlots; ++p) ids.push_back("p" + std::to_string(p));
  LinkedX x;
  x.follow = FollowMode::kFree;
  int frame = 0;
  const auto draw = [&] {
    const double from = moving ? 0.1 * (frame++ % 1000) : 0;
    x.range = {from, from + kStep * kPoints - 100};
    const ImVec2 size{kWidth / kColumns - 4.0f, kHeight / 2 - 4.0f};
    for (int p = 0; p < kPlots; ++p) {
      PlotSpec spec;
      spec.id = ids[static_cast<std::size_t>(p)];
      spec.title = "signal";
      spec.unit = "N";
      spec.series = series;
      ImGui::SetCursorScreenPos({static_cast<float>(p % kColumns * (kWidth / kColumns)),
                                 static_cast<float>(p / kColumns * (kHeight / 2))});
      Plot(spec, &states[static_cast<std::size_t>(p)], &x, size);
    }
  };
  ui.Frames(3, draw);
  for (auto _ : state) {
    ui.Frame(draw);
    glFinish();
  }
  state.counters["frames_per_s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void PlotsStill(benchmark::State& state) { Draw(state, false); }
void PlotsMoving(benchmark::State& state) { Draw(state, true); }
BENCHMARK(PlotsStill)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(PlotsMoving)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

}  // namespace
}  // namespace slip::app
