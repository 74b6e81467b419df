// The list of expected results, and the texts that runs wrote without what differs from run to run.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace slip {

/// Results by key: "CASE CHANNEL STEP" or "CASE FILE STEPS", without spaces in any of the three.
using GoldenResults = std::map<std::string, std::string>;

/// The expected results of every libm. They are of the one that rounds sine and cosine like `libm`;
/// those of others are kept where they differ.
struct GoldenList {
  std::string libm;  ///< as of LibmName
  GoldenResults results;
  std::map<std::string, GoldenResults> others;  ///< by LibmName

  bool Knows(const std::string& name) const;
  GoldenResults ExpectedOn(const std::string& name) const;
  /// Takes over what was found with this libm.
  void Put(const std::string& name, const GoldenResults& found);
  void Remove(const std::function<bool(const std::string& key)>& which);
};

/// Lines "KEY RESULT" and "KEY LIBM RESULT", one of "LIBM"; those that are empty or begin with #
/// are left out.
GoldenList ParseList(std::string_view text);
std::string FormatList(const GoldenList& list);

/// "sin-cos:" and a hash of how this machine's libm rounds sine and cosine. Accurate libms differ
/// there in last bits, also one with itself on processors with and without fused multiply-add; of
/// all functions of libm in use only these two were found to change results.
std::string LibmName();

/// Is this the key of a file, or of a state?
bool IsFile(std::string_view key);
std::string_view CaseOf(std::string_view key);

/// A sentence for every result that differs, is missing, or was not expected.
std::vector<std::string> Differences(const GoldenResults& expected, const GoldenResults& found);

uint64_t HashText(std::string_view text);
/// A CSV text without the columns whose name ends in _us; where there is one, no field may hold a
/// comma.
std::string WithoutWallTimes(std::string_view csv);

}  // namespace slip
