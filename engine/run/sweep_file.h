// The files of a sweep: sweep.csv, one row per run in the order of the grid, and meta.json. Shards
// write the same files; MergeSweeps joins them into those of the whole sweep.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/core/output_file.h"
#include "engine/run/recorder.h"
#include "engine/run/sweep.h"

namespace slip {

struct SweepOutputs {
  std::shared_ptr<OutputFile> csv, meta;
};
/// Makes the folder if needed. One error, and *taken, as OpenOutputFiles says.
Result<SweepOutputs> OpenSweepOutputs(const std::string& folder, bool force, bool* taken = nullptr);

class SweepFile {
 public:
  /// Errors as of OpenSweepOutputs.
  static Result<std::unique_ptr<SweepFile>> Open(const std::string& folder, const SweepPlan& plan,
                                                 bool force, bool* taken = nullptr);
  void Write(const SweepRow& row);
  /// Writes meta.json and gives both files their names; finished rows survive an interrupt.
  Status Finish(const RunContext& context, bool complete);
  /// False once a write failed.
  bool good() const { return csv_->good(); }

 private:
  explicit SweepFile(const SweepPlan& plan) : plan_(plan) {}
  SweepPlan plan_;
  int64_t rows_ = 0;
  std::shared_ptr<OutputFile> csv_, meta_;
};

/// A column of sweep.csv.
struct SweepColumn {
  std::string name, doc;
};
/// Number of the run, the varied parameters, what happened, max and mean of every signal, wall
/// times, and a note that may need quotes.
std::vector<SweepColumn> SweepColumns(const SweepPlan& plan);

/// What a merge found.
struct SweepMerge {
  std::size_t runs = 0;  ///< of the whole sweep
  std::size_t rows = 0;  ///< that the shards have; fewer when one was interrupted
  ErrorList write_errors;
  bool taken = false;  ///< the write errors are about a folder in use
};

/// Joins the shards in `folders` into `output`. Errors: a shard is missing, given twice, damaged,
/// or of another sweep (other scene, parameters, length or program); what is wrong with the output
/// stands in the result.
Result<SweepMerge> MergeSweeps(const std::vector<std::string>& folders, const std::string& output,
                               const std::string& command_line, bool force);

}  // namespace slip
