// Joints: what every joint does, and where its motor is asked to go. Joints of one leg are a group.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "app/kit/joint_row.h"
#include "app/kit/widgets.h"
#include "app/panels/common/joint_groups.h"
#include "app/panels/common/joint_motors.h"
#include "app/panels/common/tab.h"
#include "app/panels/inspect/joint_footer.h"
#include "app/state/channel_style.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

/// 1, 2 or 5 times a power of ten: the largest force fits.
double RoundUp(double value) {
  const double decade = std::pow(10.0, std::floor(std::log10(std::max(value, 1e-3))));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (value <= step * decade) return step * decade;
  }
  return 10 * decade;
}

/// Why there is no knob, and what would make one.
std::string WhyNoTarget(const Model& model, const Config& config, const Body& body) {
  if (body.joint.leader >= 0) {
    const Body& leader = model.body(body.joint.leader);
    return fmt::format("Follows {}: drag that one.", NameInRobot(leader.joint.name));
  }
  const bool controlled =
      body.robot >= 0 && At(config.robots, body.robot).id() != ControllerId::kNone;
  return controlled ? "Moved by its controller. Move by hand, below, gives the joints targets "
                      "in its place."
                    : "Moves freely: a target needs motor stiffness.";
}

std::string JointTip(const Model& model, const Config& config, const JointFrame& joint) {
  const Body& body = BodyOfJoint(model, joint);
  const Joint& limits = body.joint;
  const bool slides = limits.kind == JointKind::kPrismatic;
  const std::string_view length = slides ? "m" : "rad", force = slides ? "N" : "N m";
  const auto place = [&](double value) {
    return FormatSignificant(value * (slides ? 1 : DisplayFactor(value, length)), 4);
  };
  const auto figure = [&](double value, std::string_view unit) {
    const std::string_view blank = unit == "rad" ? "" : " ";
    return fmt::format("{}{}{}", unit == length ? place(value) : FormatSignificant(value, 4), blank,
                       PrettyUnit(unit));
  };
  std::string text = limits.name + "\nposition " + figure(joint.position, length);
  // files and signals count in radians
  if (!slides) text += fmt::format(" ({} rad)", FormatSignificant(joint.position, 4));
  text += "\nrate " + figure(joint.rate, slides ? "m/s" : "rad/s");
  if (!std::isnan(joint.target)) text += "\ntarget " + figure(joint.target, length);
  text += fmt::format("\n{} {}", slides ? "force" : "torque", figure(joint.force, force));
  if (std::isfinite(joint.limit)) text += " of at most " + figure(joint.limit, force);
  if (std::isfinite(limits.lower) || std::isfinite(limits.upper)) {
    const auto limit = [&](double value) {
      return std::isfinite(value) ? figure(value, length) : std::string("–");
    };
    text += fmt::format("\nlimits {} … {}", limit(limits.lower), limit(limits.upper));
  }
  if (std::isnan(joint.target)) {
    text += "\n" + WhyNoTarget(model, config, body);
  } else {
    text += "\nDrag the knob, or double click the numbers to type a target.";
  }
  return text;
}

/// Over the rows, where targets are not all that moves the joints.
void WhoMoves(const ChannelFrame& frame) {
  std::string who;
  for (const RobotDrive& robot : frame.config.robots) {
    if (robot.id() == ControllerId::kNone) continue;
    who += fmt::format("{}'{}'", who.empty() ? "" : ", ",
                       FormatValue(RobotTable().front().info, robot.controller));
  }
  const bool targets = HasTargets(frame);
  if (who.empty() && targets) return;
  const std::string line = who.empty() ? "No motor holds a target"
                           : targets   ? "Moved by targets and controller " + who
                                       : "Moved by controller " + who + ", not by targets";
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const std::string shown = Ellipsize(line, Role::kCaption, width);
  ImGui::InvisibleButton("who", ImVec2(width, Px(18)));
  DrawText(ImGui::GetWindowDrawList(), at, shown, Role::kCaption, Color(Token::kText3));
  RegisterWidget("joints/who", at, ImVec2(at.x + width, at.y + Px(18)), false, line);
  TooltipBeside(targets       ? "Controller and motors give the joints forces, which add up."
                : who.empty() ? "A target needs motor stiffness: Move by hand, below, gives it to "
                                "all motors."
                              : "A target needs motor stiffness: Move by hand, below, gives it to "
                                "all motors, in place of the controller.");
}

/// Which channel's joints these are, and whether a drag is for all channels. Returns the channel.
int ChannelLine(const Session& session, JointsView* own) {
  JointsView& view = *own;
  const int count = session.channel_count();
  int channel = view.channel >= 0 && view.channel < count ? view.channel : session.looks().lead();
  if (count < 2) return channel;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float label =
      DrawText(ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + Px(16) - FontPx(Role::kLabel) / 2),
               "Motors of", Role::kLabel, Color(Token::kText2)) +
      Px(10);
  std::vector<std::string> names;
  float wide = Px(4);
  for (int i = 0; i < count; ++i) {
    names.push_back(session.looks().Name(i));
    wide += MeasureText(names.back(), Role::kLabelStrong).x + Px(20);
  }
  const std::vector<std::string_view> labels(names.begin(), names.end());
  const std::vector<std::string_view> tips(labels.size(), "Whose joints the rows show.");
  const float room = width - label - Px(36);
  ImGui::SetCursorScreenPos(ImVec2(at.x + label, at.y));
  const bool chosen = wide <= room ? Segmented("joints/channel", labels, &channel, tips)
                                   : Choice("joints/channel", labels, &channel, tips.front(), room);
  if (chosen) view.channel = channel;
  ImGui::SetCursorScreenPos(ImVec2(at.x + width - Px(28), at.y + Px(2)));
  if (IconButton("joints/lock", view.alone ? icon::kUnlock : icon::kLock,
                 view.alone ? "A drag moves the joints of this model alone. Click to move those of "
                              "all models."
                            : "A drag moves the joints of all models. Click to move those of one "
                              "model alone.",
                 28)) {
    view.alone = !view.alone;
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + Px(37)));
  return channel;
}

/// 24 high: the leg, what that means, how it stands.
void GroupLine(const JointGroup& group, std::string_view stance) {
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, middle = min.y + Px(12);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(ImVec2(min.x - Px(6), min.y), ImVec2(min.x + width + Px(6), min.y + Px(24)),
                      Color(Token::kRaised), Px(4));
  float x = min.x;
  x += DrawText(list, ImVec2(x, middle - FontPx(Role::kTitle) / 2), group.title, Role::kTitle,
                Color(Token::kText)) +
       Px(8);
  DrawText(list, ImVec2(x, middle - FontPx(Role::kLabel) / 2), group.words, Role::kLabel,
           Color(Token::kText2));
  const float right = MeasureText(stance, Role::kCaption).x;
  DrawText(list, ImVec2(min.x + width - right, middle - FontPx(Role::kCaption) / 2), stance,
           Role::kCaption, Color(Token::kText3));
  RegisterWidget("joints/group/" + group.title, min, ImVec2(min.x + width, min.y + Px(24)), false,
                 stance);
  ImGui::Dummy(ImVec2(width, Px(24)));
}

/// Captions of the columns, with the units that there are. Rates are shown where theirs fits.
void UnitLine(const Model& model, const ChannelFrame& frame, JointColumns* columns) {
  bool turns = false, slides = false;
  for (const JointFrame& joint : frame.joints) {
    (BodyOfJoint(model, joint).joint.kind == JointKind::kPrismatic ? slides : turns) = true;
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto unit = [&](const char* turning, const char* sliding) {
    return turns && slides ? fmt::format("[{}, {}]", turning, sliding)
                           : fmt::format("[{}]", slides ? sliding : turning);
  };
  const std::string left = (slides ? "position" : "angle") +
                           std::string(HasTargets(frame) ? ", target " : " ") + unit("°", "m");
  const std::string rate = "rate " + unit("rad/s", "m/s");
  const std::string right = (slides && !turns ? "force " : "torque ") + unit("N·m", "N");
  const auto width = [](const std::string& text) { return MeasureText(text, Role::kCaption).x; };
  DrawText(list, at, left, Role::kCaption, Color(Token::kText3));
  DrawText(list, ImVec2(at.x + columns->bar_end - width(right), at.y), right, Role::kCaption,
           Color(Token::kText3));
  const float end = columns->bar_end - width(right) - Px(8);
  // where the longest of its numbers does not touch the target, either
  const float number = MeasureText("-00.0", Role::kAxis).x;
  if (end - width(rate) > width(left) + Px(8) && end - number > columns->track_end + Px(4)) {
    columns->rate_end = end;
    DrawText(list, ImVec2(at.x + end - width(rate), at.y), rate, Role::kCaption,
             Color(Token::kText3));
    RegisterWidget("joints/rate", ImVec2(at.x + end - width(rate), at.y),
                   ImVec2(at.x + end, at.y + Px(20)), false, rate);
  }
  ImGui::Dummy(ImVec2(columns->bar_end, Px(20)));
}

class JointRows {
 public:
  JointRows(const Session& session, int channel, bool alone, double full_force, int decimals,
            const JointColumns& columns, Picked* picked, Requests* requests)
      : session_(session),
        frame_(session.frame(channel)),
        written_(session.written().frame(channel)),
        model_(*session.model()),
        channel_(channel),
        alone_(alone),
        full_force_(full_force),
        decimals_(decimals),
        columns_(columns),
        picked_(*picked),
        requests_(*requests) {}

  /// The joint of that number.
  void Draw(std::size_t number, std::string_view name) {
    const JointFrame& joint = frame_.joints[number];
    const JointFrame& written = written_.joints[number];
    const Body& body = BodyOfJoint(model_, joint);
    const std::string path = "joint." + body.joint.name + ".joint_target";
    const std::string id = "joints/" + body.joint.name;
    const bool hovered_before = picked_.hover_link == joint.body;
    std::string tip;
    if (hovered_before || WidgetRegistryEnabled()) tip = JointTip(model_, frame_.config, written);
    JointReading row;
    row.id = id;
    row.name = name;
    row.target_info = TargetInfo(body.joint);
    row.lower_limit = std::isfinite(body.joint.lower);
    row.upper_limit = std::isfinite(body.joint.upper);
    row.position = joint.position;
    row.force = joint.force;
    row.written_position = written.position;
    row.written_rate = written.rate;
    row.written_force = written.force;
    // the value asked for last: the knob must not jump back until the engine has it
    const int asked = std::isnan(joint.target) ? -1 : channel_;
    row.target =
        asked < 0 ? joint.target : session_.params().Value(asked, path) + FromPath(body, frame_);
    row.written_target =
        asked < 0 ? joint.target : row.target + FromPath(body, written_) - FromPath(body, frame_);
    row.force_limited = std::isfinite(joint.limit);
    row.force_decimals = decimals_;
    row.full_force = row.force_limited && joint.limit > 0 ? joint.limit : full_force_;
    row.colour = StyleOf(session_, channel_).colour;
    row.selected = picked_.selection.body == joint.body && picked_.selection.key < 0;
    row.tooltip = tip;
    const JointRowResult result = JointRow(row, columns_);
    if (result.target)
      SetJointTargets(channel_, {{path, *result.target - FromPath(body, frame_)}}, alone_,
                      &requests_);
    if (result.clicked) {
      picked_.selection = {joint.body, -1, channel_};
      clicked_ = joint.body;
    }
    if (result.hovered) hovered_ = joint.body;
  }
  int hovered() const { return hovered_; }
  int clicked() const { return clicked_; }  ///< in this frame

 private:
  const Session& session_;
  const ChannelFrame &frame_, &written_;
  const Model& model_;
  int channel_;
  bool alone_;
  double full_force_;
  int decimals_;
  JointColumns columns_;
  Picked& picked_;
  Requests& requests_;
  int hovered_ = -1, clicked_ = -1;
};

const char* WhyNoJoints(const Session& session) {
  const bool has =
      session.channel_count() > 0 && session.model() != nullptr && !session.frame(0).joints.empty();
  return has ? nullptr : "Nothing in this scene has joints.";
}

/// What its rows have marked in the picture.
void Unmark(const TabContext& context) {
  int& clicked = context.state.joints.clicked;
  Picked& picked = context.state.picked;
  if (clicked >= 0 && picked.selection.body == clicked) picked.selection = {};
  picked.hover_link = clicked = -1;
}

void DrawJoints(const TabContext& context) {
  const Session& session = context.session;
  JointsView* own = &context.state.joints;
  Picked* picked = &context.state.picked;
  Requests* requests = &context.requests;
  const Model& model = *session.model();
  const std::string gains = GainsLine(session);
  const float footer = Px(gains.empty() ? 68 : 86);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(Px(16), Px(4)));
  ImGui::BeginChild("joints", ImVec2(0, -footer), false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar();
  ImGui::Dummy(ImVec2(1, Px(2)));
  const int channel = ChannelLine(session, own);
  const ChannelFrame& frame = session.frame(channel);
  const std::vector<JointGroup> groups = GroupJoints(model, frame.joints);
  float longest = 0;
  double largest = 0, widest = 0;
  for (const JointGroup& group : groups) {
    for (std::size_t j = group.first; j < group.first + group.count; ++j) {
      longest = std::max(longest,
                         MeasureText(NameInGroup(model, group, frame.joints[j]), Role::kLabel).x);
      if (std::isfinite(frame.joints[j].force))
        largest = std::max(largest, std::abs(frame.joints[j].force));
      const double limit = frame.joints[j].limit;
      if (std::isfinite(limit)) widest = std::max(widest, limit);
    }
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  WhoMoves(frame);
  JointColumns columns = ArrangeJointColumns(ImGui::GetContentRegionAvail().x, longest);
  UnitLine(model, frame, &columns);
  const int decimals = std::max(largest, widest) < 100 ? 2 : 1;
  JointRows rows(session, channel, own->alone, RoundUp(largest), decimals, columns, picked,
                 requests);
  for (const JointGroup& group : groups) {
    GroupLine(group, Stance(model, session.written().frame(channel), group));
    for (std::size_t j = group.first; j < group.first + group.count; ++j)
      rows.Draw(j, NameInGroup(model, group, frame.joints[j]));
    ImGui::Dummy(ImVec2(1, Px(4)));
  }
  ImGui::PopStyleVar();
  picked->hover_link = rows.hovered();
  if (rows.clicked() >= 0) own->clicked = rows.clicked();
  ImGui::EndChild();
  if (!JointFooter({session, channel, own->alone, gains, footer, context.rect}, requests)) return;
  // the gains of the motors are among the parameters
  context.state.shell.left_tab = TabId::kParameters;
  context.state.parameters.search = "motor";
}

}  // namespace

const Tab kJointsTab{
    .name = "Joints",
    .tip = "Angles, targets and motors of the robot's joints.",
    .doc = "Angles, targets and motors of the robot's joints.",
    .why_not = WhyNoJoints,
    .draw = DrawJoints,
    .rest = Unmark,
};

}  // namespace slip::app
