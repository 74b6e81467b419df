// What a picture of 40, 400 and 4000 bodies costs the renderer itself. List: bodies, force chains
// and outlines as numbers. Submit: handing these to GL, with draws, clears and copies left out
// (Idle) or with corners worked out but no pixels (Discard). Run: tests/run --bench
#include <benchmark/benchmark.h>
#include <glad/gl.h>

#include "render/contact_glyphs.h"
#include "render/offscreen.h"
#include "render/outlines.h"
#include "render/scene_view.h"
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
