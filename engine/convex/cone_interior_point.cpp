#include "engine/convex/cone_interior_point.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"

namespace slip {
namespace {
constexpr int kMaxIterations = 40;
constexpr double kBorder = 0.98;             // part of the way to the border that a step takes
constexpr double kMomentumTolerance = 1e-3;  // the polish does the rest
constexpr double kShortStep = 0.1;           // two of them with momentum in balance: round-off

// Of a contact with a normal and a disc the normal comes first: the other part is added to its own.
template <int kSlip>
void GiveImpulse(const ConePair<kSlip>& cone, const ContactVector<kSlip>& gamma, ContactWork* w) {
  w->SetImpulse<kSlip>(cone.bears() ? gamma : ContactVector<kSlip>(w->impulse<kSlip>() + gamma));
}
template <int kSlip>
void GiveStiffness(const ConePair<kSlip>& cone, ContactWork* w) {
  const ContactMatrix<kSlip> G = cone.Stiffness();
  w->SetHessian<kSlip>(cone.bears() ? G : ContactMatrix<kSlip>(w->hessian<kSlip>() + G));
}

}  // namespace

void ConeInteriorPoint::Reserve(int contacts, int scalars) {
  const auto count = static_cast<std::size_t>(contacts);
  if (const auto n = static_cast<std::size_t>(scalars); scalars_.capacity() < n) {
    scalars_.reserve(n + n / 2);
    scalar_stiffness_.reserve(n + n / 2);
  }
  if (forms_.capacity() >= count) return;
  const std::size_t room = count + count / 2;
  cones_.reserve(2 * room);
  spin_cones_.reserve(2 * room);
  sticks_.reserve(room);
  forms_.reserve(room);
  inverse_.reserve(room);
  gamma_n_.reserve(room);
}

void ConeInteriorPoint::Invert(const IslandSystem& system, const Island& island) {
  ForEachCone([&](const auto& cone) {
    if (cone.bears()) At(gamma_n_, cone.contact) = cone.gamma_n();
  });
  system.passes().invert(system.frozen(island), island.contacts(), gamma_n_.data(),
                         inverse_.data());
}

// What a contact is made of, in an island whose contacts meet with this momentum.
template <int kSlip>
void ConeInteriorPoint::AddPairs(int contact, const ConeForm& form, double momentum,
                                 std::vector<ConePair<kSlip>>* cones) {
  using Kind = ConeKind;
  const auto add = [&](Kind kind) {
    ConePair<kSlip>& cone = cones->emplace_back();
    cone.form = form;
    cone.kind = kind;
    cone.contact = contact;
  };
  const bool coupled = form.mu > 0 && form.bound < 0;
  add(coupled ? Kind::kCone : Kind::kNormal);
  if (form.bound > momentum) {
    sticks_.push_back({contact, form.bound / form.eps, form.eps});
  } else if (form.bound > 0) {
    add(Kind::kDisc);
  }
}

// Those without stiffness or room between their bounds have no impulse.
void ConeInteriorPoint::AddScalars(const IslandSystem& system, const Island& island,
                                   double v_floor) {
  scalars_.clear();
  scalar_stiffness_.assign(static_cast<std::size_t>(island.scalars()), 0);
  const auto* rows = system.numbers().scalars(island);
  for (int i = 0; i < island.scalars(); ++i) {
    const ContactTask::Scalar& scalar = rows[i].scalar;
    if (!(scalar.gain > 0 && scalar.high > scalar.low)) continue;
    ScalarPair& pair = scalars_.emplace_back();
    pair.scalar = scalar;
    pair.index = i;
    pair.row = rows[i].row;
    const double v = system.v()[pair.row], D = system.numbers().D()[pair.row];
    pair.Start(v, std::max({std::abs(v), std::abs(scalar.rest_velocity), v_floor}), 1 / (D * D));
  }
}

double ConeInteriorPoint::FindStiffest(IslandSystem* system, const Island& island) {
  forms_.resize(ToIndex(island.contacts()));
  system->passes().cones(system->frozen(island), island.contacts(), forms_.data());
  const ContactWork* work = system->work(island);
  double stiffest = 0;
  for (int i = 0; i < island.contacts(); ++i)
    stiffest = std::max(stiffest, At(forms_, i).stiffness * work[i].w);
  return stiffest;
}

// Centred impulses at the speed scale of each contact, and the gap that the polish can start from:
// |v - v_opt| must be small against gamma over the stiffest contact.
void ConeInteriorPoint::Start(IslandSystem* system, const Island& island) {
  const auto count = static_cast<std::size_t>(island.contacts());
  cones_.clear();
  spin_cones_.clear();
  sticks_.clear();
  inverse_.resize(count);
  gamma_n_.resize(count);
  const double stiffest = FindStiffest(system, island);
  const ContactWork* work = system->work(island);
  const auto speed = [&](int i) { return std::max(work[i].speed(), work[i].v_floor); };
  double momentum = 0;
  for (int i = 0; i < island.contacts(); ++i) momentum += speed(i) / work[i].w;
  for (int i = 0; i < island.contacts(); ++i) {
    const ConeForm& form = At(forms_, i);
    if (work[i].spin == nullptr) {
      AddPairs(i, form, momentum, &cones_);
    } else {
      AddPairs(i, form, momentum, &spin_cones_);
    }
  }
  gap_tolerance_ = std::clamp(1e-5 / stiffest, 1e-12, 1e-4);
  ForEachCone([&](auto& cone) { cone.StartImpulse(speed(cone.contact), work[cone.contact].w); });
  Invert(*system, island);
  ForEachCone([&]<int kSlip>(ConePair<kSlip>& cone) {
    const int i = cone.contact;
    cone.StartVelocity(work[i].velocity<kSlip>(), At(inverse_, i), speed(i));
  });
  AddScalars(*system, island, work[0].v_floor);
}

// Right-hand sides x of all contacts -> dv, and from it dg and dy: one solve.
void ConeInteriorPoint::SolveStep(IslandSystem* s, const Island& island) {
  ContactWork* work = s->work(island);
  ForEachCone([&]<int kSlip>(ConePair<kSlip>& cone) {
    cone.CalcRightSide();
    GiveImpulse<kSlip>(cone, cone.Impulse(cone.MultiplyK()), &work[cone.contact]);
  });
  s->numbers().CalcImpulseSum(island, &s->dv());
  for (const ScalarPair& pair : scalars_) s->dv()[pair.row] += pair.K * pair.x;
  RowsOf(island, s->dv()) -= RowsOf(island, s->grad());
  s->hessian().Solve(island, s->dv().data());
  s->CalcContactSteps(island);
  ForEachCone([&]<int kSlip>(ConePair<kSlip>& cone) {
    cone.CalcSteps(work[cone.contact].template step<kSlip>());
  });
  for (ScalarPair& pair : scalars_) pair.CalcSteps(s->dv()[pair.row]);
}

ConeInteriorPoint::Residuals ConeInteriorPoint::CalcResiduals(IslandSystem* s,
                                                              const Island& island) {
  ContactWork* work = s->work(island);
  Residuals out;
  Invert(*s, island);
  ForEachCone([&]<int kSlip>(ConePair<kSlip>& cone) {
    ContactWork& w = work[cone.contact];
    const NormalInverse& inverse = At(inverse_, cone.contact);
    cone.rho = cone.Relative(w.velocity<kSlip>(), inverse) - cone.y;
    out.complementarity += cone.Gap();
    GiveImpulse<kSlip>(cone, cone.Impulse(cone.g), &w);
  });
  for (const Stick& stick : sticks_) {
    ContactWork& w = work[stick.contact];
    w.value.gamma.head<2>() -= stick.stiffness * w.v_c.head<2>();
    if (w.spin != nullptr) w.spin->gamma -= stick.stiffness * w.spin->u;
  }
  int bounds = 0;
  for (ScalarPair& pair : scalars_) {
    pair.CalcMissing(s->v()[pair.row]);
    out.complementarity += pair.Product(0);
    bounds += pair.bounds();
  }
  out.gap = out.complementarity /
            static_cast<double>(static_cast<int>(cones_.size() + spin_cones_.size()) + bounds);
  s->CalcImpulseSum(island);
  for (const ScalarPair& pair : scalars_) s->AddImpulse(pair.row, pair.gamma);
  out.momentum = s->CalcBalance(island);
  return out;
}

// Scales the pairs and assembles the condensed Hessian, one factor for both directions.
bool ConeInteriorPoint::Condense(IslandSystem* s, const Island& island, bool first,
                                 IslandRecord* record) {
  ContactWork* work = s->work(island);
  bool scaled = true;
  ForEachCone([&]<int kSlip>(ConePair<kSlip>& cone) {
    scaled = scaled && cone.Scale();
    if (scaled) GiveStiffness<kSlip>(cone, &work[cone.contact]);
  });
  for (ScalarPair& pair : scalars_) {
    scaled = scaled && pair.Scale();
    At(scalar_stiffness_, pair.index) = pair.K;
  }
  if (!scaled) return false;
  for (const Stick& stick : sticks_) {
    ContactWork& w = work[stick.contact];
    w.value.hessian(0, 0) += stick.stiffness;
    w.value.hessian(1, 1) += stick.stiffness;
    if (w.spin != nullptr) w.spin->G_uu += stick.stiffness;
  }
  s->Assemble(island, first, scalar_stiffness_.data());
  return s->hessian().FactorizeShifted(island, &record->helped);
}

// Predictor: straight to complementarity. How far it gets sets the centring.
double ConeInteriorPoint::CalcCentre(IslandSystem* s, const Island& island,
                                     const Residuals& residuals) {
  ForEachCone([](auto& cone) { cone.Predict(); });
  for (ScalarPair& pair : scalars_) pair.Predict();
  SolveStep(s, island);
  const double alpha = CalcMaxStep(1);
  double predicted = 0;
  ForEachCone([&](const auto& cone) {
    predicted += (cone.g + alpha * cone.dg).dot(cone.y + alpha * cone.dy);
  });
  for (const ScalarPair& pair : scalars_) predicted += pair.Product(alpha);
  const double ratio = std::max(predicted, 0.0) / residuals.complementarity;
  return ratio * ratio * ratio * residuals.gap;
}

// Corrector towards that centre; returns the step that stays inside.
double ConeInteriorPoint::Correct(IslandSystem* s, const Island& island, double centre) {
  ForEachCone([&](auto& cone) { cone.Correct(centre); });
  for (ScalarPair& pair : scalars_) pair.Correct(centre);
  SolveStep(s, island);
  return std::min(1.0, kBorder * CalcMaxStep(1 / kBorder));
}

// Of a step no longer than `alpha`: what no pair leaves its cone by.
double ConeInteriorPoint::CalcMaxStep(double alpha) {
  ForEachCone([&](const auto& cone) { alpha = cone.CalcMaxStep(alpha); });
  for (const ScalarPair& pair : scalars_) alpha = pair.CalcMaxStep(alpha);
  return alpha;
}

void ConeInteriorPoint::Advance(IslandSystem* s, const Island& island, double alpha) {
  ForEachCone([&](auto& cone) {
    cone.g += alpha * cone.dg;
    cone.y += alpha * cone.dy;
  });
  for (ScalarPair& pair : scalars_) pair.Advance(alpha);
  s->Advance(island, alpha);
  ContactWork* work = s->work(island);
  for (int i = 0; i < island.contacts(); ++i) work[i].Advance(alpha);
}

void ConeInteriorPoint::Run(IslandSystem* s, const Island& island, double gap_factor,
                            double best_cost, int max_iterations, const StopPoll* stop,
                            IslandRecord* record) {
  Start(s, island);
  const int first = record->iterations;
  int short_steps = 0;
  for (int iteration = 0; iteration < std::min(kMaxIterations, max_iterations); ++iteration) {
    if (IsStopped(stop)) return;
    const Residuals residuals = CalcResiduals(s, island);
    const double scale = residuals.momentum.scale();
    const bool balanced = residuals.momentum.residual < kMomentumTolerance * scale;
    if (!residuals.finite()) break;
    if (residuals.complementarity < gap_factor * gap_tolerance_ * scale * scale && balanced) break;
    if (!Condense(s, island, iteration == 0, record)) break;
    const double centre = CalcCentre(s, island, residuals);
    const double alpha = Correct(s, island, centre);
    short_steps = balanced && alpha < kShortStep ? short_steps + 1 : 0;
    if (short_steps >= 2) break;
    if (!std::isfinite(alpha) || !RowsOf(island, s->dv()).allFinite()) break;
    Advance(s, island, alpha);
    IterationRecord* entry = record->Append();
    if (entry != nullptr) *entry = {best_cost, residuals.momentum.relative(), alpha, 0};
    ++record->iterations;
    ++record->interior_point_iterations;
  }
  SetDualDirections(s, island);
  const bool time_left = record->iterations < first + max_iterations;
  if (forms_.front().bound >= 0 && time_left) StepOnActiveSet(s, island, record);
}

// Opposite to friction.
void ConeInteriorPoint::SetDualDirections(IslandSystem* s, const Island& island) {
  ContactWork* work = s->work(island);
  for (int i = 0; i < island.contacts(); ++i) work[i].ClearDirection();
  for (const Stick& stick : sticks_) {
    ContactWork& w = work[stick.contact];
    w.Visit([&]<int kSlip>() {
      const SlipVector<kSlip> u = w.velocity<kSlip>().template head<kSlip>();
      w.SetDirection<kSlip>(u / std::max(stick.eps, u.norm()));
    });
  }
  ForEachCone([&]<int kSlip>(const ConePair<kSlip>& cone) {
    if (!cone.friction()) return;
    const SlipVector<kSlip> g_u = cone.g.template segment<kSlip>(1);
    const double divisor = std::max(cone.g[0], g_u.norm());
    if (divisor > 0 && std::isfinite(divisor))
      work[cone.contact].template SetDirection<kSlip>(-g_u / divisor);
  });
}

// One Newton step in which the contacts that press are those of the interior point, whatever side
// of its border each velocity is on. The last bit of complementarity is orders too coarse for stiff
// contacts, and Newton alone would find them back one by one.
void ConeInteriorPoint::StepOnActiveSet(IslandSystem* s, const Island& island,
                                        IslandRecord* record) {
  ContactWork* work = s->work(island);
  s->passes().evaluate_dual(s->frozen(island), work, island.contacts());
  Invert(*s, island);
  ForEachCone([&](const auto& cone) {
    if (!cone.bears()) return;
    ContactWork& w = work[cone.contact];
    const NormalInverse& inverse = At(inverse_, cone.contact);
    const bool presses = cone.g[0] * w.w > cone.y[0];
    const double K = presses ? 1 / inverse.compliance : 0;
    w.value.hessian(2, 2) = K;
    w.value.gamma.z() = presses ? cone.g[0] - K * (w.v_c.z() - inverse.v) : 0;
  });
  s->CalcImpulseSum(island);
  for (const ScalarPair& pair : scalars_) {
    const double D = s->numbers().D()[pair.row], inertia = 1 / (D * D);
    const ScalarPair::Side side = pair.SideOf(inertia);
    s->AddImpulse(pair.row, pair.ImpulseOn(side, s->v()[pair.row]));
    At(scalar_stiffness_, pair.index) = side == ScalarPair::Side::kBetween ? pair.scalar.gain : 0;
  }
  s->CalcMomentumChange(island);
  s->Assemble(island, false, scalar_stiffness_.data());
  if (!s->hessian().FactorizeShifted(island, &record->helped)) return;
  RowsOf(island, s->dv()) = RowsOf(island, s->JTg()) - RowsOf(island, s->A_delta());
  s->hessian().Solve(island, s->dv().data());
  if (!RowsOf(island, s->dv()).allFinite()) return;
  s->Advance(island, 1);
  ++record->iterations;
  ++record->interior_point_iterations;
}

}  // namespace slip
