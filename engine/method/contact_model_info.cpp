// The names of the contact models and of the normal laws, with one sentence on each.
#include <array>
#include <cstddef>

#include "engine/method/config.h"

namespace slip {
namespace {

constexpr auto kModels = std::to_array<ContactModelInfo>({
    {"sap", "SAP",
     "Compliant contact projected onto the friction cone; glides by μ (δt + τ_d)|v_t|.",
     "φ = μ (δt + τ_d) |v_t|", "Irrotational Contact Fields, section V", true, false},
    {"lagged", "Lagged",
     "Friction uses the normal impulse of the previous step; consistent, does not glide.", "φ = 0",
     "Irrotational Contact Fields, eq. (29)-(33)", false, true},
    {"lagged-regularized", "Regularised Lagged",
     "Lagged with a stiction tolerance that grows with the impulse, to soften impacts.", "φ = 0",
     "Irrotational Contact Fields, eq. (44)", false, true},
    {"similar", "Similar",
     "Friction and normal impulse share one similarity variable; strongly coupled, glides by "
     "μ δt|v_t|.",
     "φ = μ δt |v_t|", "Irrotational Contact Fields, eq. (34)-(40)", true, true},
    {"anitescu", "Anitescu",
     "Rigid limit of the projection onto the friction cone; glides by μ δt|v_t|.", "φ = μ δt |v_t|",
     "Practical Convex Formulation, eq. (2)-(3)", true, false},
    {"todorov", "Todorov",
     "Projection onto the friction cone with a regularisation fixed by the time step.",
     "φ = μ δt |v_t|", "Practical Convex Formulation, eq. (4) and (12)", true, false},
});
static_assert(kModels.size() == kContactModelCount, "one row per contact model");

constexpr std::array<NormalLawInfo, kNormalLawCount> kLaws = {{
    {"hunt-crossley", "Hunt & Crossley", "Linear spring whose damping grows with penetration.",
     "f = k (x)₊ (1 + d ẋ)₊", "Irrotational Contact Fields, eq. (13)-(16)"},
    {"hertz", "Hertz", "Spring of two touching spheres, with Hunt & Crossley damping.",
     "f = k_H (x)₊^1.5 (1 + d ẋ)₊", "Irrotational Contact Fields, section IV"},
    {"kelvin-voigt", "Kelvin-Voigt", "Linear spring with a linear damper.", "f = (k x + k τ_d ẋ)₊",
     "engine notes, section 3.3"},
    {"log-barrier", "Log barrier", "Repels at any distance and never touches.", "f = κ/φ",
     "Irrotational Contact Fields, eq. (9)-(10)"},
    {"ipc-barrier", "IPC barrier", "Smooth barrier that acts within a small distance only.",
     "f = −b′(φ), b = −κ (φ − φ_b)² ln(φ/φ_b)", "Irrotational Contact Fields, eq. (11)-(12)"},
}};

template <class Row, std::size_t N>
constexpr std::array<std::string_view, N> Ids(const std::array<Row, N>& rows) {
  std::array<std::string_view, N> ids;
  for (std::size_t i = 0; i < N; ++i) ids[i] = rows[i].id;
  return ids;
}
constexpr auto kModelIds = Ids(kModels);
constexpr auto kLawIds = Ids(kLaws);

}  // namespace

const ContactModelInfo& Info(ContactModelId id) { return kModels[static_cast<std::size_t>(id)]; }

const NormalLawInfo& Info(NormalLawId id) { return kLaws[static_cast<std::size_t>(id)]; }

std::span<const std::string_view> ContactModelIds() { return kModelIds; }

std::span<const std::string_view> NormalLawIds() { return kLawIds; }

std::optional<ContactModelId> FindContactModel(std::string_view id) {
  for (std::size_t i = 0; i < kModels.size(); ++i) {
    if (kModels[i].id == id) return static_cast<ContactModelId>(i);
  }
  return std::nullopt;
}

}  // namespace slip
