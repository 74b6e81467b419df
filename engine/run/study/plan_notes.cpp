#include "engine/run/study/plan_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/sim/method_list.h"

namespace slip {
namespace {

using Names = std::vector<std::string>;

/// The row of torsional_friction: methods say by its knob whether they read it.
const ParamInfo& TorsionInfo() {
  const auto table = MaterialTable();
  return std::find_if(
             table.begin(), table.end(),
             [](const Param<Material>& row) { return row.info.name == "torsional_friction"; })
      ->info;
}

Names Twisting(const Config& config) {
  Names names;
  for (const Material& material : config.materials)
    if (material.torsional_friction > 0) names.push_back("'" + material.name + "'");
  return names;
}

bool StartsMoving(const Body& body) {
  if (!body.Moves() || body.shape_of_link >= 0) return false;
  if (body.nq == 0) return body.V_WB != Vec6::Zero();
  return std::any_of(body.v0.begin(), body.v0.begin() + body.nv, [](double v) { return v != 0; });
}

Names Starting(const Model& model) {
  Names names;
  for (const Body& body : model.bodies)
    if (StartsMoving(body)) names.push_back("'" + body.name + "'");
  return names;
}

Names Clouds(const Model& model) {
  Names names;
  for (const Body& body : model.bodies)
    if (body.shape.kind == ShapeKind::kPointCloud && body.collides)
      names.push_back("'" + body.name + "'");
  return names;
}

/// Bodies so large that their files are likely in millimetres, and how large the largest is [m].
std::pair<Names, double> Large(const Model& model) {
  Names names;
  double largest = 0;
  for (const Body& body : model.bodies) {
    const double extent = FindLikelyMillimetres(body.shape);
    if (extent > 0) names.push_back("'" + body.name + "'");
    largest = std::max(largest, extent);
  }
  return {names, largest};
}

/// "'a', 'b', 'c' and 37 more"
std::string SomeOf(const Names& names) {
  constexpr std::size_t kMost = 3;
  // "and 1 more" would be no shorter than its name
  if (names.size() <= kMost + 1) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + kMost, ", "),
                     names.size() - kMost);
}

/// "1.2 rad"
std::string Position(const Joint& joint, double q) {
  return fmt::format("{:.4g} {}", q, joint.kind == JointKind::kPrismatic ? "m" : "rad");
}

}  // namespace

std::vector<std::string> StartNotes(const Model& model) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> notes;
  std::size_t more = 0;
  for (const Body& body : model.bodies) {
    const Joint& joint = body.joint;
    if (joint.leader < 0 || body.nv != 1) continue;
    const double q = body.q0[0];
    // what rounding makes of a start at a limit
    const double slack = 1e-9 * std::max(1.0, std::abs(q));
    if (q >= joint.lower - slack && q <= joint.upper + slack) continue;
    if (notes.size() == kMost) {
      ++more;
      continue;
    }
    const std::string& leader = model.body(joint.leader).joint.name;
    notes.push_back(fmt::format(
        "joint '{}' follows '{}' and starts at {}, outside of its own limits {:.4g} to {}",
        joint.name, leader, Position(joint, q), joint.lower, Position(joint, joint.upper)));
  }
  if (more > 0) notes.back() += fmt::format("; so do {} more", more);
  return notes;
}

std::vector<PlanNote> PlanNotes(const RunPlan& plan) {
  std::vector<PlanNote> notes;
  for (const std::string& text : plan.left_out) notes.push_back({"left_out", -1, text});
  for (const std::string& text : plan.scene->made) notes.push_back({"robot_scene", -1, text});
  for (std::string& text : StartNotes(*plan.scene->model))
    notes.push_back({"joint_start", -1, std::move(text)});
  const Names clouds = Clouds(*plan.scene->model);
  if (clouds.size() > 1) {
    notes.push_back({"clouds", -1,
                     fmt::format("point clouds do not see each other: {} pass through one another",
                                 SomeOf(clouds))});
  }
  const auto [large, extent] = Large(*plan.scene->model);
  if (!large.empty()) {
    notes.push_back(
        {"millimetres", -1,
         fmt::format("{}, from a file, is {:.3g} m large: if the file has millimetres, set scale = "
                     "0.001",
                     SomeOf(large), extent)});
  }
  for (std::size_t c = 0; c < plan.configs.size(); ++c) {
    const Config& config = plan.configs[c];
    const int channel = static_cast<int>(c);
    const Names twisting = Twisting(config);
    if (!twisting.empty() && !Reads(Info(config.method()), TorsionInfo())) {
      notes.push_back(
          {"torsion_ignored", channel,
           fmt::format("{} ignores the torsional friction of material {}: its contacts spin freely",
                       plan.labels[c], SomeOf(twisting))});
    }
    if (config.method() != MethodNamed("quasi-dynamic")) continue;
    // a recording goes on from a state of its own
    if (c < plan.paths.size() && plan.paths[c].start != nullptr) continue;
    const Names starting = Starting(*plan.scene->ModelFor(config));
    if (starting.empty()) continue;
    notes.push_back({"start_ignored", channel,
                     fmt::format("{} drops the start {} of {}: each of its steps starts from rest",
                                 plan.labels[c], starting.size() == 1 ? "velocity" : "velocities",
                                 SomeOf(starting))});
  }
  return notes;
}

std::vector<ToldNote> NotesOf(const RunPlan& plan, std::size_t channel,
                              const ChannelResult& result) {
  std::vector<ToldNote> told;
  const std::vector<StepNote> of_steps = result.notes.List();
  for (const StepNote& note : of_steps) {
    const std::string more = note.steps > 1
                                 ? fmt::format(" ({} of {} such steps)", note.most, note.steps)
                                 : std::string();
    told.push_back({note.id,
                    fmt::format("{} {}, at {:.4g} s{}", plan.labels.Of(channel, note.method),
                                note.what, note.worst_time, more),
                    note.advice});
  }
  for (const ParamNoteWatch::Seen& seen : result.params.seen()) {
    if (Find(of_steps, seen.note.of_steps) != nullptr) continue;
    std::string text = seen.note.text;
    if (text.ends_with('.')) text.pop_back();
    text += fmt::format(", {} at {:.4g} s", seen.note.most, seen.time);
    told.push_back({seen.note.id, std::move(text), seen.note.detail});
  }
  return told;
}

std::vector<std::string> NoteTexts(const RunPlan& plan, std::size_t channel,
                                   const ChannelResult& result) {
  std::vector<std::string> texts;
  for (const PlanNote& note : PlanNotes(plan)) {
    if (note.channel < 0 || note.channel == static_cast<int>(channel)) texts.push_back(note.text);
  }
  for (const ToldNote& note : NotesOf(plan, channel, result)) texts.push_back(note.text);
  return texts;
}

}  // namespace slip
