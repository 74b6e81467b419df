// Whether a parameter acts, and why it does not: by tables over the bits of its row (methods.h), so
// that a new reason is a row here.
#include "engine/method/param_reasons.h"

#include "engine/collide/contact_detector.h"
#include "engine/contact/knobs.h"
#include "engine/dynamics/model.h"

namespace slip {
namespace {

/// What keeps the readers of a bit from reading it, whatever the state.
template <class T>
struct Reason {
  KnobMask knob;
  bool (*holds)(const T& of);
  std::string_view sentence;
};

constexpr Reason<Model> kOfScenes[] = {
    {knob::kNarrowPhase, [](const Model& model) { return !HasNarrowPhases(model); },
     "Not used in this scene: all pairs of bodies that can meet in it have closed forms."},
    {knob::kOutOfPlane, [](const Model& model) { return model.planar; },
     "Not used in this scene: no body of it leaves the plane."},
};

constexpr Reason<Config> kOfParams[] = {
    {knob::kErrorControl, [](const Config& config) { return config.step.error_control == 0; },
     "Not used: error control is off."},
};

template <class T, std::size_t kSize>
std::string_view FirstReason(const Reason<T> (&reasons)[kSize], const T& of,
                             const ParamInfo& info) {
  for (const Reason<T>& reason : reasons) {
    if ((info.knob & reason.knob) != 0 && reason.holds(of)) return reason.sentence;
  }
  return {};
}

/// Labels of the methods that read it, "SAP, Lagged".
std::string ReadersOf(const ParamInfo& info) {
  std::string text;
  for (const MethodInfo& method : Methods()) {
    if (!Reads(method, info)) continue;
    text += (text.empty() ? "" : ", ") + std::string(method.label);
  }
  return text;
}

}  // namespace

std::string_view WhyIdle(const Model& model, const ParamInfo& info) {
  return FirstReason(kOfScenes, model, info);
}

bool Uses(const Model& model, const Config& config, const ParamInfo& info) {
  return WhyIdle(model, info).empty() && FirstReason(kOfParams, config, info).empty() &&
         Reads(config, info);
}

std::string WhyUnused(const Model& model, const Config& config, const ParamInfo& info) {
  if (const std::string_view idle = WhyIdle(model, info); !idle.empty()) return std::string(idle);
  if (!Reads(config, info))
    return "Not used by the models and laws that run now; used by " + ReadersOf(info) + ".";
  return std::string(FirstReason(kOfParams, config, info));
}

}  // namespace slip
