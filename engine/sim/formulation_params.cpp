// Where the parameters of each formulation stand in FormulationParams.
#include <type_traits>

#include "engine/core/check.h"
#include "engine/sim/method_list.h"

namespace slip {
namespace {

/// Calls visit(place, defaults) for the struct of every formulation, in the order of the list.
template <class... Part, class Visit>
constexpr std::size_t VisitParts(std::type_identity<std::tuple<Part...>>, const Visit& visit) {
  std::size_t place = 0;
  const auto one = [&](const auto& part) {
    visit(place, part);
    place += (sizeof(part) + alignof(double) - 1) / alignof(double) * alignof(double);
  };
  (one(Part{}), ...);
  return place;
}
constexpr std::type_identity<OwnParts> kParts;

template <class... Part>
constexpr bool ArePlain(std::type_identity<std::tuple<Part...>>) {
  return ((std::is_trivially_copyable_v<Part> && alignof(Part) <= alignof(double)) && ...);
}
static_assert(ArePlain(kParts));
static_assert(VisitParts(kParts, [](std::size_t, const auto&) {}) <= FormulationParams::kBytes);

}  // namespace

FormulationParams::FormulationParams() {
  VisitParts(kParts, [&](std::size_t place, const auto& defaults) {
    using Part = std::remove_cvref_t<decltype(defaults)>;
    new (bytes_.data() + place) Part(defaults);
  });
}

bool FormulationParams::operator==(const FormulationParams& other) const {
  bool equal = true;
  VisitParts(kParts, [&](std::size_t, const auto& defaults) {
    using Part = std::remove_cvref_t<decltype(defaults)>;
    equal = equal && Get<Part>() == other.Get<Part>();
  });
  return equal;
}

std::size_t FormulationParams::Place(const std::type_info& part) {
  std::size_t found = kBytes;
  VisitParts(kParts, [&](std::size_t place, const auto& defaults) {
    if (typeid(defaults) == part) found = place;
  });
  SLIP_CHECK(found < kBytes);
  return found;
}

}  // namespace slip
