// Parts of an MJCF file: bodies with their joints and shapes, then who touches whom, and how.
#pragma once

#include <string>
#include <vector>

#include "engine/export/contact_terms.h"
#include "engine/export/geoms.h"
#include "engine/export/touch.h"
#include "engine/export/xml_text.h"

namespace slip {

/// A shape of the file that may touch.
struct WrittenGeom {
  std::string name;
  int link = -1;     ///< -1 = of a surface
  int surface = -1;  ///< then this one
  int body = -1;     ///< whose shape or point it is, as in ExportGeom
  GeomRole role = GeomRole::kSolid;
  MujocoContact contact;  ///< what the file says of it
};

/// What one part of the file leaves to the next.
struct MjcfParts {
  std::vector<WrittenGeom> geoms;
  std::vector<double> qpos, qvel, control;
  /// Links without mass between joints are written as joints of the next one: the link in whose
  /// <body> each is.
  std::vector<int> written_in;
  /// Joints that stay where they are.
  std::vector<std::pair<std::string, double>> locked;
};

/// Everything that the parts read, and the file that they write.
struct MjcfWork {
  const ExportInput& input;
  const LinkFrames& frames;
  const InverseMasses& masses;
  const TouchTable& touch;
  XmlText* xml;
  ExportMeshes* meshes;
  Losses* losses;

  const Model& model() const { return input.model; }
  const Body& body(int b) const { return input.model.bodies[static_cast<std::size_t>(b)]; }
};

/// <body> of every link, in the order in which MuJoCo counts their coordinates.
void WriteMjcfBodies(const std::vector<std::vector<ExportGeom>>& geoms, const MjcfWork& work,
                     MjcfParts* parts);
/// The joints of a link, in the frame T in which its <body> stands; positions and velocities at the
/// start go to the lists.
void WriteMjcfJoints(int link, const Pose& X_TL, const MjcfWork& work, MjcfParts* parts);
/// <equality> of followers and <actuator> of motors.
void WriteMjcfMotors(const MjcfWork& work, MjcfParts* parts);

/// Planes.
void WriteMjcfSurfaces(const MjcfWork& work, MjcfParts* parts);
/// <contact>: links that do not collide, and pairs whose parameters those of their shapes do not
/// combine to.
void WriteMjcfContacts(const MjcfWork& work, const MjcfParts& parts);
/// Of a shape of a link or part against something rigid.
MujocoContact CalcGeomContact(int body, const MjcfWork& work);
/// impratio of the file.
double CalcImpedanceRatio(const MjcfWork& work);
/// Attributes of a shape that say whom it touches, and how; null = as MuJoCo has it.
void SetMjcfContact(const Meetings::Mask& bits, const MujocoContact* contact, XmlText* xml);

}  // namespace slip
