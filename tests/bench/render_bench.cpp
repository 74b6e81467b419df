// What a picture of 40, 400 and 4000 bodies costs the renderer itself. List: bodies, force chains
// and outlines as numbers. Submit: handing these to GL, with draws, clears and copies left out
// (Idle) or with corners worked out but no pixels (Discard). Cloud: whole frames of one point
// cloud, pixels included. Run: tests/run --bench
#include <benchmark/benchmark.h>
#include <glad/gl.h>

#include <cmath>

#include "engine/geometry/mesh.h"
#include "engine/geometry/point_cloud.h"
#include "render/frame/scene_view.h"
#include "render/gl/offscreen.h"
#include "render/quantities/contact_glyphs.h"
#include "render/quantities/outlines.h"
#include "tests/render/fake_pile.h"

namespace slip::render {
namespace {

constexpr int kWidth = 1280, kHeight = 720;

ViewRequest FastOptions() {
  ViewRequest options;
  options.quality = Quality::kLow;
  options.msaa = 1;
  options.selected_body = 7;  // an outline and the emphasis of its chains belong to the cost
  return options;
}

Snapshot PileOf(int64_t bodies) {
  return MakePileSnapshot(static_cast<int>(bodies), bodies > 1000 ? 16 : bodies > 100 ? 8 : 4);
}

void List(benchmark::State& state) {
  const Snapshot snapshot = PileOf(state.range(0));
  const ViewRequest options = FastOptions();
  const Camera camera(PileCamera());
  const DrawContext context{snapshot, options, camera, {kWidth, kHeight}, ColoursOf(options.theme)};
  DrawList list;
  for (auto _ : state) {
    BuildScene(context, &list);
    benchmark::DoNotOptimize(AppendGlyphs(context, &list));
    const std::vector<Outline> outlines = BuildOutlines(context);
    AppendOutlineLines(context, outlines, &list);
  }
  state.counters["instances"] = static_cast<double>(list.solids.size() + list.strokes.size());
}

/// GL entry points that make pixels, replaced as long as this lives.
class IdleGl {
 public:
  IdleGl() {
    glad_glDrawElementsInstanced = [](GLenum, GLsizei, GLenum, const void*, GLsizei) {};
    glad_glDrawArrays = [](GLenum, GLint, GLsizei) {};
    glad_glClear = [](GLbitfield) {};
    glad_glBlitFramebuffer = [](GLint, GLint, GLint, GLint, GLint, GLint, GLint, GLint, GLbitfield,
                                GLenum) {};
  }
  ~IdleGl() {
    glad_glDrawElementsInstanced = elements_;
    glad_glDrawArrays = arrays_;
    glad_glClear = clear_;
    glad_glBlitFramebuffer = blit_;
  }
  IdleGl(const IdleGl&) = delete;
  IdleGl& operator=(const IdleGl&) = delete;

 private:
  PFNGLDRAWELEMENTSINSTANCEDPROC elements_ = glad_glDrawElementsInstanced;
  PFNGLDRAWARRAYSPROC arrays_ = glad_glDrawArrays;
  PFNGLCLEARPROC clear_ = glad_glClear;
  PFNGLBLITFRAMEBUFFERPROC blit_ = glad_glBlitFramebuffer;
};

/// Times the submission alone; the list is made anew for every picture, as in the window.
void Submit(benchmark::State& state, bool idle) {
  const auto context = OffscreenContext::Create();
  if (!context.ok()) return state.SkipWithError(context.error().Text().c_str());
  const auto view = SceneView::Create();
  if (!view.ok()) return state.SkipWithError(view.error().Text().c_str());
  const Snapshot snapshot = PileOf(state.range(0));
  const ViewRequest options = FastOptions();
  const Camera camera(PileCamera());
  const auto draw = [&] {
    return (*view)->Draw(snapshot, camera, options, kWidth, kHeight).cost.submit_ms;
  };
  draw();  // compiles what drivers compile late
  glFinish();
  std::optional<IdleGl> none;
  if (idle) {
    none.emplace();
  } else {
    glEnable(GL_RASTERIZER_DISCARD);
  }
  for (auto _ : state) state.SetIterationTime(1e-3 * draw());
  glDisable(GL_RASTERIZER_DISCARD);
  glFinish();
}

/// So many balls in a square that fills the height of the picture, over a floor, whole frames with
/// glFinish. `level`: fast, plain, best as in the menu; `ghosts`: two more of each beside it.
void Balls(benchmark::State& state, int level, bool ghosts) {
  const auto context = OffscreenContext::Create();
  if (!context.ok()) return state.SkipWithError(context.error().Text().c_str());
  const auto view = SceneView::Create();
  if (!view.ok()) return state.SkipWithError(view.error().Text().c_str());
  const int wide = static_cast<int>(std::lround(std::sqrt(static_cast<double>(state.range(0)))));
  auto model = std::make_shared<Model>();
  Snapshot snapshot;
  snapshot.channels.resize(ghosts ? 3 : 1);
  for (std::size_t c = 0; c < snapshot.channels.size(); ++c)
    snapshot.channels[c].config.step.method = static_cast<int>(c);
  for (int i = 0; i < wide * wide; ++i) {
    Body body;
    body.shape.kind = ShapeKind::kSphere;
    body.shape.radius = 0.5 / wide;
    model->bodies.push_back(body);
    for (std::size_t c = 0; c < snapshot.channels.size(); ++c) {
      BodyFrame frame;
      frame.X_WB.p = Vec3((i % wide + 0.5) / wide - 0.5,
                          (i / wide + 0.5) / wide - 0.5 + 0.2 * static_cast<double>(c) / wide,
                          body.shape.radius);
      snapshot.channels[c].bodies.push_back(frame);
    }
  }
  model->surfaces.push_back(Surface{});
  model->Finish();
  snapshot.model = model;
  ViewRequest request;
  request.quality = level == 0 ? Quality::kLow : level == 1 ? Quality::kMedium : Quality::kHigh;
  request.msaa = level == 2 ? 4 : 1;
  request.resolution = level == 0 ? 0.75 : 1;
  CameraSpec spec;
  spec.target = Vec3::Zero();
  spec.distance = 2.6;
  spec.elevation = 0.9;
  spec.field_of_view = 0.4;
  const Camera camera(spec);
  const auto draw = [&] {
    (*view)->Draw(snapshot, camera, request, kWidth, kHeight);
    glFinish();
  };
  draw();
  for (auto _ : state) draw();
}

void BallCounts(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(1)->Arg(100)->Arg(3969);
  benchmark->UseRealTime()->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);
}
BENCHMARK_CAPTURE(Balls, Fast, 0, false)->Apply(BallCounts);
BENCHMARK_CAPTURE(Balls, Balanced, 1, false)->Apply(BallCounts);
BENCHMARK_CAPTURE(Balls, Best, 2, false)->Apply(BallCounts);
BENCHMARK_CAPTURE(Balls, FastWithTwoGhosts, 0, true)->Apply(BallCounts);

/// A cloud of so many points over a floor, whole frames with glFinish: points on a ball of 10 cm
/// that fills half the height of the picture, their size by their spacing. `level`: fast, plain,
/// best as in the menu; `ghosts`: two more of it beside the first.
void Cloud(benchmark::State& state, int level, bool ghosts) {
  const auto context = OffscreenContext::Create();
  if (!context.ok()) return state.SkipWithError(context.error().Text().c_str());
  const auto view = SceneView::Create();
  if (!view.ok()) return state.SkipWithError(view.error().Text().c_str());
  const auto points = static_cast<int>(state.range(0));
  auto cloud = std::make_shared<PointCloud>();
  cloud->radius = 0;
  for (int i = 0; i < points; ++i) {
    const double z = 1 - 2 * (i + 0.5) / points, turn = 2.399963 * i, r = std::sqrt(1 - z * z);
    cloud->points.push_back(0.1 * Vec3(r * std::cos(turn), r * std::sin(turn), z));
  }
  cloud->spacing = CalcSpacing(cloud->points);
  auto model = std::make_shared<Model>();
  Body body;
  body.shape.kind = ShapeKind::kPointCloud;
  body.shape.cloud = cloud;
  model->bodies.push_back(body);
  Surface ground;
  ground.point = Vec3(0, 0, -0.1);
  model->surfaces.push_back(ground);
  model->Finish();
  Snapshot snapshot;
  snapshot.model = model;
  for (int c = 0; c < (ghosts ? 3 : 1); ++c) {
    ChannelFrame frame;
    frame.config.step.method = c;
    frame.bodies.resize(1);
    frame.bodies[0].X_WB.p = Vec3(0, 0.12 * c, 0);
    snapshot.channels.push_back(frame);
  }
  ViewRequest request;
  request.quality = level == 0 ? Quality::kLow : level == 1 ? Quality::kMedium : Quality::kHigh;
  request.msaa = level == 2 ? 4 : 1;
  request.resolution = level == 0 ? 0.75 : 1;
  CameraSpec spec;
  spec.target = Vec3::Zero();
  spec.distance = 1;
  spec.elevation = 0.3;
  spec.field_of_view = 0.4;
  const Camera camera(spec);
  const auto draw = [&] {
    (*view)->Draw(snapshot, camera, request, kWidth, kHeight);
    glFinish();
  };
  draw();
  for (auto _ : state) draw();
}

void CloudSizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(1000)->Arg(10000)->Arg(100000);
  benchmark->UseRealTime()->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);
}
BENCHMARK_CAPTURE(Cloud, Fast, 0, false)->Apply(CloudSizes);
BENCHMARK_CAPTURE(Cloud, Balanced, 1, false)->Apply(CloudSizes);
BENCHMARK_CAPTURE(Cloud, Best, 2, false)->Apply(CloudSizes);
BENCHMARK_CAPTURE(Cloud, FastWithTwoGhosts, 0, true)->Apply(CloudSizes);

/// A whole frame of forty bodies with one sample a pixel, and what smooth edges add to it.
void Edges(benchmark::State& state, bool smooth) {
  const auto context = OffscreenContext::Create();
  if (!context.ok()) return state.SkipWithError(context.error().Text().c_str());
  const auto view = SceneView::Create();
  if (!view.ok()) return state.SkipWithError(view.error().Text().c_str());
  const Snapshot snapshot = PileOf(40);
  ViewRequest request = FastOptions();
  request.smooth = smooth;
  const Camera camera(PileCamera());
  for (auto _ : state) {
    (*view)->Draw(snapshot, camera, request, kWidth, kHeight);
    glFinish();
  }
}
BENCHMARK_CAPTURE(Edges, Plain, false)
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Edges, Smooth, true)
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

BENCHMARK(List)->Arg(40)->Arg(400)->Arg(4000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Submit, Idle, true)
    ->Arg(40)
    ->Arg(400)
    ->Arg(4000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Submit, Discard, false)
    ->Arg(40)
    ->Arg(400)
    ->Arg(4000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace slip::render
