// The cells of a study as they come, in whatever order: one line each that carries its own hash, so
// that a file that was cut off is good up to there. A part of a study leaves it as cells.txt; of a
// whole one it lasts until the tables are written.
#pragma once

#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/output_file.h"
#include "engine/study/study_plan.h"

namespace slip {

inline constexpr std::string_view kCellFile = "cells.txt";

/// Where the lines of cells lie, in one file or in several.
class CellIndex {
 public:
  explicit CellIndex(std::size_t cells) : places_(cells) {}
  /// Reads a file; `first`: its first line. What is behind the first damaged line does not count.
  /// Error: it cannot be read, or is of another plan.
  Status Add(const std::string& path, const std::string& key, std::size_t* good_bytes = nullptr);
  bool Has(std::size_t cell) const { return places_[cell].size > 0; }
  std::size_t count() const { return count_; }
  /// Nothing where the cell is not there or its file has changed.
  std::optional<StudyCell> Read(std::size_t cell) const;

 private:
  struct PlaceInFile {
    std::size_t file = 0, begin = 0, size = 0;
  };
  std::vector<PlaceInFile> places_;
  std::vector<std::shared_ptr<std::FILE>> files_;
  std::size_t count_ = 0;
};

class CellFile {
 public:
  /// Goes on with what an interrupted study of the same plan left. Errors as of OutputFile::Open.
  static Result<std::unique_ptr<CellFile>> Open(const std::string& folder, const StudyPlan& plan,
                                                const RunContext& context, bool force, bool* taken);
  const std::vector<bool>& done() const { return done_; }
  std::size_t kept() const { return kept_; }
  void Write(const StudyCell& cell);
  bool good() const { return file_->good(); }
  /// Why a cell could not be written, as of a full disk.
  Status status() const { return file_->status(); }
  /// To read the cells; what was written counts.
  Result<CellIndex> Index();
  /// Of a part: the file gets its name.
  Status Commit() { return file_->Commit(); }
  /// Of an interrupted study: the same command goes on with it.
  void Leave() { file_->LeavePart(); }

 private:
  CellFile(const StudyPlan& plan, std::string key)
      : key_(std::move(key)), done_(plan.cells(), false) {}

  std::string key_;
  std::vector<bool> done_;
  std::size_t kept_ = 0;
  std::shared_ptr<OutputFile> file_;
};

/// The cells of all parts. Errors: a part is missing, not finished, damaged or of another study;
/// two have a cell.
Result<CellIndex> ReadStudyParts(const std::vector<std::string>& folders, const StudyPlan& plan,
                                 const RunContext& context);

}  // namespace slip
