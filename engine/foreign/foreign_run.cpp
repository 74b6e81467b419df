#include "engine/foreign/foreign_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "engine/core/pose.h"
#include "engine/dynamics/kinematics.h"

namespace slip {
namespace {

/// "world/robot::gripper.left" -> "left".
std::string_view Unprefixed(std::string_view name) {
  for (const std::string_view mark : {"/", "::", "."}) {
    if (const std::size_t at = name.rfind(mark); at != std::string_view::npos)
      name.remove_prefix(at + mark.size());
  }
  return name;
}

const Quat& YUpToZUp() {
  static const Quat turn(std::sqrt(0.5), std::sqrt(0.5), 0, 0);
  return turn;
}

Vec3 RotationVector(const Quat& turn) {
  Quat q = turn;
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  const double sine = q.vec().norm();
  const double factor = sine < 1e-9 ? 2 : 2 * std::atan2(sine, q.w()) / sine;
  return factor * q.vec();
}

/// Parts of links move as their links do.
template <class Take>
void ForParts(const Model& model, const Take& take) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const int link = model.bodies[b].shape_of_link;
    if (link >= 0) take(b, static_cast<std::size_t>(link));
  }
}

double Median(std::vector<double> values) {
  if (values.empty()) return kNaN;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

Pose ConvertPose(const ForeignMeta& meta, const Body& body, const double* p, const double* q) {
  Pose X{Vec3(p[0], p[1], p[2]),
         meta.xyzw ? Quat(q[3], q[0], q[1], q[2]) : Quat(q[0], q[1], q[2], q[3])};
  // bits that are good stay: contacts of two faces hang on the last of them
  if (std::abs(X.q.squaredNorm() - 1) > 1e-14) X.q.normalize();
  if (meta.y_up) X = {YUpToZUp() * X.p, YUpToZUp() * X.q};
  const bool turned = HasTurn(body.X_BL);
  if (meta.pose_of_link) {
    X.p -= X.q * (body.X_BL.q.conjugate() * body.X_BL.p);
  }
  if (turned) X.q = (X.q * body.X_BL.q.conjugate()).normalized();
  return X;
}

Result<ForeignRun> ForeignRun::Make(ForeignFile file, std::shared_ptr<const Model> model,
                                    std::string name, std::span<const std::string> said) {
  ForeignRun run;
  run.file_ = std::move(file);
  run.model_ = std::move(model);
  run.name_ = std::move(name);
  State start;
  SetStart(*run.model_, &start);
  run.start_ = start.X_WB;
  run.shift_ = run.file_.meta.time_shift;
  run.notes_ = run.file_.notes;
  if (Status status = run.Match(); !status) return status.errors();
  run.FindHoles();
  if (run.model_->articulated > 0) {
    run.notes_.push_back(
        "joints are read off the poses of their links; forces of contacts need given ones");
  }
  if (run.file_.single_precision) {
    run.notes_.push_back(
        "its numbers are single precision (f4): seven digits, too few for most forces");
  }
  if (Status status = CheckConventions(run, said); !status) return status.errors();
  return run;
}

Status ForeignRun::Match() {
  std::map<std::string_view, int, std::less<>> ours;
  for (std::size_t b = 0; b < model_->bodies.size(); ++b) {
    if (model_->bodies[b].shape_of_link < 0)
      ours.emplace(model_->bodies[b].name, static_cast<int>(b));
  }
  row_of_.assign(model_->bodies.size(), -1);
  std::vector<std::string> strangers;
  const std::size_t count = file_.bodies.size();
  int matched = 0;
  for (std::size_t row = 0; row < count; ++row) {
    const std::string& theirs = file_.bodies[row];
    const auto named = file_.meta.names.find(theirs);
    auto at = ours.find(std::string_view(theirs));
    if (at == ours.end()) at = ours.find(Unprefixed(theirs));
    if (named != file_.meta.names.end()) at = ours.find(std::string_view(named->second));
    // a table of one body needs no names
    int body = at == ours.end() ? -1 : at->second;
    if (body < 0 && count == 1 && theirs.empty()) body = model_->lead_body;
    if (body >= 0 && At(row_of_, body) >= 0) {
      return Error{
          .message = fmt::format("'{}' and '{}' are both body '{}'", theirs,
                                 file_.bodies[ToIndex(At(row_of_, body))], model_->body(body).name),
          .file = file_.path};
    }
    body_of_.push_back(body);
    if (body < 0) {
      strangers.push_back(theirs);
    } else {
      At(row_of_, body) = static_cast<int>(row);
      ++matched;
    }
  }
  if (strangers.size() > 6) {
    const std::size_t more = strangers.size() - 6;
    strangers.resize(6);
    strangers.push_back(fmt::format("{} more", more));
  }
  const std::string missing = fmt::format("{}", fmt::join(strangers, ", "));
  if (matched == 0) {
    std::vector<std::string_view> known;
    for (const auto& [text, body] : ours)
      if (known.size() < 6) known.push_back(text);
    return Error{.message = "no body of the scene is in it; it has " + missing,
                 .file = file_.path,
                 .hint = fmt::format("the scene has {}; --foreign-meta names.THEIRS=OURS",
                                     fmt::join(known, ", "))};
  }
  if (!strangers.empty()) {
    notes_.push_back(
        fmt::format("{} of {} bodies matched; no body here: {}", matched, count, missing));
  }
  std::vector<std::string_view> absent;
  for (std::size_t b = 0; b < model_->bodies.size(); ++b) {
    const Body& body = model_->bodies[b];
    if (!body.Moves() || body.shape_of_link >= 0 || row_of_[b] >= 0) continue;
    whole_ = false;
    if (absent.size() < 6) absent.push_back(body.name);
  }
  if (!absent.empty())
    notes_.push_back(fmt::format("not in it, so left at their start: {}", fmt::join(absent, ", ")));
  return Ok{};
}

void ForeignRun::FindHoles() {
  std::vector<double> gaps;
  for (std::size_t k = 1; k < file_.time.size(); ++k)
    gaps.push_back(file_.time[k] - file_.time[k - 1]);
  median_ = Median(gaps);
  int holes = 0;
  std::size_t first = 0;
  for (std::size_t k = 0; k < gaps.size(); ++k) {
    if (!(gaps[k] > 5 * median_)) continue;
    if (holes++ == 0) first = k;
  }
  if (holes > 0) {
    notes_.push_back(
        fmt::format("{} hole{}, the first from {:.6g} s to {:.6g} s: nothing is shown there", holes,
                    holes == 1 ? "" : "s", file_.time[first], file_.time[first + 1]));
  }
}

int64_t ForeignRun::StepsTo(int64_t k) const {
  if (k < 1 || !(time_step() > 0)) return 0;
  return std::max<int64_t>(1, std::llround((time(k) - time(k - 1)) / time_step()));
}

void ForeignRun::GetPoses(int64_t k, std::vector<Pose>* X_WB) const {
  const auto n = static_cast<int64_t>(file_.bodies.size());
  static thread_local std::vector<double> p, q;
  p.resize(static_cast<std::size_t>(3 * n));
  q.resize(static_cast<std::size_t>(4 * n));
  file_.position.Get(3 * n * k, p);
  file_.turn.Get(4 * n * k, q);
  X_WB->resize(model_->bodies.size());
  for (std::size_t b = 0; b < X_WB->size(); ++b) {
    const Body& body = model_->bodies[b];
    const int row = row_of_[b];
    (*X_WB)[b] =
        row < 0 ? start_[b] : ConvertPose(file_.meta, body, p.data() + 3 * row, q.data() + 4 * row);
  }
  ForParts(*model_, [&](std::size_t part, std::size_t link) {
    const Pose within = Inverse(start_[link]) * start_[part];
    (*X_WB)[part] = (*X_WB)[link] * within;
  });
}

void ForeignRun::GetVelocities(int64_t k, std::vector<Vec6>* V_WB) const {
  V_WB->assign(model_->bodies.size(), Vec6::Zero());
  static thread_local std::vector<Pose> here, before;
  const auto n = static_cast<int64_t>(file_.bodies.size());
  GetPoses(k, &here);
  if (file_.has_velocity()) {
    static thread_local std::vector<double> v, w;
    v.resize(static_cast<std::size_t>(3 * n));
    w.resize(v.size());
    file_.velocity.Get(3 * n * k, v);
    file_.spin.Get(3 * n * k, w);
    const ForeignMeta& meta = file_.meta;
    for (std::size_t b = 0; b < V_WB->size(); ++b) {
      if (row_of_[b] < 0) continue;
      const Body& body = model_->bodies[b];
      const auto at = static_cast<std::size_t>(3 * row_of_[b]);
      Vec3 linear(v[at], v[at + 1], v[at + 2]), angular(w[at], w[at + 1], w[at + 2]);
      if (meta.y_up) linear = YUpToZUp() * linear;
      if (meta.spin_in_body) {
        angular = body.ShownTurn(here[b].q) * angular;
      } else if (meta.y_up) {
        angular = YUpToZUp() * angular;
      }
      if (meta.velocity_of_link) linear += angular.cross(here[b].p - here[b] * body.X_BL.p);
      (*V_WB)[b] << angular, linear;
    }
  } else if (samples() > 1) {
    // the engine's own velocity, where its steps are known; else about the sample
    const bool own = StepsTo(std::max<int64_t>(k, 1)) == 1;
    const int64_t from = std::max<int64_t>(0, k - 1), to = k == 0 ? 1
                                                           : own  ? k
                                                                  : std::min(k + 1, samples() - 1);
    const double h = time(to) - time(from);
    if (from != k) GetPoses(from, &before);
    if (from == k) before = here;
    static thread_local std::vector<Pose> after;
    if (to != k) GetPoses(to, &after);
    const std::vector<Pose>& end = to == k ? here : after;
    for (std::size_t b = 0; b < V_WB->size(); ++b) {
      if (row_of_[b] < 0) continue;
      const Vec3 angular = RotationVector(end[b].q * before[b].q.conjugate()) / h;
      (*V_WB)[b] << angular, Vec3((end[b].p - before[b].p) / h);
    }
  }
  ForParts(*model_, [&](std::size_t part, std::size_t link) {
    const Vec6& V = (*V_WB)[link];
    (*V_WB)[part] << V.head<3>(), V.tail<3>() + V.head<3>().cross(here[part].p - here[link].p);
  });
}

int64_t ForeignRun::SampleAt(double at) const {
  const auto after = std::upper_bound(file_.time.begin(), file_.time.end(), at - shift_);
  return static_cast<int64_t>(after - file_.time.begin()) - 1;
}

bool ForeignRun::Interpolate(double at, std::vector<Pose>* X_WB, std::vector<Vec6>* V_WB) const {
  // a time that is a sample's but for round-off is that sample's
  const double close = 1e-9 * (1 + std::abs(at));
  const int64_t k = SampleAt(at + close);
  if (k < 0) return false;
  const double past = at - time(k);
  if (past <= close || k + 1 == samples()) {
    if (past > close) return false;
    GetPoses(k, X_WB);
    GetVelocities(k, V_WB);
    return true;
  }
  const double h = time(k + 1) - time(k), u = past / h;
  if (h > 5 * median_) return false;
  std::vector<Pose> a, b;
  std::vector<Vec6> va, vb;
  GetPoses(k, &a), GetPoses(k + 1, &b);
  GetVelocities(k, &va), GetVelocities(k + 1, &vb);
  X_WB->resize(a.size());
  V_WB->resize(a.size());
  const bool curved = file_.has_velocity();
  const double u2 = u * u, u3 = u2 * u;
  for (std::size_t i = 0; i < a.size(); ++i) {
    Pose& X = (*X_WB)[i];
    X.q = a[i].q.slerp(u, b[i].q);
    X.p = curved ? Vec3((2 * u3 - 3 * u2 + 1) * a[i].p + (3 * u2 - 2 * u3) * b[i].p +
                        h * ((u3 - 2 * u2 + u) * va[i].tail<3>() + (u3 - u2) * vb[i].tail<3>()))
                 : Vec3((1 - u) * a[i].p + u * b[i].p);
    (*V_WB)[i] = (1 - u) * va[i] + u * vb[i];
  }
  return true;
}

void ForeignRun::GetContacts(int64_t k, std::vector<GivenContact>* contacts) const {
  contacts->clear();
  const std::vector<double>& times = file_.contact_time;
  if (times.empty()) return;
  const double here = At(file_.time, k);
  const double from = k == 0 ? -kInfinity : 0.5 * (here + At(file_.time, k - 1));
  const double until = k + 1 == samples() ? kInfinity : 0.5 * (here + At(file_.time, k + 1));
  const auto begin = std::lower_bound(times.begin(), times.end(), from);
  const auto end = std::lower_bound(begin, times.end(), until);
  const auto body = [&](double index) {
    const bool known = index >= 0 && index < static_cast<double>(body_of_.size());
    return known ? body_of_[static_cast<std::size_t>(index)] : -1;
  };
  for (auto it = begin; it != end; ++it) {
    const int64_t c = it - times.begin();
    const auto vector = [&](const NpyArray& array) {
      std::array<double, 3> v{};
      array.Get(3 * c, v);
      const Vec3 read(v[0], v[1], v[2]);
      return file_.meta.y_up ? Vec3(YUpToZUp() * read) : read;
    };
    GivenContact given;
    given.body_a = body(file_.contact_a.Number(c));
    given.body = body(file_.contact_b.Number(c));
    given.p_W = vector(file_.contact_p);
    given.n_W = vector(file_.contact_n);
    given.f_W = file_.has_forces() ? vector(file_.contact_f) : Vec3(Vec3::Constant(kNaN));
    if (file_.has_forces()) {
      // of friction alone the product leaves round-off, which is no load
      const double along = given.f_W.dot(given.n_W);
      given.fn = std::abs(along) > 1e-13 * given.f_W.norm() ? along : 0;
      given.ft = (given.f_W - given.fn * given.n_W).norm();
    } else {
      given.fn = file_.contact_fn.Number(c);
      given.ft = file_.contact_ft.Number(c);
    }
    // ours is from the lower index, a surface first, into the higher one
    if (given.body < given.body_a) {
      std::swap(given.body, given.body_a);
      given.n_W = -given.n_W;
      given.f_W = -given.f_W;
    }
    if (given.body >= 0) contacts->push_back(given);
  }
}

double ForeignRun::ForceBand(int64_t k) const {
  if (k < 1) return kNaN;
  const double h = time(k) - time(k - 1);
  if (file_.has_velocity()) {
    const double digit =
        file_.velocity.type() == NpyType::kF4 ? std::ldexp(1.0, -24) : file_.velocity_digit;
    return digit / h;
  }
  const double digit = file_.single_precision ? std::ldexp(1.0, -24) : file_.digit;
  return 2 * digit / (h * h);
}

}  // namespace slip
