// Archives of arrays as np.savez and np.savez_compressed write them (.npz): a zip file with one
// .npy a name. What comes from outside: every offset and size is checked against the file, nothing
// is allocated for what it only promises, and one that would unpack to a bomb is refused.
#pragma once

#include <map>
#include <string>

#include "engine/npz/npy.h"

namespace slip {

/// Most that the packed arrays of a file may unpack to [bytes].
inline constexpr uint64_t kMostUnpacked = uint64_t{4} << 30;
/// And how many times its size in the file a packed array may be.
inline constexpr uint64_t kMostRatio = 1000;

class NpzFile {
 public:
  /// Large arrays that are not packed stay in the file, which is kept open.
  static Result<NpzFile> Read(const std::string& path);

  /// Null where there is none of that name.
  const NpyArray* Find(std::string_view name) const;
  const std::map<std::string, NpyArray, std::less<>>& arrays() const { return arrays_; }

 private:
  std::map<std::string, NpyArray, std::less<>> arrays_;
};

}  // namespace slip
