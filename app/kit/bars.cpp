#include "app/kit/bars.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"

namespace slip::app {

void BarStack::Begin(ImDrawList* list) {
  list_ = list;
  runs_.clear();
}

void BarStack::Add(const ImDrawList* list, int count) {
  if (list == list_) runs_.push_back({list->VtxBuffer.Size - 4 * count, count});
}

void BarStack::End() {
  if (list_ == nullptr) return;
  const ImVec2 min = list_->GetClipRectMin(), max = list_->GetClipRectMax();
  covers_.assign(static_cast<std::size_t>(std::max(0.0f, max.x - min.x)) + 1, {});
  // from the uppermost down
  for (auto run = runs_.rbegin(); run != runs_.rend(); ++run) {
    for (int i = run->count - 1; i >= 0; --i) {
      ImDrawVert* corners = list_->VtxBuffer.Data + run->vertex + 4 * i;  // clockwise
      const float x = corners[0].pos.x, place = std::floor(x - min.x + 0.5f);
      if (!(place >= 0) || place >= static_cast<float>(covers_.size())) continue;
      Cover& cover = At(covers_, place);
      const bool empty = cover.top >= cover.bottom;
      const float top = corners[0].pos.y, bottom = corners[2].pos.y;
      if (!empty && cover.x == x) {
        float from = top, to = bottom;
        if (from >= cover.top) from = std::max(from, std::min(to, cover.bottom));
        if (to <= cover.bottom) to = std::min(to, std::max(from, cover.top));
        corners[0].pos.y = corners[1].pos.y = from;
        corners[2].pos.y = corners[3].pos.y = to;
      }
      if ((corners[0].col & IM_COL32_A_MASK) != IM_COL32_A_MASK) continue;
      if (!empty && cover.x == x && top <= cover.bottom && bottom >= cover.top) {
        cover.top = std::min(cover.top, top);
        cover.bottom = std::max(cover.bottom, bottom);
      } else if (bottom - top > cover.bottom - cover.top) {
        cover = {x, top, bottom};
      }
    }
  }
  list_ = nullptr;
}

}  // namespace slip::app
