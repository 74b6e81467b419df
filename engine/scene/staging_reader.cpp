#include "engine/scene/staging_reader.h"

#include <algorithm>
#include <cmath>

#include "engine/core/param_text.h"
#include "engine/scene/top_keys.h"

namespace slip {
namespace {

double SpeedRatio(double a, double b) { return std::abs(std::log(a / b)); }

double NearestSpeed(double wanted) {
  return *std::min_element(kPlaybackSpeeds.begin(), kPlaybackSpeeds.end(), [=](double a, double b) {
    return SpeedRatio(wanted, a) < SpeedRatio(wanted, b);
  });
}

/// One of the speeds that the window offers, else its menu could not show what runs.
void ReadSpeed(TableReader* root, double* speed) {
  double value = 1;
  // experiments that were saved with it can still be opened
  if (root->Number(TopKey("pace"), &value)) *speed = NearestSpeed(value);
  if (!root->Number(TopKey("speed"), &value)) return;
  *speed = NearestSpeed(value);
  if (SpeedRatio(value, *speed) < 1e-9) return;
  std::string expected = "speed must be one of those that the window offers:";
  for (const double offered : kPlaybackSpeeds)
    expected += (offered == kPlaybackSpeeds.front() ? " " : ", ") + FormatNumber(offered);
  root->reporter().Add(*root->Find(TopKey("speed")),
                       expected + " (found " + FormatNumber(value) + ")",
                       "the nearest is " + FormatNumber(*speed));
}

void ReadCamera(TableReader* root, CameraSpec* camera) {
  const TomlNode* node = root->Find(TopKey("camera"));
  if (node == nullptr) return;
  if (node->kind != TomlNode::Kind::kTable) {
    root->reporter().Add(*node, "camera must be a table (found " + node->Found() + ")");
    return;
  }
  TableReader table(*node, kCameraSection, "[camera]", &root->reporter());
  table.Vector(CameraKey("target"), &camera->target);
  table.Number(CameraKey("distance"), &camera->distance);
  table.Number(CameraKey("azimuth"), &camera->azimuth);
  table.Number(CameraKey("elevation"), &camera->elevation);
  table.Number(CameraKey("field_of_view"), &camera->field_of_view);
  table.Flag(CameraKey("follow"), &camera->follow);
  table.Finish();
}

}  // namespace

void ReadStaging(TableReader* root, Scene* scene) {
  ReadSpeed(root, &scene->speed);
  root->Flag(TopKey("loop"), &scene->loop);
  if (const auto instrument = root->Choice(TopKey("instrument")))
    scene->instrument = static_cast<Instrument>(*instrument);
  ReadCamera(root, &scene->camera);
}

void ReadNumbers(TableReader* root, const Model* model, Scene* scene) {
  std::vector<std::string> texts;
  root->Texts(TopKey("numbers"), &texts);
  const TomlNode* node = root->Find(TopKey("numbers"));
  const bool wanted = scene->instrument == Instrument::kNumbers;
  if (node != nullptr && !wanted)
    root->reporter().Add(*node, "numbers needs instrument = \"numbers\"");
  if (wanted && node == nullptr)
    root->reporter().Add(root->node(), "instrument = \"numbers\" needs numbers, names of signals");
  if (node != nullptr && (texts.empty() || texts.size() > kMostNumbers)) {
    root->reporter().Add(*node, "numbers must be 1 to " + std::to_string(kMostNumbers) +
                                    " signals (found " + std::to_string(texts.size()) + ")");
  }
  for (std::size_t i = 0; i < texts.size() && model != nullptr; ++i) {
    Result<SceneNumber> number = ReadSceneNumber(texts[i], *model);
    if (number) {
      scene->numbers.push_back(std::move(number).value());
    } else {
      root->reporter().Add(node->items[i], number.error());
    }
  }
}

}  // namespace slip
