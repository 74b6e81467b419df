// What the readers of points share: lines and words of a text, and the checks that every point of a
// file must pass.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "engine/geometry/mesh_text.h"

namespace slip {

/// Beyond these, cleaning a mesh takes gigabytes; more than contact makes use of.
inline constexpr std::size_t kMostPoints = 2000000;
/// Farther from the origin [m], rounding is worse than the contact tolerances.
inline constexpr double kFarthest = 1e6;
/// Lines of a file, or points of it, from one question whether anybody still waits to the next.
inline constexpr int kPolled = 4096;

/// Takes the next line, without its end, or the next word, from the front.
std::string_view NextLine(std::string_view* text);
std::string_view NextWord(std::string_view* line, std::string_view blanks);

/// The whole word as a number, correctly rounded; a leading '+' is allowed.
template <class Number>
std::optional<Number> ParseNumber(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  Number value{};
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (status != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

/// What a word of the file looks like in a message.
std::string QuoteWord(std::string_view word);

/// Collects the points of a file and what is wrong with it. `line` counts the lines taken so far;
/// it stays 0 where a file has none.
class PointScanner {
 public:
  /// Lengths are multiplied by `scale`. In a file of points alone, those with a coordinate that is
  /// nan or infinite are left out and counted: depth cameras write them where nothing came back.
  PointScanner(const std::string& path, double scale, bool points_alone = false)
      : path_(path), scale_(scale), points_alone_(points_alone) {}

  /// A broken file has an error in every line; the first few tell the story.
  bool full() const;
  void NextLine() {
    if (++line_ % kPolled == 0) Poll();
  }
  /// Stop() when ThreadStop says so.
  void Poll();
  void ForgetLines() { line_ = 0; }
  int line() const { return line_; }
  double scale() const { return scale_; }
  bool failed() const { return !errors_.empty(); }

  void Fail(std::string message, std::string hint = {}) { FailAt(line_, message, hint); }
  void FailAt(int line, std::string message, std::string hint = {});
  /// The rest of the file would only repeat this.
  void Stop(std::string message, std::string hint);

  /// x, y and z in three words; what follows is not read.
  void ReadPoint(std::string_view rest, std::string_view blanks);
  /// Number `axis` of a point as written; false, and an error, when it is none.
  bool ReadCoordinate(std::string_view word, int axis, double* value);
  /// A point of the file, not scaled yet. `where` begins the message, e.g. "vertex 3: ".
  void AddPoint(const Vec3& point, const std::string& where = {});
  /// Points of the file so far, left out or not.
  std::size_t found() const { return text.points.size() + text.left_out; }

  Result<MeshText> Finish();

  MeshText text;

 private:
  const std::string& path_;
  double scale_;
  bool points_alone_;
  bool infinite_ = false;  ///< of what was left out, some is not nan
  int line_ = 0;
  bool stopped_ = false;
  ErrorList errors_;
};

}  // namespace slip
