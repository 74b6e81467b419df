// One link: what it weighs, what it looks like, what it touches with.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>
#include <optional>

#include "engine/core/numbers.h"
#include "engine/core/pose.h"
#include "engine/urdf/urdf_check.h"
#include "engine/urdf/urdf_masses.h"

namespace slip {
namespace {

using tinyxml2::XMLElement;

constexpr NumberRange kMass{.most = 1e6, .unit = "kg"};
constexpr NumberRange kMoment{.most = 1e12, .unit = "kg m^2"};

void CheckInertial(const UrdfPlace& place, const XMLElement& link, LinkFacts* facts) {
  const XMLElement* inertial = OnlyChild(place, link, "inertial");
  if (inertial == nullptr) return;
  facts->X_LC = CheckOrigin(place, *inertial);
  const XMLElement* mass = OnlyChild(place, *inertial, "mass");
  bool good = mass != nullptr;
  if (mass == nullptr) {
    place.Fail(*inertial, "no <mass>", "write <mass value=\"NUMBER\"/> [kg]");
  } else {
    good = ReadNumber(place, *mass, "value", kMass, true, &facts->mass);
  }
  if (good && facts->mass < 0) {
    place.Fail(
        *mass, fmt::format("the mass is {:g} kg", facts->mass),
        fmt::format("expected {:g} kg or more, or 0 for a frame without a body", kLightestBody));
    good = false;
  }
  if (good && facts->mass > 0 && facts->mass < kLightestBody) {
    place.report->NoteOf(place.owner, fmt::format("a mass below {:g} kg is taken for none: it is a "
                                                  "frame without a body",
                                                  kLightestBody));
    facts->mass = 0;
    return;
  }
  const XMLElement* inertia = OnlyChild(place, *inertial, "inertia");
  if (inertia == nullptr) {
    if (good && facts->mass == 0) return;  // it has none
    facts->wrong_mass = true;
    return place.Fail(*inertial, "no <inertia>",
                      "write <inertia ixx=\"\" ixy=\"\" ixz=\"\" iyy=\"\" iyz=\"\" izz=\"\"/>");
  }
  std::array<double, 6> I{};
  constexpr std::array<const char*, 6> kNames = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  for (std::size_t i = 0; i < I.size(); ++i) {
    const std::string_view name = kNames[i];
    const bool moment = name[1] == name[2];
    if (!moment && inertia->Attribute(kNames[i]) == nullptr)
      place.report->NoteOf(place.owner, "products of inertia that are not given are 0");
    else
      good = ReadNumber(place, *inertia, kNames[i], kMoment, true, &I[i]) && good;
  }
  if (!good) {
    facts->wrong_mass = true;
    return;
  }
  const bool zero = std::all_of(I.begin(), I.end(), [](double x) { return x == 0; });
  if (facts->mass == 0) {
    if (!zero) place.report->Note(place.owner + ": its inertia is not used, its mass is 0");
    return;
  }
  facts->I_C << I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5];
  facts->inertia_line = inertia->GetLineNum();
}

/// URDF's cylinders and capsules stand along z, ours lie along x: R e_x = e_z.
Quat UprightAxis() { return Quat(Eigen::AngleAxisd(-0.5 * std::numbers::pi, Vec3::UnitY())); }

/// The pieces of a <mesh>, which stands in X_LS: none where it is only for the eyes and left out.
std::vector<RobotShape> CheckMesh(const UrdfPlace& place, const XMLElement& element, bool collision,
                                  UrdfMeshes* meshes, const RobotShape& as) {
  if (!collision && meshes->Skips(place, element)) return {};
  const int index = meshes->Read(place, element, collision);
  if (index < 0) return {as};  // that was said
  const UrdfMesh& mesh = At(meshes->list, index);
  std::vector<RobotShape> shapes;
  for (const UrdfMesh::Piece& piece : mesh.pieces) {
    RobotShape& shape = shapes.emplace_back(as);
    shape.format = FindMeshFormat(element.Attribute("filename"));
    shape.more_of_mesh = shapes.size() > 1;
    shape.shape = piece.shape;
    shape.X_LS = ComposeUnit(as.X_LS, piece.X_GS);
    // what the robot's file says of a colour is nearer than what the mesh's does
    if (!shape.color) shape.color = piece.color;
  }
  return shapes;
}

/// A plane is a box as wide as a scene likes, whose upper side it is: other readers have planes.
void CheckPlane(const UrdfPlace& place, const XMLElement& element, bool collision, RobotShape* as) {
  constexpr double kWide = 100, kThick = 1;
  Vec3 normal = Vec3::UnitZ();
  if (element.Attribute("normal") != nullptr &&
      !ReadNumbers(place, element, "normal", kPosition, true, std::span(normal.data(), 3)))
    return;
  if (!(normal.norm() > 1e-9))
    return place.Fail(element, "normal of <plane> is zero", "write normal=\"0 0 1\"");
  as->shape.kind = ShapeKind::kBox;
  as->shape.size = Vec3(kWide, kWide, kThick);
  const Quat turn = Quat::FromTwoVectors(Vec3::UnitZ(), normal);
  const Pose X_PB{turn * Vec3(0, 0, -kThick / 2), turn};
  as->X_LS = ComposeUnit(as->X_LS, X_PB);
  if (collision)
    place.report->NoteOf(place.owner, fmt::format("a <plane> is the upper side of a box of {0:g} m "
                                                  "by {0:g} m by {1:g} m",
                                                  kWide, kThick));
}

/// Some of its lengths is zero: files write that for a shape that nobody should see.
bool HasNoSize(const XMLElement& shape) {
  for (const char* name : {"size", "radius", "length"}) {
    std::string_view rest = shape.Attribute(name) != nullptr ? shape.Attribute(name) : "";
    while (!rest.empty()) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      if (const auto number = ParseXmlNumber(word); number && *number == 0) return true;
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    }
  }
  return false;
}

/// The shapes of a <geometry>, as `as` but for what it says: several for a mesh of several colours
/// or parts.
std::vector<RobotShape> CheckShape(const UrdfPlace& place, const XMLElement& geometry,
                                   bool collision, UrdfMeshes* meshes, RobotShape as) {
  const XMLElement* first = geometry.FirstChildElement();
  if (first == nullptr) {
    place.Fail(geometry, "<geometry> without a shape",
               "write <box>, <cylinder>, <sphere>, <capsule> or <mesh>");
    return {as};
  }
  const XMLElement& element = *first;
  if (element.NextSiblingElement() != nullptr)
    place.report->NoteOf(place.owner,
                         "there is a second element in a <geometry>, and the first is taken");
  const std::string_view name = element.Name();
  Shape& shape = as.shape;
  if (!collision && name != "mesh" && HasNoSize(element)) {
    place.report->NoteOf(place.owner, "a visual of size 0 is not drawn");
    return {};
  }
  if (name == "mesh") return CheckMesh(place, element, collision, meshes, as);
  if (name == "box") {
    shape.kind = ShapeKind::kBox;
    ReadNumbers(place, element, "size", kSize, true, std::span(shape.size.data(), 3));
  } else if (name == "sphere") {
    shape.kind = ShapeKind::kSphere;
    ReadNumber(place, element, "radius", kSize, true, &shape.radius);
  } else if (name == "cylinder" || name == "capsule" || name == "drake:capsule") {
    // of a capsule the length without its caps, as here
    shape.kind = name == "cylinder" ? ShapeKind::kCylinder : ShapeKind::kCapsule;
    ReadNumber(place, element, "radius", kSize, true, &shape.radius);
    ReadNumber(place, element, "length", kSize, true, &shape.length);
    as.X_LS.q = (as.X_LS.q * UprightAxis()).normalized();
  } else if (name == "plane") {
    CheckPlane(place, element, collision, &as);
  } else {
    place.Fail(element, fmt::format("there is no shape {}", QuoteXml(name)),
               "expected box, cylinder, sphere, capsule or mesh");
  }
  return {as};
}

/// The colour of a visual, by itself or by the name of a material; takes its <material> out.
std::optional<std::array<double, 4>> TakeColor(const UrdfPlace& place, XMLElement* visual,
                                               const Colors& colors) {
  if (FirstChild(place, *visual, "material") == nullptr) return std::nullopt;
  XMLElement* material = visual->FirstChildElement("material");
  auto rgba = CheckColor(place, *material);
  if (!rgba && material->FirstChildElement("color") == nullptr) {
    const char* name = material->Attribute("name");
    const auto known = colors.find(name == nullptr ? "" : name);
    if (known != colors.end()) {
      rgba = known->second;
    } else {
      place.report->Note(fmt::format("{}: material {} has no colour", place.owner,
                                     QuoteXml(name == nullptr ? "" : name)));
    }
  }
  while ((material = visual->FirstChildElement("material")) != nullptr)
    visual->DeleteChild(material);
  return rgba;
}

/// The shapes of the visuals of a link, to touch with: none where some cannot be read.
std::vector<RobotShape> TouchByVisuals(const UrdfPlace& place, const XMLElement& link,
                                       UrdfMeshes* meshes) {
  std::vector<const XMLElement*> parts;
  for (const XMLElement* part = link.FirstChildElement("visual"); part != nullptr;
       part = part->NextSiblingElement("visual")) {
    const XMLElement* geometry = part->FirstChildElement("geometry");
    const XMLElement* shape = geometry != nullptr ? geometry->FirstChildElement() : nullptr;
    if (shape == nullptr || HasNoSize(*shape)) continue;
    if (std::string_view(shape->Name()) == "mesh" && meshes->Skips(place, *shape)) return {};
    parts.push_back(part);
  }
  std::vector<RobotShape> shapes;
  for (const XMLElement* part : parts) {
    RobotShape as;
    as.X_LS = CheckOrigin(place, *part);
    as.has_visual = true;
    for (RobotShape& one :
         CheckShape(place, *part->FirstChildElement("geometry"), true, meshes, as))
      shapes.push_back(std::move(one));
  }
  return shapes;
}

/// Where the file of a collision mesh is missing, but a link's looks can be read, it touches with
/// those. False where they cannot.
bool StandIn(const UrdfPlace& place, const XMLElement& geometry, const XMLElement& link,
             bool* stands, UrdfMeshes* meshes, LinkFacts* facts) {
  const XMLElement* mesh = geometry.FirstChildElement();
  if (mesh == nullptr || std::string_view(mesh->Name()) != "mesh" || !meshes->IsMissing(*mesh))
    return false;
  if (!*stands) {
    std::vector<RobotShape> shapes = TouchByVisuals(place, link, meshes);
    if (shapes.empty()) return false;
    facts->collisions.insert(facts->collisions.end(), shapes.begin(), shapes.end());
    *stands = true;
  }
  place.report->NoteOf(
      fmt::format("collision mesh {} of {}", QuoteXml(mesh->Attribute("filename")), place.owner),
      "there is no such file, and the link touches with what it looks like instead");
  return true;
}

void CheckShapes(const UrdfPlace& place, XMLElement* link, const Colors& colors, UrdfMeshes* meshes,
                 LinkFacts* facts) {
  bool stands_in = false;
  for (const bool collision : {false, true}) {
    const char* kind = collision ? "collision" : "visual";
    for (XMLElement* part = link->FirstChildElement(kind); part != nullptr;
         part = part->NextSiblingElement(kind)) {
      TakeOutOthers(part, {"origin", "geometry", "material"}, nullptr);
      RobotShape shape;
      if (const char* name = part->Attribute("name"); name != nullptr) shape.name = name;
      shape.X_LS = CheckOrigin(place, *part);
      if (!collision) shape.color = TakeColor(place, part, colors);
      shape.has_visual = collision && !facts->visuals.empty();
      const XMLElement* geometry = OnlyChild(place, *part, "geometry");
      if (geometry == nullptr) {
        place.Fail(*part, fmt::format("<{}> without a <geometry>", kind),
                   "write <geometry><sphere radius=\"0.1\"/></geometry>");
        continue;
      }
      if (collision && StandIn(place, *geometry, *link, &stands_in, meshes, facts)) continue;
      std::vector<RobotShape>& shapes = collision ? facts->collisions : facts->visuals;
      for (RobotShape& one : CheckShape(place, *geometry, collision, meshes, shape))
        shapes.push_back(std::move(one));
    }
  }
}

}  // namespace

void CheckUrdfLink(XMLElement* element, const Colors& colors, UrdfFacts* facts,
                   UrdfReport* report) {
  LinkFacts link;
  link.line = element->GetLineNum();
  if (!CheckName(*element, report, &link.name)) return;
  const UrdfPlace place{fmt::format("link {}", QuoteXml(link.name)), report};
  CheckInertial(place, *element, &link);
  CheckShapes(place, element, colors, &facts->meshes, &link);
  facts->links.push_back(std::move(link));
}

}  // namespace slip
