// Arrows of one scale with their numbers: what all overlays of forces are drawn with.
#pragma once

#include <vector>

#include "render/scene/draw_list.h"

namespace slip::render {

/// Arrow scale in force for a scene: newtons per 10 cm at 1 m distance; 0 = logarithmic. Automatic
/// scaling looks at the weight of what is heaviest, not at the forces, so that it does not flicker.
double NewtonsPer10cm(const Snapshot& snapshot, const ViewRequest& request);

/// Length of a force arrow [m] at `distance` [m] from the eye. Logarithmic: 0.1 N = 35 mm at 1 m,
/// 62 mm per decade, linear below 0.1 N. Fixed scale ignores the distance.
double ArrowLength(double force, double distance, ArrowScale scale, double newtons_per_10cm);

class ForceArrows {
 public:
  ForceArrows(const DrawContext& context, DrawList* list);

  /// Of a force at this distance from the eye [m], as far as the picture has room.
  double Length(double force, double d) const;
  void AddArrow(const Vec3& origin, const Vec3& direction, double length, double d,
                const Colour& colour);
  /// A number beside the tip of an arrow.
  void AddLabel(const Vec3& origin, const Vec3& direction, double length, LabelKind kind,
                double value, int channel, int64_t id);
  /// Both, as long as the scale says.
  void AddForce(const Vec3& p, const Vec3& direction, double force, double d, const Colour& colour,
                LabelKind kind, int channel, int64_t id);

  void DropForceLabels() { force_labels_.clear(); }
  /// The numbers of all arrows, of forces only the largest.
  std::vector<LabelAnchor> TakeLabels();

 private:
  const DrawContext& c_;
  DrawList* list_;
  double scale_ = 0;
  ArrowScale arrow_scale_ = ArrowScale::kLog;  ///< with the automatic choice made
  std::vector<LabelAnchor> labels_, force_labels_;
};

}  // namespace slip::render
