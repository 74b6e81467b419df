#include "tests/support/pile.h"

#include <cmath>

namespace slip::test {
namespace {

// splitmix64: the same numbers on every platform
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double Unit() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }
  double Within(double a, double b) { return a + (b - a) * Unit(); }
  Vec3 Vector(double size) {
    const double x = Within(-size, size), y = Within(-size, size);
    return Vec3(x, y, Within(-size, size));
  }

 private:
  std::uint64_t state_;
};

constexpr double kSize = 0.1;  // of a body [m]
constexpr double kGravity = 9.81;

struct Builder {
  const PileSpec& spec;
  ContactProblem p;
  Random random;
  std::vector<Vec3> centre;
  std::vector<bool> box;
  std::vector<double> load;  // weight above and of the body [N]

  explicit Builder(const PileSpec& s) : spec(s), random(s.seed) {}

  void AddBody(const Vec3& at, bool is_box) {
    const double mass =
        (is_box ? 1.0 : 0.5235987756) * std::pow(10, random.Within(-1, 1) * spec.mass_spread);
    const double I = is_box ? mass * kSize * kSize / 6 : 0.4 * mass * kSize * kSize / 4;
    const auto& tree = p.task.trees[static_cast<std::size_t>(p.task.AddTree(6))];
    for (int i = 0; i < 6; ++i) {
      p.task.A[static_cast<std::size_t>(tree.A_offset + 7 * i)] = i < 3 ? I : mass;
    }
    centre.push_back(at);
    box.push_back(is_box);
  }

  // Contact at point x with normal n from a (-1 = world) into b.
  void AddContact(int a, int b, const Vec3& x, const Vec3& n) {
    const Vec3 t1 = n.unitOrthogonal(), t2 = n.cross(t1);
    const bool spins = spec.torsional_friction > 0 && p.task.contacts.size() % 2 == 0;
    ContactTask::Contact& c = p.task.AddContact(a, b, -1, spins ? 4 : 3);
    const auto rows = [&](int body, int offset, double sign) {
      if (body < 0) return;
      const Vec3 r = x - centre[static_cast<std::size_t>(body)];
      const Vec3 axes[] = {t1, t2, n};
      for (int k = 0; k < 3; ++k) {
        Vec6 row;
        row << r.cross(axes[k]), axes[k];
        for (int i = 0; i < 6; ++i) {
          p.task.J[static_cast<std::size_t>(offset + 6 * k + i)] = sign * row[i];
        }
      }
      for (int i = 0; spins && i < 3; ++i)
        p.task.J[static_cast<std::size_t>(offset + 18 + i)] = sign * n[i];
    };
    rows(a, c.J_a, -1);
    rows(b, c.J_b, 1);
    c.start.h = spec.h;
    c.start.mu = spec.friction;
    c.start.mu_w = spins ? spec.torsional_friction : 0;
    c.start.law = {spec.stiffness, 4e7, spec.dissipation, spec.relaxation_time, 0.1, 1e-3};
    switch (spec.state) {
      case PileState::kFirstImpact:
        c.start.phi0 = random.Within(-2e-4, 1e-2);
        break;
      case PileState::kMidFall:
        c.start.phi0 = random.Within(-6e-5, 4e-4);
        break;
      case PileState::kResting:
        c.start.phi0 =
            -load[static_cast<std::size_t>(b)] * random.Within(0.1, 0.6) / spec.stiffness;
        break;
    }
    p.task.CalcDelassus(&c);
  }

  void AddPatch(int a, int b, const Vec3& n) {
    const Vec3 x = centre[static_cast<std::size_t>(b)] - 0.5 * kSize * n;
    const bool flat =
        box[static_cast<std::size_t>(b)] && (a < 0 || box[static_cast<std::size_t>(a)]);
    const int points = flat ? 2 + static_cast<int>(random.Unit() * 3) : 1;
    const Vec3 t1 = n.unitOrthogonal(), t2 = n.cross(t1);
    for (int i = 0; i < points; ++i) {
      const double angle = 2 * 3.14159265358979 * (i + 0.3 * random.Unit()) / points;
      const double reach = flat ? 0.45 * kSize : 0;
      AddContact(a, b, x + reach * (std::cos(angle) * t1 + std::sin(angle) * t2), n);
    }
  }
};

}  // namespace

ContactProblem MakePile(const PileSpec& spec) {
  Builder build(spec);
  ContactProblem& p = build.p;
  p.task.h = spec.h;
  p.task.model.contact_model = spec.model;
  p.task.model.normal_law = spec.law;
  p.task.model.params.stiction_tolerance = spec.stiction_tolerance;
  p.task.model.params.sigma = spec.sigma;
  p.settings.estimate_condition = false;

  // 40 bodies in 2 x 2 columns, 400 in 4 x 5, 4000 in 10 x 10
  const int nx = spec.bodies <= 40 ? 2 : spec.bodies <= 400 ? 4 : 10;
  const int ny = spec.bodies <= 40 ? 2 : spec.bodies <= 400 ? 5 : 10;
  const int columns = nx * ny;
  const int layers = (spec.bodies + columns - 1) / columns;
  for (int i = 0; i < spec.bodies; ++i) {
    const int layer = i / columns, column = i % columns;
    const Vec3 at(kSize * (column % nx), kSize * (column / nx), kSize * (layer + 0.5));
    const bool is_box = build.random.Unit() < 0.5;  // before the next: compilers differ in order
    build.AddBody(at + build.random.Vector(0.01), is_box);
    build.load.push_back(kGravity * 0.8 * (layers - layer));
  }
  p.task.Resize();
  const auto direction = [&](int a, int b) {
    return (build.centre[static_cast<std::size_t>(b)] - build.centre[static_cast<std::size_t>(a)])
        .normalized();
  };
  for (int i = 0; i < spec.bodies; ++i) {
    const int layer = i / columns, column = i % columns;
    const int x = column % nx, y = column / nx;
    if (layer == 0) build.AddPatch(-1, i, Vec3::UnitZ());
    if (layer > 0 && build.random.Unit() < 0.95) {
      build.AddPatch(i - columns, i, direction(i - columns, i));
    }
    if (x > 0 && build.random.Unit() < 0.3) build.AddPatch(i - 1, i, direction(i - 1, i));
    if (y > 0 && build.random.Unit() < 0.3) build.AddPatch(i - nx, i, direction(i - nx, i));
    // some lean on a wall
    if (x == 0 && build.random.Unit() < 0.4) build.AddPatch(-1, i, Vec3::UnitX());
    if (y == 0 && build.random.Unit() < 0.4) build.AddPatch(-1, i, Vec3::UnitY());
  }

  for (int i = 0; i < spec.bodies; ++i) {
    Vec6 v = Vec6::Zero();
    switch (spec.state) {
      case PileState::kFirstImpact:
        v << build.random.Vector(0.05), build.random.Vector(0.01) - 0.5 * Vec3::UnitZ();
        break;
      case PileState::kMidFall:
        v << build.random.Vector(4), build.random.Vector(0.3) - 0.3 * Vec3::UnitZ();
        break;
      case PileState::kResting:
        v << build.random.Vector(1e-4), build.random.Vector(1e-5);
        break;
    }
    p.task.v0.segment<6>(6 * i) = v;
  }
  p.solution.v = p.task.v0;
  AdvancePile(&p);
  return p;
}

void AdvancePile(ContactProblem* problem) {
  ContactProblem& p = *problem;
  const bool first = p.solution.record.contacts == 0;
  for (auto& c : p.task.contacts) {
    double vn = 0;
    const auto add = [&](int tree, int offset) {
      if (tree < 0) return;
      const auto& t = p.task.trees[static_cast<std::size_t>(tree)];
      for (int i = 0; i < t.nv; ++i) {
        vn += p.task.J[static_cast<std::size_t>(offset + 2 * t.nv + i)] * p.solution.v[t.start + i];
      }
    };
    add(c.tree_a, c.J_a);
    add(c.tree_b, c.J_b);
    if (!first) c.start.phi0 += p.task.h * vn;
    c.start.vn0 = vn;
    c.warm = !first && p.solution.record.iterations <= 8;
  }
  p.task.v0 = p.task.v_star = p.solution.v;
  for (const auto& tree : p.task.trees)
    p.task.v_star[tree.start + tree.nv - 1] -= p.task.h * kGravity;
}

}  // namespace slip::test
