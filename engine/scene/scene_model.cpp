// The model of a scene as a configuration wants it: piles of so many bodies, masses and materials
// of single ones.
#include <algorithm>
#include <cstddef>

#include "engine/dynamics/contact_key.h"
#include "engine/scene/pile.h"
#include "engine/scene/scene.h"

namespace slip {
namespace {

constexpr std::size_t kMostBodies = 20000;
static_assert(kMostBodies <= kMaxBodies);
constexpr std::size_t kMostScenePoints = 1000000;  // contact points of all bodies

/// Mass and material of one body as the configuration wants them.
void SetBody(const BodyDrive& drive, const Config& config, Model* model) {
  const auto named = [&](const auto& named) { return named.name == drive.name; };
  const auto body = std::find_if(model->bodies.begin(), model->bodies.end(), named);
  if (drive.mass != body->mass) {
    body->inertia_B *= drive.mass / body->mass;
    body->mass = drive.mass;
  }
  if (drive.own_material == 0) return;
  const auto own =
      std::find_if(config.materials.begin(), config.materials.end(),
                   [&](const Material& material) { return material.name == drive.OwnMaterial(); });
  body->material = static_cast<int>(own - config.materials.begin());
  const auto index = static_cast<int>(body - model->bodies.begin());
  for (Body& part : model->bodies)
    if (part.shape_of_link == index) part.material = body->material;
}

}  // namespace

std::shared_ptr<Scene> CopyOf(const std::shared_ptr<const Scene>& scene) {
  auto copy = std::make_shared<Scene>(*scene);
  if (copy->of_file == nullptr) copy->of_file = scene;
  return copy;
}

Status Scene::CheckSize(const Config& for_config) const {
  std::size_t bodies = base.bodies.size(), points = 0;
  for (const Body& body : base.bodies) points += body.points_B.size();
  for (std::size_t i = 0; i < piles.size(); ++i) {
    std::size_t most = 0, shapes = 0, largest = 1;
    for (const Body& pattern : piles[i].patterns) {
      most = std::max(most, pattern.points_B.size());
      shapes = pattern.shape_of_link < 0 ? 1 : shapes + 1;
      largest = std::max(largest, shapes);
    }
    const auto count = static_cast<std::size_t>(for_config.piles[i].count());
    bodies += count * largest;
    points += count * most;
  }
  if (bodies > kMostBodies) {
    return Error{.message = "too large: " + std::to_string(bodies) + " bodies, of which " +
                            std::to_string(bodies - base.bodies.size()) + " in piles; at most " +
                            std::to_string(kMostBodies),
                 .file = file,
                 .hint = "lower 'bodies' or 'rows' of the piles"};
  }
  if (points > kMostScenePoints) {
    return Error{.message = "too large: " + std::to_string(points) +
                            " contact points on all bodies; at most " +
                            std::to_string(kMostScenePoints),
                 .file = file,
                 .hint = "fewer contact_points a body, or fewer bodies"};
  }
  return Ok{};
}

std::shared_ptr<const Model> Scene::ModelFor(const Config& for_config) const {
  if (model != nullptr && SameBodies(for_config, config)) return model;
  auto built = std::make_shared<Model>(base);
  for (const BodyDrive& drive : for_config.bodies) SetBody(drive, for_config, built.get());
  for (std::size_t i = 0; i < piles.size(); ++i) {
    AppendPile(piles[i], for_config.piles[i], built.get());
  }
  built->Finish();
  return built;
}

}  // namespace slip
