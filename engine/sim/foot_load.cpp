#include "engine/sim/foot_load.h"

#include "engine/collide/contact_detector.h"
#include "engine/core/numbers.h"

namespace slip {
namespace {

bool IsOfFoot(const Model& model, const Robot::Foot& foot, int of_body, ContactKey key) {
  if (of_body != foot.body) return false;
  const Body& body = model.body(foot.body);
  const int point = model.FindPoint(body, key) - foot.first_point;
  return point >= 0 && point < foot.points;
}

}  // namespace

FootLoad CalcFootLoad(const Model& model, const Robot::Foot& foot, const Pose& X_WB,
                      std::span<const ContactFrame> contacts) {
  const Body& body = model.body(foot.body);
  const auto for_each = [&](const auto& call) {
    for (const ContactFrame& contact : contacts) {
      if (contact.fn > 0 && IsOfFoot(model, foot, contact)) call(contact);
    }
  };
  FootLoad load;
  Vec3 lowest_W = X_WB * foot.X_BF.p;
  for (int i = 0; i < foot.points; ++i) {
    const Vec3& p_BP = At(body.points_B, foot.first_point + i);
    for (const Surface& surface : model.surfaces) {
      Vec3 p_W;
      const double phi = CalcSignedDistance(surface, body, p_BP, X_WB, &p_W);
      if (phi >= load.height) continue;
      load.height = phi;
      lowest_W = p_W;
    }
  }

  Vec3 friction_W = Vec3::Zero(), weighted_W = Vec3::Zero();
  double limit = 0, most = 0;
  for_each([&](const ContactFrame& contact) {
    ++load.contacts;
    load.force_W += contact.fn * contact.n_W + contact.ft_W;
    load.normal += contact.fn;
    weighted_W += contact.fn * contact.p_W;
    friction_W += contact.ft_W;
    limit += contact.friction * contact.fn;
    if (contact.fn <= most) return;
    most = contact.fn;
    load.slip_speed = contact.vt;
    load.mode = contact.mode;
  });
  load.friction = friction_W.norm();
  load.cop_W = load.normal > 0 ? Vec3(weighted_W / load.normal) : lowest_W;
  if (limit > 0) load.friction_used = load.friction / limit;
  for_each([&](const ContactFrame& contact) {
    load.moment_W += (contact.p_W - load.cop_W).cross(contact.fn * contact.n_W + contact.ft_W);
  });
  return load;
}

bool IsOfFoot(const Model& model, const Robot::Foot& foot, const ContactFrame& contact) {
  return IsOfFoot(model, foot, contact.body, contact.key);
}

void SumFeet(const Model& model, ForcePrediction* prediction) {
  const std::size_t count = prediction->normal.size();
  prediction->feet.clear();
  for (std::size_t r = 0; r < model.robots.size(); ++r) {
    const std::vector<Robot::Foot>& feet = model.robots[r].feet;
    for (std::size_t f = 0; f < feet.size(); ++f) {
      ForcePrediction::Foot& sum = prediction->feet.emplace_back();
      sum.robot = static_cast<int>(r);
      sum.foot = static_cast<int>(f);
      sum.normal.assign(count, 0);
      sum.friction.assign(count, 0);
      for (std::size_t k = 0; k < count; ++k) {
        Vec3 friction_W = Vec3::Zero();
        for (const ForcePrediction::Contact& contact : prediction->contacts) {
          if (!IsOfFoot(model, feet[f], contact.body, contact.key)) continue;
          sum.normal[k] += contact.Normal(k);
          friction_W += contact.Friction(k);
        }
        sum.friction[k] = friction_W.norm();
      }
    }
  }
}

LegRest FindLegRest(const Model& model, const Robot& robot, const Robot::Foot& foot,
                    std::span<const ContactFrame> contacts) {
  const auto body = [&](int index) -> const Body& { return model.body(index); };
  const auto of_leg = [&](int index) {
    const int link = body(index).Owner(index);
    for (int at = foot.body; at >= 0 && at != robot.first_body; at = body(at).joint.parent) {
      if (at == link) return true;
    }
    return false;
  };
  LegRest rest = LegRest::kAir;
  for (const ContactFrame& contact : contacts) {
    if (contact.surface < 0 || !(contact.fn > 0) || !of_leg(contact.body)) continue;
    if (IsOfFoot(model, foot, contact)) return LegRest::kFoot;
    rest = LegRest::kOther;
  }
  return rest;
}

}  // namespace slip
