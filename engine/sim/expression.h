// Conditions on signals, for --expect and lesson cards:
//   max(gliding_offset) < 1e-3            over all channels
//   max(gliding_offset@similar) < 0.3e-3 and time_step < 2e-3
//   last(position_x@sap) - last(position_x@lagged) > 1 mm     (units as in parameters)
//   max(torque:solo/FL_KFE) < 2.7 and min(force:solo/FL_FOOT@sap) > 1    (parts)
// Reductions: max min mean rms last; onset, the time of the first sample above zero; time_of_max,
// when the largest value was there first [s], none where it never varied. A bare parameter path
// reads the first channel's Config
// ("path@model" another's). "@2" instead of a model means the second channel, "@sap#2" the one of
// this name, and so does the name of a recorded run. Operators + - * / ( ) < <= > >= == != and or
// not, abs(), sqrt().
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "engine/method/config.h"
#include "engine/sim/signals.h"

namespace slip {

struct Model;

enum class Reduction { kMax, kMin, kMean, kRms, kLast, kOnset, kTimeOfMax };

/// Where an expression gets its numbers. Either may answer nothing (no such channel yet);
/// the expression is then false.
struct ExpressionData {
  /// Reduction of a signal over the samples so far; model empty = over all channels, a model id =
  /// over the channels of that model, a digit = that channel, counted from 1.
  std::function<std::optional<double>(Reduction, Signal, std::string_view model)> signal;
  /// Present value of a parameter; model empty = the first channel's.
  std::function<std::optional<double>(std::string_view path, std::string_view model)> parameter;
};

/// A parsed condition.
class Expression {
 public:
  /// Errors name the column and what was expected, with a "did you mean" for unknown names. Joints
  /// and feet are those of `model`, its robots at least; null = none.
  /// `recorded`: names of recorded runs, which stand for a model.
  static Result<Expression> Parse(std::string_view text, const Model* model = nullptr,
                                  std::span<const std::string> recorded = {});
  bool Evaluate(const ExpressionData& data) const;
  /// The same for a number in place of a condition: "max(normal_force@sap)". `names` stand for
  /// numbers, too; ExpressionData::parameter is asked for them.
  static Result<Expression> ParseNumber(std::string_view text, const Model* model = nullptr,
                                        std::span<const std::string> names = {});
  /// The number that a parameter is, whatever signs its path has.
  static Result<Expression> OfParameter(std::string_view path);
  /// What the number is now [unit()]; nothing where a part of it cannot be answered.
  std::optional<double> Number(const ExpressionData& data) const;
  /// SI unit of a number that is one signal or parameter, a sum of them, or one of these times or
  /// over pure numbers; else empty.
  std::string_view unit() const;
  /// Smaller sizes of it say nothing, as those of its signal [unit()].
  double noise() const;
  const std::string& text() const { return text_; }
  bool Reads(Signal signal) const;
  bool ReadsAnySignal() const;
  bool ReadsParameter(std::string_view path) const;
  /// What its signals and parameters are, each once: "max(gliding_offset@sap) = 0.0028 m"; "no
  /// value" for what cannot be answered. Empty for a condition on numbers only.
  std::string Found(const ExpressionData& data) const;

  struct Node;

 private:
  static Result<Expression> Make(std::string_view text, const Model* model, bool number,
                                 std::span<const std::string> recorded,
                                 std::span<const std::string> names);

  std::string text_;
  std::shared_ptr<const Node> root_;
};

}  // namespace slip
