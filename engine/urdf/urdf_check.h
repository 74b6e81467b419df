// Reads a URDF file and says what is wrong with it, all of it at once: its links and joints as
// facts, from which the description is put together where nothing is.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/urdf/robot_description.h"
#include "engine/urdf/urdf_mesh.h"
#include "engine/urdf/urdf_xml.h"

namespace slip {

inline constexpr std::size_t kMostRobotLinks = 1000;

/// A link as the file has it.
struct LinkFacts {
  std::string name;
  int line = 0;
  double mass = 0;
  bool wrong_mass = false;  ///< told already
  Pose X_LC;                ///< of the inertial frame
  Mat3 I_C = Mat3::Zero();  ///< about the centre of mass, axes of C [kg m²]
  int inertia_line = 0;
  std::vector<RobotShape> visuals, collisions;
};

/// A joint likewise.
struct JointFacts {
  std::string name;
  int line = 0;
  std::string type, parent, child;
  Pose X_PJ;
  Vec3 axis = Vec3::UnitX();  ///< of any length
  double lower = 0, upper = 0, effort = 0, velocity = 0;
  bool unlimited = false;          ///< neither a lower nor an upper limit is given
  std::vector<std::string> zeros;  ///< limits that are 0, which files write for "not set"
  double damping = 0, friction = 0;
  double armature = 0;  ///< of its motor's rotor, behind the gear [kg m²] or [kg]
  std::string mimic;    ///< the joint that it follows; empty = none
  double multiplier = 1, offset = 0;
};

struct UrdfFacts {
  UrdfFacts(const std::string& folder, MeshCollision collision, MeshAxes axes)
      : meshes(folder, collision, axes) {}

  std::string name;
  std::vector<LinkFacts> links;  ///< in the order of the file
  std::vector<JointFacts> joints;
  UrdfMeshes meshes;
};

/// Every link and joint by itself, then how they hang together.
void CheckUrdf(tinyxml2::XMLDocument* document, UrdfFacts* facts, UrdfReport* report);

// The parts of it.
/// Colours of materials by name, so that a link may use what another has defined.
using Colors = std::map<std::string, std::array<double, 4>>;
void CheckUrdfLink(tinyxml2::XMLElement* element, const Colors& colors, UrdfFacts* facts,
                   UrdfReport* report);
void CheckUrdfJoint(const tinyxml2::XMLElement& element, UrdfFacts* facts, UrdfReport* report);
/// Says where a file is none of URDF, but one that belongs to robots all the same: true then.
bool IsOtherRobotFile(const tinyxml2::XMLElement& robot, UrdfReport* report);
/// What <transmission>, <gazebo> and <ros2_control> say of joints: read before the rest, and given
/// to the joints when those are known.
class UrdfControl {
 public:
  /// Takes them out of the robot.
  void Read(tinyxml2::XMLElement* robot);
  void Apply(UrdfFacts* facts, UrdfReport* report) const;

 private:
  struct Wish {
    std::optional<double> effort, velocity, lower, upper;
    std::optional<double> rotor_inertia, reduction;
    std::string leader;
    double multiplier = 1, offset = 0;
    bool from_gazebo = false;  ///< the leader is
  };
  void ReadTransmission(const tinyxml2::XMLElement& element);
  void ReadGazebo(const tinyxml2::XMLElement& element);
  void ReadControl(const tinyxml2::XMLElement& element);

  std::map<std::string, Wish> joints_;
  std::map<std::string, int> count_;  ///< by the element's name
};
void CheckUrdfTree(UrdfFacts* facts, UrdfReport* report);
/// What moves must weigh something, and what moves as one must be a body, whatever its parts are.
/// Masses and inertias that are not given are those of shapes.
void CheckMasses(UrdfFacts* facts, UrdfReport* report);
/// One note for all joints whose effort is 0, one for all whose velocity is.
void NoteZeroLimits(const std::vector<JointFacts>& joints, UrdfReport* report);
/// The pose that an <origin> gives.
Pose CheckOrigin(const UrdfPlace& place, const tinyxml2::XMLElement& parent);
/// The colour of a <material>; none when it gives none.
std::optional<std::array<double, 4>> CheckColor(const UrdfPlace& place,
                                                const tinyxml2::XMLElement& material);
/// Whether a link without a joint above it stands for the world.
bool IsWorld(const LinkFacts& root);
/// The name of a link or joint; false when there is none.
bool CheckName(const tinyxml2::XMLElement& element, UrdfReport* report, std::string* name);
/// Takes out what none of these names is, and remembers the names of what was taken.
void TakeOutOthers(tinyxml2::XMLElement* parent, std::initializer_list<std::string_view> known,
                   std::vector<std::string>* ignored);

}  // namespace slip
