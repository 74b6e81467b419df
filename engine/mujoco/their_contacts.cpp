// Contacts that MuJoCo finds itself. They take the keys of the nearest ones of ours of the same two
// bodies, so that channels agree on which is which; that is a function of the state alone.
#include <algorithm>

#include "engine/core/numbers.h"
#include "engine/dynamics/contact_key.h"
#include "engine/mujoco/mujoco_formulation.h"

namespace slip {
namespace {

/// Of a contact of theirs that has none of ours: counted from the end of what its pair may have.
ContactKey LeftOverKey(const ContactGeometry& of_pair, int rank) {
  constexpr ContactKey kFeatures = (ContactKey{1} << 20) - 1;
  const ContactKey key = of_pair.surface >= 0 ? MakeContactKey(ContactKeyKind::kSurface,
                                                               of_pair.body, of_pair.surface, 0)
                                              : of_pair.key;
  return (key | kFeatures) - rank;
}

/// Side A of ours, as of MujocoFound.
int SideA(const ContactGeometry& g) { return g.surface >= 0 ? -1 - g.surface : g.body_a; }

Vec3 VelocityAt(const StepInput& input, int body, const Vec3& p_W) {
  if (body < 0) return Vec3::Zero();
  const Vec6& V = input.V_WB[static_cast<std::size_t>(body)];
  return V.tail<3>() + V.head<3>().cross(p_W - input.start.pose(body).p);
}

/// One of ours that now is where theirs is.
void MoveTo(const StepInput& input, const MujocoFound& theirs, bool swapped, ContactGeometry* g) {
  g->phi0 = theirs.phi;
  g->p_W = theirs.p_W;
  g->n_W = swapped ? Vec3(-theirs.n_W) : theirs.n_W;
  // pyramids stand on these axes; belts move along ours, which planes keep
  const bool moves = g->surface >= 0 && At(input.model.surfaces, g->surface).drive >= 0;
  if (!moves) g->t1_W = theirs.t1_W;
  g->t2_W = g->n_W.cross(g->t1_W);
  g->vn0 = (VelocityAt(input, g->body, g->p_W) - VelocityAt(input, g->body_a, g->p_W)).dot(g->n_W);
}

}  // namespace

std::string_view MujocoFormulation::TakeTheirContacts(const StepInput& input) {
  ours_.swap(geometry_);
  geometry_.clear();
  // memory grows with the square
  const auto touching = std::count_if(ours_.begin(), ours_.end(),
                                      [](const ContactGeometry& g) { return g.phi0 < 0; });
  for (int room = 32 + static_cast<int>(touching);; room += room / 2) {
    if (const std::string_view error = engine_.Reserve(room); !error.empty()) return error;
    coordinates_->SetPositions(input.start, engine_.qpos().data());
    if (const std::string_view error = engine_.Find(&found_); !error.empty()) return error;
    if (static_cast<int>(found_.size()) < room) break;
  }
  std::vector<char> taken(ours_.size(), 0);
  int left_over = 0;
  for (const MujocoFound& theirs : found_) {
    std::size_t nearest = ours_.size(), any = ours_.size();
    double least = kInfinity;
    for (std::size_t i = 0; i < ours_.size(); ++i) {
      const ContactGeometry& g = ours_[i];
      const int a = SideA(g);
      const bool same =
          (a == theirs.a && g.body == theirs.b) || (a == theirs.b && g.body == theirs.a);
      if (!same) continue;
      any = i;
      const double distance = (g.p_W - theirs.p_W).squaredNorm();
      if (taken[i] == 0 && distance < least) least = distance, nearest = i;
    }
    if (any == ours_.size()) continue;  // these two do not meet here
    const std::size_t from = nearest < ours_.size() ? nearest : any;
    ContactGeometry& g = geometry_.emplace_back(ours_[from]);
    if (nearest < ours_.size()) {
      taken[nearest] = 1;
    } else {
      g.key = LeftOverKey(g, left_over++);
    }
    MoveTo(input, theirs, SideA(g) != theirs.a, &g);
  }
  std::sort(geometry_.begin(), geometry_.end(),
            [](const ContactGeometry& x, const ContactGeometry& y) { return x.key < y.key; });
  return {};
}

}  // namespace slip
