// Whom a shape touches, as files say it: by bits, where the model's own filters and the roles of
// shapes come together.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/export/geoms.h"

namespace slip {

/// Whether shapes of two roles touch at all; and a shape and a surface.
bool RolesTouch(GeomRole a, GeomRole b);
bool TouchesSurfaces(GeomRole role);

/// What programs leave out by themselves: parts of one link, links that a joint joins, and two that
/// stand.
bool KeptApartByJoints(const Model& model, int a, int b);

/// contype and conaffinity of every shape and surface.
class TouchTable {
 public:
  TouchTable(const Model& model, const std::vector<std::vector<ExportGeom>>& geoms);

  Meetings::Mask Of(GeomRole role, int body) const;
  Meetings::Mask OfSurface(int surface) const;
  /// False where there are more kinds of shapes than bits: these then are those of the roles.
  bool exact() const { return exact_; }

 private:
  struct Kind {
    bool surface = false;
    GeomRole role = GeomRole::kSolid;
    Meetings::Mask mask;
  };
  std::size_t KindOf(const Kind& kind) const;
  static bool Touch(const Kind& a, const Kind& b);
  Meetings::Mask BitsOfKind(const Kind& kind) const;

  const Model& model_;
  bool by_roles_ = false, by_kinds_ = false, exact_ = true;
  std::vector<Kind> kinds_;
};

/// One mask each so that two have a bit in common where they touch, and none where they must not;
/// what is neither does not matter. None where the bits do not suffice.
std::optional<std::vector<uint32_t>> CalcCommonBits(int count, int bits,
                                                    const std::function<bool(int, int)>& touch,
                                                    const std::function<bool(int, int)>& apart);

/// "a with b", of bodies and surfaces that the model keeps apart, and a program without filters
/// does not; and of those that touch although a joint joins them.
struct FilteredPairs {
  std::vector<std::string> apart, together;
};
FilteredPairs FindFiltered(const Model& model);
/// Says them of a format without filters.
void AddFilterLosses(const Model& model, const char* format, Losses* losses);

/// collide_bitmask of bodies, parts among them, and then of surfaces; empty where all touch, or no
/// bits say it, which the list then does.
std::vector<uint32_t> CalcCollideBits(const Model& model, Losses* losses);

}  // namespace slip
