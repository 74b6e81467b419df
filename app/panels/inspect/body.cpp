// Body: pose, velocity, mass and energy of the selected body, in every shown channel, and what can
// be changed of it and of its material.
#include "app/panels/inspect/body.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/kit/widgets.h"
#include "app/panels/common/tab.h"
#include "app/panels/curves/plot_this.h"
#include "app/panels/inspect/tables.h"
#include "app/panels/learn/param_rows.h"
#include "app/state/channel_style.h"
#include "engine/core/numbers.h"
#include "engine/scene/robot_sketch.h"

namespace slip::app {
namespace {

void Line(const std::string& rich, const std::string& number) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImDrawList* list = ImGui::GetWindowDrawList();
  DrawRich(list, at, rich, Role::kLabel, Color(Token::kText2));
  DrawText(list, ImVec2(at.x + width - MeasureText(number, Role::kValue).x, at.y), number,
           Role::kValue, Color(Token::kText));
  ImGui::Dummy(ImVec2(width, Px(18)));
}

std::string Triple(const Vec3& v, double factor, int decimals) {
  return FormatFixed(v.x() * factor, decimals) + "  " + FormatFixed(v.y() * factor, decimals) +
         "  " + FormatFixed(v.z() * factor, decimals);
}

const char* ShapeWord(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::kSphere:
      return "sphere";
    case ShapeKind::kBox:
      return "box";
    case ShapeKind::kCapsule:
      return "capsule";
    case ShapeKind::kCylinder:
      return "cylinder";
    case ShapeKind::kConvex:
      return "convex mesh";
    case ShapeKind::kTriangleMesh:
      return "triangle mesh";
    case ShapeKind::kPointCloud:
      return "point cloud";
  }
  return "";
}

/// What touches the body, and the force of all contacts together.
void ContactLines(const Model& model, const ChannelFrame& frame, int body) {
  int touching = 0, slipping = 0;
  double largest = 0;
  Vec3 sum = Vec3::Zero();
  const ContactFrame* strongest = nullptr;
  for (const ContactFrame& contact : frame.contacts) {
    if (!Touches(contact, body) || contact.mode == ContactMode::kOpen) continue;
    ++touching;
    slipping += contact.mode == ContactMode::kSlip ? 1 : 0;
    const Vec3 force = contact.fn * contact.n_W + contact.ft_W;
    sum += contact.body == body ? force : Vec3(-force);
    if (contact.fn > largest) {
      largest = contact.fn;
      strongest = &contact;
    }
  }
  Line("Contacts",
       slipping > 0 ? fmt::format("{}, {} slip", touching, slipping) : std::to_string(touching));
  if (touching == 0) return;
  Line("Contact force, sum", FormatSignal(Signal::kNormalForce, sum.norm()));
  Line("Largest f_n", FormatSignal(Signal::kNormalForce, largest));
  if (strongest != nullptr) {
    Line("from", strongest->body == body ? std::string(NameOfA(model, *strongest))
                                         : model.body(strongest->body).name);
  }
}

/// Names of others that have the material, "box-2, floor"; empty when nobody has.
std::string SharedWith(const Model& model, int body, int material) {
  constexpr int kNamed = 3;
  std::string names;
  int others = 0;
  const auto add = [&](const std::string& name) {
    if (++others <= kNamed) names += (names.empty() ? "" : ", ") + name;
  };
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Body& other = model.bodies[i];
    if (static_cast<int>(i) != body && other.shape_of_link < 0 && other.material == material)
      add(other.name);
  }
  for (const Surface& surface : model.surfaces) {
    if (surface.material == material) add(surface.name);
  }
  if (others > kNamed) names += fmt::format(" and {} more", others - kNamed);
  return names;
}

/// What can be changed of the body, and of its material.
void BodyParams(const Session& session, const Model& model, int body, ParamRows* rows,
                Requests* requests) {
  const Config& config = session.frame(session.looks().lead()).config;
  const Body& b = model.body(body);
  const auto at = static_cast<std::size_t>(b.material);
  const bool has_material = b.material >= 0 && at < config.materials.size();
  const std::string material = has_material ? "material." + config.materials[at].name + "." : "";
  const std::string own = "body." + b.name + ".";
  const std::vector<ParamEntry> entries = ListParams(config);
  const auto draw = [&](const std::string& prefix) {
    for (const ParamEntry& entry : entries) {
      if (entry.path.starts_with(prefix) && entry.path.rfind('.') == prefix.size() - 1)
        DrawParam(session, entry, rows, requests);
    }
  };
  HairLine();
  draw(own);
  if (!has_material) return;
  Rich("Material " + LiteralRich(config.materials[at].name), Role::kTitle);
  const std::string others = SharedWith(model, body, b.material);
  Paragraph(others.empty() ? "of this body alone" : "also of " + others, Role::kCaption,
            Token::kText3);
  draw(material);
}

void DrawBody(const TabContext& context) {
  const Session& session = context.session;
  Picked* picked = &context.state.picked;
  PlotsState* plots = &context.state.plots;
  const Model* model = session.model();
  if (model == nullptr || model->bodies.empty()) {
    Paragraph("This scene has no bodies.", Role::kLabel, Token::kText3);
    return;
  }
  const int last = static_cast<int>(model->bodies.size()) - 1;
  int body = std::clamp(picked->selection.body, 0, last);
  if (model->bodies.size() > 1) {
    std::vector<std::string_view> names;
    std::vector<int> indices;
    int chosen = 0;
    for (int i = 0; i <= last; ++i) {
      const Body& b = model->body(i);
      if (b.shape_of_link >= 0) continue;
      if (i == body) chosen = static_cast<int>(names.size());
      names.push_back(b.name);
      indices.push_back(i);
    }
    if (Choice("body/name", names, &chosen, "The body whose numbers stand below.")) {
      body = At(indices, chosen);
      picked->selection = {body, -1, -1};
    }
  }
  const Body& b = model->body(body);
  Rich(LiteralRich(b.name), Role::kCardTitle);
  Line("Shape", ShapeWords(*model, body));
  Line("Mass", b.Moves() ? FormatQuantity(b.mass, "kg") : std::string("fixed"));
  if (!b.points_B.empty()) Line("Contact points", std::to_string(b.points_B.size()));
  for (int i = 0; i < session.channel_count(); ++i) {
    if (!session.looks().Present(i)) continue;
    const ChannelFrame& frame = session.written().frame(i);
    if (static_cast<std::size_t>(body) >= frame.bodies.size()) continue;
    const BodyFrame& state = At(frame.bodies, body);
    HairLine();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    DrawMark(ImGui::GetWindowDrawList(), ImVec2(at.x + Px(6), at.y + Px(9)), StyleOf(session, i),
             5);
    ImGui::SetCursorScreenPos(ImVec2(at.x + Px(20), at.y));
    Rich(session.looks().Name(i), Role::kTitle);
    Line("Position x y z [mm]", Triple(state.X_WB.p, 1e3, 2));
    Line("Velocity [mm/s]", Triple(state.V_WB.tail<3>(), 1e3, 1));
    Line("Spin [rad/s]", Triple(state.V_WB.head<3>(), 1, 3));
    ContactLines(*model, frame, body);
    const auto energy = [&](Signal signal) {
      return FormatSignal(signal, At(frame.signals, signal));
    };
    Line("Kinetic energy, all bodies", energy(Signal::kKineticEnergy));
    PlotThisMenu(fmt::format("body/kinetic/{}", i), Signal::kKineticEnergy, plots);
    Line("Mechanical energy, all bodies", energy(Signal::kMechanicalEnergy));
    PlotThisMenu(fmt::format("body/mechanical/{}", i), Signal::kMechanicalEnergy, plots);
    if (frame.config.grab.body == body) {
      Line("Mouse spring",
           FormatQuantity(frame.grab_force_W.norm(), frame.config.grab.twist ? "N m" : "N"));
    }
  }
  BodyParams(session, *model, body, &context.state.param_rows, &context.requests);
}

}  // namespace

std::string ShapeWords(const Model& model, int body) {
  const Body& of = model.body(body);
  // a mesh that touches with convex parts does not touch itself
  if (of.robot < 0 && of.collides) return ShapeWord(of.shape.kind);
  std::array<int, kShapeKinds> counts{};
  const auto count = [&](const Body& part) { ++At(counts, part.shape.kind); };
  int parts = 0;
  for (const Body& part : model.bodies) {
    if (part.shape_of_link != body) continue;
    ++parts;
    count(part);
  }
  for (const Body& visual : model.visuals)
    if (parts == 0 && visual.shape_of_link == body && !IsSketched(visual)) count(visual);
  std::string words;
  for (std::size_t kind = 0; kind < kShapeKinds; ++kind) {
    if (counts[kind] == 0) continue;
    words += (words.empty() ? "" : ", ") + std::string(ShapeWord(static_cast<ShapeKind>(kind)));
    if (counts[kind] > 1) words += fmt::format(" x{}", counts[kind]);
  }
  return words.empty() ? "none" : words;
}

const Tab kBodyTab{
    .name = "Body",
    .tip = "Pose, velocity, mass and material of one body.",
    .doc = "Pose, velocity, energy.",
    .draw = DrawBody,
    .table = BodiesTable,
};

}  // namespace slip::app
