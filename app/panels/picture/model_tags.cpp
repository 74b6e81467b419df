// One tag per model over a robot: the force on one foot and the sums of all contacts, with a leader
// to the trunk. Numbers at each point would jump as it walks, and hide it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/kit/widgets.h"
#include "app/panels/picture/over_view.h"
#include "app/state/channel_style.h"
#include "engine/core/numbers.h"
#include "engine/geometry/mesh.h"
#include "engine/sim/foot_load.h"

namespace slip::app {
namespace {

constexpr double kStay = 1.1;  // another foot must carry so many times as much to be named
// Of a tag, and where its row begins: under the readouts; in a low picture beside them, with the
// foot alone [design px].
struct TagForm {
  float width, height, top;
};
constexpr TagForm kFullTag{206, 44, 12 + 32 + 8}, kLowTag{138, 32, 12};
// Of a mesh so many points stand for all, where a tag asks what it would hide.
constexpr std::size_t kPointsOfMesh = 128;
constexpr float kTagGap = 8, kFullRoom = 420, kLowRoom = 200, kReadoutEnd = 250;

/// FL of FL_FOOT, if that tells the feet apart.
std::string ShortFootName(const Robot& robot, std::size_t foot) {
  const auto cut = [](const std::string& name) { return name.substr(0, name.find('_')); };
  const std::string name = cut(robot.feet[foot].name);
  const auto same =
      std::count_if(robot.feet.begin(), robot.feet.end(),
                    [&](const Robot::Foot& other) { return cut(other.name) == name; });
  return same == 1 ? name : robot.feet[foot].name;
}

/// The foot that the tags name: the selected one, else the lead's most loaded. Among feet that
/// carry about the same it stays the one before.
int ChooseFoot(const Session& session, const Robot& robot, const ChannelFrame& lead, int selected,
               int before) {
  int chosen = 0;
  double most = 0;
  for (std::size_t f = 0; f < robot.feet.size(); ++f) {
    const int body = robot.feet[f].body;
    if (body == selected) return static_cast<int>(f);
    const FootLoad load =
        CalcFootLoad(*session.model(), robot.feet[f], At(lead.bodies, body).X_WB, lead.contacts);
    const double rank = (static_cast<int>(f) == before ? kStay : 1) * load.normal;
    if (rank > most) {
      most = rank;
      chosen = static_cast<int>(f);
    }
  }
  return chosen;
}

/// Contacts of the robot with what is not of it.
template <class Call>
void ForContactsOf(const Robot& robot, const ChannelFrame& frame, const Call& call) {
  const auto own = [&](int body) {
    return body >= robot.first_body && body < robot.first_body + robot.bodies;
  };
  for (const ContactFrame& contact : frame.contacts) {
    const bool a = contact.surface < 0 && own(contact.body_a);
    if (own(contact.body) != a && contact.fn > 0) call(contact);
  }
}

/// Where the named foot is pressed; of a robot without feet the mean of its contacts.
std::optional<Vec3> CalcPressurePoint(const Model& model, const Robot& robot, int foot,
                                      const ChannelFrame& frame) {
  if (!robot.feet.empty()) {
    const Robot::Foot& named = At(robot.feet, foot);
    return CalcFootLoad(model, named, At(frame.bodies, named.body).X_WB, frame.contacts).cop_W;
  }
  Vec3 sum = Vec3::Zero();
  double load = 0;
  ForContactsOf(robot, frame, [&](const ContactFrame& contact) {
    sum += contact.fn * contact.p_W;
    load += contact.fn;
  });
  return load > 0 ? std::optional<Vec3>(sum / load) : std::nullopt;
}

/// What a tag says: of one foot the force, of all the sums [N].
struct TagNumbers {
  double foot = 0, normal = 0, friction = 0;
};

TagNumbers Measure(const Model& model, const Robot& robot, int foot, const ChannelFrame& frame) {
  TagNumbers numbers;
  // friction of one foot adds up as a vector, as in the table of feet
  ForContactsOf(robot, frame, [&](const ContactFrame& contact) {
    numbers.normal += contact.fn;
    const bool of_foot =
        std::any_of(robot.feet.begin(), robot.feet.end(),
                    [&](const Robot::Foot& other) { return IsOfFoot(model, other, contact); });
    if (!of_foot) numbers.friction += contact.ft;
  });
  for (std::size_t f = 0; f < robot.feet.size(); ++f) {
    const Robot::Foot& of = robot.feet[f];
    const FootLoad load = CalcFootLoad(model, of, At(frame.bodies, of.body).X_WB, frame.contacts);
    if (static_cast<int>(f) == foot) numbers.foot = load.normal;
    numbers.friction += load.friction;
  }
  return numbers;
}

/// Whether a body is drawn in the rectangle: of a mesh, some of its points are.
bool Reaches(const Session& session, const Pane& pane, int channel, int body, const Rect& rect) {
  const auto within = [&](const std::optional<ImVec2>& p) {
    return p && p->x > rect.min.x && p->x < rect.max.x && p->y > rect.min.y && p->y < rect.max.y;
  };
  const Shape& shape = session.model()->Drawn(body).shape;
  if (shape.kind != ShapeKind::kTriangleMesh || !shape.triangles) {
    const auto at = BodyOnScreen(session.snapshot(), pane, channel, body);
    return at && at->max.x > rect.min.x && at->min.x < rect.max.x && at->max.y > rect.min.y &&
           at->min.y < rect.max.y;
  }
  const Pose pose = render::DrawnPose(session.snapshot(), pane.request, channel, body);
  const std::vector<Vec3>& points = shape.triangles->vertices;
  const std::size_t stride = std::max<std::size_t>(1, points.size() / kPointsOfMesh);
  for (std::size_t i = 0; i < points.size(); i += stride) {
    if (within(OnScreen(pane, pose * points[i]))) return true;
  }
  return false;
}

bool Hides(const Session& session, const Pane& pane, const Robot& robot,
           const std::vector<int>& shown, const Rect& rect) {
  const Model& model = *session.model();
  const int end = robot.first_body + robot.bodies;
  for (int b = robot.first_body; b < model.drawn(); ++b) {
    const int owner = model.Drawn(b).Owner(b);
    if (owner < robot.first_body || owner >= end) continue;
    for (const int c : shown) {
      if (Reaches(session, pane, c, b, rect)) return true;
    }
  }
  return false;
}

void DrawTag(const Session& session, ImVec2 at, const TagForm& form, int channel,
             const Robot& robot, const std::string& foot, int named, FrameMarks* marks) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ChannelStyle style = StyleOf(session, channel);
  const ImVec2 end(at.x + Px(form.width), at.y + Px(form.height));
  DrawGlass(list, at, end);
  list->AddRectFilled(at, ImVec2(at.x + Snap(3), end.y), style.colour, Px(2));
  marks->overlays.push_back({at, end});
  const ChannelFrame& written = session.written().frame(channel);
  const TagNumbers numbers = Measure(*session.model(), robot, named, written);
  const bool full = form.height == kFullTag.height;
  const float first = full ? 14 : form.height / 2;
  const auto row = [&](float y, Role role) { return at.y + Px(y) - FontPx(role) / 2; };
  DrawMark(list, ImVec2(at.x + Px(16), at.y + Px(first)), style, 4);
  const std::string name = full ? session.looks().Name(channel) : "";
  // without feet the sums say all
  const bool footless = foot.empty();
  const auto newtons = [&](double value) {
    return written.measured ? FormatSignal(Signal::kNormalForce, value) : std::string("–");
  };
  const std::string force =
      footless && full ? std::string() : newtons(footless ? numbers.normal : numbers.foot);
  const std::string what = !footless ? LiteralRich(foot) + " f_n" : full ? "" : "Σf_n";
  float x = end.x - Px(10) - MeasureText(force, Role::kValue).x;
  DrawText(list, ImVec2(x, row(first, Role::kValue)), force, Role::kValue, Color(Token::kText));
  x -= Px(6) + MeasureRich(what, Role::kCaption).x;
  DrawRich(list, ImVec2(x, row(first, Role::kCaption)), what, Role::kCaption, Color(Token::kText2));
  const float room = x - Px(name.empty() ? 0 : 6) - (at.x + Px(28));
  const bool clipped = MeasureText(name, Role::kTitle).x > room;
  DrawText(list, ImVec2(at.x + Px(28), row(first, Role::kTitle)),
           clipped ? Ellipsize(name, Role::kTitle, room) : name, Role::kTitle, Color(Token::kText));
  std::string words = name + " " + foot + " " + force;
  x = at.x + Px(12);
  for (const auto& [symbol, value] :
       {std::pair{"Σf_n", numbers.normal}, std::pair{"Σf_t", numbers.friction}}) {
    if (!full) break;
    DrawRich(list, ImVec2(x, row(31, Role::kCaption)), symbol, Role::kCaption,
             Color(Token::kText2));
    DrawText(list, ImVec2(x + Px(24), row(31, Role::kAxis)), newtons(value), Role::kAxis,
             Color(Token::kText));
    x += Px(98);
    words += fmt::format(" {} {}", symbol, newtons(value));
  }
  RegisterWidget("overlay/tag/" + std::to_string(channel), at, end, clipped, words);
}

}  // namespace

std::string DescribeFeet(const Session& session) {
  const Model* model = session.model();
  if (model == nullptr || model->robots.size() != 1 || model->robots[0].feet.empty()) return {};
  const ChannelFrame& lead = session.written().frame(session.looks().lead());
  if (lead.bodies.size() != model->bodies.size()) return {};
  if (!lead.measured) return "feet not computed yet";
  const Robot& robot = model->robots[0];
  const auto loaded =
      std::count_if(robot.feet.begin(), robot.feet.end(), [&](const Robot::Foot& foot) {
        return FindLegRest(*model, robot, foot, lead.contacts) == LegRest::kFoot;
      });
  bool others = false;
  ForContactsOf(robot, lead, [&](const ContactFrame& contact) {
    others =
        others || (contact.surface >= 0 &&
                   std::none_of(robot.feet.begin(), robot.feet.end(), [&](const Robot::Foot& foot) {
                     return IsOfFoot(*model, foot, contact);
                   }));
  });
  return fmt::format("{} of {} feet{} carry load", loaded, robot.feet.size(),
                     others ? " and other links" : "");
}

bool DrawModelTags(const Session& session, const Pane& pane, int selected, ModelTags* own,
                   FrameMarks* marks) {
  const Model* model = session.model();
  if (model == nullptr || model->robots.size() != 1) return false;
  if (pane.request.compare == render::CompareMode::kDifference) return false;
  const float height = pane.max.y - pane.min.y;
  if (height < Px(kLowRoom)) return false;
  const TagForm form = height < Px(kFullRoom) ? kLowTag : kFullTag;
  const bool low = form.top == kLowTag.top;
  const Robot& robot = model->robots[0];
  std::vector<int> shown;
  for (int c = 0; c < session.channel_count(); ++c) {
    if (session.frame(c).bodies.size() != model->bodies.size()) return false;
    if (render::ChannelShown(session.snapshot(), pane.request, c)) shown.push_back(c);
  }
  // where there is no room for all, the lead's
  const ImVec2 step(Px(form.width + kTagGap), Px(form.height + kTagGap));
  const float room = pane.max.x - pane.min.x - Px(12) - Px(low ? kReadoutEnd : 12);
  if (static_cast<float>(shown.size()) * step.x - Px(kTagGap) > room) {
    shown.assign(1, render::LeadChannel(session.snapshot(), pane.request));
  }
  if (step.x - Px(kTagGap) > room) return false;
  own->foot = ChooseFoot(session, robot, session.written().frame(session.looks().lead()), selected,
                         own->foot);
  const std::string foot =
      robot.feet.empty() ? std::string() : ShortFootName(robot, ToIndex(own->foot));

  ImDrawList* list = ImGui::GetWindowDrawList();
  const float all = static_cast<float>(shown.size()) * step.x - Px(kTagGap);
  ImVec2 at(low ? pane.max.x - Px(12) - all : (pane.min.x + pane.max.x - all) / 2,
            pane.min.y + Px(form.top));
  // a row over a robot that reaches up there would hide it, or meets the instrument: then a column
  // at the border
  bool& column = own->column;
  const float rim = Px(column ? 48 : 12);
  const bool meets = pane.gap != GapForm::kNone &&
                     at.x + all + rim > pane.max.x - InstrumentSize(session, pane.gap).x;
  column = meets || (!low && Hides(session, pane, robot, shown,
                                   {ImVec2(at.x - rim, at.y - rim),
                                    ImVec2(at.x + all + rim, at.y + Px(form.height) + rim)}));
  if (column) {
    const bool gap = pane.gap != GapForm::kNone;
    // the name of a narrow pane reaches under the border's tags
    const bool crowded = pane.max.x - pane.min.x < Px(form.width + 24 + kReadoutEnd);
    const float top =
        std::max(crowded ? Px(38) : 0, gap ? InstrumentSize(session, pane.gap).y + Px(8) : 0);
    at = ImVec2(pane.max.x - Px(12 + form.width), pane.min.y + Px(12) + top);
  }
  for (const int c : shown) {
    const ImU32 colour = StyleOf(session, c).colour;
    const Vec3 shift = render::FanOffset(session.snapshot(), pane.request, c);
    std::optional<ImVec2> pressed;
    if (const auto p_W = CalcPressurePoint(*model, robot, own->foot, session.frame(c))) {
      pressed = OnScreen(pane, *p_W + shift);
    }
    // to the foot that it names; in the air to the trunk, of which an arm has none
    std::optional<ImVec2> end = pressed;
    if (!end && !robot.feet.empty() && !low)
      end = OnScreen(pane,
                     render::DrawnPose(session.snapshot(), pane.request, c, robot.first_body).p);
    ImVec2 from(at.x, at.y + Px(form.height / 2));
    if (end && !column)
      from = ImVec2(std::clamp(end->x, at.x + Px(8), at.x + Px(form.width - 8)),
                    at.y + Px(form.height));
    // one that has gone out of the picture has its own sign
    const bool seen = end && end->x > pane.min.x && end->x < pane.max.x && end->y < pane.max.y;
    if (seen && (column ? end->x < from.x : end->y > from.y)) {
      list->AddLine(from, *end, colour, Snap(1));
      list->AddCircleFilled(*end, Px(3), colour);
    }
    if (pressed) list->AddCircle(*pressed, Px(8), Color(Token::kText), 0, Px(1.5f));
    DrawTag(session, ImVec2(std::round(at.x), std::round(at.y)), form, c, robot, foot, own->foot,
            marks);
    (column ? at.y : at.x) += column ? step.y : step.x;
  }
  return true;
}

}  // namespace slip::app
