#include "engine/geometry/point_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/thread_stop.h"

namespace slip {
namespace {

constexpr std::size_t kMaxErrors = 20;

}  // namespace

std::string_view NextLine(std::string_view* text) {
  const std::size_t end = std::min(text->find('\n'), text->size());
  std::string_view line = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view NextWord(std::string_view* line, std::string_view blanks) {
  const std::size_t begin = std::min(line->find_first_not_of(blanks), line->size());
  line->remove_prefix(begin);
  const std::size_t end = std::min(line->find_first_of(blanks), line->size());
  const std::string_view word = line->substr(0, end);
  line->remove_prefix(end);
  return word;
}

std::string QuoteWord(std::string_view word) {
  std::string text = "'";
  for (char c : word.substr(0, 24)) text += c >= ' ' && c <= '~' ? c : '?';
  return text + (word.size() > 24 ? "...'" : "'");
}

bool PointScanner::full() const { return stopped_ || errors_.size() >= kMaxErrors; }

void PointScanner::FailAt(int line, std::string message, std::string hint) {
  errors_.push_back(
      {.message = std::move(message), .file = path_, .line = line, .hint = std::move(hint)});
}

void PointScanner::Stop(std::string message, std::string hint) {
  Fail(std::move(message), std::move(hint));
  stopped_ = true;
}

void PointScanner::Poll() {
  if (!stopped_ && ThreadStop::Asked()) Stop("it was stopped", "read it again");
}

void PointScanner::ReadPoint(std::string_view rest, std::string_view blanks) {
  Vec3 p = Vec3::Zero();
  for (int i = 0; i < 3; ++i) {
    const std::string_view word = NextWord(&rest, blanks);
    if (word.empty()) return Fail(fmt::format("a point has {} of 3 coordinates", i), "write x y z");
    if (!ReadCoordinate(word, i, &p[i])) return;
  }
  AddPoint(p);
}

bool PointScanner::ReadCoordinate(std::string_view word, int axis, double* value) {
  const std::optional<double> number = ParseNumber<double>(word);
  if (!number) {
    Fail(fmt::format("{} is not a number; expected coordinate {}", QuoteWord(word), "xyz"[axis]));
    return false;
  }
  if (!std::isfinite(*number) && !points_alone_) {
    Fail(fmt::format("coordinate {} is {}; expected a finite number", "xyz"[axis], QuoteWord(word)),
         "export it again");
    return false;
  }
  *value = *number;
  return true;
}

void PointScanner::AddPoint(const Vec3& point, const std::string& where) {
  if (points_alone_ && !point.allFinite()) {
    ++text.left_out;
    infinite_ = infinite_ || !point.hasNaN();
    return;
  }
  if (text.points.size() == kMostPoints)
    return Stop(fmt::format("more than {} points", kMostPoints),
                "keep every tenth point, or decimate the mesh");
  const Vec3 p = scale_ * point;
  // written so that an infinity fails, too
  if (!(p.cwiseAbs().maxCoeff() <= kFarthest))
    return Fail(fmt::format("{}a point lies {:.3g} m from the origin; at most {:.0e} m is allowed",
                            where, p.stableNorm(), kFarthest),
                "move it to the origin, or set 'scale', e.g. 0.001 for millimetres");
  text.points.push_back(p);
}

Result<MeshText> PointScanner::Finish() {
  if (!errors_.empty()) return std::move(errors_);
  if (text.left_out > 0)
    text.notes.push_back(fmt::format(
        "{} {} nan{}: left out",
        text.left_out == 1 ? std::string("1 point") : fmt::format("{} points", text.left_out),
        text.left_out == 1 ? "is" : "are", infinite_ ? " or infinite" : ""));
  return std::move(text);
}

}  // namespace slip
