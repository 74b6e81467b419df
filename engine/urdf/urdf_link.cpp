// One link: what it weighs, what it looks like, what it touches with.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/urdf/urdf_check.h"

namespace slip {
namespace {

using tinyxml2::XMLElement;

constexpr NumberRange kMass{.most = 1e6, .unit = "kg"};
constexpr NumberRange kMoment{.most = 1e12, .unit = "kg m^2"};
/// Lighter than this is no body but a slip of units; dividing by it loses the contact's digits.
constexpr double kLightest = 1e-9;

void CheckInertial(const UrdfPlace& place, XMLElement* link, LinkFacts* facts) {
  XMLElement* inertial = OnlyChild(place, link, "inertial");
  if (inertial == nullptr) return;
  facts->X_LC = CheckOrigin(place, inertial);
  XMLElement* mass = OnlyChild(place, inertial, "mass");
  bool good = mass != nullptr;
  if (mass == nullptr) {
    place.Fail(*inertial, "no <mass>", "write <mass value=\"NUMBER\"/> [kg]");
  } else {
    good = ReadNumber(place, mass, "value", kMass, true, &facts->mass);
  }
  if (good && (facts->mass < 0 || (facts->mass > 0 && facts->mass < kLightest))) {
    place.Fail(*mass, fmt::format("the mass is {:g} kg", facts->mass),
               fmt::format("expected {:g} kg or more, or 0 for a frame without a body", kLightest));
    good = false;
  }
  XMLElement* inertia = OnlyChild(place, inertial, "inertia");
  if (inertia == nullptr) {
    // a mass of zero has none
    if (!good || facts->mass > 0) {
      facts->wrong_mass = true;
      return place.Fail(*inertial, "no <inertia>",
                        "write <inertia ixx=\"\" ixy=\"\" ixz=\"\" iyy=\"\" iyz=\"\" izz=\"\"/>");
    }
    inertia = inertial->InsertNewChildElement("inertia");
    for (const char* name : {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"})
      inertia->SetAttribute(name, "0");
  }
  std::array<double, 6> I{};
  constexpr std::array<const char*, 6> kNames = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  for (std::size_t i = 0; i < I.size(); ++i)
    good = ReadNumber(place, inertia, kNames[i], kMoment, true, &I[i]) && good;
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

/// False for a mesh that is only for the eyes and in a format that nothing here reads.
bool CheckShape(const UrdfPlace& place, XMLElement* geometry, bool collision, UrdfMeshes* meshes) {
  XMLElement* shape = geometry->FirstChildElement();
  if (shape == nullptr) {
    place.Fail(*geometry, "<geometry> without a shape",
               "write <box>, <cylinder>, <sphere> or <mesh>");
    return true;
  }
  if (const XMLElement* more = shape->NextSiblingElement(); more != nullptr)
    place.Fail(*more, "a second shape in one <geometry>",
               "give it its own <visual> or <collision>");
  const std::string_view name = shape->Name();
  double number = 0;
  std::array<double, 3> size{};
  if (name == "box") {
    ReadNumbers(place, shape, "size", kSize, true, size);
  } else if (name == "sphere") {
    ReadNumber(place, shape, "radius", kSize, true, &number);
  } else if (name == "cylinder") {
    ReadNumber(place, shape, "radius", kSize, true, &number);
    ReadNumber(place, shape, "length", kSize, true, &number);
  } else if (name == "mesh") {
    if (!collision && meshes->Skips(place, *shape)) return false;
    const int index = meshes->Read(place, shape, collision);
    shape->SetAttribute("filename", index);
    shape->DeleteAttribute("scale");
  } else {
    place.Fail(*shape, fmt::format("there is no shape {}", QuoteXml(name)),
               name == "capsule" ? "write a cylinder and two spheres"
                                 : "expected box, cylinder, sphere or mesh");
  }
  return true;
}

}  // namespace

void CheckUrdfLink(XMLElement* element, UrdfFacts* facts, UrdfReport* report) {
  LinkFacts link;
  link.line = element->GetLineNum();
  if (!CheckName(element, report, &link.name)) return;
  const UrdfPlace place{fmt::format("link {}", QuoteXml(link.name)), report};
  CheckInertial(place, element, &link);
  for (const char* kind : {"visual", "collision"}) {
    XMLElement* next = nullptr;
    for (XMLElement* part = element->FirstChildElement(kind); part != nullptr; part = next) {
      next = part->NextSiblingElement(kind);
      TakeOutOthers(part, {"origin", "geometry", "material"}, nullptr);
      CheckOrigin(place, part);
      XMLElement* geometry = OnlyChild(place, part, "geometry");
      if (geometry == nullptr) {
        place.Fail(*part, fmt::format("<{}> without a <geometry>", kind),
                   "write <geometry><sphere radius=\"0.1\"/></geometry>");
        continue;
      }
      const bool collision = std::string_view(kind) == "collision";
      if (!CheckShape(place, geometry, collision, &facts->meshes)) element->DeleteChild(part);
    }
  }
  facts->links.push_back(std::move(link));
}

}  // namespace slip
