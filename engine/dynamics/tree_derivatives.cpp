// Derivatives of a tree's inverse dynamics, after Singh, Russell and Wensing, Efficient analytical
// derivatives of rigid-body dynamics using spatial vector algebra, 2022, in world axes about O and
// for joints whose coordinates are components of a velocity in the parent's axes.
//
// A displacement of coordinate k of link i, by S_k, turns the links behind it rigidly:
//   δV = S_k × V + Ψ̇_k,   δA = S_k × A + Ψ̇_k × V + Ψ̈_k,   δF = S_k ×* F + I Ψ̈_k + 2 B Ψ̇_k,
// and a change of its velocity gives δV = S_k, δA = Φ_k - V × S_k, δF = I Φ_k + 2 B S_k, where
//   2 B m = V ×* I m - I (V × m) + m ×* I V.
#include "engine/core/numbers.h"
#include "engine/dynamics/tree_dynamics.h"

namespace slip {

// 2 B of one link: of a twist it reads the angular part alone.
void TreeDynamics::Turning::Set(const SpatialInertia& I, const Twist& V) {
  const double trace = I.xx + I.yy + I.zz;
  const Vec3 Iw = I.Second(V.w);
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 a = Vec3::Unit(axis), wa = V.w.cross(a);
    moment.col(axis) =
        trace * wa + 2 * (a.cross(Iw) - I.Second(wa) + I.first.cross(Vec3(a.cross(V.v))));
  }
  momentum = I.mass * V.v - I.first.cross(V.w);
}

Wrench TreeDynamics::Turning::operator*(const Vec3& w) const {
  return {moment * w, 2 * w.cross(momentum)};
}

Vec3 TreeDynamics::Turning::Transposed(const Twist& S) const {
  return moment.transpose() * S.w + 2 * momentum.cross(S.v);
}

// Of all coordinates, after CalcInverseDynamics at this acceleration.
void TreeDynamics::CalcRates(const double* acceleration) {
  rates_.resize(directions_.size());
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const Link& link = tree_->link[i];
    const Moving& moving = moving_[i];
    const Twist V_P = link.parent >= 0 ? At(moving_, link.parent).V : Twist::Zero();
    const Vec3 w_own = moving.V.w - V_P.w;
    Vec3 slide = Vec3::Zero(), alpha_own = Vec3::Zero();
    for (int k = link.begin; k < link.end; ++k) {
      const Twist& S = At(directions_, k);
      if (At(tree_->coordinate, k).rotates) {
        alpha_own += acceleration[k] * S.w;
      } else {
        slide += At(velocities_, k) * S.v;
      }
    }
    for (int k = link.begin; k < link.end; ++k) {
      const Twist& S = At(directions_, k);
      Rates& rates = At(rates_, k);
      rates.link = static_cast<int>(i);
      rates.translates = !At(tree_->coordinate, k).rotates;
      const Twist turned = moving.V.Cross(S);
      rates.psi1 = turned;
      rates.phi = V_P.Cross(S);
      rates.phi.Add(turned);
      rates.psi2 = moving.A.Cross(S);
      if (rates.translates) {
        // the centre of the joint's own rotations moves along
        const Twist moved{Vec3::Zero(), S.v.cross(w_own)};
        rates.psi1.Add(moved);
        rates.phi.Add(moved);
        rates.psi2.Add(V_P.Cross(moved));
        rates.psi2.v += S.v.cross(alpha_own);
      } else {
        rates.phi.v += slide.cross(S.w);
      }
      rates.psi2.Add(moving.V.Cross(rates.psi1));
    }
  }
}

void TreeDynamics::CalcInverseDynamicsDerivatives(const Vec3& gravity_W, const double* acceleration,
                                                  MatrixX* by_position, MatrixX* by_velocity) {
  const int n = nv();
  by_position->setZero(n, n);
  by_velocity->setZero(n, n);
  tau_.resize(ToIndex(n));
  CalcInverseDynamics(gravity_W, acceleration, tau_.data());  // F: of all that hangs on a link
  CalcRates(acceleration);
  turning_.resize(moving_.size());
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    moving_[i].composite = moving_[i].inertia;
    turning_[i].Set(moving_[i].inertia, moving_[i].V);
  }
  for (std::size_t i = moving_.size(); i-- > 0;) {
    const Link& link = tree_->link[i];
    const Moving& moving = moving_[i];
    const Turning& turning = turning_[i];
    if (link.parent >= 0) {
      At(moving_, link.parent).composite.Add(moving.composite);
      At(turning_, link.parent).moment += turning.moment;
      At(turning_, link.parent).momentum += turning.momentum;
    }
    for (int k = link.begin; k < link.end; ++k) {
      const Twist& S = At(directions_, k);
      const Rates& rates = At(rates_, k);
      // column k: what its own link and those behind it need more, at this link and before it
      Wrench moved = CrossForce(S, moving.F);
      moved.Add(moving.composite * rates.psi2);
      moved.Add(turning * rates.psi1.w);
      Wrench faster = moving.composite * rates.phi;
      faster.Add(turning * S.w);
      // row k: what it carries more when coordinates of links before it move
      const Wrench share = moving.composite * S;
      const Vec3 turned = turning.Transposed(S);
      for (const int j : tree_->pattern.Path(k)) {
        const Twist& other = At(directions_, j);
        (*by_position)(j, k) = moved.Dot(other);
        (*by_velocity)(j, k) = faster.Dot(other);
        const Rates& before = At(rates_, j);
        if (before.link == rates.link) continue;
        (*by_position)(k, j) = share.Dot(before.psi2) + turned.dot(before.psi1.w);
        (*by_velocity)(k, j) = share.Dot(before.phi) + turned.dot(other.w);
      }
      // the other coordinates of the same joint
      for (int j = link.begin; j < link.end; ++j) {
        const Twist& other = At(directions_, j);
        (*by_position)(j, k) = moved.Dot(other);
        (*by_velocity)(j, k) = faster.Dot(other);
        if (rates.translates && !At(rates_, j).translates)
          (*by_position)(j, k) += S.v.cross(other.w).dot(moving.F.force);
      }
    }
  }
}

void TreeDynamics::CalcPointVelocityDerivative(int body, const Vec3& p_W, const Vec3& rides_W,
                                               MatrixX* by_position) const {
  by_position->setZero(3, nv());
  const int last = At(tree_->link, LinkOf(body)).last;
  if (last < 0) return;
  const Twist& V = MovingOf(body).V;
  const Vec3 r = p_W - p_WO_, rides = rides_W - p_WO_;
  for (const int k : tree_->pattern.Path(last)) {
    const Twist& S = At(directions_, k);
    Twist change = S.Cross(V);
    change.Add(At(rates_, k).psi1);
    by_position->col(k) = change.v + change.w.cross(r) + V.w.cross(Vec3(S.v + S.w.cross(rides)));
  }
}

void TreeDynamics::AddForceDerivative(int body, const Vec3& p_W, const Vec3& rides_W,
                                      const Vec3& f_W, MatrixX* by_position) const {
  const int last = At(tree_->link, LinkOf(body)).last;
  if (last < 0) return;
  const Vec3 r = p_W - p_WO_, rides = rides_W - p_WO_;
  const Vec3 moment = r.cross(f_W);
  const std::span<const int> way = tree_->pattern.Path(last);
  for (const int k : way) {
    const Twist& S = At(directions_, k);
    const Rates& rates = At(rates_, k);
    const Vec3 arm = Vec3(S.v + S.w.cross(rides)).cross(f_W);
    for (const int j : way) {
      const Twist& other = At(directions_, j);
      const Rates& of_other = At(rates_, j);
      double change = other.w.dot(arm);
      if (of_other.link > rates.link) {
        const Twist turned = S.Cross(other);
        change += turned.w.dot(moment) + turned.v.dot(f_W);
      } else if (of_other.link == rates.link && rates.translates && !of_other.translates) {
        change += S.v.cross(other.w).dot(f_W);
      }
      (*by_position)(j, k) += change;
    }
  }
}

}  // namespace slip
