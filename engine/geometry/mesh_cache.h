// Triangles that were read once, kept for the next time in the user's cache folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/geometry/mesh_message.h"

namespace slip {

/// Entries have a key of letters and digits, that of what a file holds. Whatever goes wrong with
/// the folder, reading goes on without it.
class MeshCache {
 public:
  /// The user's; `folder` empty = there is none.
  MeshCache();
  explicit MeshCache(std::string folder, std::uint64_t most_bytes = std::uint64_t{512} << 20)
      : folder_(std::move(folder)), most_bytes_(most_bytes) {}

  /// None also for an entry that is damaged, which is removed.
  std::optional<MeshMessage> Find(const std::string& key) const;
  /// Makes room by removing what was not used for longest.
  void Keep(const std::string& key, const MeshMessage& message) const;

 private:
  std::string PathOf(const std::string& key) const;
  void MakeRoom() const;

  std::string folder_;
  std::uint64_t most_bytes_ = 0;
};

}  // namespace slip
