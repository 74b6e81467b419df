// How findings about robots are gathered and folded, and who looks for them.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/tell/robot_shapes.h"
#include "engine/tell/robot_surprises.h"

namespace slip {

/// Findings, one for each link or joint.
class SurpriseList {
 public:
  /// `size`: how bad, comparable within an id. `body` -1 = of none; `name` empty = likewise.
  void Say(std::string_view id, SurpriseKind kind, double size, int body, std::string name,
           std::string text, std::string hint = {});
  bool Has(std::string_view id) const;
  void Drop(std::string_view id);
  /// One for each id: the worst, with bodies and names of the others; in the order of kinds.
  std::vector<Surprise> Fold();

 private:
  struct Finding {
    double size = 0;
    Surprise said;
  };
  std::vector<Finding> findings_;
};

/// 'left_arm'
std::string QuoteLink(std::string_view name);
/// 812 rather than 812.3, 3.1 rather than 3.
std::string TimesText(double ratio);

/// What is drawn beside what collides, link by link. Bodies with links whose size cannot be meant:
/// of these nothing else is said.
std::set<int> FindShapeSurprises(const Scene& scene, SurpriseList* list);
/// What bodies weigh, where their joints start, and what starts in what.
void FindBodySurprises(const Scene& scene, const std::set<int>& absurd, SurpriseList* list);

}  // namespace slip
