// The files of a sweep: sweep.csv, one row per run in the order of the grid, and meta.json. Shards
// write the same files; MergeSweeps joins them into those of the whole sweep.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/output_file.h"
#include "engine/run/study/former_outputs.h"
#include "engine/run/study/recorder.h"
#include "engine/run/study/sweep.h"
#include "engine/run/study/sweep_lines.h"

namespace slip {

inline constexpr std::string_view kSweepTable = "sweep.csv";

struct SweepOutputs {
  std::shared_ptr<OutputFile> csv, meta;
  FormerFiles former;  ///< to be removed when both have their names; nothing without `force`
};
/// Makes the folder if needed. One error, and *taken, as OpenOutputFiles says.
Result<SweepOutputs> OpenSweepOutputs(const std::string& folder, bool force, bool* taken = nullptr);

class SweepFile {
 public:
  /// Goes on with the files of the same sweep where one was cut off or interrupted: kept() are its
  /// rows, which are not to be made again. `conditions` are judged row by row, so that other ones
  /// make it another sweep. Errors as of OpenSweepOutputs.
  static Result<std::unique_ptr<SweepFile>> Open(const std::string& folder, const SweepPlan& plan,
                                                 const RunContext& context,
                                                 const std::vector<std::string>& conditions,
                                                 bool force, bool* taken = nullptr);
  const std::vector<KeptRow>& kept() const { return kept_; }
  /// `verdict`: what was found about the point that the row ends, without blanks; may be empty.
  void Write(const SweepRow& row, const std::string& verdict = {});
  /// Writes meta.json and gives both files their names; finished rows survive an interrupt, and
  /// meta.json then says how to go on.
  Status Finish(bool complete);
  /// False once a write failed.
  bool good() const { return csv_->good() && meta_->good(); }

 private:
  SweepFile(const SweepPlan& plan, const RunContext& context,
            const std::vector<std::string>& conditions);
  /// False when nothing of this sweep is there. An error: it is another one's.
  Result<bool> TakeOver(const std::string& folder, bool force);
  /// The same of the files that an interrupted one finished, by the journal in its meta.json.
  Result<bool> GoOn(const std::string& folder, const std::string& journal);

  SweepPlan plan_;
  RunContext context_;
  std::string plan_hash_, header_;
  SweepJournal journal_;
  LineHash hash_of_;
  std::vector<std::string> hashes_;  ///< of the lines so far
  std::vector<KeptRow> kept_;
  FormerFiles former_;
  std::size_t at_once_ = 1;                 ///< rows that count together
  std::shared_ptr<OutputFile> csv_, meta_;  ///< the latter holds the journal until the end
};

/// A column of sweep.csv.
struct SweepColumn {
  std::string name, doc;
};
/// Number of the run, the varied parameters, what happened, max and mean of every signal, wall
/// times, a note that may need quotes, and min, last and median of the signals that were chosen.
std::vector<SweepColumn> SweepColumns(const SweepPlan& plan);

/// What a merge found.
struct SweepMerge {
  std::size_t runs = 0;                 ///< of the whole sweep
  std::size_t rows = 0;                 ///< that the shards have; fewer when one was interrupted
  std::vector<std::string> unfinished;  ///< folders of these
  ErrorList write_errors;
  bool taken = false;  ///< the write errors are about a folder in use
};

/// Joins the shards in `folders` into `output`. Errors: a shard is missing, given twice, damaged,
/// or of another sweep (other scene, parameters, length or program); what is wrong with the output
/// stands in the result.
Result<SweepMerge> MergeSweeps(const std::vector<std::string>& folders, const std::string& output,
                               const std::string& command_line, bool force);

}  // namespace slip
