#include "engine/scene/staging_reader.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/param_text.h"

namespace slip {
namespace {

constexpr std::array<std::string_view, 5> kInstruments = {"gap", "creep", "rebound", "conditioning",
                                                          "numbers"};  // in their order

double SpeedRatio(double a, double b) { return std::abs(std::log(a / b)); }

double NearestSpeed(double wanted) {
  return *std::min_element(kPlaybackSpeeds.begin(), kPlaybackSpeeds.end(), [=](double a, double b) {
    return SpeedRatio(wanted, a) < SpeedRatio(wanted, b);
  });
}

/// One of the speeds that the window offers, else its menu could not show what runs.
void ReadSpeed(TableReader* root, double* speed) {
  const Range range{kPlaybackSpeeds.front(), kPlaybackSpeeds.back()};
  double value = 1;
  // experiments that were saved with it can still be opened
  if (root->Number("pace", "", range, &value)) *speed = NearestSpeed(value);
  if (!root->Number("speed", "", range, &value)) return;
  *speed = NearestSpeed(value);
  if (SpeedRatio(value, *speed) < 1e-9) return;
  std::string expected = "speed must be one of those that the window offers:";
  for (const double offered : kPlaybackSpeeds)
    expected += (offered == kPlaybackSpeeds.front() ? " " : ", ") + FormatNumber(offered);
  root->reporter().Add(*root->Find("speed"), expected + " (found " + FormatNumber(value) + ")",
                       "the nearest is " + FormatNumber(*speed));
}

void ReadCamera(TableReader* root, CameraSpec* camera) {
  const TomlNode* node = root->Find("camera");
  if (node == nullptr) return;
  if (node->kind != TomlNode::Kind::kTable) {
    root->reporter().Add(*node, "camera must be a table (found " + node->Found() + ")");
    return;
  }
  TableReader table(*node, "[camera]", &root->reporter());
  table.Vector("target", "m", 1e3, &camera->target);
  table.Number("distance", "m", {0, 1e3, true}, &camera->distance);
  table.Number("azimuth", "rad", {-10, 10}, &camera->azimuth);
  table.Number("elevation", "rad", {-1.57, 1.57}, &camera->elevation);
  table.Number("field_of_view", "rad", {0.05, 2.5}, &camera->field_of_view);
  table.Flag("follow", &camera->follow);
  table.Finish();
}

}  // namespace

void ReadStaging(TableReader* root, Scene* scene) {
  ReadSpeed(root, &scene->speed);
  root->Flag("loop", &scene->loop);
  if (const auto instrument = root->Choice("instrument", kInstruments))
    scene->instrument = static_cast<Instrument>(*instrument);
  ReadCamera(root, &scene->camera);
}

void ReadNumbers(TableReader* root, const Model* model, Scene* scene) {
  std::vector<std::string> texts;
  root->Texts("numbers", &texts);
  const TomlNode* node = root->Find("numbers");
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
