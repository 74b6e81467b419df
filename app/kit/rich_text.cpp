// Text runs with sub- and superscripts. Smaller runs use their own font of the atlas: bitmaps are
// never scaled.
#include <algorithm>
#include <cmath>
#include <vector>

#include "app/kit/kit.h"

namespace slip::app {
namespace {

// ascent / (ascent - descent) of the faces, to share a baseline between sizes
constexpr float kInterAscent = 0.8005f;
constexpr float kMonoAscent = 0.7727f;
// shifts of the baseline in units of the pixel height (22 % down, 36 % up of the em size)
constexpr float kSubShift = 0.22f / 1.21f;
constexpr float kSuperShift = -0.36f / 1.21f;

bool IsMonoRole(Role role) {
  switch (role) {
    case Role::kClock:
    case Role::kValue:
    case Role::kValueStrong:
    case Role::kAxis:
    case Role::kTick:
    case Role::kMonoSub:
      return true;
    default:
      return false;
  }
}

Role SmallRole(Role role) {
  if (role == Role::kClock) return Role::kValue;
  if (IsMonoRole(role)) return Role::kMonoSub;
  if (role == Role::kLessonTitle) return Role::kBody;
  if (role == Role::kCardTitle) return Role::kTag;
  return Role::kSub;
}

bool IsWordByte(char c) {
  const auto u = static_cast<unsigned char>(c);
  return (u >= '0' && u <= '9') || (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || u >= 0xC3;
}
bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// End of the script that starts at `begin`: a signed word. A multi-byte letter counts whole.
std::size_t WordEnd(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  if (text.substr(end, 3) == "\u2212") {
    end += 3;
  } else if (end < text.size() && (text[end] == '-' || text[end] == '+')) {
    ++end;
  }
  while (end < text.size()) {
    // operators and arrows (first byte E2) end the word
    const bool operator_byte = static_cast<unsigned char>(text[end]) == 0xE2;
    if (!operator_byte && (IsWordByte(text[end]) || IsContinuation(text[end]))) {
      ++end;
    } else {
      break;
    }
  }
  return end;
}

float RunWidth(std::string_view text, Role role) {
  return Font(role)
      ->CalcTextSizeA(FontPx(role), 1e9f, 0.0f, text.data(), text.data() + text.size())
      .x;
}

/// Walks the runs; draws when `list` is given. Returns the width.
float WalkRuns(ImDrawList* list, ImVec2 position, std::string_view text, Role role, ImU32 colour) {
  std::vector<RichRun>& runs = CurrentKit().runs;
  SplitRuns(text, &runs);
  const Role small = SmallRole(role);
  const float ascent = IsMonoRole(role) ? kMonoAscent : kInterAscent;
  const float base_px = FontPx(role);
  float x = position.x;
  for (const RichRun& run : runs) {
    const Role run_role = run.level == RichLevel::kBase ? role : small;
    float y = position.y;
    if (run.level != RichLevel::kBase) {
      const float shift = run.level == RichLevel::kSub ? kSubShift : kSuperShift;
      y += base_px * (ascent + shift) - FontPx(run_role) * ascent;
    }
    const float width = RunWidth(run.text, run_role);
    if (list) DrawText(list, {x, y}, run.text, run_role, colour);
    x += width;
  }
  return x - position.x;
}

}  // namespace

void SplitRuns(std::string_view text, std::vector<RichRun>* runs) {
  runs->clear();
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      if (i > begin) runs->push_back({text.substr(begin, i - begin), RichLevel::kBase});
      begin = i + 1;
      i += 2;
      continue;
    }
    if ((text[i] != '_' && text[i] != '^') || i + 1 >= text.size()) {
      ++i;
      continue;
    }
    const RichLevel level = text[i] == '_' ? RichLevel::kSub : RichLevel::kSuper;
    std::size_t first = i + 1, last = 0, next = 0;
    if (text[first] == '{') {
      ++first;
      last = text.find('}', first);
      if (last == std::string_view::npos) last = text.size();
      next = std::min(last + 1, text.size());
    } else {
      last = next = WordEnd(text, first);
    }
    if (last == first) {
      ++i;
      continue;
    }
    if (i > begin) runs->push_back({text.substr(begin, i - begin), RichLevel::kBase});
    runs->push_back({text.substr(first, last - first), level});
    begin = i = next;
  }
  if (begin < text.size()) runs->push_back({text.substr(begin), RichLevel::kBase});
}

ImVec2 MeasureText(std::string_view text, Role role) {
  return {RunWidth(text, role), FontPx(role)};
}

float DrawText(ImDrawList* list, ImVec2 position, std::string_view text, Role role, ImU32 colour) {
  if (text.empty()) return 0;
  const ImVec2 snapped{std::round(position.x), std::round(position.y)};
  list->AddText(Font(role), FontPx(role), snapped, colour, text.data(), text.data() + text.size());
  return RunWidth(text, role);
}

ImVec2 MeasureRich(std::string_view text, Role role) {
  return {WalkRuns(nullptr, {0, 0}, text, role, 0), FontPx(role)};
}

float DrawRich(ImDrawList* list, ImVec2 position, std::string_view text, Role role, ImU32 colour) {
  return WalkRuns(list, position, text, role, colour);
}

void Rich(std::string_view text, Role role, Token colour) {
  const ImVec2 position = ImGui::GetCursorScreenPos();
  const float width = DrawRich(ImGui::GetWindowDrawList(), position, text, role, Color(colour));
  ImGui::Dummy({width, FontPx(role)});
}

std::vector<std::string> WrapText(std::string_view text, Role role, float width) {
  std::vector<std::string> lines;
  while (true) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view rest = text.substr(0, end);
    while (MeasureText(rest, role).x > width) {
      std::size_t best = 0, behind_number = 0;
      for (std::size_t at = rest.find(' '); at != std::string_view::npos;
           at = rest.find(' ', at + 1)) {
        if (MeasureText(rest.substr(0, at), role).x > width) break;
        const bool digit = at > 0 && rest[at - 1] >= '0' && rest[at - 1] <= '9';
        (digit ? behind_number : best) = at;
      }
      std::size_t cut = best > 0 ? best : behind_number;
      const bool at_blank = cut > 0;
      if (!at_blank) {
        // at least one character, whole
        for (std::size_t next = 1; next <= rest.size(); ++next) {
          if (next < rest.size() && IsContinuation(rest[next])) continue;
          if (cut > 0 && MeasureText(rest.substr(0, next), role).x > width) break;
          cut = next;
        }
      }
      if (cut >= rest.size()) break;
      lines.emplace_back(rest.substr(0, cut));
      rest.remove_prefix(cut + (at_blank ? 1 : 0));
    }
    lines.emplace_back(rest);
    if (end == text.size()) return lines;
    text.remove_prefix(end + 1);
  }
}

// Wrapped here: ImGui breaks lines at the points of numbers, and between a number and its unit.
void Paragraph(std::string_view text, Role role, Token colour) {
  Paragraph(text, ImGui::GetContentRegionAvail().x, role, colour);
}

void Paragraph(std::string_view text, float width, Role role, Token colour) {
  PushRole(role);
  ImGui::PushStyleColor(ImGuiCol_Text, Color(colour));
  std::string lines;
  for (const std::string& line : WrapText(text, role, width))
    lines += (lines.empty() ? "" : "\n") + line;
  ImGui::TextUnformatted(lines.data(), lines.data() + lines.size());
  ImGui::PopStyleColor();
  PopRole();
}

namespace {

/// The longest beginning with dots behind it that `measure` finds no wider.
template <class Measure>
std::string CutToWidth(std::string_view text, float width, Measure&& measure) {
  if (measure(text) <= width) return std::string(text);
  constexpr std::string_view kDots = "…";
  std::size_t length = text.size();
  while (length > 0) {
    --length;
    while (length > 0 && IsContinuation(text[length])) --length;
    std::string cut(text.substr(0, length));
    cut += kDots;
    if (measure(cut) <= width) return cut;
  }
  return std::string(kDots);
}

}  // namespace

std::string Ellipsize(std::string_view text, Role role, float width) {
  return CutToWidth(text, width, [&](std::string_view part) { return RunWidth(part, role); });
}

std::string EllipsizeRich(std::string_view text, Role role, float width) {
  return CutToWidth(text, width, [&](std::string_view part) { return MeasureRich(part, role).x; });
}

std::string EllipsizeMiddle(std::string_view text, Role role, float width) {
  if (RunWidth(text, role) <= width) return std::string(text);
  // one more from the start, one more from the end, while they fit
  std::string best = "…";
  std::size_t head = 0, tail = text.size();
  for (bool front = true; head < tail; front = !front) {
    if (front) {
      do ++head;
      while (head < tail && IsContinuation(text[head]));
    } else {
      do --tail;
      while (tail > head && IsContinuation(text[tail]));
    }
    std::string cut(text.substr(0, head));
    cut += "…";
    cut += text.substr(tail);
    if (RunWidth(cut, role) > width) break;
    best = std::move(cut);
  }
  return best;
}

}  // namespace slip::app
