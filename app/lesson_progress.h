// Which lesson card is active and which are done. A card turns green by a measured condition only.
#pragma once

#include <string>
#include <vector>

#include "engine/scene/scene.h"
#include "engine/sim/expression.h"

namespace slip::app {

class LessonProgress {
 public:
  /// Starts over with this lesson; conditions that do not parse are reported in `errors`.
  void Start(const Lesson& lesson, std::vector<std::string>* errors);
  /// Checks the active card; true if it has just turned green.
  bool Evaluate(const ExpressionData& data);

  bool empty() const { return done_.empty(); }
  int count() const { return static_cast<int>(done_.size()); }
  int active() const { return active_; }
  bool done(int card) const { return done_[static_cast<std::size_t>(card)]; }
  bool finished() const { return !empty() && active_ >= count(); }
  void Next();            ///< from a green card to the following one
  void Select(int card);  ///< back to an earlier card; never past the first that is not green
  int Reachable() const;  ///< the first card that is not green

 private:
  std::vector<std::optional<Expression>> conditions_;
  std::vector<bool> done_;
  int active_ = 0;
};

}  // namespace slip::app
