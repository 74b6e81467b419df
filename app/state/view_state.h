// What the picture shows, and what lies over it.
#pragma once

#include <imgui.h>

#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/sim/snapshot.h"
#include "render/scene/view_request.h"

namespace slip::app {

enum class Compare : int { kSingle, kGhosts, kSplit2, kSplit4, kDifference, kCount };
/// How expensive the picture may be: as the machine allows, or as the user chose.
enum class Preset : int { kAuto, kFast, kBalanced, kBest };

struct ViewState : render::ViewStyle {
  Compare compare = Compare::kGhosts;
  Preset preset = Preset::kAuto;
  bool smooth_edges = true;  ///< on graphics cards, where there is one sample a pixel
  bool show_gap = true, show_labels = true, show_legend = true, show_info = true;
  bool show_handles = true;      ///< of robots' targets
  double gap_magnification = 0;  ///< of the gap instrument, kept by a click; 0 = it chooses
  bool trails_asked = false;     ///< the engine was asked to send trails of feet
};

/// Where the tags over a robot are, and which foot they name.
struct ModelTags {
  int foot = 0;         ///< index into Robot::feet
  bool column = false;  ///< at the border of the picture, not in a row over the robot
};

/// Numbers beside arrows rest as all written ones do: who draws the picture knows those of the
/// moment on the screen alone.
class LabelNumbers {
 public:
  /// Of that moment (WrittenMoment::count).
  void Begin(int64_t count) {
    if (std::exchange(count_, count) != count) values_.clear();
  }
  /// What it was when it was first written at this moment.
  double ValueOf(const render::LabelAnchor& label, render::CompareMode compare) {
    return values_.try_emplace({label.kind, compare, label.channel, label.id}, label.value)
        .first->second;
  }

 private:
  int64_t count_ = -1;
  std::map<std::tuple<render::LabelKind, render::CompareMode, int, int64_t>, double> values_;
};

/// Where a label of a force was drawn: in the next frame it stays there if it can.
struct LabelPlace {
  int pane = 0, channel = 0;
  render::LabelKind kind{};
  ImVec2 tip{0, 0}, at{0, 0};   ///< what it names, its left middle [px]
  double drawn = 0, since = 0;  ///< when, and when it came to that place beside its arrow [s]
};
struct LabelPlaces {
  std::vector<LabelPlace> places;
};

}  // namespace slip::app
