#include "app/python/simulation.h"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "app/python/bind.h"
#include "app/python/errors.h"
#include "app/python/interrupts.h"
#include "app/python/memory_arrays.h"
#include "app/python/picture.h"
#include "app/python/scene.h"
#include "app/python/unmade.h"
#include "app/python/values.h"
#include "engine/core/numbers.h"
#include "engine/dynamics/kinematics.h"
#include "engine/run/study/run_plan.h"
#include "engine/run/track/track.h"
#include "engine/sim/part_signals.h"
#include "engine/sim/simulation.h"

namespace slip::python {
namespace {

namespace py = pybind11;

constexpr char kNoPickle[] =
    "steps at hand are not pickled: pickle the Scene and the parameters, and step again (copy.copy "
    "and branch go on from here in this process)";

/// A step as it was, to go back to, with the bodies that it is of.
struct Saved {
  ScenePtr scene;
  std::shared_ptr<const Model> model;
  StepRecord record;
  Config config;
};

class Stepper {
 public:
  Stepper(ScenePtr scene, const Config& config)
      : scene_(std::move(scene)), track_(scene_->ModelFor(config), config) {}
  Stepper(ScenePtr scene, std::shared_ptr<const Model> model, const Config& config)
      : scene_(std::move(scene)), track_(std::move(model), config) {}

  void Step(const py::object& how_many) {
    const int64_t count = ToWhole(how_many, "count");
    if (count < 0) throw SentenceError(fmt::format("count must be 0 or more (found {})", count));
    CheckIdle();
    const Steps steps(this);  // before the lock goes, or another thread might read meanwhile
    Interrupts interrupts;
    AdvanceEnd end = AdvanceEnd::kMost;
    {
      const Unlocked unlocked;
      track_.SetStop(interrupts.Poll());
      end = track_.AdvanceTo({.most = count});
    }
    interrupts.Raise();
    if (end == AdvanceEnd::kFailed) throw SentenceError(track_.sim().failure());
  }

  void Set(const py::object& which, const py::object& value) {
    CheckIdle();
    const std::string path = ToText(which, "the path of a parameter");
    Config config = sim().config();
    py::dict change;
    change[py::str(path)] = value;
    Check(ApplyAssignment(&config, ToAssignments(change).front()));
    const ParamInfo* info = FindParam(config, path);
    if (info != nullptr && info->applies == Applies::kRebuild) {
      Check(scene_->CheckSize(config));
      track_ = Track(scene_->ModelFor(config), config);
    } else if (info != nullptr && info->applies == Applies::kRestart) {
      track_ = Track(track_.model(), config);
    } else {
      track_.SetConfig(config);
    }
    track_.sim().ClearFailure();
  }
  void SetModel(const py::object& model) {
    const std::string id = ToText(model, "model");
    const std::optional<MethodId> method = FindMethod(id);
    if (method && !Info(*method).WhyMissing().empty())
      throw SentenceError(fmt::format("{}: {}", id, Info(*method).WhyMissing()));
    Set(py::str(std::string(kMethodParam)), py::str(id));
  }

  std::shared_ptr<Saved> Save() const {
    return std::make_shared<Saved>(Saved{scene_, track_.model(), sim().now(), sim().config()});
  }
  void Restore(const py::object& state) {
    CheckIdle();
    if (!py::isinstance<Saved>(state)) ThrowType("state", "one that save gave", state);
    const auto& saved = state.cast<const Saved&>();
    if (saved.scene->id != scene_->id)
      throw SentenceError(fmt::format("restore: the state is one of the scene '{}', not of '{}'",
                                      saved.scene->id, scene_->id));
    scene_ = saved.scene;
    if (saved.model != track_.model()) track_ = Track(saved.model, saved.config);
    track_.sim().Restore(saved.record, saved.config);
    track_.sim().ClearFailure();
  }
  std::shared_ptr<Stepper> Branch() const {
    CheckIdle();
    auto other = std::make_shared<Stepper>(scene_, track_.model(), sim().config());
    other->track_.sim().Restore(sim().now(), sim().config());
    return other;
  }

  double SignalOf(const py::object& name) const {
    const Result<Signal> signal = SignalNamed(sim().model(), ToText(name, "the name of a signal"));
    if (!signal) throw py::key_error(signal.error().Text());
    return ValueOf(static_cast<std::size_t>(Place(*signal)));
  }
  py::dict Signals() const {
    py::dict all;
    for (const Signal signal : ListSignals(sim().model()))
      all[py::str(NameOf(sim().model(), signal))] =
          ValueOf(static_cast<std::size_t>(Place(signal)));
    return all;
  }
  py::list Contacts() const;
  template <class Fill>
  py::array Bodies(int64_t columns, Fill fill) const {
    std::vector<double> numbers;
    int64_t rows = 0;
    const Model& model = sim().model();
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      if (model.bodies[b].shape_of_link >= 0) continue;
      fill(static_cast<int>(b), &numbers);
      ++rows;
    }
    py::array made = ToArray(std::move(numbers), {rows, columns});
    made.attr("setflags")(py::arg("write") = false);  // to write there would change nothing
    return made;
  }
  const ScenePtr& scene() const { return scene_; }
  /// Nobody may look while another thread steps.
  const Simulation& sim() const {
    CheckIdle();
    return track_.sim();
  }
  py::array Picture(const py::object& width, const py::object& height, const py::object& show,
                    const py::object& theme, const py::object& quality, const py::object& scale,
                    const py::object& transparent) const {
    return PictureOf(scene_, sim(), {width, height, show, theme, quality, scale, transparent});
  }
  void Reset() { CheckIdle(), track_ = Track(track_.model(), sim().config()); }

 private:
  double ValueOf(std::size_t place) const {
    const SignalValues& values = sim().signals();
    if (place < values.size()) return values[place];
    const std::vector<double>& parts = sim().now().part_signals;
    return place - values.size() < parts.size() ? parts[place - values.size()] : kNaN;
  }
  /// Only with Python's lock held.
  void CheckIdle() const {
    if (stepping_)
      throw SentenceError("another thread steps this simulation: one thread for each of them");
  }
  struct Steps {
    explicit Steps(Stepper* of) : of_(of) { of_->stepping_ = true; }
    ~Steps() {
      of_->track_.SetStop({});
      of_->stepping_ = false;
    }
    Steps(const Steps&) = delete;
    Stepper* of_;
  };

  ScenePtr scene_;
  Track track_;
  bool stepping_ = false;
};

void Append(const Vec3& v, std::vector<double>* numbers) {
  numbers->insert(numbers->end(), v.data(), v.data() + 3);
}

py::array ToVector(const Vec3& v) {
  return ToArray(std::vector<double>(v.data(), v.data() + 3), {3});
}

py::list Stepper::Contacts() const {
  py::list contacts;
  const Model& model = sim().model();
  const auto name = [&](int body) -> py::object {
    if (body < 0) return py::none();
    return py::str(model.body(model.body(body).Owner(body)).name);
  };
  for (const ContactFrame& frame : sim().contacts()) {
    py::dict contact;
    contact["a"] = frame.surface >= 0 ? py::object(py::str(At(model.surfaces, frame.surface).name))
                                      : name(frame.body_a);
    contact["b"] = name(frame.body);
    contact["position"] = ToVector(frame.p_W);
    contact["normal"] = ToVector(frame.n_W);
    contact["force"] = ToVector(frame.fn * frame.n_W + frame.ft_W);
    contact["signed_distance"] = frame.signed_distance;
    contact["normal_velocity"] = frame.vn;
    contact["slip_speed"] = frame.vt;
    contact["state"] = std::string(frame.word);
    contacts.append(contact);
  }
  return contacts;
}

std::shared_ptr<Stepper> Make(const py::object& scene, const py::object& model,
                              const py::object& params, const py::kwargs& more) {
  const py::dict all = Join(params, more);
  const ScenePtr read = ToScene(scene);
  const RunPlan plan = Take(MakeRunPlan(read, ToModels(model), ToAssignments(all), {}));
  if (!model.is_none() && plan.configs.size() > 1)
    throw SentenceError("a Simulation has one model; run takes several");
  return std::make_shared<Stepper>(read, plan.configs.front());
}

void AddMotion(py::class_<Stepper, std::shared_ptr<Stepper>>* type) {
  const auto pose = [](const Stepper& s, int b) {
    return s.sim().model().body(b).ShownPose(s.sim().state().pose(b));
  };
  type->def_property_readonly(
          "positions",
          [pose](const Stepper& s) {
            return s.Bodies(
                3, [&](int b, std::vector<double>* numbers) { Append(pose(s, b).p, numbers); });
          },
          "Of the bodies [m], (bodies, 3).")
      .def_property_readonly(
          "quaternions",
          [pose](const Stepper& s) {
            return s.Bodies(4, [&](int b, std::vector<double>* numbers) {
              const Quat q = pose(s, b).q;
              numbers->push_back(q.w());
              Append(q.vec(), numbers);
            });
          },
          "w, x, y, z, (bodies, 4).")
      .def_property_readonly(
          "linear_velocities",
          [](const Stepper& s) {
            return s.Bodies(3, [&](int b, std::vector<double>* numbers) {
              Append(CalcVelocity(s.sim().model(), s.sim().state(), b).tail<3>(), numbers);
            });
          },
          "Of the centres of mass [m/s], (bodies, 3).")
      .def_property_readonly(
          "angular_velocities",
          [](const Stepper& s) {
            return s.Bodies(3, [&](int b, std::vector<double>* numbers) {
              Append(CalcVelocity(s.sim().model(), s.sim().state(), b).head<3>(), numbers);
            });
          },
          "In the world [rad/s], (bodies, 3).");
}

void AddActions(py::class_<Stepper, std::shared_ptr<Stepper>>* type) {
  Def(type, "step", "(self, count=1)", &Stepper::Step,
      "So many steps. Raises slipscope.Error where one is refused: the state is the one before "
      "it.\n"
      "Other threads of Python go on meanwhile.",
      py::arg("count") = 1);
  Def(type, "reset", "(self)", &Stepper::Reset,
      "Back to the start state of the present parameters.");
  Def(type, "signal", "(self, name)", &Stepper::SignalOf, "Of the last step; NaN where unknown.",
      py::arg("name"));
  Def(
      type, "__getitem__", "(self, path)",
      [](const Stepper& s, const py::object& path) {
        return ValueOf(s.sim().config(), ToText(path, "the path of a parameter"));
      },
      "A parameter's value.", py::arg("path"));
  Def(type, "__setitem__", "(self, path, value)", &Stepper::Set,
      "A number in SI units, or a text with a unit. What changes bodies starts again.",
      py::arg("path"), py::arg("value"));
  Def(type, "save", "(self)", &Stepper::Save, "The present step, to restore later.");
  Def(type, "restore", "(self, state)", &Stepper::Restore,
      "Goes to a saved step, with the parameters of then.", py::arg("state"));
  type->def("__copy__", &Stepper::Branch);
  type->def("__deepcopy__", [](const Stepper& s, const py::object&) { return s.Branch(); });
  Def(type, "branch", "(self)", &Stepper::Branch,
      "Another simulation that goes on from here; so is copy.copy(sim).");
  Def(type, "picture",
      "(self, width=1600, height=900, *, show=(), theme='dark', quality='best', scale=1, "
      "transparent=False)",
      &Stepper::Picture,
      "The bodies as they stand, an array of numpy.uint8, (height, width, 3), as slipscope.picture "
      "gives of the\nregion \"view\"; its words mean the same.",
      py::arg("width") = 1600, py::arg("height") = 900, py::kw_only(),
      py::arg("show") = py::tuple(), py::arg("theme") = "dark", py::arg("quality") = "best",
      py::arg("scale") = 1, py::arg("transparent") = false);
}

}  // namespace

void AddSimulation(py::module_* module) {
  py::class_<Saved, std::shared_ptr<Saved>> state(
      *module, "State", "A step as it was, knobs included: Simulation.save.");
  state
      .def_property_readonly(
          "step", [](const Saved& s) { return s.record.state.step; },
          "Steps that were made when it was saved.")
      .def_property_readonly(
          "hash", [](const Saved& s) { return fmt::format("{:016x}", Hash(s.record.state)); },
          "Of every bit of the state.");
  state.def("__repr__", [](const Saved& s) {
    return fmt::format("<slipscope.State after {} steps>", s.record.state.step);
  });
  DefSame(&state);
  RefusePickle(&state, kNoPickle);
  RefuseUnmade<Saved>();

  py::class_<Stepper, std::shared_ptr<Stepper>> type(
      *module, "Simulation",
      Documented("Simulation", "(scene, model=None, *, params={}, **more)",
                 "One model on a scene, stepped from Python.\n\n"
                 "sim = Simulation(\"conveyor\", \"sap\", stiffness=1e8)\n"
                 "sim.step(100); sim.signal(\"normal_force\")\n"
                 "sim[\"friction\"] = 0.3; sim.model = \"lagged\"")
          .c_str());
  DefInit(&type, "(self, scene, model=None, *, params={}, **more)", py::init(&Make),
          "scene, params and keywords as run takes them; model None: the scene's first.",
          py::arg("scene"), py::arg("model") = py::none(), py::kw_only(),
          py::arg("params") = py::dict());
  type.def_property_readonly(
          "scene", [](const Stepper& s) { return std::const_pointer_cast<Scene>(s.scene()); },
          "The Scene that it is of.")
      .def_property_readonly(
          "bodies", [](const Stepper& s) { return BodiesOf(s.sim().model()); },
          "Their names, in the order of positions and the like.")
      .def_property_readonly(
          "parameters", [](const Stepper& s) { return ParamsOf(s.sim().config()); },
          "Values of all parameters that its model reads, by path.")
      .def_property_readonly(
          "time", [](const Stepper& s) { return s.sim().time(); },
          "Simulated, since the start [s].")
      .def_property_readonly(
          "steps", [](const Stepper& s) { return s.sim().step(); }, "Made since the start.")
      .def_property(
          "model", [](const Stepper& s) { return std::string(Info(s.sim().config().method()).id); },
          &Stepper::SetModel, "Id; another one takes over from this state.")
      .def_property_readonly("signals", &Stepper::Signals, "All of the last step, by name.")
      .def_property_readonly(
          "contacts", &Stepper::Contacts,
          "Of the last step, a dict each: a, b, position, normal (from a into b), force (on b),\n"
          "signed_distance, normal_velocity, slip_speed, state (open, stick, slip, or limit: it "
          "sticks with all\nthe friction that it has).")
      .def_property_readonly(
          "converged", [](const Stepper& s) { return s.sim().solve().converged; },
          "Whether the last step's solver did.")
      .def_property_readonly(
          "state_hash",
          [](const Stepper& s) { return fmt::format("{:016x}", Hash(s.sim().state())); },
          "Of every bit of the state.")
      .def("__repr__", [](const Stepper& s) {
        return fmt::format("<slipscope.Simulation {} at {} s>", Info(s.sim().config().method()).id,
                           s.sim().time());
      });
  AddActions(&type);
  RefusePickle(&type, kNoPickle);
  RefuseUnmade<Stepper>();
  AddMotion(&type);
}

}  // namespace slip::python
