// Numbers beside the arrows of the picture. A number on the body of another model reads as that
// model's: where there is no room clear of bodies there is none, and table and plots have it.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/kit/label_placer.h"
#include "app/kit/widgets.h"
#include "app/panels/picture/over_view.h"
#include "app/panels/picture/view.h"
#include "app/state/channel_style.h"

namespace slip::app {

namespace {

constexpr double kForget = 0.5;  // a contact that is lost for a moment comes back to its place [s]
constexpr double kRest = 1;      // so long a free place is not left for a better one [s]
constexpr float kSameTip = 40;   // an arrow does not move farther between frames [design px]
// a body that fills so much of the picture is not hidden by a label
constexpr float kLarge = 0.25f;
constexpr float kLeaderFrom = 18;  // a label farther from its arrow has a leader [design px]

using render::LabelAnchor;
using render::LabelKind;

bool IsOfContact(LabelKind kind) {
  return kind == LabelKind::kNormalForce || kind == LabelKind::kFrictionForce ||
         kind == LabelKind::kContactForce;
}

/// Which labels find a place first; the last ones stay away where there is little room.
int Rank(const LabelAnchor& label, int lead, int picked) {
  const bool first = label.channel == lead || label.channel == picked;
  switch (label.kind) {
    case LabelKind::kGrabForce:
    case LabelKind::kGrabTorque:
      return 0;
    case LabelKind::kNormalForce:
    case LabelKind::kContactForce:
      return first ? 1 : 2;
    case LabelKind::kBeltSpeed:
      return 3;
    case LabelKind::kFrictionForce:
      break;
  }
  return first ? 4 : 5;
}

struct LabelText {
  std::string rich, number;
};

LabelText WriteLabel(const Pane& pane, const LabelAnchor& label, double value) {
  const bool difference = pane.request.compare == render::CompareMode::kDifference;
  const std::string force = FormatSignal(Signal::kNormalForce, value);
  const std::string delta = difference ? "Δ" : "";
  switch (label.kind) {
    case LabelKind::kNormalForce:
      return {delta + "f_n", force};
    case LabelKind::kFrictionForce:
      return {delta + "f_t", force};
    case LabelKind::kContactForce:  // chains: of all contacts of two bodies
      return {delta + (pane.picture->chains ? "Σf" : "f"), force};
    case LabelKind::kBeltSpeed:
      return {"belt u =", FormatSignal(Signal::kBeltSpeed, value)};
    case LabelKind::kGrabForce:
      return {"pull", force};
    case LabelKind::kGrabTorque:
      break;
  }
  return {"twist", FormatQuantity(value, "N m")};
}

/// What moves, as far as a label would hide it; in a pile one body is not looked at.
void KeepBodies(const Session& session, const Pane& pane, LabelPlacer* placer) {
  const Snapshot& snapshot = session.snapshot();
  if (snapshot.model == nullptr || render::DrawsPile(snapshot, pane.request)) return;
  const bool difference = pane.request.compare == render::CompareMode::kDifference;
  const float large = kLarge * (pane.max.x - pane.min.x) * (pane.max.y - pane.min.y);
  for (int c = 0; c < session.channel_count(); ++c) {
    if (!render::ChannelShown(snapshot, pane.request, c)) continue;
    if (session.frame(c).bodies.size() != snapshot.model->bodies.size()) continue;
    for (int b = 0; b < snapshot.model->drawn(); ++b) {
      const Body& body = snapshot.model->Drawn(b);
      if (!body.Moves() || !body.visible || pane.request.hidden.Has(body.Owner(b))) continue;
      const auto rect = BodyOnScreen(snapshot, pane, c, b);
      if (!rect) continue;
      // the bodies of a difference are no one model's
      if (difference || rect->width() * rect->height() > large) {
        placer->Spare(rect->min, rect->max);
      } else {
        placer->Keep(rect->min, rect->max, c);
      }
    }
  }
}

/// Those of this pane, taken out: each is found once.
class KeptPlaces {
 public:
  KeptPlaces(const Pane& pane, double now, LabelPlaces* all) : pane_(pane), now_(now), all_(*all) {
    std::erase_if(all_.places, [&](const LabelPlace& place) {
      const bool here = place.pane == pane.index;
      if (here && now >= place.drawn && now - place.drawn < kForget) before_.push_back(place);
      return here;
    });
  }
  ~KeptPlaces() { all_.places.insert(all_.places.end(), before_.begin(), before_.end()); }
  KeptPlaces(const KeptPlaces&) = delete;
  KeptPlaces& operator=(const KeptPlaces&) = delete;

  /// Where the label stood, moved along with what it names; and since when.
  std::optional<ImVec2> Take(const LabelAnchor& label, ImVec2 tip, double* since) {
    auto best = before_.end();
    float nearest = Px(kSameTip);
    for (auto place = before_.begin(); place != before_.end(); ++place) {
      if (place->channel != label.channel || place->kind != label.kind) continue;
      const float away = std::hypot(place->tip.x - tip.x, place->tip.y - tip.y);
      if (away >= nearest) continue;
      nearest = away;
      best = place;
    }
    if (best == before_.end()) return std::nullopt;
    const ImVec2 at(tip.x + best->at.x - best->tip.x, tip.y + best->at.y - best->tip.y);
    *since = best->since;
    before_.erase(best);
    return at;
  }
  void Add(const LabelAnchor& label, ImVec2 tip, ImVec2 at, double since) {
    all_.places.push_back({pane_.index, label.channel, label.kind, tip, at, now_, since});
  }

 private:
  const Pane& pane_;
  double now_;
  LabelPlaces& all_;
  std::vector<LabelPlace> before_;
};

/// From a label that had to go away to what it names.
void DrawLeader(ImDrawList* list, ImVec2 named, ImVec2 at, ImVec2 size, ImU32 colour) {
  const ImVec2 near = LabelPlacer::LeaderEnd(named, at, size);
  if (std::hypot(near.x - named.x, near.y - named.y) < Px(kLeaderFrom)) return;
  list->AddLine(near, named, colour, Px(1));
}

/// Beside the tip, on the side that the arrow points to; centred when it points up or down.
ImVec2 PlaceBeside(const LabelAnchor& label, ImVec2 tip, ImVec2 size) {
  const float dx = static_cast<float>(label.towards.x()),
              dy = static_cast<float>(label.towards.y());
  ImVec2 at(tip.x + dx * Px(10), tip.y + dy * Px(14));
  if (dx < -0.3f) {
    at.x -= size.x;
  } else if (dx < 0.3f) {
    at.x -= size.x / 2;
  }
  return at;
}

}  // namespace

bool HasRoomForLabels(const Pane& pane) {
  // Numbers on a stamp-sized picture would hide it.
  return pane.picture != nullptr && pane.max.y - pane.min.y >= Px(200);
}

void DrawForceLabels(const Session& session, const Pane& pane, bool tagged, int picked,
                     const FrameMarks& marks, LabelNumbers* numbers, LabelPlaces* places) {
  numbers->Begin(session.written().count());
  const ImVec2 room_min(pane.min.x + Px(4), pane.min.y + Px(12));
  const ImVec2 room_max(pane.max.x - Px(4), pane.max.y - Px(8));
  LabelPlacer placer(room_min, room_max);
  for (const Rect& taken : marks.overlays) placer.Keep(taken.min, taken.max);
  KeepBodies(session, pane, &placer);
  const auto in_window = [&pane](const Vec2& p) {
    return ImVec2(pane.min.x + static_cast<float>(p.x()), pane.min.y + static_cast<float>(p.y()));
  };
  std::vector<LabelAnchor> labels = pane.picture->labels;
  if (tagged) std::erase_if(labels, [](const LabelAnchor& l) { return IsOfContact(l.kind); });
  for (const LabelAnchor& label : labels)
    placer.SpareArrow(in_window(label.from), in_window(label.pixel));
  const int lead = render::LeadChannel(session.snapshot(), pane.request);
  // equal forces change their order from step to step
  const auto order = [&](const LabelAnchor& label) {
    return std::pair(Rank(label, lead, picked), label.channel);
  };
  std::stable_sort(labels.begin(), labels.end(),
                   [&](const LabelAnchor& a, const LabelAnchor& b) { return order(a) < order(b); });
  KeptPlaces kept(pane, session.now(), places);
  const bool several = ShownChannels(session) > 1;
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (const LabelAnchor& label : labels) {
    const LabelText text = WriteLabel(pane, label, numbers->ValueOf(label, pane.request.compare));
    const bool speed = label.kind == LabelKind::kBeltSpeed, contact = IsOfContact(label.kind);
    const ChannelStyle style = StyleOf(session, label.channel);
    // one body is pulled in every model
    const ImU32 bar = contact || (!speed && several) ? style.colour : Color(Token::kText2);
    // in print without colours, too
    const ChannelStyle* mark = !speed && several ? &style : nullptr;
    const ImVec2 size = GlassLabel(list, ImVec2(0, 0), text.rich, text.number, bar, false, mark);
    const ImVec2 tip = in_window(label.pixel), beside = PlaceBeside(label, tip, size);
    // a belt's is not that of the body on it
    const int owner = speed ? LabelPlacer::kAll : label.channel;
    double since = session.now();
    const std::optional<ImVec2> before = kept.Take(label, tip, &since);
    const bool rests = before && session.now() - since < kRest;
    const std::optional<ImVec2> free = placer.Place({tip, beside, size, owner, before, rests});
    if (!free && (contact || speed)) continue;  // the hand's own is always said
    const ImVec2 at = free.value_or(beside);
    const bool stays = before && at.x == before->x && at.y == before->y;
    kept.Add(label, tip, at, stays ? since : session.now());
    GlassLabel(list, at, text.rich, text.number, bar, true, mark);
    DrawLeader(list, tip, at, size, bar);
    const ImVec2 min(at.x, at.y - size.y / 2);
    RegisterWidget("overlay/label/" + std::to_string(label.channel) + "/" + text.rich, min,
                   ImVec2(min.x + size.x, min.y + size.y), false, text.number);
  }
}

}  // namespace slip::app
