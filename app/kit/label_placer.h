// Places for the labels of one picture: beside what each names, clear of the rest.
#pragma once

#include <imgui.h>

#include <optional>
#include <vector>

namespace slip::app {

/// A label that wants a place.
struct LabelWish {
  ImVec2 tip{0, 0};              ///< what it names
  ImVec2 at{0, 0};               ///< left middle where all is free
  ImVec2 size{0, 0};             ///< [px]
  int owner = -1;                ///< whose it is; -1 = of none of those that own boxes
  std::optional<ImVec2> before;  ///< its place in the frame before, as far from the tip as then
  bool rests = false;            ///< it came there a moment ago: it stays while that place is free
};

/// Each label keeps clear of those before it and of what is kept, rather than stand there it has no
/// place; what is spared it covers only to stay near. A place that is still free is left only for
/// one that is much better: in a running picture labels must not jump.
class LabelPlacer {
 public:
  static constexpr int kAll = -1;
  /// Labels stand within these corners.
  LabelPlacer(ImVec2 min, ImVec2 max) : room_{min, max, kAll} {}
  /// No label comes here but its owner's, who spares it.
  void Keep(ImVec2 min, ImVec2 max, int owner = kAll) { kept_.push_back({min, max, owner}); }
  void Spare(ImVec2 min, ImVec2 max) { spared_.push_back({min, max, kAll}); }
  /// The tip, at which a reader looks for a number, more than the rest.
  void SpareArrow(ImVec2 from, ImVec2 tip);
  /// Where the label's left middle may go; nothing where there is no room near what it names.
  std::optional<ImVec2> Place(const LabelWish& wish);

  /// Nearest to what it names of a label with its left middle there.
  static ImVec2 LeaderEnd(ImVec2 tip, ImVec2 at, ImVec2 size);

 private:
  struct Box {
    ImVec2 min, max;
    int owner;
  };
  bool IsFree(const LabelWish& wish, const Box& label, float margin) const;
  float CalcCost(const LabelWish& wish, ImVec2 at, float most) const;

  Box room_;
  std::vector<Box> kept_, spared_, lines_;  ///< lines from min to max
  std::vector<ImVec2> tips_;
};

}  // namespace slip::app
