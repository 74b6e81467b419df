#include "app/python/picture.h"

#include <string>
#include <utility>
#include <vector>

#include "app/python/bind.h"
#include "app/python/errors.h"
#include "app/python/interrupts.h"
#include "app/python/memory_arrays.h"
#include "app/python/values.h"
#include "engine/core/numbers.h"
#include "engine/core/param_text.h"
#include "engine/run/study/plan_check.h"
#include "engine/run/study/run_plan.h"

#ifdef SLIP_PICTURES
#include "app/host/picture.h"
#include "app/session/render_spec.h"
#endif

namespace slip::python {
namespace {

namespace py = pybind11;

#ifdef SLIP_PICTURES

using app::RenderSpec;

constexpr int64_t kLeastSize = 16, kMostSize = 16384;
constexpr double kLeastScale = 0.25, kMostScale = 8;

std::string ToChoice(const py::object& value, const char* what,
                     const std::vector<std::string>& known) {
  const std::string word = ToText(value, what);
  for (const std::string& one : known)
    if (one == word) return word;
  throw SentenceError(SayUnknown(what, word, known));
}

/// A list, or one text with commas.
std::vector<std::string> ToNames(const py::object& value, const char* what) {
  std::vector<std::string> names;
  for (const std::string& text : ToTexts(value, what))
    for (const std::string& name : SplitList(text)) names.push_back(name);
  return names;
}

RenderSpec ToSpec(const PictureWords& words) {
  RenderSpec spec;
  spec.region = "view";
  spec.width = static_cast<int>(ToWhole(words.width, "width", kLeastSize, kMostSize));
  spec.height = static_cast<int>(ToWhole(words.height, "height", kLeastSize, kMostSize));
  if (const auto names = ToNames(words.show, "show"); !names.empty()) spec.show = names;
  spec.theme = ToChoice(words.theme, "theme", {"light", "dark"});
  spec.quality = ToChoice(words.quality, "quality", app::QualityNames());
  spec.scale = ToNumber(words.scale, "scale");
  if (!(spec.scale >= kLeastScale && spec.scale <= kMostScale))
    throw SentenceError(
        fmt::format("scale must be from {} to {} (found {})", kLeastScale, kMostScale, spec.scale));
  spec.transparent = ToFlag(words.transparent, "transparent");
  return spec;
}

/// (height, width, 3), or 4 where it is transparent.
py::array ToPixels(const render::Image& image, bool transparent) {
  std::vector<uint8_t> pixels;
  const int64_t channels = transparent ? 4 : 3;
  pixels.reserve(static_cast<std::size_t>(channels) * image.pixels.size() / 4);
  for (std::size_t at = 0; at + 3 < image.pixels.size(); at += 4)
    pixels.insert(pixels.end(), &image.pixels[at], &image.pixels[at] + channels);
  return ToArray(std::move(pixels), {image.height, image.width, channels});
}

py::array Draw(app::PictureWish wish) {
  Interrupts interrupts;
  wish.stop = interrupts.Poll();
  std::optional<Result<app::MadePicture>> made;
  {
    const Unlocked unlocked;
    made = app::MakePicture(wish, [&interrupts] { static_cast<void>(interrupts.Stopped()); });
  }
  interrupts.Raise();
  const app::MadePicture picture = Take(std::move(*made));
  for (const std::string& failure : picture.failures)
    if (PyErr_WarnEx(PyExc_UserWarning, failure.c_str(), 1) != 0) throw py::error_already_set();
  return ToPixels(picture.image, wish.spec.transparent);
}

py::array Picture(const py::object& scene, const py::object& models, const py::object& time,
                  const py::object& width, const py::object& height, const py::object& region,
                  const py::object& plots, const py::object& show, const py::object& theme,
                  const py::object& quality, const py::object& scale, const py::object& transparent,
                  const py::object& params, const py::object& at, const py::kwargs& more) {
  app::PictureWish wish{.spec = ToSpec({width, height, show, theme, quality, scale, transparent})};
  wish.spec.region = ToChoice(region, "region", app::RegionNames());
  wish.spec.plots = ToNames(plots, "plots");
  wish.plan = Take(MakeRunPlan(ToScene(scene), ToModels(models), ToAssignments(Join(params, more)),
                               ToTexts(at, "at")));
  wish.time = LatestEnd(wish.plan);
  if (!time.is_none()) {
    wish.time = ToNumber(time, "time");
    if (!(wish.time >= 0 && wish.time <= kMostDuration))
      throw SentenceError(
          fmt::format("time must be from 0 to {} s (found {})", kMostDuration, wish.time));
  }
  ErrorList errors;
  for (const Status& status :
       {CheckChanges(wish.plan, wish.time), CheckControllers(wish.plan), CheckFriction(wish.plan)})
    errors.insert(errors.end(), status.errors().begin(), status.errors().end());
  if (!errors.empty()) Throw(errors);
  return Draw(std::move(wish));
}

#else

constexpr char kNoPictures[] =
    "this build draws no pictures: it was made without the window (SLIP_WINDOW=OFF)";

py::array Picture(const py::args&, const py::kwargs&) { throw SentenceError(kNoPictures); }

#endif

constexpr char kSignature[] =
    "(scene, models=None, *, time=None, width=1600, height=900, region='window', plots=(), "
    "show=(), theme='dark', quality='best', scale=1, transparent=False, params={}, at=(), **more)";
constexpr char kDoc[] =
    R"(A picture as an array of numpy.uint8, (height, width, 3): the one that `slipscope render` writes.

scene, models, params, at, keywords: as run takes them, over what a scene opens with in the window
time         [s]; None: the end of the run
width, height  [pixels]
region       "window", "view", "plots" or "view-plots"
plots        signals of the plots: "normal_force,slip_speed" or a list; "a@b" draws a against b
show         switches of Show and View: "joint_axes" turns on, "no_forces" off
theme        "dark" or "light"
quality      "best", "balanced" or "fast"
scale        of the user interface
transparent  of the view: no ground, clear where no body is; (height, width, 4) then

Needs OpenGL, but no screen; raises slipscope.Error where there is none. A model that does not come so
far is a warning.)";

}  // namespace

#ifdef SLIP_PICTURES

py::array PictureOf(const ScenePtr& scene, const Simulation& simulation,
                    const PictureWords& words) {
  app::PictureWish wish{.spec = ToSpec(words), .time = simulation.time(), .step = simulation.now()};
  const std::string model(Info(simulation.config().method()).id);
  wish.plan = Take(MakeRunPlan(scene, model, {}, {}));
  wish.plan.configs = wish.plan.own = {simulation.config()};
  // as of a recording: the scene's own values for windows are not laid over it
  wish.plan.paths = {RecordedPath{.config = simulation.config(), .start = nullptr, .entries = {}}};
  return Draw(std::move(wish));
}

void AddPictures(py::module_* module) {
  Def(module, "picture", kSignature, Picture, kDoc, py::arg("scene"),
      py::arg("models") = py::none(), py::kw_only(), py::arg("time") = py::none(),
      py::arg("width") = 1600, py::arg("height") = 900, py::arg("region") = "window",
      py::arg("plots") = py::tuple(), py::arg("show") = py::tuple(), py::arg("theme") = "dark",
      py::arg("quality") = "best", py::arg("scale") = 1, py::arg("transparent") = false,
      py::arg("params") = py::dict(), py::arg("at") = py::tuple());
}

#else

py::array PictureOf(const ScenePtr&, const Simulation&, const PictureWords&) {
  throw SentenceError(kNoPictures);
}

void AddPictures(py::module_* module) {
  module->def("picture", Picture, Documented("picture", kSignature, kDoc).c_str());
}

#endif

}  // namespace slip::python
