// The one copy of the model and scene colours (design tokens, sections 1 and 8).
#include "render/scene/style.h"
#include "engine/core/numbers.h"
#include "engine/sim/method_list.h"

#include <algorithm>
#include <cmath>

namespace slip::render {
namespace {

constexpr Dash kSolid{};
constexpr Dash kDotted{{2, 3, 0, 0}, 2};

// Those that the token page does not name are told apart from the rest by
// colour, dash and mark too.
struct NamedStyle {
  std::string_view id;  ///< of the method
  ModelStyle style;
};
constexpr auto kModels = std::to_array<NamedStyle>({
    {"sap",
     {Colour::Hex(0x3E9EE6), Colour::Hex(0x0068A8), Colour::Hex(0x0072B2), kSolid, Mark::kSquare}},
    {"lagged",
     {Colour::Hex(0xF0763A),
      Colour::Hex(0xC24E00),
      Colour::Hex(0xD55E00),
      {{6, 4, 0, 0}, 2},
      Mark::kTriangleUp}},
    {"lagged-regularized",
     {Colour::Hex(0xF0AE2B),
      Colour::Hex(0xA86F00),
      Colour::Hex(0xE69F00),
      {{12, 4, 0, 0}, 2},
      Mark::kTriangleDown}},
    {"similar",
     {Colour::Hex(0x23BC90),
      Colour::Hex(0x007F5C),
      Colour::Hex(0x009E73),
      {{8, 3, 2, 3}, 4},
      Mark::kDiamond}},
    {"anitescu",
     {Colour::Hex(0xDB8FB8), Colour::Hex(0xA94F83), Colour::Hex(0xCC79A7), kDotted, Mark::kDisc}},
    {"todorov",
     {Colour::Hex(0xA8C957),
      Colour::Hex(0x5B7400),
      Colour::Hex(0x7E9A1F),
      {{5, 2, 2, 2}, 4},
      Mark::kTriangleDown}},
    {"coulomb",
     {Colour::Hex(0xF2629F), Colour::Hex(0xAD1A5C), Colour::Hex(0xC2255C), kSolid,
      Mark::kPentagon}},
    {"exponential",
     {Colour::Hex(0xB79CF5),
      Colour::Hex(0x6B46C1),
      Colour::Hex(0x7D5BD0),
      {{4, 2, 1, 2}, 4},
      Mark::kDisc}},
    {"explicit-euler",
     {Colour::Hex(0xA0A6AD), Colour::Hex(0x6B737B), Colour::Hex(0x8A8A8A), kSolid, Mark::kDiamond}},
    {"rk4",
     {Colour::Hex(0xD8C08A),
      Colour::Hex(0x7A6426),
      Colour::Hex(0x9A8440),
      {{3, 2, 0, 0}, 2},
      Mark::kTriangleUp}},
    {"implicit-euler",
     {Colour::Hex(0x8FA9C4),
      Colour::Hex(0x45617E),
      Colour::Hex(0x5F7D9B),
      {{10, 3, 0, 0}, 2},
      Mark::kSquare}},
    {"quasi-dynamic",
     {Colour::Hex(0x63BDF0),
      Colour::Hex(0x2482B8),
      Colour::Hex(0x56B4E9),
      {{8, 3, 8, 6}, 4},
      Mark::kPentagon}},
    {"mujoco",
     {Colour::Hex(0xE88074),
      Colour::Hex(0xA83A2E),
      Colour::Hex(0xC0564A),
      {{14, 3, 3, 3}, 4},
      Mark::kPentagon}},
    {"mujoco-pyramidal",
     {Colour::Hex(0xD9A79F),
      Colour::Hex(0x7D4A42),
      Colour::Hex(0xA5736A),
      {{4, 3, 4, 6}, 4},
      Mark::kTriangleUp}},
    {"ode",
     {Colour::Hex(0xC4A484),
      Colour::Hex(0x6E4B26),
      Colour::Hex(0x8C6239),
      {{2, 2, 6, 2}, 4},
      Mark::kSquare}},
});
// In the order of MethodId, wherever the rows stand; a method without a row, or two of them, do not
// compile.
constexpr auto kStyles = [] {
  std::array<ModelStyle, kMethodCount> styles;
  for (std::size_t i = 0; i < styles.size(); ++i) {
    int rows = 0;
    for (const NamedStyle& row : kModels) {
      if (row.id != kMethods[i].id) continue;
      styles[i] = row.style;
      ++rows;
    }
    if (rows != 1) throw "a method needs one style";
  }
  return styles;
}();
static_assert(kModels.size() == kMethodCount, "a style without a method");

constexpr SceneColours kDarkScene{
    .clear = Colour::Hex(0x2B3038),
    .ground = Colour::Hex(0x3A4048),
    .grid = Colour::Hex(0x4C535C, 0.55f),
    .box = Colour::Hex(0xC9CED4),
    .sphere = Colour::Hex(0x8FA3B5),
    .capsule = Colour::Hex(0x8A929B),
    .cylinder = Colour::Hex(0xA9B3A8),
    .convex = Colour::Hex(0xBDB2A6),
    .cloud = Colour::Hex(0xAFA8B8),
    .frame = Colour::Hex(0x596069),
    .belt = Colour::Hex(0x33373D),
    .slat_gap = Colour::Hex(0x565E67),
    .slip = Colour::Hex(0xF0AE2B),
    .neutral_arrow = Colour::Hex(0xC4CAD1),
    .accent = Colour::Hex(0x9DBAD3),
    .shape_fill = Colour::Hex(0xC99A3E, 0.5f),
    .shape_line = Colour::Hex(0xF2B84B),
    .ink = Colour::Hex(0xFFFFFF),
    .axis = {Colour::Hex(0xFF7A6B), Colour::Hex(0x5CC8A0), Colour::Hex(0x6FA9F5)},
    .sky = Colour::Hex(0xDFE8F2),
    .earth = Colour::Hex(0x3C4046),
    .hemisphere = 1.25f,
    .key = 1.9f,
    .ghost_alpha = 0.38f,
};

constexpr SceneColours kLightScene{
    .clear = Colour::Hex(0xF1F3F6),
    .ground = Colour::Hex(0xE4E7EB),
    .grid = Colour::Hex(0xC2C8CF, 0.55f),
    .box = Colour::Hex(0xF4F5F6),
    .sphere = Colour::Hex(0xB9C7D3),
    .capsule = Colour::Hex(0xA3ABB4),
    .cylinder = Colour::Hex(0xC3CCC1),
    .convex = Colour::Hex(0xD6CBBF),
    .cloud = Colour::Hex(0xC9C2D1),
    .frame = Colour::Hex(0x8D949C),
    .belt = Colour::Hex(0xAFB6BF),
    .slat_gap = Colour::Hex(0x7C858F),
    .slip = Colour::Hex(0xA86F00),
    .neutral_arrow = Colour::Hex(0x59626C),
    .accent = Colour::Hex(0x2F5D86),
    .shape_fill = Colour::Hex(0xD9A441, 0.5f),
    .shape_line = Colour::Hex(0x8F5B00),
    .ink = Colour::Hex(0x16191D),
    .axis = {Colour::Hex(0xB3261E), Colour::Hex(0x00704F), Colour::Hex(0x2459B0)},
    .sky = Colour::Hex(0xDFE8F2),
    .earth = Colour::Hex(0x8C9299),
    .hemisphere = 1.9f,
    .key = 1.55f,
    .ghost_alpha = 0.35f,
};

uint32_t Byte(float value) {
  return static_cast<uint32_t>(std::lround(std::clamp(value, 0.0f, 1.0f) * 255.0f));
}

}  // namespace

uint32_t Colour::Packed() const {
  return Byte(r) | (Byte(g) << 8) | (Byte(b) << 16) | (Byte(a) << 24);
}

const ModelStyle& StyleOf(MethodId model) {
  const int i = std::clamp(static_cast<int>(model), 0, kMethodCount - 1);
  return At(kStyles, i);
}

Colour ReferenceColour(Theme theme) {
  return Colour::Hex(theme == Theme::kDark ? 0xA0A6AD : 0x6B737B);
}

ChannelStyle RunGhostStyle(Theme theme) {
  const Colour neutral = Colour::Hex(theme == Theme::kDark ? 0xE3E7EB : 0x3F464E);
  return {neutral, Dash{{3, 3, 0, 0}, 2}, Mark::kNone, true};
}

ChannelStyle ForeignStyle(Theme theme, int index) {
  constexpr Mark kMarks[] = {Mark::kDisc, Mark::kSquare, Mark::kDiamond, Mark::kTriangleUp};
  const Colour bone = Colour::Hex(theme == Theme::kDark ? 0xE6DFCF : 0x5E5646);
  return {bone, Dash{{4, 3, 0, 0}, 2}, kMarks[static_cast<std::size_t>(index) % std::size(kMarks)],
          true};
}

ChannelStyle StyleOfChannel(std::span<const MethodId> models, int index, Theme theme) {
  if (index < 0 || index >= static_cast<int>(models.size())) {
    return {ReferenceColour(theme), kSolid, Mark::kNone, false};
  }
  const auto end = models.begin() + index;
  const auto earlier = std::count(models.begin(), end, *end);
  const ModelStyle& style = StyleOf(*end);
  if (earlier == 0) return {style.colour(theme), style.dash, style.mark, false};
  const Colour second = Colour::Hex(theme == Theme::kDark ? 0xDCEAF4 : 0x4A5A66);
  if (earlier == 1) return {second, kDotted, style.mark, true};
  // third and fourth of one model: grey, still told apart by the dash
  const Dash dash = earlier == 2 ? Dash{{6, 3, 0, 0}, 2} : Dash{{12, 3, 0, 0}, 2};
  return {ReferenceColour(theme), dash, style.mark, true};
}

const SceneColours& ColoursOf(Theme theme) {
  return theme == Theme::kDark ? kDarkScene : kLightScene;
}

}  // namespace slip::render
