// Which material a contact has: that of its two sides together, or one that the pair has by itself.
#pragma once

#include <span>
#include <vector>

#include "engine/contact/material.h"
#include "engine/dynamics/model.h"

namespace slip {

/// Material of the contact between body_a, or else the surface, and the body: the body's own values
/// where the surface is rigid, the pair's where the model gives it some. `materials` are what the
/// model's indices mean.
Material ContactMaterial(const Model& model, std::span<const Material> materials, int surface,
                         int body_a, int body);

/// The materials of all pairs, mixed once for many contacts. Keeps its memory.
class MaterialPairs {
 public:
  void Combine(std::span<const Material> materials);

  /// As ContactMaterial.
  const Material& Of(const Model& model, int surface, int body_a, int body) const;

  /// Bounds over all pairs.
  double largest_friction() const { return largest_friction_; }
  double largest_torsional_friction() const { return largest_torsional_friction_; }
  double largest_relaxation_time() const { return largest_relaxation_time_; }

 private:
  // rows are A's material, the first one rigid; columns are B's
  std::vector<Material> pairs_;
  std::size_t count_ = 0;
  double largest_friction_ = 0, largest_torsional_friction_ = 0, largest_relaxation_time_ = 0;
};

}  // namespace slip
