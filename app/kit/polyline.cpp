// Lines of many points on ImDrawList, solid and dashed.
#include <algorithm>
#include <cmath>
#include <vector>

#include "app/kit/kit.h"
#include "app/kit/widgets.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

// One AddPolyline must stay below 65536 vertices of 16-bit indices; it takes up to four per point.
constexpr std::size_t kChunkPoints = 4000;
// A stretch of line that turns back and forth more often than this is a band of noise: dashes
// cannot be read in it and cost a hundred thousand vertices.
constexpr float kStretch = 32;  // design pixels across
constexpr int kMostTurns = 6;   // of more than kLeastTurn design pixels each
constexpr float kLeastTurn = 6;
constexpr float kNoiseAlpha = 0.6f;
// So many columns of pixels side by side, in each of which a line goes up or down by so many of its
// widths, are drawn as bars.
constexpr std::size_t kLeastColumns = 4;
constexpr float kTallColumn = 3;

/// True where the line turns by more than a right angle.
bool TurnsSharply(ImVec2 a, ImVec2 b, ImVec2 c) {
  return (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y) < 0;
}

LineColumn ColumnAt(const ImVec2* points, std::size_t begin, std::size_t count) {
  LineColumn column{begin, begin + 1, points[begin].x, points[begin].y, points[begin].y};
  for (; column.end < count && points[column.end].x == column.x; ++column.end) {
    column.top = std::min(column.top, points[column.end].y);
    column.bottom = std::max(column.bottom, points[column.end].y);
  }
  return column;
}

/// Columns side by side, from `begin` on, in each of which the line goes far up or down; none
/// where there are fewer than kLeastColumns.
std::size_t ColumnsEnd(const ImVec2* points, std::size_t begin, std::size_t count, float width,
                       std::vector<LineColumn>* columns) {
  columns->clear();
  std::size_t end = begin;
  while (end < count) {
    const LineColumn column = ColumnAt(points, end, count);
    if (column.end - column.begin < 2 || column.bottom - column.top < kTallColumn * width) break;
    if (!columns->empty() && column.x - columns->back().x > 1.01f) break;
    columns->push_back(column);
    end = column.end;
  }
  if (columns->size() < kLeastColumns) columns->clear();
  return columns->empty() ? begin : end;
}

/// A column of pixels is a bar: strokes up and down would paint each pixel many times over, and a
/// million samples would cost what they cost the screen of a software renderer.
void FillColumns(ImDrawList* list, std::span<LineColumn> columns, ImU32 colour, float width) {
  for (std::size_t i = 0; i + 1 < columns.size(); ++i) {
    LineColumn &a = columns[i], &b = columns[i + 1];
    // the line between them
    if (a.bottom < b.top) a.bottom = b.top = (a.bottom + b.top) / 2;
    if (b.bottom < a.top) b.bottom = a.top = (b.bottom + a.top) / 2;
  }
  constexpr std::size_t kBatch = 4096;
  for (std::size_t begin = 0; begin < columns.size(); begin += kBatch) {
    const auto batch = columns.subspan(begin, std::min(kBatch, columns.size() - begin));
    const int count = static_cast<int>(batch.size());
    list->PrimReserve(6 * count, 4 * count);
    for (const LineColumn& column : batch) {
      list->PrimRect({column.x - 0.5f, column.top - width / 2},
                     {column.x + 0.5f, column.bottom + width / 2}, colour);
    }
    CurrentKit().bars.Add(list, count);
  }
}

void StrokeSparse(ImDrawList* list, const ImVec2* points, std::size_t count, ImU32 colour,
                  float width) {
  // Pieces share their end point, so that no gap opens between them. A piece ends at a sharp turn
  // too: the joint of a polyline thins to nothing there, and a peak would look lower than it is.
  for (std::size_t begin = 0; begin + 1 < count;) {
    std::size_t end = begin + 1;
    while (end + 1 < count && end - begin + 1 < kChunkPoints &&
           !TurnsSharply(points[end - 1], points[end], points[end + 1])) {
      ++end;
    }
    list->AddPolyline(points + begin, static_cast<int>(end - begin + 1), colour, 0, width);
    begin = end;
  }
}

void Stroke(ImDrawList* list, const ImVec2* points, std::size_t count, ImU32 colour, float width) {
  std::vector<LineColumn>& columns = CurrentKit().columns;
  std::size_t sparse = 0;  // begin of what is not in columns
  for (std::size_t i = 0; i < count;) {
    const std::size_t end = ColumnsEnd(points, i, count, width, &columns);
    if (end == i) {
      i = ColumnAt(points, i, count).end;
      continue;
    }
    // up to the first point of the bars, and from their last on
    StrokeSparse(list, points + sparse, i + 1 - sparse, colour, width);
    FillColumns(list, columns, colour, width);
    i = end;
    sparse = end - 1;
  }
  StrokeSparse(list, points + sparse, count - sparse, colour, width);
}

/// Length of a piece of line [px].
float Length(const ImVec2* points, std::size_t count) {
  float length = 0;
  for (std::size_t i = 1; i < count; ++i) {
    length += std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
  }
  return length;
}

/// End of the stretch of line from `begin` on, and whether it is a band of noise.
std::size_t StretchEnd(std::span<const ImVec2> points, std::size_t begin, bool* noise) {
  const float reach = Px(kStretch), least = Px(kLeastTurn);
  int turns = 0, direction = 0;
  float extreme = points[begin].y;
  std::size_t end = begin + 1;
  for (; end < points.size(); ++end) {
    const float y = points[end].y;
    // turns smaller than the threshold belong to the way they interrupt
    if (direction >= 0 ? y > extreme : y < extreme) extreme = y;
    if (std::fabs(y - extreme) > least) {
      const int now = y > extreme ? 1 : -1;
      if (direction != 0 && now != direction) ++turns;
      direction = now;
      extreme = y;
    }
    if (std::fabs(points[end].x - points[begin].x) >= reach) break;
  }
  *noise = turns > kMostTurns;
  return std::min(end, points.size() - 1);
}

/// Dashes along a line; *phase is the place in the pattern where it starts, and then ends [px].
void StrokeDashed(ImDrawList* list, std::span<const ImVec2> points, const ChannelStyle& style,
                  float width, float* phase) {
  // find the place in the pattern
  const auto dash = [&](int i) { return std::max(0.5f, Px(At(style.dash, i))); };
  float period = 0;
  for (int i = 0; i < style.dash_count; ++i) period += dash(i);
  float offset = std::fmod(*phase, period);
  int index = 0;
  while (offset >= dash(index)) {
    offset -= dash(index);
    index = (index + 1) % style.dash_count;
  }
  float left = dash(index) - offset;  // of the current dash or gap

  // walk along the line; a dash may bend around corners
  std::vector<ImVec2>& piece = CurrentKit().dash;
  piece.clear();
  const auto pen_down = [&] { return index % 2 == 0; };
  if (pen_down()) piece.push_back(points[0]);
  for (std::size_t i = 1; i < points.size(); ++i) {
    ImVec2 from = points[i - 1];
    const ImVec2 to = points[i];
    float rest = std::hypot(to.x - from.x, to.y - from.y);
    while (rest > left) {
      const float t = left / rest;
      from = {from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t};
      rest -= left;
      if (pen_down()) {
        piece.push_back(from);
        Stroke(list, piece.data(), piece.size(), style.colour, width);
        piece.clear();
      }
      index = (index + 1) % style.dash_count;
      left = dash(index);
      if (pen_down()) piece.push_back(from);
    }
    left -= rest;
    if (pen_down()) piece.push_back(to);
  }
  if (pen_down() && piece.size() > 1) {
    Stroke(list, piece.data(), piece.size(), style.colour, width);
  }
  *phase = std::fmod(*phase + Length(points.data(), points.size()), period);
}

}  // namespace

void DrawPolyline(ImDrawList* list, std::span<const ImVec2> points, const ChannelStyle& style,
                  float* phase) {
  if (points.size() < 2) return;
  const float width = std::max(1.0f, Px(style.width));
  if (style.dash_count == 0) {
    Stroke(list, points.data(), points.size(), style.colour, width);
    return;
  }
  // dashed where dashes can be read, solid in between; stretches share their end points
  float own_phase = 0;
  if (phase == nullptr) phase = &own_phase;
  bool noise = false;
  std::size_t begin = 0, end = StretchEnd(points, 0, &noise);
  while (begin + 1 < points.size()) {
    bool next_noise = noise;
    std::size_t next = end;
    while (end + 1 < points.size()) {
      next = StretchEnd(points, end, &next_noise);
      if (next_noise != noise) break;
      end = next;
    }
    const auto piece = points.subspan(begin, end - begin + 1);
    if (noise) {
      // thin and faint: what lies below is another model's
      Stroke(list, piece.data(), piece.size(), WithAlpha(style.colour, kNoiseAlpha), Px(1));
    } else {
      StrokeDashed(list, piece, style, width, phase);
    }
    begin = end;
    end = next;
    noise = next_noise;
  }
}

void DrawDashedLine(ImDrawList* list, ImVec2 from, ImVec2 to, ImU32 colour, float width, float on,
                    float off) {
  ChannelStyle style;
  style.colour = colour;
  style.width = width;
  style.dash = {on, off, 0, 0};
  style.dash_count = 2;
  const ImVec2 points[] = {from, to};
  DrawPolyline(list, points, style);
}

}  // namespace slip::app
