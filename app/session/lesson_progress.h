// Which lesson card is active and which are done. A card turns green by a measured condition only;
// a prediction must have been answered, too: what is seen before nobody asked teaches nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/scene/scene.h"
#include "engine/sim/expression.h"

namespace slip::app {

class LessonProgress {
 public:
  /// The answer of a reader who wants to be shown.
  static constexpr int kShowMe = -1;

  /// Starts over with this lesson; conditions that do not parse are reported in `errors`. Joints
  /// and feet are those of `model`; null = none.
  void Start(const Lesson& lesson, const Model* model, std::vector<std::string>* errors);
  /// Checks the active card; true if it has just turned green.
  bool Evaluate(const ExpressionData& data);
  /// Looks for an advice of the active card that holds; true if it has just become another one.
  bool Advise(const ExpressionData& data);

  bool empty() const { return cards_.empty(); }
  int count() const { return static_cast<int>(cards_.size()); }
  int active() const { return active_; }
  bool done(int card) const { return At(card).done; }
  bool finished() const { return !empty() && active_ >= count(); }
  void Next();            ///< from a green card to the following one
  void Select(int card);  ///< back to an earlier card; never past the first that is not green
  int Reachable() const;  ///< the first card that is not green

  /// The card is a prediction that nobody has made yet.
  bool Asks(int card) const { return At(card).asks && !At(card).given; }
  /// Answers the active card: an index into its answers, or kShowMe. The first answer counts.
  void Answer(int choice);
  /// What was answered; nothing while the card asks, and for cards that do not.
  std::optional<int> Given(int card) const { return At(card).given; }
  /// What a green card says it has shown, with the numbers that were measured when it turned green.
  const std::string& seen(int card) const { return At(card).seen; }
  /// Index of the advice of the active card that holds now, or -1.
  int advice() const { return advice_; }

 private:
  struct Card {
    bool asks = false;
    bool done = false;
    std::optional<int> given;
    std::optional<Expression> condition;
    std::vector<Expression> advice;
    std::string text;                 ///< of what is seen, each number a mark
    std::vector<Expression> numbers;  ///< for the marks, in their order
    std::string seen;
  };
  void Measure(const ExpressionData& data);
  const Card& At(int card) const { return cards_[static_cast<std::size_t>(card)]; }

  std::vector<Card> cards_;
  int active_ = 0;
  int advice_ = -1;
};

}  // namespace slip::app
