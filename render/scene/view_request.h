// What the 3-D view shows, and what it hands back to the window beside the pixels. Free of GL.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "engine/sim/snapshot.h"
#include "render/scene/quantity_list.h"
#include "render/scene/style.h"

namespace slip::render {

/// Shadows on planes alone; with a map of one tap; of nine.
enum class Quality { kLow, kMedium, kHigh };
/// kDifference: the lead coloured by the distance of the others, arrows of their forces minus its
/// own.
enum class CompareMode { kSingle, kGhosts, kDifference };
/// Arrow length: true metres; metres at 1 m distance; logarithmic; linear, scale from the weight,
/// and logarithmic beyond 20 cm (in piles always).
enum class ArrowScale { kFixed, kLinear, kLog, kAuto };
/// One arrow per contact; bars from body to body, as thick as their force; the second for piles.
enum class ForceStyle { kArrows, kChains, kAuto };

/// Behind the bodies: the theme's ground and air; or no ground and one colour, from which the
/// bodies are cut out.
enum class Backdrop { kScene, kBlack, kWhite };

/// Bodies that are not drawn; those past the last bit always are.
struct HiddenBodies {
  std::array<std::uint64_t, 64> bits{};
  bool Has(int body) const { return InRange(body) && (bits[Word(body)] >> (body % 64) & 1) != 0; }
  void Set(int body, bool hidden) {
    if (!InRange(body)) return;
    const std::uint64_t bit = std::uint64_t{1} << (body % 64);
    hidden ? bits[Word(body)] |= bit : bits[Word(body)] &= ~bit;
  }
  bool Any() const { return *this != HiddenBodies{}; }
  bool operator==(const HiddenBodies&) const = default;

 private:
  bool InRange(int body) const { return body >= 0 && Word(body) < bits.size(); }
  static std::size_t Word(int body) { return static_cast<std::size_t>(body / 64); }
};

/// How things are drawn: what the user chose, frame after frame.
struct ViewStyle {
  Quality quality = Quality::kHigh;
  int msaa = 4;           ///< samples; 0 or 1 = off; clamped to what the driver offers
  double resolution = 1;  ///< pixels of the picture per pixel of the pane, at most 1
  bool smooth = false;    ///< edges blended afterwards, where there is one sample a pixel
  double fan_out = 0;     ///< sideways (y) distance between successive ghosts [m]

  // the switches of the quantities that have one, by the list
#define SLIP_SWITCH(constant, member, first) member = first;
#define SLIP_ALWAYS(constant)
  SLIP_QUANTITIES(SLIP_SWITCH, SLIP_ALWAYS)
#undef SLIP_SWITCH
#undef SLIP_ALWAYS

  bool ghost_forces = true;   ///< arrows of the other channels too
  bool belt_velocity = true;  ///< without a key, as the next
  bool outlines = true;       ///< draw the outlines into the picture
  Backdrop backdrop = Backdrop::kScene;
  ArrowScale arrow_scale = ArrowScale::kAuto;
  double newtons_per_10cm = 10;  ///< fixed and linear scales
  double force_floor = 0.01;     ///< weakest force drawn in chains, of a body's mean weight
  HiddenBodies hidden;

  bool operator==(const ViewStyle&) const = default;
};

/// Bodies of recorded runs, each drawn as a ghost; one without bodies has none at this time.
struct ForeignGhosts {
  std::shared_ptr<const Model> model;
  std::vector<std::vector<BodyFrame>> runs;
};

/// What one picture shows, in that style: equal requests of one snapshot and camera give the same
/// picture.
struct ViewRequest : ViewStyle {
  Theme theme = Theme::kDark;
  int lead = 0;  ///< channel drawn solid
  std::array<bool, Snapshot::kMaxChannels> visible = [] {
    std::array<bool, Snapshot::kMaxChannels> all{};
    all.fill(true);
    return all;
  }();
  int solo = -1;  ///< channel shown alone, -1 = none
  CompareMode compare = CompareMode::kGhosts;
  bool tint_lead = false;  ///< lead bodies in model colour (split views)
  int hover_body = -1;
  int selected_body = -1;
  ContactKey selected_key = -1;  ///< contact identity
  /// Another object for other poses; null = none.
  std::shared_ptr<const ForeignGhosts> foreign = nullptr;

  bool operator==(const ViewRequest&) const = default;
};

/// Number that the window writes beside a point of the picture.
enum class LabelKind {
  kNormalForce,
  kFrictionForce,
  kContactForce,
  kBeltSpeed,
  kGrabForce,
  kGrabTorque
};
struct LabelAnchor {
  Vec2 pixel = Vec2::Zero();    ///< tip of the arrow, origin top left
  Vec2 from = Vec2::Zero();     ///< where it begins
  Vec2 towards = Vec2::Zero();  ///< unit direction of the arrow on the screen: put the text there
  LabelKind kind = LabelKind::kNormalForce;
  double value = 0;  ///< [N] or [m/s]
  int channel = 0;
  int64_t id = 0;  ///< of the contact, pair, foot, body or surface: the same in every picture
};

/// Projected outline of one body: open or closed polylines in pixels, with the depth buffer's
/// value.
struct Outline {
  int channel = 0;
  int body = 0;
  bool selected = false, hovered = false;
  bool whole = false;  ///< nothing hidden has been cut away
  std::vector<std::vector<Vec3>> polylines;
};

/// Force of the thinnest and of the thickest bar [N].
struct ForceRange {
  double least = 0.1, most = 1000;
};

/// How a robot of the lead stands, as drawn.
struct SupportReading {
  int robot = -1;     ///< index into Model::robots; -1 = none is shown
  int points = 0;     ///< contact points that carry load
  double margin = 0;  ///< of the mass's projection inside the polygon; outside negative [m]
};

/// What one picture took. On software renderers `submit_ms` holds their work on corners.
struct DrawCost {
  double build_ms = 0;   ///< making the draw list
  double submit_ms = 0;  ///< handing it to GL
  int draws = 0;
  std::size_t instances = 0;
};

/// What was drawn. The texture stays valid until the next Draw of the same pane; its rows start at
/// the bottom, so show it with ImGui::Image(texture, size, {0, 1}, {1, 0}).
struct ViewPicture {
  unsigned texture = 0;         ///< resolved RGBA8; (0, 0) is the lower left corner
  unsigned framebuffer = 0;     ///< holds the texture: read or blit from here
  int width = 0, height = 0;    ///< of the texture: smaller than the pane's at low resolution
  double grid_spacing = 0.1;    ///< [m]
  double newtons_per_10cm = 0;  ///< arrow scale in use at 1 m; 0 = logarithmic
  bool chains = false;          ///< forces are bars between bodies
  ForceRange chain_range;
  SupportReading support;
  DrawCost cost;
  std::vector<LabelAnchor> labels;
  std::vector<Outline> outlines;
};

/// Lead channel, clamped to those that exist; solo overrides.
int LeadChannel(const Snapshot& snapshot, const ViewRequest& request);
/// Whether the bodies of a channel are drawn at all.
bool ChannelShown(const Snapshot& snapshot, const ViewRequest& request, int channel);
/// Calls `add(channel)` for all channels, the lead last: where ghosts coincide with it, it is the
/// one to be seen.
template <class Add>
void ForGhostsAndLead(const Snapshot& snapshot, const ViewRequest& request, const Add& add) {
  const int lead = LeadChannel(snapshot, request);
  const int count = std::min(static_cast<int>(snapshot.channels.size()), Snapshot::kMaxChannels);
  for (int c = 0; c < count; ++c) {
    if (c != lead) add(c);
  }
  if (lead < count) add(lead);
}
/// So many bodies or contacts that single arrows and outlines no longer read.
bool IsPile(const Snapshot& snapshot, const ViewRequest& request);
bool DrawsChains(const Snapshot& snapshot, const ViewRequest& request);
/// Whether contacts are drawn as those of a pile: points and chains, not an arrow each.
bool DrawsPile(const Snapshot& snapshot, const ViewRequest& request);
/// Mean weight of the bodies that move [N]; positive.
double MeanWeight(const Snapshot& snapshot);
/// Sideways shift of a channel's picture, along world y [m].
Vec3 FanOffset(const Snapshot& snapshot, const ViewRequest& request, int channel);
ChannelStyle StyleOfChannel(const Snapshot& snapshot, int channel, Theme theme);
/// Pose as drawn: shifted by the fan-out; identity when the frame is short or not finite.
Pose DrawnPose(const Snapshot& snapshot, const ViewRequest& request, int channel, int body);

}  // namespace slip::render
