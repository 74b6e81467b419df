// Parameters: made from the table of knobs, never by hand. Search, shared or per model, notes.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <vector>

#include "app/kit/param_scale.h"
#include "app/kit/widgets.h"
#include "app/panels/common/stability.h"
#include "app/panels/common/tab.h"
#include "app/panels/learn/param_rows.h"
#include "app/state/channel_style.h"
#include "engine/control/controllers.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

constexpr std::string_view kRobotGroup = "Robot", kJointGroup = "Joints", kBodyGroup = "Bodies";

bool Matches(const ParamEntry& entry, const std::string& search) {
  if (search.empty()) return true;
  const ParamInfo& info = *entry.info;
  const std::string words = Lower(entry.path + " " + std::string(info.label) + " " +
                                  std::string(info.symbol) + " " + std::string(info.group));
  return words.find(Lower(search)) != std::string::npos;
}

std::vector<MethodId> Models(const Session& session) {
  std::vector<MethodId> models;
  for (int i = 0; i < session.channel_count(); ++i) models.push_back(session.looks().Of(i).model);
  return models;
}

bool UsedBy(const Session& session, int channel, const ParamEntry& entry) {
  return Uses(*session.model(), session.frame(channel).config, entry);
}

float Glow(const Session& session, const std::string& path, const ParamRows& rows) {
  if (rows.glow_started < 0 || !rows.glows || session.scene() == nullptr) return 0;
  const auto& cards = session.scene()->lesson.cards;
  const int active = session.lessons().progress().active();
  if (active < 0 || static_cast<std::size_t>(active) >= cards.size()) return 0;
  const std::string& wanted = At(cards, active).parameter;
  const bool same = path == wanted || path.ends_with("." + wanted);
  if (!same) return 0;
  const double age = (session.now() - rows.glow_started) / 1.2;
  return age < 1 ? static_cast<float>(1 - age) : 0;
}

/// The channel whose value a shared row shows: the lead, unless only others use the parameter.
int Source(const Session& session, const ParamEntry& entry) {
  if (UsedBy(session, session.looks().lead(), entry)) return session.looks().lead();
  for (int i = 0; i < session.channel_count(); ++i) {
    if (UsedBy(session, i, entry)) return i;
  }
  return session.looks().lead();
}

/// The scene's own values of the channels that use the parameter, "0.10 | 2.00 s/m", where they
/// differ; else empty.
std::string SceneValues(const Session& session, const ParamEntry& entry) {
  std::vector<double> values;
  for (int i = 0; i < session.channel_count(); ++i) {
    if (UsedBy(session, i, entry)) values.push_back(session.params().Default(i, entry.path));
  }
  if (std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end())
    return {};
  std::string text;
  for (const double value : values)
    text += (text.empty() ? "" : " | ") + FormatParam(*entry.info, value);
  return text;
}

void OneRow(const Session& session, const ParamEntry& entry, int channel, LockState lock,
            ParamRows* rows, Requests* requests) {
  const int source = channel < 0 ? Source(session, entry) : channel;
  const std::vector<MethodId> models = Models(session);
  ParamRowOptions options;
  const std::string path = channel < 0 ? entry.path : entry.path + "@" + std::to_string(channel);
  const bool several =
      session.frame(0).config.materials.size() + session.frame(0).config.surfaces.size() > 2;
  const bool of_joint = entry.info->group == kJointGroup;
  const std::string owner = of_joint ? entry.owner.substr(entry.owner.find('/') + 1)
                            : several || entry.info->group == kBodyGroup ? entry.owner
                                                                         : std::string();
  const std::string name = channel >= 0 ? session.looks().Name(channel) : std::string();
  const std::string scene_values = channel < 0 ? SceneValues(session, entry) : std::string();
  options.path = path;
  options.owner = owner;
  options.default_value = session.params().Default(source, entry.path);
  options.table_default = session.params().TableDefault(entry.path);
  options.scene_values = scene_values;
  options.channels = models;
  options.lock = lock;
  options.glow = Glow(session, entry.path, *rows);
  const std::vector<SliderMark> marks = StabilityMarks(session, entry, channel, rows->stable_steps);
  options.marks = marks;
  int users = 0;
  for (int i = 0; i < session.channel_count(); ++i) {
    if ((channel >= 0 && i != channel) || !UsedBy(session, i, entry)) continue;
    ++users;
    if (!ReadByAll(*entry.info)) options.readers |= 1u << i;
  }
  if (users == 1 && session.channel_count() > 1) options.style = StyleOf(session, source);
  options.channel = name;
  options.enabled = users > 0;
  const std::string reason =
      users > 0 ? std::string() : WhyUnread(*session.model(), session.frame(source).config, entry);
  options.disabled_reason = reason;
  const ParamRowResult row =
      ParamRow(*entry.info, session.params().Value(source, entry.path), options);
  const bool opens = row.lock_clicked && lock == LockState::kLocked;
  const bool closes = row.lock_clicked && lock == LockState::kUnlocked;
  if (row.value || row.reset || opens || closes) {
    requests->Ask([=, value = row.value, reset = row.reset, usual = *options.default_value,
                   its = entry.path](Session* s) {
      if (value) s->params().Set(channel, its, *value);
      if (reset && channel < 0) s->params().Reset(its);
      if (reset && channel >= 0) s->params().Set(channel, its, usual);
      if (opens) s->params().OpenRow(its);
      if (closes) s->params().Share(its, source);
    });
  }
  DrawParamMatch(session, entry, channel, rows, requests);
}

/// Settings of the window that no model knows. False when the search leaves none.
bool ViewerSettings(const Session& session, const std::string& search, MouseState* mouse,
                    Requests* requests) {
  bool any = false;
  const auto row = [&](const char* id, const char* label, const char* unit, double low, double high,
                       double usual, double* value, const char* tip) {
    const std::string words = Lower(std::string(label) + " viewer");
    if (words.find(Lower(search)) == std::string::npos) return false;
    if (!any) GroupHeading("Viewer");
    any = true;
    const bool changed = ValueSlider(id, label, unit, low, high, true, usual, value);
    Tooltip(tip);
    return changed;
  };
  // as fast as possible is an end of its own, beside the slider
  double speed = std::isfinite(session.playback().speed()) ? session.playback().speed() : 16;
  if (row("viewer/speed", "Playback speed", "", 1e-3, 16, 1, &speed,
          "Simulated over real time; 1 is real time.")) {
    requests->Ask([speed](Session* its) { its->playback().SetSpeed(speed); });
  }
  row("viewer/mouse_frequency", "Mouse spring", "Hz", 0.5, 20, 4, &mouse->frequency,
      "Frequency of the spring between the mouse and a body, critically damped for its mass.");
  row("viewer/mouse_limit", "Mouse force limit, in weights", "", 0.1, 100, 10, &mouse->limit,
      "The largest pull, over the weight of the body.");
  return any;
}

/// Robots and their joints have many parameters: those of each are folded until somebody asks.
/// Empty for the others.
std::string FoldOf(const ParamEntry& entry) {
  const bool of_joint = entry.info->group == kJointGroup;
  if (entry.info->group == kBodyGroup) return std::string(kBodyGroup);
  if (!of_joint && entry.info->group != kRobotGroup) return {};
  return std::string(entry.info->group) + " " +
         LiteralRich(entry.owner.substr(0, entry.owner.find('/')));
}

/// A heading that folds what is below it; a search shows what it finds anyway. True when open.
bool FoldHeading(const std::string& fold, int rows, int changed, ParametersTab* own) {
  const bool searched = !own->search.empty();
  const bool open = searched || own->unfolded.count(fold) != 0;
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const ImVec2 size(ImGui::GetContentRegionAvail().x, Snap(24));
  const bool clicked = ImGui::InvisibleButton(fold.c_str(), size);
  RegisterLastItem("param/fold/" + fold);
  const bool hovered = ImGui::IsItemHovered() && !searched;
  const float indent = Px(14);
  const char* glyph = open ? icon::kMenu : icon::kNudgeRight;
  DrawText(ImGui::GetWindowDrawList(),
           ImVec2(min.x + Px(4), min.y + Px(10) - FontPx(Role::kIconSmall) / 2), glyph,
           Role::kIconSmall, Color(hovered ? Token::kText : Token::kText2));
  ImGui::SetCursorScreenPos(ImVec2(min.x + indent, min.y));
  GroupHeading(fold,
               changed > 0 ? fmt::format("{} changed, {}", changed, rows) : std::to_string(rows));
  if (clicked && !searched) {
    if (open) {
      own->unfolded.erase(fold);
    } else {
      own->unfolded.insert(fold);
    }
  }
  return open;
}

}  // namespace

void DrawParam(const Session& session, const ParamEntry& entry, ParamRows* rows,
               Requests* requests) {
  // what makes the bodies is one for all channels
  const bool many = session.channel_count() > 1 && entry.info->applies != Applies::kRebuild;
  const bool shared = !many || session.params().Shared(entry.path);
  const ImVec2 top = ImGui::GetCursorScreenPos();
  bool any = false;
  for (int i = 0; many && !shared && i < session.channel_count(); ++i) {
    if (!UsedBy(session, i, entry)) continue;
    OneRow(session, entry, i, LockState::kUnlocked, rows, requests);
    any = true;
  }
  // a parameter that no model uses keeps one dead row
  if (!any) {
    OneRow(session, entry, -1,
           !many    ? LockState::kNone
           : shared ? LockState::kLocked
                    : LockState::kUnlocked,
           rows, requests);
  }
  DrawParamNotes(session, entry, top, rows);
}

namespace {

void DrawParameters(const TabContext& context) {
  const Session& session = context.session;
  const Rect& rect = context.rect;
  ParametersTab* own = &context.state.parameters;
  Requests* requests = &context.requests;
  if (session.channel_count() == 0) return;
  const float width = ImGui::GetWindowWidth();
  ImGui::SetCursorPos(ImVec2(Px(12), ImGui::GetCursorPosY() + Px(8)));
  const int changed = session.params().ChangedCount();
  const std::string note = changed > 0 ? fmt::format("{} changed", changed) : "";
  const float note_width = note.empty() ? 0 : MeasureText(note, Role::kCaption).x + Px(12);
  SearchBox("param/search", &own->search, "Find a parameter", width - Px(24) - note_width);
  const float below = ImGui::GetCursorPosY();
  if (!note.empty()) {
    ImGui::SameLine(0, Px(10));
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + Px(8));
    Rich(note, Role::kCaption, Token::kAccent);
    // the first change moves no row
    ImGui::SetCursorPosY(below);
  }
  const float footer = Px(48);
  ImGui::SetCursorPosX(0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(Px(20), Px(4)));
  ImGui::BeginChild("params", ImVec2(0, -footer), false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar();
  std::string group;
  bool any = false, open = true;
  std::vector<ParamEntry> entries = ListParams(session.frame(session.looks().lead()).config);
  // The chips of the tool bar choose the model.
  std::erase_if(entries, [&](const ParamEntry& entry) {
    return entry.path == kMethodParam || !Matches(entry, own->search);
  });
  for (const ParamEntry& entry : entries) {
    const std::string fold = FoldOf(entry);
    const std::string heading = fold.empty() ? std::string(entry.info->group) : fold;
    if (heading != group) {
      group = heading;
      open = true;
      if (fold.empty()) {
        GroupHeading(group);
      } else {
        int count = 0, changed_rows = 0;
        for (const ParamEntry& other : entries) {
          if (FoldOf(other) != fold) continue;
          ++count;
          changed_rows += session.params().Changed(other.path) ? 1 : 0;
        }
        open = FoldHeading(fold, count, changed_rows, own);
      }
    }
    if (open) DrawParam(session, entry, &context.state.param_rows, requests);
    any = true;
  }
  any = ViewerSettings(session, own->search, &context.state.mouse, requests) || any;
  if (!any) Paragraph("No parameter of that name in this scene.", Role::kLabel, Token::kText3);
  ImGui::EndChild();

  ImGui::GetWindowDrawList()->AddLine(ImVec2(rect.min.x, rect.max.y - footer),
                                      ImVec2(rect.max.x, rect.max.y - footer), Color(Token::kLine),
                                      Snap(1));
  ImGui::SetCursorPos(ImVec2(Px(12), ImGui::GetWindowHeight() - footer + Px(8)));
  // first what does no harm: the way here may have been a button at the same place
  if (TextButton("param/copy_cli", "Copy as CLI", icon::kCopy, false, 0, true,
                 "The command line that repeats this run without a window")) {
    requests->Do(Action::kCopyCommand);
  }
  ImGui::SameLine(0, Px(8));
  if (IconButton("param/readers", icon::kHelp, "Which parameter acts in which method", 32))
    own->readers = true;
  ImGui::SameLine(0, Px(8));
  if (TextButton("param/reset_all", "Reset all", icon::kReset, false, 0, changed > 0,
                 changed > 0 ? "Every parameter back to the scene's own value"
                             : "Nothing differs from the scene")) {
    requests->Do(Action::kResetParameters);
  }
}

}  // namespace

const Tab kParametersTab{
    .name = "Parameters",
    .tip = "Everything that can be set: model, materials, solver.",
    .doc = "Everything that can be set: model, materials, solver.",
    .draw = DrawParameters,
};

}  // namespace slip::app
