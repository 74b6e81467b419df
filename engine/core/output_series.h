// Numbered files of one folder: frames of a video, problems of a run. The series has one owner at a
// time and is one thing to --force.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/output_file.h"

namespace slip {

class OutputSeries {
 public:
  /// Files "STEM-000123EXTENSION" in `folder`, which is made if needed. Errors: one of them is
  /// there already or was left half written, and `force` is false; another process writes the
  /// series now (these set *taken); the folder cannot be written.
  static Result<std::shared_ptr<OutputSeries>> Open(const std::string& folder,
                                                    const std::vector<std::string>& stems,
                                                    const std::string& extension, bool force,
                                                    bool* taken = nullptr);

  std::string Path(std::string_view stem, int64_t number) const;
  Result<std::shared_ptr<OutputFile>> OpenFile(std::string_view stem, int64_t number) const;
  Status Write(std::string_view stem, int64_t number, std::string_view text);
  /// Removes what `force` found and this series did not write, where `ours` says yes to the stem
  /// and the path: numbered files of this ending, whatever their stem.
  void RemoveFormer(
      const std::function<bool(const std::string& stem, const std::string& path)>& ours);
  /// Removes the files from this number on, as far as they follow without a gap: what a longer
  /// series of before would leave behind a new, shorter one.
  void RemoveFrom(std::string_view stem, int64_t number) const;

 private:
  OutputSeries() = default;
  std::string folder_, extension_;
  bool force_ = false;
  std::set<std::string> former_;  ///< paths that were there, and were not written since
  std::vector<std::shared_ptr<OutputFile>> claims_;  ///< "STEM-series.part", never committed
};

}  // namespace slip
