#include "engine/scene/scene_keys.h"

#include <algorithm>
#include <array>

#include "engine/scene/body_keys.h"
#include "engine/scene/lesson_keys.h"
#include "engine/scene/robot_keys.h"
#include "engine/scene/top_keys.h"

namespace slip {

std::vector<std::string_view> SceneSection::Names() const {
  std::vector<std::string_view> names;
  for (const SceneSection* of = this; of != nullptr; of = of->like) {
    for (const SceneKey& row : of->keys) names.push_back(row.name);
    if (of->params == nullptr) continue;
    for (const SceneParam& param : of->params()) names.push_back(param.info->name);
  }
  return names;
}

bool SceneSection::Has(std::string_view key) const {
  const std::vector<std::string_view> names = Names();
  return std::find(names.begin(), names.end(), key) != names.end();
}

std::string SceneSection::DocOf(std::string_view key) const {
  for (const SceneSection* of = this; of != nullptr; of = of->like) {
    for (const SceneKey& row : of->keys) {
      if (row.name == key) return std::string(row.doc);
    }
  }
  return {};
}

std::span<const SceneSection* const> SceneSections() {
  static constexpr std::array kSections = {
      &kTopSection,       &kMaterialSection, &kSurfaceSection,    &kBodySection, &kPileSection,
      &kPatternSection,   &kRobotSection,    &kControllerSection, &kPushSection, &kChannelSection,
      &kOpensWithSection, &kCameraSection,   &kLessonSection,     &kCardSection, &kAdviceSection};
  return kSections;
}

}  // namespace slip
