// A visual quantity: something that a picture shows, such as force arrows or foot trails. Its one
// file in render/ draws it and says its name, key, switch and options; its one line elsewhere is in
// quantity_list.h.
#pragma once

#include <span>

#include "render/scene/quantity_list.h"
#include "render/scene/view_request.h"

namespace slip::render {

struct DrawContext;
struct DrawList;
struct ChannelGlyph;
struct ContactGlyph;
class ForceArrows;

/// What lies over what: lower layers are drawn first, and arrows and marks of contacts between the
/// last two.
enum class Layer {
  kBodies,  ///< shadows, outlines
  kGround,  ///< lies on the ground
  kRobots,  ///< over that: how a robot stands
  kOver     ///< over the contacts
};

/// The menu, and the part of the tab "Check", of what bodies are drawn as.
inline constexpr const char* kBodiesSection = "Bodies";

/// A line of a quantity's menu that chooses something.
struct Choice {
  const char* label;
  bool (*chosen)(const ViewStyle&);  ///< null = a command, never ticked
  void (*choose)(ViewStyle*);
  bool only_in_piles = false;
};
/// Chooses this value of that member of ViewStyle.
template <auto kMember, auto kValue>
constexpr Choice Chooses(const char* label) {
  return {label, [](const ViewStyle& style) { return style.*kMember == kValue; },
          [](ViewStyle* style) { style->*kMember = kValue; }};
}
/// The same as a command.
template <auto kMember, auto kValue>
constexpr Choice Commands(const char* label, bool only_in_piles) {
  return {label, nullptr, [](ViewStyle* style) { style->*kMember = kValue; }, only_in_piles};
}

/// A slider of a quantity's menu, logarithmic.
struct NumberOption {
  const char* id;  ///< of the widget
  const char* label;
  const char* unit;           ///< in which it is shown
  double least, most, first;  ///< in that unit
  double ViewStyle::*value;
  double per_value = 1;  ///< what is shown over the value: 100 for a share in percent
  bool (*used)(const ViewStyle&) = nullptr;  ///< whether it counts at present; null = always
};

struct Quantity {
  const char* name = nullptr;  ///< a few words; files call it by them (ActionId). Null = no action
  const char* doc = nullptr;   ///< one sentence
  char key = 0;                ///< letter on its cap; 0 = none
  const char* menu = "Show";
  const char* section = nullptr;   ///< the menu within that menu; null = none
  bool ViewStyle::*on = nullptr;   ///< its switch
  const char* setting = nullptr;   ///< its switch in the settings; null = as new in every session
  bool kept_with_pictures = true;  ///< videos and experiments keep the switch
  bool of_robots = false;          ///< nothing to be seen without a robot
  /// It is on as new, and files from before it was there do not name it: it stays on then.
  bool named_when_off = false;
  std::span<const Choice> choices{};  ///< its options: first these, then the numbers
  std::span<const NumberOption> numbers{};

  /// Where the switch is not one bool: whether it is shown, and how to change that.
  bool (*shown)(const Snapshot&, const ViewRequest&) = nullptr;
  void (*show)(ViewStyle*, bool) = nullptr;

  // Drawing, for every picture: each looks itself whether it is on. Null = nothing of this kind.
  /// Into its layer.
  void (*draw)(const DrawContext&, DrawList*, ViewPicture*) = nullptr;
  Layer layer = Layer::kOver;
  /// Arrows that share the scale and the choice of numbers with the contact forces: once, for each
  /// contact, and for each channel after its contacts. Differences have the first only.
  void (*of_scene)(const DrawContext&, ForceArrows*, DrawList*) = nullptr;
  void (*of_contact)(const DrawContext&, const ContactGlyph&, ForceArrows*, DrawList*) = nullptr;
  void (*of_channel)(const DrawContext&, const ChannelGlyph&, ForceArrows*, DrawList*) = nullptr;
};

#define SLIP_QUANTITY(constant, ...) extern const Quantity constant;
SLIP_QUANTITIES(SLIP_QUANTITY, SLIP_QUANTITY)
#undef SLIP_QUANTITY

/// All of them, in the order of the list.
std::span<const Quantity* const> Quantities();

/// Adds all quantities to the picture's list, layer by layer, and to `picture` what they say about
/// themselves: labels, outlines, the reading of the support.
void DrawQuantities(const DrawContext& context, DrawList* list, ViewPicture* picture);

}  // namespace slip::render
