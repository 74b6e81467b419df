// The numbers of a study's cells, as far as its conditions and figures ask for them.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/study/study.h"
#include "engine/study/study_cell.h"

namespace slip {

class StudyData {
 public:
  /// Keeps what the study's expressions name.
  explicit StudyData(const Study& study);
  /// The cells of a run, in any order.
  void Add(std::size_t run, std::size_t index, const StudyCell& cell);
  NumberList Read(const ColumnRef& column) const;

 private:
  struct Samples {
    std::map<std::string, NumberList> columns;  ///< time always
  };
  struct RunData {
    std::map<std::string, NumberList> rows;  ///< by column, of all cells
    std::vector<std::string> sampled;        ///< columns of samples that are kept
    std::vector<Samples> samples;            ///< of all cells; empty where none are kept
  };
  void Want(const std::optional<TableExpression>& expression);

  const Study& study_;
  std::vector<RunData> runs_;
};

/// What became of a statement.
enum class StudyAnswer : int {
  kHolds,
  kNotReproduced,  ///< false, as the study knows and says why
  kFalse,
  kHoldsNow,  ///< though the study says that it does not
  kLeftOut    ///< not asked of a quick study
};
std::string_view Name(StudyAnswer answer);

struct StudyVerdict {
  const StudyCondition* of = nullptr;
  StudyAnswer answer = StudyAnswer::kLeftOut;
  double least = kNaN, most = kNaN;  ///< of what was measured
  double low = kNaN, high = kNaN;    ///< the bounds nearest to it; NaN = none
  std::string note;                  ///< why there is no number

  /// Whether the command fails: a [chosen] one does not.
  bool Fails() const;
};
/// What is expected before there is any cell: bounds that read cells are left out.
StudyVerdict ExpectationOf(const StudyCondition& of);
std::vector<StudyVerdict> JudgeStudy(const Study& study, const StudyData& data);

/// "0.9 … 1.15", "≤ 1e-12", "1.01 … 1.08"
std::string BoundsText(double low, double high);

}  // namespace slip
