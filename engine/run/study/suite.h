// A suite: scenes whose answers physics knows, put to all methods. Each answer is right, or off by
// what the method's own law predicts, or neither. The suites are files, scenes/suites/NAME.toml.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/core/result.h"
#include "engine/core/sliced.h"
#include "engine/method/methods.h"
#include "engine/scene/scene.h"
#include "engine/sim/expression.h"

namespace slip {

inline constexpr std::string_view kSuiteSchema = "slipscope.suite/1";

/// One question with its parameters, in the terms of expression.h.
struct SuiteVariant {
  std::vector<std::string> set;              ///< "path=value[unit]"
  double turn = 0;                           ///< the scene's bodies about the vertical [rad]
  std::optional<Expression> law;             ///< instead of its case's
  std::map<std::string, Expression> own_of;  ///< before its case's
};

struct SuiteCase {
  std::string id, title;
  std::shared_ptr<const Scene> scene;
  std::vector<std::string> set;  ///< of all variants
  double duration = 0;           ///< [s]
  std::string unit;
  std::optional<Expression> measure, law;
  double within = 0;   ///< how far an answer may be off and still be right, of the law's value
  double at_most = 0;  ///< the same in units
  /// What a method answers by its own law, and single methods that have another.
  std::optional<Expression> own;
  std::map<std::string, Expression> own_of;
  std::map<std::string, std::string> set_of;   ///< one more assignment for single methods
  std::map<std::string, std::string> not_for;  ///< methods that are not asked, and why
  std::map<std::string, std::string> known;    ///< that are off, and what is known of it
  std::vector<std::string> exact;              ///< of whom a prediction is not enough
  std::vector<SuiteVariant> variants;
};

struct Suite {
  std::string id, title, story;
  std::string text;  ///< of its file
  std::vector<SuiteCase> cases;
};

std::vector<std::string> ListSuites();
Result<Suite> FindSuite(const std::string& name);
Result<Suite> ReadSuite(const std::string& text, const std::string& name);

/// How far an answer may be from what the method's own law predicts, of the law's deviation.
inline constexpr double kPredictedWithin = 0.02;

enum class SuiteVerdict : int {
  kRight,      ///< as the law has it
  kPredicted,  ///< off by what the method's own law predicts
  kKnown,      ///< neither, and the suite says what is known of it
  kWrong,      ///< neither
  kNotAsked    ///< it cannot run the scene, or the question is none for it
};
std::string_view Name(SuiteVerdict verdict);

struct SuiteCell {
  MethodId method = {};
  double value = 0, own = 0;  ///< NaN where there is none
  SuiteVerdict verdict = SuiteVerdict::kNotAsked;
  double off = kNaN;  ///< from the law, over what it may be off and still be right
  std::string note;   ///< why it was not asked, what is known, or why the run failed
};

struct SuiteRow {
  const SuiteCase* of = nullptr;
  const SuiteVariant* variant = nullptr;
  double law = 0;
  std::vector<SuiteCell> cells;  ///< in the order of the methods

  /// What is set: "friction=0.5, tilt=10 deg"; empty where all is in the case.
  std::string Text() const;
};

/// Puts a variant to the cell's method. *law: its answer, as the last method that was asked has it.
/// False when `poll` has stopped it.
Sliced<bool> AskMethod(const SuiteCase& of, const SuiteVariant& variant, std::function<bool()> poll,
                       double* law, SuiteCell* cell);

struct SuiteCallbacks {
  std::function<void(const SuiteRow&)> row;
  std::function<bool(double fraction)> poll;  ///< false stops it
};
/// Row by row, all methods; false when it was stopped.
bool RunSuite(const Suite& suite, std::span<const MethodId> methods,
              const SuiteCallbacks& callbacks);

/// The verdict on a value of a method.
SuiteVerdict Judge(const SuiteCase& of, std::string_view method, double law, double value,
                   double own);

}  // namespace slip
