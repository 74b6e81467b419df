#include "engine/export/touch.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/numbers.h"

namespace slip {
namespace {

constexpr std::size_t kBits = 31;  // of a number that is not negative

// One bit for each kind that something does not touch.
enum RoleBit : uint32_t {
  kSolidBit = 1,
  kPointBit = 2,
  kProbeBit = 4,
  kOffBit = 8,
  kProbedBit = 16,
  kCloudBit = 32
};
constexpr Meetings::Mask kSurfaceBits = {0, kSolidBit | kPointBit | kProbeBit | kCloudBit};

constexpr Meetings::Mask BitsOf(GeomRole role) {
  switch (role) {
    case GeomRole::kSolid:
      return {kSolidBit, kSolidBit | kOffBit | kProbedBit | kCloudBit};
    case GeomRole::kOffSurfaces:
      return {kOffBit, kSolidBit | kOffBit | kProbedBit | kCloudBit};
    case GeomRole::kProbed:
      return {kProbedBit, kSolidBit | kOffBit | kProbeBit | kCloudBit};
    case GeomRole::kPoint:
      return {kPointBit, 0};
    case GeomRole::kProbe:
      return {kProbeBit, 0};
    case GeomRole::kCloud:
      return {kCloudBit, 0};
    case GeomRole::kVisual:
      break;
  }
  return {0, 0};
}

bool SameMask(const Meetings::Mask& a, const Meetings::Mask& b) {
  return a.type == b.type && a.affinity == b.affinity;
}

bool Touches(const Body& body) { return body.collides || !body.points_B.empty(); }

}  // namespace

bool RolesTouch(GeomRole a, GeomRole b) { return BitsOf(a).Meets(BitsOf(b)); }
bool TouchesSurfaces(GeomRole role) { return BitsOf(role).Meets(kSurfaceBits); }

bool KeptApartByJoints(const Model& model, int a, int b) {
  const Body &A = model.body(a), &B = model.body(b);
  return !(A.Moves() || B.Moves()) || A.group == B.group || A.parent_group == B.group ||
         B.parent_group == A.group;
}

TouchTable::TouchTable(const Model& model, const std::vector<std::vector<ExportGeom>>& geoms)
    : model_(model) {
  const Meetings& meetings = model.meetings;
  for (const auto& of_link : geoms)
    for (const ExportGeom& geom : of_link)
      by_roles_ = by_roles_ || (geom.role != GeomRole::kSolid && geom.role != GeomRole::kVisual);
  if (!by_roles_ || (meetings.bodies.empty() && meetings.surfaces.empty())) return;
  const auto add = [&](const Kind& kind) {
    if (KindOf(kind) == kinds_.size()) kinds_.push_back(kind);
  };
  for (std::size_t s = 0; s < model.surfaces.size(); ++s)
    add({true, GeomRole::kSolid, Meetings::MaskOf(meetings.surfaces, s)});
  for (const auto& of_link : geoms)
    for (const ExportGeom& geom : of_link)
      if (geom.role != GeomRole::kVisual)
        add({false, geom.role, Meetings::MaskOf(meetings.bodies, ToIndex(geom.body))});
  by_kinds_ = exact_ = kinds_.size() <= kBits;
}

std::size_t TouchTable::KindOf(const Kind& kind) const {
  std::size_t i = 0;
  while (i < kinds_.size() && !(kinds_[i].surface == kind.surface && kinds_[i].role == kind.role &&
                                SameMask(kinds_[i].mask, kind.mask)))
    ++i;
  return i;
}

bool TouchTable::Touch(const Kind& a, const Kind& b) {
  if (a.surface && b.surface) return false;
  const Meetings::Mask one = a.surface ? kSurfaceBits : BitsOf(a.role);
  return one.Meets(b.surface ? kSurfaceBits : BitsOf(b.role)) && a.mask.Meets(b.mask);
}

Meetings::Mask TouchTable::BitsOfKind(const Kind& kind) const {
  Meetings::Mask bits{1u << KindOf(kind), 0};
  for (std::size_t i = 0; i < kinds_.size(); ++i)
    if (Touch(kind, kinds_[i])) bits.affinity |= 1u << i;
  return bits;
}

Meetings::Mask TouchTable::Of(GeomRole role, int body) const {
  if (role == GeomRole::kVisual) return {0, 0};
  const Meetings::Mask own = Meetings::MaskOf(model_.meetings.bodies, ToIndex(body));
  if (!by_roles_) return own;
  return by_kinds_ ? BitsOfKind({false, role, own}) : BitsOf(role);
}

Meetings::Mask TouchTable::OfSurface(int surface) const {
  const Meetings::Mask own = Meetings::MaskOf(model_.meetings.surfaces, ToIndex(surface));
  if (!by_roles_) return own;
  return by_kinds_ ? BitsOfKind({true, GeomRole::kSolid, own}) : kSurfaceBits;
}

// Each bit stands for a set of which no two must be apart; it grows from a pair that has none yet.
std::optional<std::vector<uint32_t>> CalcCommonBits(int count, int bits,
                                                    const std::function<bool(int, int)>& touch,
                                                    const std::function<bool(int, int)>& apart) {
  std::vector<uint32_t> masks(ToIndex(count), 0);
  int used = 0;
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      if ((masks[ToIndex(i)] & masks[ToIndex(j)]) != 0 || !touch(i, j)) continue;
      if (used == bits) return std::nullopt;
      std::vector<int> set = {i, j};
      for (int k = 0; k < count; ++k) {
        if (k == i || k == j) continue;
        if (std::none_of(set.begin(), set.end(), [&](int other) { return apart(k, other); }))
          set.push_back(k);
      }
      for (const int k : set) masks[ToIndex(k)] |= 1u << used;
      ++used;
    }
  }
  return masks;
}

FilteredPairs FindFiltered(const Model& model) {
  FilteredPairs pairs;
  if (model.meetings.empty()) return pairs;
  const int count = static_cast<int>(model.bodies.size());
  const auto add = [&](const std::string& a, const std::string& b, std::vector<std::string>* to) {
    to->push_back(a + " with " + b);
  };
  for (int b = 0; b < count; ++b) {
    if (!Touches(model.body(b))) continue;
    const std::string& name = model.body(model.body(b).Owner(b)).name;
    for (std::size_t s = 0; s < model.surfaces.size() && model.body(b).Moves(); ++s)
      if (!model.CanTouch(ToIndex(b), s)) add(name, model.surfaces[s].name, &pairs.apart);
    for (int a = 0; a < b; ++a) {
      if (!Touches(model.body(a))) continue;
      const Body &A = model.body(a), &B = model.body(b);
      if (A.robot >= 0 && A.robot == B.robot && !At(model.robots, A.robot).self_collision) continue;
      const bool joined = KeptApartByJoints(model, a, b), linked = model.Linked(a, b);
      const std::string& other = model.body(A.Owner(a)).name;
      if (linked && !joined) add(other, name, &pairs.apart);
      if (!linked && joined && (A.Moves() || B.Moves())) add(other, name, &pairs.together);
    }
  }
  return pairs;
}

void AddFilterLosses(const Model& model, const char* format, Losses* losses) {
  const FilteredPairs pairs = FindFiltered(model);
  for (const std::string& pair : pairs.apart)
    losses->Add(LossId::kFilter, fmt::format("{} does not say that two do not touch", format),
                pair);
  for (const std::string& pair : pairs.together)
    losses->Add(LossId::kFilter,
                fmt::format("{} does not say that two touch that a joint links", format), pair);
}

std::vector<uint32_t> CalcCollideBits(const Model& model, Losses* losses) {
  const int bodies = static_cast<int>(model.bodies.size()),
            count = bodies + static_cast<int>(model.surfaces.size());
  if (model.meetings.empty()) return {};
  const auto touches = [&](int i) { return i >= bodies || Touches(model.body(i)); };
  // left out without bits
  const auto kept = [&](int i, int j) {
    if (!touches(i) || !touches(j)) return true;
    if (j >= bodies) return i >= bodies || !model.body(i).Moves();
    const Body &A = model.body(i), &B = model.body(j);
    return KeptApartByJoints(model, i, j) ||
           (A.robot >= 0 && A.robot == B.robot && !model.robots[ToIndex(A.robot)].self_collision);
  };
  const auto meet = [&](int i, int j) {
    return j >= bodies ? model.CanTouch(ToIndex(i), ToIndex(j - bodies)) : !model.Linked(i, j);
  };
  const auto touch = [&](int i, int j) {
    const auto [a, b] = std::minmax(i, j);
    return !kept(a, b) && meet(a, b);
  };
  const auto apart = [&](int i, int j) {
    const auto [a, b] = std::minmax(i, j);
    return !kept(a, b) && !meet(a, b);
  };
  bool any = false;
  for (int j = 0; j < count; ++j)
    for (int i = 0; i < j; ++i) any = any || apart(i, j);
  const FilteredPairs filtered = FindFiltered(model);
  for (const std::string& pair : filtered.together)
    losses->Add(LossId::kFilter, "SDF does not say that two touch that a joint links", pair);
  if (!any) return {};
  constexpr int kMostBits = 16;
  if (auto bits = CalcCommonBits(count, kMostBits, touch, apart)) return std::move(*bits);
  for (const std::string& pair : filtered.apart)
    losses->Add(LossId::kFilter, "SDF has too few bits to say that two do not touch", pair);
  return {};
}

}  // namespace slip
