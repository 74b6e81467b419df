// THE list of what pictures show: one line for each quantity, and nothing else outside its own file
// in render/. From a line come its member of ViewStyle, its Action with key, menu and switch, its
// place in the settings, and that it is drawn. The order is that of menus; pictures go by layers.
#pragma once

/// SWITCH(constant, member of ViewStyle, its first value) has an action of the constant's name;
/// ALWAYS(constant) has no key. Each constant is a Quantity (quantity.h).
#define SLIP_QUANTITIES(SWITCH, ALWAYS)                      \
  ALWAYS(kBeltVelocity)                                      \
  SWITCH(kContactPoints, bool contact_points, true)          \
  SWITCH(kCandidates, bool candidates, true)                 \
  SWITCH(kForces, bool forces, true)                         \
  SWITCH(kChains, ForceStyle force_style, ForceStyle::kAuto) \
  SWITCH(kSplitForces, bool split_forces, true)              \
  SWITCH(kVisualMeshes, bool visual_meshes, true)            \
  SWITCH(kCollisionShapes, bool collision_shapes, false)     \
  SWITCH(kJointAxes, bool joint_axes, false)                 \
  SWITCH(kMassCentres, bool com_marks, false)                \
  SWITCH(kLinkFrames, bool link_frames, false)               \
  SWITCH(kInertiaBoxes, bool inertia_boxes, false)           \
  SWITCH(kRunGhost, bool run_ghost, false)                   \
  ALWAYS(kForeignGhost)                                      \
  SWITCH(kTransparent, bool transparent, false)              \
  SWITCH(kWireframe, bool wireframe, false)                  \
  SWITCH(kCone, bool friction_cone, false)                   \
  SWITCH(kSlipVelocity, bool slip_velocity, false)           \
  SWITCH(kDistance, bool coulomb_distance, false)            \
  SWITCH(kSupport, bool support, true)                       \
  SWITCH(kFootForces, bool foot_forces, true)                \
  SWITCH(kFootTrails, bool foot_trails, false)               \
  SWITCH(kJointMarks, bool joint_marks, false)               \
  SWITCH(kOcclusion, bool occlusion, false)                  \
  ALWAYS(kMouseSpring)                                       \
  ALWAYS(kShadows)                                           \
  ALWAYS(kOutlines)
