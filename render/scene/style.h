// Design tokens as data: colours of the 3-D scene, and the colour, dash and mark of each contact
// model. Free of GL, so that the window's theme reads the same table as the picture.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "engine/method/config.h"

namespace slip::render {

enum class Theme { kDark, kLight };

/// sRGB with straight alpha, 0 to 1.
struct Colour {
  float r = 0, g = 0, b = 0, a = 1;

  /// From 0xRRGGBB.
  static constexpr Colour Hex(uint32_t rgb, float alpha = 1) {
    return {static_cast<float>((rgb >> 16) & 255u) / 255.0f,
            static_cast<float>((rgb >> 8) & 255u) / 255.0f, static_cast<float>(rgb & 255u) / 255.0f,
            alpha};
  }
  constexpr Colour WithAlpha(float alpha) const { return {r, g, b, alpha}; }
  /// 0xAABBGGRR, the packing of ImU32.
  uint32_t Packed() const;
  bool operator==(const Colour&) const = default;
};

/// Shape drawn on curves, chips and contact points: colour is never the only sign.
enum class Mark { kNone, kSquare, kTriangleUp, kDiamond, kTriangleDown, kDisc, kPentagon };

/// Dash pattern in pixels: on, off, on, off ...; count 0 = solid.
struct Dash {
  std::array<float, 4> lengths{};
  int count = 0;
};

/// One row of the model table.
struct ModelStyle {
  Colour dark, light, print;
  Dash dash;
  Mark mark = Mark::kNone;

  const Colour& colour(Theme theme) const { return theme == Theme::kDark ? dark : light; }
};
const ModelStyle& StyleOf(MethodId model);

/// What one channel looks like everywhere.
struct ChannelStyle {
  Colour colour;
  Dash dash;
  Mark mark = Mark::kNone;
  bool hollow = false;  ///< mark drawn as an outline: a second channel of the same model
};
/// Style of channel `index` among the models of all channels: repeats become hollow and dotted.
ChannelStyle StyleOfChannel(std::span<const MethodId> models, int index, Theme theme);

/// Bodies of another run: of no model's colour, in short dashes.
ChannelStyle RunGhostStyle(Theme theme);

/// Recorded run of others: bone, always hollow; its place among them decides the mark.
ChannelStyle ForeignStyle(Theme theme, int index);

/// Curve of explicit Euler and of references: thin grey, no mark.
Colour ReferenceColour(Theme theme);

/// Everything the 3-D picture needs; light intensities are radiant, divided by pi when shading.
struct SceneColours {
  Colour clear;         ///< background and fog
  Colour ground, grid;  ///< grid carries its own alpha
  Colour box, sphere, capsule, cylinder, convex, cloud;
  Colour frame;                   ///< the surroundings: bodies that do not move, conveyors
  Colour belt, slat_gap;          ///< conveyor surface, and the joints between its slats
  Colour slip;                    ///< contact points that slip
  Colour neutral_arrow;           ///< belt velocity, mouse spring
  Colour accent;                  ///< selection
  Colour shape_fill, shape_line;  ///< what collides; of no model
  Colour ink;                     ///< marks that are of no model either
  Colour axis[3];                 ///< x, y and z of a frame
  Colour sky, earth;              ///< hemisphere light
  float hemisphere = 1, key = 1;
  float ghost_alpha = 0.38f;
};
const SceneColours& ColoursOf(Theme theme);

}  // namespace slip::render
