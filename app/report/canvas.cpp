#include "app/report/canvas.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace slip::app {
namespace {

/// Signed cover of pixels by polygons. Each edge leaves in its pixels how much of them lies to its
/// right; the sum along a row is what is inside.
class Cover {
 public:
  Cover(int width, int height)
      : width_(width), height_(height), cells_(Count(width + 2) * Count(height)) {}

  /// In pixels of the box; what is beyond its left edge covers whole rows, beyond the right none.
  void Edge(CanvasPoint a, CanvasPoint b) {
    if (a.y == b.y) return;
    const double sign = a.y < b.y ? 1 : -1;
    if (sign < 0) std::swap(a, b);
    if (b.y <= 0 || a.y >= height_) return;
    const double slope = (b.x - a.x) / (b.y - a.y);
    const int last = std::min(height_ - 1, static_cast<int>(std::ceil(b.y)) - 1);
    for (int row = std::max(0, static_cast<int>(std::floor(a.y))); row <= last; ++row) {
      const double top = std::max<double>(row, a.y), bottom = std::min<double>(row + 1, b.y);
      if (bottom > top)
        Span(row, a.x + slope * (top - a.y), a.x + slope * (bottom - a.y), sign * (bottom - top));
    }
  }

  /// 0 to 1 for each pixel.
  std::vector<float> Sum() const {
    std::vector<float> cover;
    cover.reserve(Count(width_) * Count(height_));
    for (int row = 0; row < height_; ++row) {
      double sum = 0;
      for (int x = 0; x < width_; ++x) {
        sum += cells_[At(row, x)];
        cover.push_back(static_cast<float>(std::min(1.0, std::abs(sum))));
      }
    }
    return cover;
  }

 private:
  static std::size_t Count(int n) { return static_cast<std::size_t>(n); }
  std::size_t At(int row, int x) const { return Count(row) * Count(width_ + 2) + Count(x); }

  /// A piece of an edge within one row: height `dy`, from x0 to x1.
  void Span(int row, double x0, double x1, double dy) {
    if (x0 > x1) std::swap(x0, x1);
    x0 = std::clamp<double>(x0, 0, width_);
    x1 = std::clamp<double>(x1, 0, width_);
    const int first = static_cast<int>(x0), last = static_cast<int>(x1);
    if (first == last) {
      const double right = 1 - ((x0 + x1) / 2 - first);  // of the pixel
      cells_[At(row, first)] += dy * right;
      cells_[At(row, first + 1)] += dy * (1 - right);
      return;
    }
    // what lies right of the edge in each pixel, less what did so in the one before
    double before = 0;
    const double width = x1 - x0;
    for (int x = first; x <= last; ++x) {
      const double from = std::max<double>(x, x0), to = std::min<double>(x + 1, x1);
      const double reached = (to - x0) / width;  // share of the height that is passed at its end
      const double mean =
          ((from - x0) / width + reached) / 2 * (to - from) + reached * (x + 1 - to);
      cells_[At(row, x)] += dy * (mean - before);
      before = mean;
    }
    cells_[At(row, last + 1)] += dy * (1 - before);
  }

  int width_, height_;
  std::vector<double> cells_;
};

CanvasPoint Between(const CanvasPoint& a, const CanvasPoint& b, double part) {
  return {a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)};
}

/// The pieces of a line that its dashes show.
std::vector<std::vector<CanvasPoint>> Dashed(const std::vector<CanvasPoint>& line,
                                             const std::vector<double>& dash) {
  std::vector<std::vector<CanvasPoint>> pieces;
  std::size_t at = 0;
  double left = dash[0];
  bool on = true;
  if (!line.empty()) pieces.push_back({line.front()});
  for (std::size_t i = 1; i < line.size(); ++i) {
    CanvasPoint from = line[i - 1];
    double way = std::hypot(line[i].x - from.x, line[i].y - from.y);
    while (way > left) {
      from = Between(from, line[i], left / way);
      way -= left;
      if (on) pieces.back().push_back(from);
      at = (at + 1) % dash.size();
      on = !on;
      left = std::max(1e-3, dash[at]);
      if (on) pieces.push_back({from});
    }
    left -= way;
    if (on) pieces.back().push_back(line[i]);
  }
  return pieces;
}

/// Quads along the pieces of a line, and discs where they meet: all wind the same way.
void AppendStroke(const std::vector<CanvasPoint>& line, double width, CanvasOutline* to) {
  constexpr int kCorners = 12;
  const double half = width / 2;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const CanvasPoint &a = line[i - 1], &b = line[i];
    const double way = std::hypot(b.x - a.x, b.y - a.y);
    if (way == 0) continue;
    const double nx = -half * (b.y - a.y) / way, ny = half * (b.x - a.x) / way;
    to->push_back(
        {{a.x - nx, a.y - ny}, {b.x - nx, b.y - ny}, {b.x + nx, b.y + ny}, {a.x + nx, a.y + ny}});
    if (i + 1 == line.size()) continue;
    std::vector<CanvasPoint> disc;
    for (int k = 0; k < kCorners; ++k) {
      const double angle = 6.283185307179586 * k / kCorners;
      disc.push_back({b.x + half * std::cos(angle), b.y + half * std::sin(angle)});
    }
    to->push_back(std::move(disc));
  }
}

int HexDigit(char c) { return c <= '9' ? c - '0' : (c | 32) - 'a' + 10; }

}  // namespace

CanvasColour CanvasColour::Hex(std::string_view text) {
  const auto byte = [&](std::size_t at) {
    return static_cast<uint8_t>(16 * HexDigit(text[at]) + HexDigit(text[at + 1]));
  };
  return {byte(1), byte(3), byte(5), 1};
}

Canvas::Canvas(double width, double height, double scale) : scale_(scale) {
  image_.width = std::max(1, static_cast<int>(std::lround(width * scale)));
  image_.height = std::max(1, static_cast<int>(std::lround(height * scale)));
  image_.pixels.assign(
      4 * static_cast<std::size_t>(image_.width) * static_cast<std::size_t>(image_.height), 255);
  ClearClip();
}

void Canvas::Clip(double x, double y, double width, double height) {
  const auto pixel = [this](double v, int most) {
    return std::clamp(static_cast<int>(std::lround(v * scale_)), 0, most);
  };
  clip_ = {pixel(x, image_.width), pixel(y, image_.height), pixel(x + width, image_.width),
           pixel(y + height, image_.height)};
}

void Canvas::ClearClip() { clip_ = {0, 0, image_.width, image_.height}; }

void Canvas::Fill(const CanvasOutline& outline, const CanvasColour& colour) {
  double x0 = std::numeric_limits<double>::infinity(), y0 = x0, x1 = -x0, y1 = -x0;
  for (const auto& polygon : outline) {
    for (const CanvasPoint& p : polygon) {
      x0 = std::min(x0, p.x), x1 = std::max(x1, p.x);
      y0 = std::min(y0, p.y), y1 = std::max(y1, p.y);
    }
  }
  if (!(x1 > x0)) return;
  const auto low = [this](double v, int least, int most) {
    return std::clamp(static_cast<int>(std::floor(std::clamp(v * scale_, -1e6, 1e6))), least, most);
  };
  const Box box{low(x0, clip_.x0, clip_.x1), low(y0, clip_.y0, clip_.y1),
                std::min(clip_.x1, low(x1, clip_.x0, clip_.x1) + 1),
                std::min(clip_.y1, low(y1, clip_.y0, clip_.y1) + 1)};
  if (box.x1 <= box.x0 || box.y1 <= box.y0) return;
  Cover cover(box.x1 - box.x0, box.y1 - box.y0);
  const auto in = [&](const CanvasPoint& p) {
    return CanvasPoint{p.x * scale_ - box.x0, p.y * scale_ - box.y0};
  };
  for (const auto& polygon : outline)
    for (std::size_t i = 0; i < polygon.size(); ++i)
      cover.Edge(in(polygon[i]), in(polygon[(i + 1) % polygon.size()]));
  Blend(box, cover.Sum(), colour);
}

void Canvas::Stroke(const std::vector<std::vector<CanvasPoint>>& lines,
                    const CanvasStroke& stroke) {
  CanvasOutline outline;
  for (const auto& line : lines) {
    if (stroke.dash.empty()) {
      AppendStroke(line, stroke.width, &outline);
      continue;
    }
    for (const auto& piece : Dashed(line, stroke.dash)) AppendStroke(piece, stroke.width, &outline);
  }
  Fill(outline, stroke.colour);
}

void Canvas::Paste(const render::Image& image, CanvasPoint at) {
  const int x = static_cast<int>(std::lround(at.x * scale_));
  const int y = static_cast<int>(std::lround(at.y * scale_));
  const int count = std::min(image.width, image_.width - x);
  if (x < 0 || y < 0 || count <= 0) return;
  for (int row = 0; row < image.height && y + row < image_.height; ++row) {
    const std::size_t to =
        4 * (static_cast<std::size_t>(y + row) * static_cast<std::size_t>(image_.width) +
             static_cast<std::size_t>(x));
    std::memcpy(&image_.pixels[to], image.At(0, row), 4 * static_cast<std::size_t>(count));
  }
}

void Canvas::Blend(const Box& box, const std::vector<float>& cover, const CanvasColour& colour) {
  const uint8_t channels[] = {colour.r, colour.g, colour.b};
  std::size_t at = 0;
  for (int y = box.y0; y < box.y1; ++y) {
    uint8_t* pixel =
        &image_.pixels[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image_.width) +
                            static_cast<std::size_t>(box.x0))];
    for (int x = box.x0; x < box.x1; ++x, ++at, pixel += 4) {
      const double part = colour.alpha * static_cast<double>(cover[at]);
      if (part <= 0) continue;
      for (int c = 0; c < 3; ++c)
        pixel[c] = static_cast<uint8_t>(std::lround(pixel[c] + part * (channels[c] - pixel[c])));
    }
  }
}

}  // namespace slip::app
