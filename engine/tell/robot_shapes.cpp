#include "engine/tell/robot_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/core/numbers.h"
#include "engine/urdf/robot_description.h"

namespace slip {
namespace {

/// One and several, in the order of ShapeKind.
constexpr std::array<std::array<std::string_view, 2>, kShapeKinds> kShapeWords = {
    {{"sphere", "spheres"},
     {"box", "boxes"},
     {"capsule", "capsules"},
     {"cylinder", "cylinders"},
     {"hull", "hulls"},
     {"mesh", "meshes"},
     {"cloud", "clouds"}}};

/// Whether the shape is for the eyes, too: of URDF where its link has nothing else, of MJCF where
/// its group is seen.
bool IsSeen(const RobotShape& collision) { return !collision.has_visual; }

class Counter {
 public:
  void Add(const RobotShape& shape, bool drawn) {
    const bool mesh = shape.shape.kind >= ShapeKind::kConvex;
    if (drawn && mesh && shape.more_of_mesh) return;
    if (drawn && mesh && shape.format != nullptr) return AddWord(shape.format->name, {});
    const auto& words = At(kShapeWords, shape.shape.kind);
    AddWord(words[0], words[1]);
  }
  void AddPoints(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) AddWord("point", "points");
  }
  /// The most first.
  std::vector<ShapeCount> Take() {
    std::vector<ShapeCount> counts;
    for (const Row& row : rows_)
      counts.push_back(
          {std::string(row.count > 1 && !row.many.empty() ? row.many : row.one), row.count});
    std::stable_sort(counts.begin(), counts.end(),
                     [](const ShapeCount& a, const ShapeCount& b) { return a.count > b.count; });
    return counts;
  }

 private:
  struct Row {
    std::string_view one, many;
    int count = 0;
  };
  void AddWord(std::string_view one, std::string_view many) {
    const auto same = [&](const Row& row) { return row.one == one; };
    auto row = std::find_if(rows_.begin(), rows_.end(), same);
    if (row == rows_.end()) row = rows_.insert(row, {one, many});
    ++row->count;
  }
  std::vector<Row> rows_;
};

/// Contact points stand for all shapes of what moves with them.
bool HasPoints(const Model& model, int body) {
  return body >= 0 && !model.body(body).points_B.empty();
}

/// The body of a link, by its name.
int BodyOf(const Robot& robot, const std::string& link) {
  const Robot::Frame* frame = robot.FindFrame(link);
  return frame != nullptr ? frame->body : -1;
}

/// Calls visit(robot, link, body) for all links of all robots.
template <class Visit>
void ForEachLink(const Scene& scene, const Visit& visit) {
  if (scene.model == nullptr) return;
  const std::size_t count = std::min(scene.robots.size(), scene.model->robots.size());
  for (std::size_t r = 0; r < count; ++r) {
    if (scene.robots[r].file == nullptr) continue;
    for (const RobotLink& link : scene.robots[r].file->links)
      visit(static_cast<int>(r), link, BodyOf(scene.model->robots[r], link.name));
  }
}

}  // namespace

void ShapeBox::Add(const Shape& shape, const Pose& X_FS) {
  ShapeBox box;
  CalcBounds(shape, X_FS, &box.min, &box.max);
  Add(box);
}

void ShapeBox::Add(const ShapeBox& other) {
  if (other.empty()) return;
  min = min.cwiseMin(other.min);
  max = max.cwiseMax(other.max);
}

double ShapeBox::Distance(const Vec3& p) const {
  return (min - p).cwiseMax(p - max).cwiseMax(Vec3::Zero()).norm();
}

std::vector<LinkShapes> ListLinkShapes(const Scene& scene) {
  std::vector<LinkShapes> links;
  ForEachLink(scene, [&](int robot, const RobotLink& link, int body) {
    LinkShapes shapes{.robot = robot, .body = body, .name = link.name};
    for (const RobotShape& shape : link.visuals) shapes.drawn.Add(shape.shape, shape.X_LS);
    shapes.by_points = HasPoints(*scene.model, body);
    const bool of_world = At(scene.robots, robot).file->world.has_value();
    for (const RobotShape& shape : link.collisions) {
      if (!shapes.by_points) shapes.collides.Add(shape.shape, shape.X_LS);
      // a shape of MJCF is both
      if (of_world && IsSeen(shape)) shapes.drawn.Add(shape.shape, shape.X_LS);
    }
    shapes.stands_in = shapes.drawn.empty() && !link.collisions.empty();
    if (!link.visuals.empty() || !link.collisions.empty()) links.push_back(std::move(shapes));
  });
  return links;
}

std::vector<ShapeCount> CountDrawn(const Scene& scene) {
  Counter counter;
  ForEachLink(scene, [&](int, const RobotLink& link, int) {
    for (const RobotShape& shape : link.visuals) counter.Add(shape, true);
    for (const RobotShape& shape : link.collisions)
      if (IsSeen(shape)) counter.Add(shape, true);
  });
  return counter.Take();
}

std::vector<ShapeCount> CountColliding(const Scene& scene) {
  Counter counter;
  ForEachLink(scene, [&](int, const RobotLink& link, int body) {
    if (HasPoints(*scene.model, body)) return;
    for (const RobotShape& shape : link.collisions) counter.Add(shape, false);
  });
  if (scene.model != nullptr) {
    for (const Body& body : scene.model->bodies)
      if (body.robot >= 0 && body.shape_of_link < 0) counter.AddPoints(body.points_B.size());
  }
  return counter.Take();
}

std::string ShapeCountText(std::span<const ShapeCount> counts) {
  std::string text;
  for (const ShapeCount& of : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", of.count, of.word);
  return text.empty() ? "nothing" : text;
}

}  // namespace slip
