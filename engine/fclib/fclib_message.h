// What a process that reads an HDF5 file says about the contact problem in it, as bytes. It is not
// believed: whoever decodes it checks every count.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slip {

struct FclibMessage {
  /// What is wrong with the file: nothing else is said then.
  std::string problem;
  std::string title;
  /// Groups at the top of the file that the format knows: "fclib_global".
  std::vector<std::string> groups;
  /// The numbers of a data set by its path, whole ones too: "fclib_global/M/x".
  std::map<std::string, std::vector<double>> arrays;

  const std::vector<double>* Find(const std::string& path) const {
    const auto at = arrays.find(path);
    return at == arrays.end() ? nullptr : &at->second;
  }
};

/// Arrays with more numbers are refused.
inline constexpr std::uint64_t kMostFclibNumbers = std::uint64_t{1} << 23;

/// First word of the process.
inline constexpr std::string_view kFclibWord = "fclib";

/// The form that is read, and those that are known and named.
inline constexpr std::string_view kFclibGlobal = "fclib_global";
inline constexpr std::string_view kFclibOtherForms[] = {"fclib_local", "fclib_global_rolling",
                                                        "fclib_local_rolling"};

std::string EncodeFclib(const FclibMessage& message);
/// None for what is no such message, whole.
std::optional<FclibMessage> DecodeFclib(std::string_view bytes);

}  // namespace slip
