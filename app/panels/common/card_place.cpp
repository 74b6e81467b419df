#include "app/panels/common/card_place.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "app/kit/theme.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

// The card keeps this distance from the border of the picture and from what lies over it [px].
constexpr float kMargin = 12, kGap = 8;
// Places that are tried for it are this far apart [px].
constexpr float kPlaceStep = 16;
// A square of a readout counts as much as this many of a body.
constexpr float kOverlayCost = 100;
// Where a body was so long ago it may come again: runs are begun again, belts swing [s].
constexpr double kComesAgain = 15;
// So many bodies are looked at in every frame.
constexpr std::size_t kFew = 400;

float Overlap(const Rect& a, const Rect& b) {
  const float w = std::min(a.max.x, b.max.x) - std::max(a.min.x, b.min.x);
  const float h = std::min(a.max.y, b.max.y) - std::max(a.min.y, b.min.y);
  return w > 0 && h > 0 ? w * h : 0;
}

/// The squares that a part of the picture touches.
struct Squares {
  int x0 = 0, x1 = 0, y0 = 0, y1 = 0;
};
Squares SquaresOf(const SeenBodies& bodies, const Rect& part, const Rect& view) {
  const auto place = [](float at, int most) {
    return static_cast<int>(
        std::clamp(std::floor(at / SeenBodies::kSquare), -1.0f, static_cast<float>(most)));
  };
  return {std::max(0, place(part.min.x - view.min.x, bodies.columns)),
          std::min(bodies.columns - 1, place(part.max.x - view.min.x, bodies.columns)),
          std::max(0, place(part.min.y - view.min.y, bodies.rows)),
          std::min(bodies.rows - 1, place(part.max.y - view.min.y, bodies.rows))};
}

/// Squares under a part of the picture that saw a body after `since`.
int CountSeen(const SeenBodies& bodies, const Rect& part, const Rect& view, double since) {
  const Squares squares = SquaresOf(bodies, part, view);
  int count = 0;
  for (int y = squares.y0; y <= squares.y1; ++y) {
    for (int x = squares.x0; x <= squares.x1; ++x)
      count += At(bodies.last, y * bodies.columns + x) >= since ? 1 : 0;
  }
  return count;
}

Rect WithGap(ImVec2 at, ImVec2 size) {
  return {ImVec2(at.x - Px(kGap), at.y - Px(kGap)),
          ImVec2(at.x + size.x + Px(kGap), at.y + size.y + Px(kGap))};
}

}  // namespace

void SeeBodies(const Session& session, const std::vector<Pane>& panes, const Rect& view,
               bool placed, SeenBodies* bodies) {
  const int columns = static_cast<int>(std::ceil(view.width() / SeenBodies::kSquare));
  const int rows = static_cast<int>(std::ceil(view.height() / SeenBodies::kSquare));
  if (columns != bodies->columns || rows != bodies->rows)
    *bodies = {columns, rows, std::vector<double>(static_cast<std::size_t>(columns * rows), -1e9)};
  const Snapshot& snapshot = session.snapshot();
  if (snapshot.model == nullptr) return;
  const std::size_t count = snapshot.model->bodies.size() * snapshot.channels.size();
  if (count > kFew && !placed) return;
  for (const Pane& pane : panes) {
    for (int c = 0; c < session.channel_count(); ++c) {
      if (!render::ChannelShown(snapshot, pane.request, c)) continue;
      for (std::size_t b = 0; b < snapshot.model->bodies.size(); ++b) {
        const auto rect = BodyOnScreen(snapshot, pane, c, static_cast<int>(b));
        if (!rect) continue;
        const Squares squares = SquaresOf(*bodies, *rect, view);
        for (int y = squares.y0; y <= squares.y1; ++y) {
          for (int x = squares.x0; x <= squares.x1; ++x)
            At(bodies->last, y * columns + x) = session.now();
        }
      }
    }
  }
}

CardPlace FindCardPlace(const SeenBodies& bodies, double now, ImVec2 size, const Rect& view,
                        const FrameMarks& marks) {
  const float x0 = view.min.x + Px(kMargin), x1 = view.max.x - Px(kMargin) - size.x;
  const float y0 = view.min.y + Px(kMargin), y1 = view.max.y - Px(kMargin) - size.y;
  const float middle = (x0 + x1) / 2, square = SeenBodies::kSquare * SeenBodies::kSquare;
  CardPlace best{ImVec2(std::max(x0, middle), std::max(y0, y1))};
  float least = -1;
  for (float y = y1; y >= y0 - 0.5f; y -= Px(kPlaceStep)) {
    for (float x = x0; x <= x1 + 0.5f; x += Px(kPlaceStep)) {
      const Rect card = WithGap(ImVec2(x, y), size);
      // far below one square; only between places that are equal otherwise
      float cost = 1e-4f * (std::abs(x - middle) + 2 * (y1 - y));
      for (const Rect& rect : marks.overlays) cost += kOverlayCost * Overlap(card, rect) / square;
      if (least >= 0 && cost >= least) continue;
      const auto was = static_cast<float>(CountSeen(bodies, card, view, now - kComesAgain));
      const auto is = static_cast<float>(CountSeen(bodies, card, view, now));
      cost += was + is;
      if (least >= 0 && cost >= least) continue;
      least = cost;
      best = {ImVec2(std::round(x), std::round(y)), was};
    }
  }
  return best;
}

bool HidesBody(const SeenBodies& bodies, double now, const Rect& card, const Rect& view) {
  return CountSeen(bodies, card, view, now) > 0;
}

}  // namespace slip::app
