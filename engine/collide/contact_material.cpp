#include "engine/collide/contact_material.h"

#include <algorithm>

#include "engine/core/numbers.h"

namespace slip {
namespace {

// Index of A's material; -1 = rigid.
int OtherMaterial(const Model& model, int surface, int body_a) {
  return body_a >= 0 ? model.body(body_a).material : At(model.surfaces, surface).material;
}

/// The index of the material that the two have as a pair; -1 = none.
int PairMaterial(const Model& model, int surface, int body_a, int body) {
  if (model.meetings.materials.empty()) return -1;
  return model.meetings.FindMaterial(body_a >= 0 ? body_a : Meetings::OfSurface(surface), body);
}

}  // namespace

Material ContactMaterial(const Model& model, std::span<const Material> materials, int surface,
                         int body_a, int body) {
  const auto material = [&](int index) -> const Material& { return At(materials, index); };
  if (const int pair = PairMaterial(model, surface, body_a, body); pair >= 0) return material(pair);
  const Material& own = material(model.body(body).material);
  const int other = OtherMaterial(model, surface, body_a);
  return other < 0 ? own : CombineMaterials(material(other), own);
}

void MaterialPairs::Combine(std::span<const Material> materials) {
  // mostly those of the step before
  if (count_ > 0 && std::equal(materials.begin(), materials.end(), pairs_.begin(),
                               pairs_.begin() + static_cast<std::ptrdiff_t>(count_)))
    return;
  count_ = materials.size();
  pairs_.assign(materials.begin(), materials.end());
  for (const Material& other : materials) {
    for (const Material& own : materials) {
      pairs_.push_back(CombineMaterials(other, own));
    }
  }
  largest_friction_ = largest_torsional_friction_ = largest_relaxation_time_ = 0;
  for (const Material& m : materials) {
    // no pair has more than its rougher side, nor more than twice its slower one
    largest_friction_ = std::max(largest_friction_, m.friction);
    largest_torsional_friction_ = std::max(largest_torsional_friction_, m.torsional_friction);
    largest_relaxation_time_ = std::max(largest_relaxation_time_, 2 * m.relaxation_time);
  }
}

const Material& MaterialPairs::Of(const Model& model, int surface, int body_a, int body) const {
  // as it is, as beside something rigid
  if (const int pair = PairMaterial(model, surface, body_a, body); pair >= 0)
    return At(pairs_, pair);
  const auto own = static_cast<std::size_t>(model.body(body).material);
  const auto other = static_cast<std::size_t>(OtherMaterial(model, surface, body_a) + 1);
  return pairs_[other * count_ + own];
}

}  // namespace slip
