#include "engine/formulation/cone_interior_point.h"

#include <algorithm>
#include <cmath>

namespace slip {
namespace {
constexpr int kMaxIterations = 40;
constexpr double kBorder = 0.98;             // part of the way to the border that a step takes
constexpr double kMomentumTolerance = 1e-3;  // the polish does the rest
}  // namespace

void ConeInteriorPoint::Reserve(int contacts) {
  const auto count = static_cast<std::size_t>(contacts);
  if (cones_.capacity() >= count) return;
  const std::size_t room = count + count / 2;
  cones_.reserve(room);
  forms_.reserve(room);
  inverse_.reserve(room);
  gamma_n_.reserve(room);
}

void ConeInteriorPoint::Invert(const IslandSystem& system, const Island& island) {
  const auto count = static_cast<std::size_t>(island.contacts());
  for (std::size_t i = 0; i < count; ++i) gamma_n_[i] = cones_[i].gamma_n(cones_[i].g);
  system.passes().invert(system.frozen(island), island.contacts(), gamma_n_.data(),
                         inverse_.data());
}

// Centred impulses at the speed scale of each contact, and the gap that the polish can start from:
// |v - v_opt| must be small against gamma over the stiffest contact.
void ConeInteriorPoint::Start(IslandSystem* system, const Island& island) {
  const auto count = static_cast<std::size_t>(island.contacts());
  cones_.resize(count);
  forms_.resize(count);
  inverse_.resize(count);
  gamma_n_.resize(count);
  system->passes().cones(system->frozen(island), island.contacts(), forms_.data());
  const ContactWork* work = system->work(island);
  double stiffest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    ConePair& cone = cones_[i];
    cone.form = forms_[i];
    const double w = work[i].w;
    stiffest = std::max(stiffest, cone.form.stiffness * w);
    cone.Start(std::max(work[i].v_c.norm(), work[i].v_floor), w);
  }
  gap_tolerance_ = std::clamp(1e-5 / stiffest, 1e-12, 1e-4);
  Invert(*system, island);
  for (std::size_t i = 0; i < count; ++i) {
    ConePair& cone = cones_[i];
    const double V = std::max(work[i].v_c.norm(), work[i].v_floor);
    cone.y = cone.Relative(work[i].v_c, inverse_[i]);
    const double border = cone.friction() ? cone.y.tail<3>().norm() : 0;
    cone.y[0] = std::max(cone.y[0], border + V);
  }
}

// Right-hand sides x of all contacts -> dv, and from it dg and dy: one solve.
void ConeInteriorPoint::SolveStep(IslandSystem* s, const Island& island) {
  const auto count = static_cast<std::size_t>(island.contacts());
  ContactWork* work = s->work(island);
  for (std::size_t i = 0; i < count; ++i) {
    ConePair& cone = cones_[i];
    cone.CalcRightSide();
    const Vec4 Kx =
        cone.friction() ? Vec4(cone.K * cone.x) : Vec4(cone.K(0, 0) * cone.x[0], 0, 0, 0);
    work[i].value.gamma = cone.Impulse(Kx);
  }
  s->CalcImpulseSum(island, &s->dv);
  s->dv.segment(island.row_begin, island.rows()) -=
      s->grad.segment(island.row_begin, island.rows());
  s->Solve(island, s->dv.data());
  s->CalcContactSteps(island);
  for (std::size_t i = 0; i < count; ++i) cones_[i].CalcSteps(work[i].dv_c);
}

void ConeInteriorPoint::Run(IslandSystem* s, const Island& island, double gap_factor,
                            double best_cost, int max_iterations, IslandRecord* record) {
  Start(s, island);
  const auto count = static_cast<std::size_t>(island.contacts());
  ContactWork* work = s->work(island);
  const Eigen::Index begin = island.row_begin, rows = island.rows();
  for (int iteration = 0; iteration < std::min(kMaxIterations, max_iterations); ++iteration) {
    // residuals
    Invert(*s, island);
    double total = 0;
    for (std::size_t i = 0; i < count; ++i) {
      ConePair& cone = cones_[i];
      cone.rho = cone.Relative(work[i].v_c, inverse_[i]) - cone.y;
      total += cone.friction() ? cone.g.dot(cone.y) : cone.g[0] * cone.y[0];
      work[i].value.gamma = cone.Impulse(cone.g);
    }
    const double gap = total / static_cast<double>(count);
    s->CalcImpulseSum(island, &s->JTg);
    auto delta = s->delta.segment(begin, rows);
    delta = s->v.segment(begin, rows) - s->v_star.segment(begin, rows);
    s->ApplyA(island, s->delta, &s->A_delta);
    double residual = 0, impulse = 0, momentum = 0;
    for (Eigen::Index i = begin; i < begin + rows; ++i) {
      const double D = s->D[i];
      s->grad[i] = s->A_delta[i] - s->JTg[i];
      const double r = s->grad[i] * D, g = s->JTg[i] * D, p = (s->A_delta[i] + s->Av_star[i]) * D;
      residual += r * r;
      impulse += g * g;
      momentum += p * p;
    }
    residual = std::sqrt(residual);
    const double scale = std::sqrt(std::max(impulse, momentum));
    if (!std::isfinite(total) || !std::isfinite(residual)) break;
    if (total < gap_factor * gap_tolerance_ * scale * scale &&
        residual < kMomentumTolerance * scale) {
      break;
    }

    // scaling, condensed Hessian, one factor for both directions
    bool scaled = true;
    for (std::size_t i = 0; i < count && scaled; ++i) {
      scaled = cones_[i].Scale();
      if (scaled) work[i].value.hessian = cones_[i].Stiffness();
    }
    if (!scaled) break;
    s->Assemble(island, iteration == 0);
    if (!s->Factorize(island)) break;

    // predictor: straight to complementarity; how far it gets sets the centring
    for (ConePair& cone : cones_) cone.Predict();
    SolveStep(s, island);
    double alpha = 1;
    for (const ConePair& cone : cones_) alpha = cone.CalcMaxStep(alpha);
    double predicted = 0;
    for (const ConePair& cone : cones_) {
      predicted += (cone.g + alpha * cone.dg).dot(cone.y + alpha * cone.dy);
    }
    const double ratio = std::max(predicted, 0.0) / total;
    const double centre = ratio * ratio * ratio * gap;

    // corrector
    for (ConePair& cone : cones_) cone.Correct(centre);
    SolveStep(s, island);
    double limit = 1 / kBorder;
    for (const ConePair& cone : cones_) limit = cone.CalcMaxStep(limit);
    alpha = std::min(1.0, kBorder * limit);
    if (!std::isfinite(alpha) || !s->dv.segment(begin, rows).allFinite()) break;
    for (ConePair& cone : cones_) {
      cone.g += alpha * cone.dg;
      cone.y += alpha * cone.dy;
    }
    s->v.segment(begin, rows) += alpha * s->dv.segment(begin, rows);
    for (std::size_t i = 0; i < count; ++i) work[i].v_c += alpha * work[i].dv_c;
    IterationRecord* entry = record->Append();
    if (entry != nullptr) *entry = {best_cost, scale > 0 ? residual / scale : residual, alpha, 0};
    ++record->iterations;
    ++record->interior_point_iterations;
  }

  // dual slip directions of the end: opposite to friction
  for (std::size_t i = 0; i < count; ++i) {
    const ConePair& cone = cones_[i];
    work[i].q.setZero();
    if (!cone.friction()) continue;
    const Vec2 g_t(cone.g[1], cone.g[2]);
    const double divisor = std::max(cone.g[0], g_t.norm());
    if (divisor > 0 && std::isfinite(divisor)) work[i].q = -g_t / divisor;
  }
}

}  // namespace slip
