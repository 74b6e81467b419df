// An MJCF file with all that it includes, as one tree of elements that know where they stand, and
// what every part of the reader needs to say what is wrong with one.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/text_file.h"

namespace slip {

inline constexpr TextFileKind kMjcfFile{.name = "MJCF file", .most_bytes = 16 * kMebibyte};

struct MjcfNode {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<MjcfNode> children;
  int file = 0;  ///< index into MjcfReport::files
  int line = 0;
  int model = 0;  ///< 0 = the file's own, else one that was attached, see MjcfModel::SettingsOf

  /// Null when it is not there.
  const std::string* Find(std::string_view attribute) const;
};

/// Where errors and remarks about a file and all that it includes go.
class MjcfReport {
 public:
  /// The file's own name comes first.
  std::vector<std::string> files;

  void Fail(const MjcfNode& at, std::string message, std::string hint = {});
  void Add(Error error) { errors_.push_back(std::move(error)); }
  /// What is taken over roughly or left out: said once, with the first place and how many more
  /// there are.
  void Say(const MjcfNode& at, const std::string& remark);
  void Say(const std::string& remark);
  bool failed() const { return !errors_.empty(); }
  std::size_t errors() const { return errors_.size(); }

  /// By file and line.
  ErrorList TakeErrors();
  std::vector<std::string> TakeNotes();

 private:
  struct Remark {
    std::string place, text;
    int times = 0;
  };

  ErrorList errors_;
  std::vector<Remark> remarks_;
  std::map<std::string, std::size_t> known_;
};

/// The tree of a text, whose includes stand where they were named. `folder` is where they are
/// looked for.
Result<MjcfNode> ParseMjcf(std::string_view text, const std::string& folder, MjcfReport* report);

/// The same of another model that `at` names, at `path`.
Result<MjcfNode> ParseAttachedMjcf(const MjcfNode& at, const std::string& path, MjcfReport* report);
/// How many elements a tree has, and how many it may have after all that multiplies them.
std::size_t CountMjcfNodes(const MjcfNode& node);
inline constexpr std::size_t kMostMjcfNodes = 400000;

/// Whether a name, counted from a folder, stays within the model's own tree: in the folder or
/// below, or kMostFoldersUp above it and below there. Models often have their meshes in a folder
/// beside.
bool StaysNear(const std::string& name);
inline constexpr int kMostFoldersUp = 2;
/// The path of a file that an attribute of `at` names from `folder`; empty after an error.
std::string FindMjcfFile(const MjcfNode& at, const std::string& name, const std::string& folder,
                         MjcfReport* report);

}  // namespace slip
