// Outlines of letters.
#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include "app/report/canvas.h"

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wdouble-promotion"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb/stb_truetype.h>
#pragma GCC diagnostic pop

namespace slip::app {
namespace {

constexpr int kCurvePieces = 6;  // of an arc: a letter's is a few pixels long

/// The next code point of UTF-8; what is none counts as itself.
int NextCode(std::string_view text, std::size_t* at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte((*at)++);
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
  unsigned code = more == 3   ? first & 7u
                  : more == 2 ? first & 15u
                  : more == 1 ? first & 31u
                              : first;
  for (int i = 0; i < more && *at < text.size(); ++i) code = (code << 6) | (byte((*at)++) & 63u);
  return static_cast<int>(code);
}

/// Appends a glyph's outline, of which `place` makes points of the picture.
template <class Place>
void AppendShape(const stbtt_vertex* shape, int count, const Place& place, CanvasOutline* to) {
  CanvasPoint last;
  for (int i = 0; i < count; ++i) {
    const stbtt_vertex& v = shape[i];
    const CanvasPoint end = place(v.x, v.y);
    if (v.type == STBTT_vmove) {
      to->push_back({end});
    } else if (v.type == STBTT_vline) {
      to->back().push_back(end);
    } else {
      const bool cubic = v.type == STBTT_vcubic;
      const CanvasPoint a = place(v.cx, v.cy), b = cubic ? place(v.cx1, v.cy1) : a;
      for (int k = 1; k <= kCurvePieces; ++k) {
        const double t = static_cast<double>(k) / kCurvePieces, s = 1 - t;
        const std::array<double, 4> w =
            cubic ? std::array<double, 4>{s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t}
                  : std::array<double, 4>{s * s, 2 * s * t, 0, t * t};
        to->back().push_back({w[0] * last.x + w[1] * a.x + w[2] * b.x + w[3] * end.x,
                              w[0] * last.y + w[1] * a.y + w[2] * b.y + w[3] * end.y});
      }
    }
    last = end;
  }
}

constexpr WordWeight kWeights[] = {WordWeight::kRegular, WordWeight::kMedium,
                                   WordWeight::kSemiBold};

}  // namespace

struct WordFonts::Face {
  std::vector<unsigned char> bytes;
  stbtt_fontinfo info{};
};

WordFonts::~WordFonts() = default;

Result<std::shared_ptr<const WordFonts>> WordFonts::Read() {
  std::shared_ptr<WordFonts> fonts(new WordFonts);
  for (const WordWeight weight : kWeights) {
    bool any = false;
    for (const std::string& path : {WordFont(weight), WordFallback(weight)}) {
      auto face = std::make_unique<Face>();
      std::ifstream in(path, std::ios::binary);
      face->bytes.assign(std::istreambuf_iterator<char>(in), {});
      const bool good = !face->bytes.empty() &&
                        stbtt_InitFont(&face->info, face->bytes.data(),
                                       stbtt_GetFontOffsetForIndex(face->bytes.data(), 0)) != 0;
      if (!good) face->bytes.clear();
      any = any || good;
      fonts->faces_.push_back(std::move(face));
    }
    if (!any)
      return Error{.message = "there is no font to write with",
                   .file = WordFont(weight),
                   .hint = "install fonts-inter or fonts-dejavu-core"};
  }
  return std::shared_ptr<const WordFonts>(std::move(fonts));
}

void WordFonts::Append(std::string_view text, WordWeight weight, double size, CanvasPoint* at,
                       CanvasOutline* to) const {
  const std::size_t first = 2 * static_cast<std::size_t>(weight);
  const Face* before = nullptr;
  int last = 0;
  for (std::size_t i = 0; i < text.size();) {
    const int code = NextCode(text, &i);
    const Face* face = nullptr;
    int glyph = 0;
    for (std::size_t k = first; k < first + 2 && glyph == 0; ++k) {
      if (faces_[k]->bytes.empty()) continue;
      face = faces_[k].get();
      glyph = stbtt_FindGlyphIndex(&face->info, code);
    }
    const double scale =
        static_cast<double>(stbtt_ScaleForMappingEmToPixels(&face->info, static_cast<float>(size)));
    if (face == before) at->x += scale * stbtt_GetGlyphKernAdvance(&face->info, last, glyph);
    stbtt_vertex* shape = nullptr;
    const int count = stbtt_GetGlyphShape(&face->info, glyph, &shape);
    AppendShape(
        shape, count,
        [&](double x, double y) {
          return CanvasPoint{at->x + scale * x, at->y - scale * y};
        },
        to);
    stbtt_FreeShape(&face->info, shape);
    int advance = 0, bearing = 0;
    stbtt_GetGlyphHMetrics(&face->info, glyph, &advance, &bearing);
    at->x += scale * advance;
    before = face;
    last = glyph;
  }
}

}  // namespace slip::app
