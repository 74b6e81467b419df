// Which lesson card is active and which are done. A card turns green by a measured condition only;
// a prediction must have been answered, too: what is seen before nobody asked teaches nothing. Its
// numbers are those of the run that is shown: what a green card has seen is measured again as long
// as it is active, and waits when the run has become another one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/scene/scene.h"
#include "engine/sim/expression.h"
#include "engine/sim/measured_text.h"

namespace slip::app {

class LessonProgress {
 public:
  /// The answer of a reader who wants to be shown.
  static constexpr int kShowMe = -1;

  /// Starts over with this lesson; conditions that do not parse are reported in `errors`. Joints
  /// and feet are those of `model`; null = none.
  void Start(const Lesson& lesson, const Model* model, std::vector<std::string>* errors);
  /// Checks the active card; true if it has just turned green or says another number.
  bool Evaluate(const ExpressionData& data);
  /// The run is another one: what the active card has seen waits until its condition holds again.
  void Unsee();
  /// Looks for an advice of the active card that holds, and writes the card's other texts; true if
  /// any has become another one.
  bool Advise(const ExpressionData& data);

  bool empty() const { return cards_.empty(); }
  int count() const { return static_cast<int>(cards_.size()); }
  int active() const { return active_; }
  bool done(int card) const { return CardAt(card).done; }
  bool finished() const { return !empty() && active_ >= count(); }
  void Next();            ///< from a green card to the following one
  void Select(int card);  ///< back to an earlier card; never past the first that is not green
  int Reachable() const;  ///< the first card that is not green

  /// The card is a prediction that nobody has made yet.
  bool Asks(int card) const { return CardAt(card).asks && !CardAt(card).given; }
  /// The active one is.
  bool AsksNow() const { return active_ < count() && Asks(active_); }
  /// Answers the active card: an index into its answers, or kShowMe. The first answer counts.
  void Answer(int choice);
  /// What was answered; nothing while the card asks, and for cards that do not.
  std::optional<int> Given(int card) const { return CardAt(card).given; }
  /// What a green card says it has shown: of the run shown while it is active and does not wait,
  /// then as it was when it was left.
  const std::string& seen(int card) const { return CardAt(card).seen; }
  /// The run has changed since that was measured.
  bool waits(int card) const { return CardAt(card).waits; }
  /// The texts of the scene, with the numbers that they have now.
  const std::string& text(int card) const { return CardAt(card).text.now; }
  const std::string& hint(int card) const { return CardAt(card).hint.now; }
  const std::string& formula(int card) const { return CardAt(card).formula.now; }
  /// Index of the advice of the active card that holds now, or -1; and what it says.
  int advice() const { return advice_; }
  const std::string& say() const { return say_; }

 private:
  struct Words {
    MeasuredText measured;
    std::string now;
    /// True if it reads otherwise than before.
    bool Write(const ExpressionData& data);
  };
  struct Advice {
    Expression when;
    MeasuredText say;
  };
  struct Card {
    bool asks = false;
    bool done = false;
    bool waits = false;
    std::optional<int> given;
    std::optional<Expression> condition;
    std::vector<Advice> advice;
    Words text, hint, formula;
    MeasuredText sees;
    std::string seen;
  };
  const Card& CardAt(int card) const { return At(cards_, card); }

  std::vector<Card> cards_;
  int active_ = 0;
  int advice_ = -1;
  std::string say_;
};

}  // namespace slip::app
