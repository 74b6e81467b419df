// Which channels are shown, and where.
#include "render/scene/view_request.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/core/pose.h"

namespace slip::render {
namespace {
int Count(const Snapshot& snapshot) {
  return std::min(static_cast<int>(snapshot.channels.size()), Snapshot::kMaxChannels);
}
constexpr std::size_t kPileBodies = 20, kPileContacts = 60;
}  // namespace

int LeadChannel(const Snapshot& snapshot, const ViewRequest& request) {
  const int count = Count(snapshot);
  if (request.solo >= 0 && request.solo < count) return request.solo;
  return std::clamp(request.lead, 0, std::max(count - 1, 0));
}

bool ChannelShown(const Snapshot& snapshot, const ViewRequest& request, int channel) {
  if (channel < 0 || channel >= Count(snapshot)) return false;
  const int lead = LeadChannel(snapshot, request);
  if (request.solo >= 0 && request.solo < Count(snapshot)) return channel == lead;
  if (request.compare != CompareMode::kGhosts) return channel == lead;
  return At(request.visible, channel);
}

bool IsPile(const Snapshot& snapshot, const ViewRequest& request) {
  if (!snapshot.model) return false;
  // bodies first: their number does not flicker about the limit from step to step. A robot is one.
  std::size_t bodies = snapshot.model->bodies.size();
  for (const Robot& robot : snapshot.model->robots) {
    if (robot.bodies > 1) bodies -= static_cast<std::size_t>(robot.bodies - 1);
  }
  if (bodies > kPileBodies) return true;
  const int lead = LeadChannel(snapshot, request);
  if (lead >= Count(snapshot)) return false;
  return At(snapshot.channels, lead).contacts.size() > kPileContacts;
}

bool DrawsChains(const Snapshot& snapshot, const ViewRequest& request) {
  if (!request.forces || request.force_style == ForceStyle::kArrows) return false;
  if (request.compare == CompareMode::kDifference) return false;  // a bar has no sign
  return request.force_style == ForceStyle::kChains || IsPile(snapshot, request);
}

bool DrawsPile(const Snapshot& snapshot, const ViewRequest& request) {
  if (request.force_style == ForceStyle::kArrows) return false;
  return IsPile(snapshot, request) || DrawsChains(snapshot, request);
}

double MeanWeight(const Snapshot& snapshot) {
  double mass = 0;
  int count = 0;
  if (snapshot.model) {
    for (const Body& body : snapshot.model->bodies) {
      if (body.Moves() && std::isfinite(body.mass)) mass += body.mass, ++count;
    }
  }
  const double weight = count > 0 ? mass / count * snapshot.gravity_W.norm() : 0;
  // without weight (no gravity) forces are compared with one newton
  return weight > 1e-12 && std::isfinite(weight) ? weight : 1;
}

Vec3 FanOffset(const Snapshot& snapshot, const ViewRequest& request, int channel) {
  const int lead = LeadChannel(snapshot, request);
  if (channel == lead) return Vec3::Zero();
  // ghosts keep the order of the channels behind the lead
  int rank = 1;
  for (int i = 0; i < channel; ++i) {
    if (i != lead && ChannelShown(snapshot, request, i)) ++rank;
  }
  return Vec3(0, rank * request.fan_out, 0);
}

ChannelStyle StyleOfChannel(const Snapshot& snapshot, int channel, Theme theme) {
  std::array<MethodId, Snapshot::kMaxChannels> models{};
  const int count = Count(snapshot);
  for (int i = 0; i < count; ++i) {
    At(models, i) = At(snapshot.channels, i).config.method();
  }
  return StyleOfChannel(std::span(models.data(), static_cast<std::size_t>(count)), channel, theme);
}

Pose DrawnPose(const Snapshot& snapshot, const ViewRequest& request, int channel, int body) {
  if (body >= static_cast<int>(snapshot.model->bodies.size())) {
    const Joint& joint = snapshot.model->Drawn(body).joint;
    const Pose X_WP = DrawnPose(snapshot, request, channel, joint.parent);
    return X_WP * joint.X_PF;
  }
  const ChannelFrame& frame = At(snapshot.channels, channel);
  Pose pose;
  if (body >= 0 && body < static_cast<int>(frame.bodies.size())) {
    pose = At(frame.bodies, body).X_WB;
  }
  // a failed channel may hold anything: show it at the origin rather than poison the picture
  if (!pose.p.allFinite() || !pose.q.coeffs().allFinite() || pose.q.norm() < 1e-6) pose = Pose{};
  pose.q.normalize();
  pose.p += FanOffset(snapshot, request, channel);
  return pose;
}

}  // namespace slip::render
