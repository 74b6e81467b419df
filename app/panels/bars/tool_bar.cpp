// Tool bar: the scene, a chip per channel, the compare mode, the three tool buttons.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/kit/widgets.h"
#include "app/panels/bars/bars.h"
#include "app/panels/common/region.h"
#include "app/panels/common/stability.h"
#include "app/panels/record/record.h"
#include "app/state/channel_style.h"
#include "app/view/shown.h"
#include "engine/core/numbers.h"

namespace slip::app {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Compare::kCount)> kCompareLabels = {
    "Single", "Ghosts", "Split 2", "Split 4", "Difference"};
constexpr std::array<std::string_view, static_cast<std::size_t>(Compare::kCount)> kCompareTips = {
    "The lead alone.", "The lead, and the other models as ghosts over it.",
    "The first two models side by side, with one camera.",
    "Up to four models side by side, with one camera.",
    "The lead, coloured by how far the other models are from it."};

constexpr std::string_view kRecorded = "recorded";

void SceneButton(const Session& session, float width, bool open, bool studies, Requests* requests) {
  const Scene* scene = session.scene();
  const std::string title = studies            ? "Studies"
                            : scene != nullptr ? scene->title
                                               : "Choose a scene";
  const bool lesson = scene != nullptr && !scene->lesson.cards.empty();
  const char* icon = studies ? icon::kStudies : lesson ? icon::kLesson : icon::kScene;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size(width, Px(32));
  const bool clicked = ImGui::InvisibleButton("scene", size);
  RegisterLastItem("toolbar/scene");
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y),
                      Color(hovered || open ? Token::kHover : Token::kControl), Px(4));
  const float icon_y = at.y + (size.y - FontPx(Role::kIcon)) / 2;
  DrawText(list, ImVec2(at.x + Px(10), icon_y), icon, Role::kIcon, Color(Token::kText2));
  const std::string shown = Ellipsize(title, Role::kBody, size.x - Px(60));
  DrawText(list, ImVec2(at.x + Px(34), at.y + (size.y - FontPx(Role::kBody)) / 2), shown,
           Role::kBody, Color(Token::kText));
  DrawText(list, ImVec2(at.x + size.x - Px(20), icon_y), icon::kMenu, Role::kIcon,
           Color(Token::kText2));
  Tooltip(title + "  (" + requests->keys().Label(Action::kOpenScene) + ")");
  if (clicked) requests->Do(Action::kOpenScene);
}

/// Another channel, in a view where all are seen.
void AddModel(const Session& session, MethodId id, Compare* compare, Requests* requests) {
  // piles through each other cannot be read
  const bool pile = ShowsPile(session);
  const int shown = ShownChannels(session) + 1;
  if (*compare == Compare::kSingle) *compare = pile ? Compare::kSplit2 : Compare::kGhosts;
  if (*compare == Compare::kSplit2 && shown > 2) *compare = Compare::kSplit4;
  requests->Ask([id](Session* s) { s->looks().Add(id); });
}

void ModelMenu(const Session& session, int channel, Compare* compare, Requests* requests) {
  for (int i = 0; i < static_cast<int>(Methods().size()); ++i) {
    const auto id = static_cast<MethodId>(i);
    const MethodInfo& info = slip::Info(id);
    const bool present = channel >= 0 && session.looks().Of(channel).model == id;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::string label = "      " + std::string(info.label);
    const std::string_view missing = info.WhyMissing();
    if (ImGui::MenuItem(label.c_str(), nullptr, present, missing.empty())) {
      if (channel >= 0) {
        requests->Ask([channel, id](Session* s) { s->params().SetMethod(channel, id); });
      } else {
        AddModel(session, id, compare, requests);
      }
    }
    RegisterLastItem("model/" + std::string(info.id));
    Tooltip(std::string(info.doc) + "\n" +
            (missing.empty() ? std::string(info.source)
                             : "Not in this build: " + std::string(missing) + "."));
    DrawMark(ImGui::GetWindowDrawList(),
             ImVec2(at.x + Px(8), at.y + ImGui::GetTextLineHeight() / 2), ModelStyle(id), 5);
  }
}

void ChannelMenu(const Session& session, int channel, Compare* compare, Requests* requests) {
  const std::string popup = "chip-menu-" + std::to_string(channel);
  if (!ImGui::BeginPopup(popup.c_str())) return;
  if (ImGui::MenuItem("Make it the lead",
                      requests->keys()
                          .Label(static_cast<Action>(static_cast<int>(Action::kLead1) + channel))
                          .c_str(),
                      session.looks().lead() == channel)) {
    requests->Ask([channel](Session* s) { s->looks().SetLead(channel); });
  }
  RegisterLastItem("chip-menu/lead");
  if (ImGui::MenuItem(session.looks().Of(channel).visible ? "Hide" : "Show"))
    requests->Ask([channel](Session* s) { s->looks().ToggleVisible(channel); });
  if (ImGui::MenuItem("Show alone", nullptr, session.looks().solo() == channel))
    requests->Ask([channel](Session* s) { s->looks().ToggleSolo(channel); });
  ImGui::Separator();
  ImGui::TextDisabled("Switch the model to");
  ModelMenu(session, channel, compare, requests);
  ImGui::Separator();
  const bool can_remove = session.channel_count() > 1;
  if (ImGui::MenuItem("Remove this channel", nullptr, false, can_remove))
    requests->Ask([channel](Session* s) { s->looks().Remove(channel); });
  RegisterLastItem("chip-menu/remove");
  if (!can_remove) Tooltip("One model must stay.");
  ImGui::EndPopup();
}

/// Its name, and where it begins while an earlier moment is looked at.
std::string ChipName(const Session& session, int channel) {
  std::string name = session.looks().Name(channel);
  if (!session.looks().Begun(channel))
    name += fmt::format(" from {:.4g} s", session.frame(channel).time);
  return name;
}

std::string PlainName(const Session& session, int channel) { return session.looks().Name(channel); }

/// Width of the chips with their names, in the anatomy of the kit.
template <class NameOf>
float FullWidth(const Session& session, const NameOf& name_of, bool buttons = true) {
  float width = Px(40);
  for (int i = 0; i < session.channel_count(); ++i) {
    width += MeasureText(name_of(session, i), Role::kBody).x + Px(buttons ? 96 : 48);
    if (buttons && i == session.looks().lead()) width += Px(36);
  }
  for (int i = 0; i < session.files().foreign().count(); ++i) {
    width += MeasureText(session.files().foreign().run(i).name(), Role::kBody).x + Px(48);
    if (buttons) width += MeasureText(kRecorded, Role::kTag).x + Px(16);
  }
  return width;
}

/// Recorded runs: looked at, never steered.
void ForeignChips(const Session& session, bool names, bool tags, Requests* requests) {
  const ForeignRuns& foreign = session.files().foreign();
  for (int i = 0; i < foreign.count(); ++i) {
    const std::string id = fmt::format("chip/foreign/{}", i + 1);
    const bool visible = foreign.Visible(i);
    const ChipResult chip = Chip(
        id, names ? foreign.run(i).name() : std::string(), ForeignStyle(i), tags ? kRecorded : "",
        visible, false,
        foreign.run(i).name() +
            ", a recorded run. Click: where it comes from and what differs. Right click: more.",
        false);
    if (chip.clicked) requests->Do(Action::kDiffersTab);
    if (chip.right_clicked) ImGui::OpenPopup(id.c_str());
    ImGui::SameLine(0, Px(8));
    if (!ImGui::BeginPopup(id.c_str())) continue;
    if (ImGui::MenuItem(visible ? "Hide" : "Show"))
      requests->Ask([i](Session* s) { s->files().foreign().ToggleVisible(i); });
    RegisterLastItem("foreign-menu/visible");
    const std::string why = foreign.WhyNotStart(i);
    if (ImGui::MenuItem("Start here", nullptr, false, why.empty()))
      requests->Ask([i](Session* s) { s->files().foreign().StartHere(i); });
    RegisterLastItem("foreign-menu/start");
    Tooltip(why.empty() ? "All models go on from its poses and velocities at this moment." : why);
    if (ImGui::MenuItem("Remove"))
      requests->Ask([i](Session* s) { s->files().foreign().Remove(i); });
    RegisterLastItem("foreign-menu/remove");
    ImGui::EndPopup();
  }
}

void Chips(const Session& session, float right, const StableSteps& stable_steps, Compare* compare,
           Requests* requests) {
  // Names come before buttons, which the menu has too. Where they do not fit either, the marks
  // stand for them, and the tool tip says the name.
  const float free = right - ImGui::GetCursorPosX();
  const bool begins = FullWidth(session, ChipName) < free;
  const bool whole = begins || FullWidth(session, PlainName) < free;
  const bool names = whole || FullWidth(session, PlainName, false) < free;
  for (int i = 0; i < session.channel_count(); ++i) {
    const std::string id = "chip/" + std::to_string(i);
    const bool lead = session.looks().lead() == i && session.channel_count() > 1;
    std::string tip = session.looks().Name(i) +
                      ". Click: make it the lead. Right click: switch or remove the model.";
    const std::string_view missing = slip::Info(session.looks().Of(i).model).WhyMissing();
    if (!missing.empty()) tip += "\nNot in this build: " + std::string(missing) + ".";
    if (!session.looks().Begun(i))
      tip += "\nIt was added later than the moment shown. Run from here, and it begins here.";
    const Stability stability = StabilityOf(session, i, stable_steps);
    if (!stability.words.empty()) tip += "\n" + stability.words;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ChipResult chip =
        Chip(id,
             begins  ? ChipName(session, i)
             : names ? session.looks().Name(i)
                     : std::string(),
             StyleOf(session, i), lead && whole ? "lead" : "", session.looks().Present(i),
             session.looks().solo() == i, tip, whole || !names);
    if (stability.light != StabilityLight::kNone) {
      // over the mark's corner; more is in the tool tip and in the solver's tab
      const bool stable = stability.light == StabilityLight::kStable;
      const ImVec2 centre(corner.x + Px(14), corner.y + Px(8));
      ImDrawList* list = ImGui::GetWindowDrawList();
      if (stable) {
        list->AddCircleFilled(centre, Px(3), Color(LookOf(stability.light).colour));
      } else {
        const ImVec2 size = MeasureText(icon::kWarning, Role::kIconSmall);
        DrawText(list, ImVec2(centre.x - size.x / 2, centre.y - size.y / 2), icon::kWarning,
                 Role::kIconSmall, Color(LookOf(stability.light).colour));
      }
      RegisterWidget(id + "/light", ImVec2(centre.x - Px(5), centre.y - Px(5)),
                     ImVec2(centre.x + Px(5), centre.y + Px(5)), false, stability.words);
    }
    if (chip.clicked) requests->Ask([i](Session* s) { s->looks().SetLead(i); });
    if (chip.eye) requests->Ask([i](Session* s) { s->looks().ToggleVisible(i); });
    if (chip.solo) requests->Ask([i](Session* s) { s->looks().ToggleSolo(i); });
    const std::string popup = "chip-menu-" + std::to_string(i);
    if (chip.right_clicked) ImGui::OpenPopup(popup.c_str());
    ChannelMenu(session, i, compare, requests);
    ImGui::SameLine(0, Px(8));
  }
  ForeignChips(session, names, whole, requests);
  if (session.channel_count() > 0) {
    const bool room = session.channel_count() < Snapshot::kMaxChannels;
    if (IconButton(
            "chip/add", icon::kAdd,
            room ? "Add another model, or this one with other parameters" : "Five models at most",
            32, room)) {
      ImGui::OpenPopup("add-model");
    }
  }
  if (ImGui::BeginPopup("add-model")) {
    ImGui::TextDisabled("Add a channel with");
    ModelMenu(session, -1, compare, requests);
    ImGui::EndPopup();
  }
}

/// The chips, and how several models are shown, beside `buttons` pixels.
void ChannelTools(const ToolBarParts& parts, float buttons) {
  const Session& session = parts.session;
  const Rect& rect = parts.regions.tools;
  Compare& compare = parts.compare;
  Requests* requests = &parts.requests;
  float segments = Px(24);
  for (std::string_view label : kCompareLabels)
    segments += MeasureText(label, Role::kLabel).x + Px(24);
  // Where the four words do not fit beside the chips, one of them opens a list of all.
  const float last = rect.width() - Px(8) - buttons - Px(16);
  const bool list = ImGui::GetCursorPosX() + FullWidth(session, PlainName) > last - segments;
  if (list) segments = Px(96);
  const float right = last - segments;
  Chips(session, right, parts.stable_steps, &compare, requests);

  if (right > ImGui::GetCursorPosX() || right > rect.width() * 0.45f) {
    const float caption = MeasureText("Compare", Role::kCaption).x;
    ImGui::SetCursorPos(ImVec2(right, Px(list ? 8.0f : 4.0f)));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (rect.width() > Px(1280)) {
      DrawText(ImGui::GetWindowDrawList(),
               ImVec2(at.x - caption - Px(12), at.y + (Px(32) - FontPx(Role::kCaption)) / 2),
               "Compare", Role::kCaption, Color(Token::kText3));
    }
    int mode = static_cast<int>(compare);
    if (list ? Choice("toolbar/compare", kCompareLabels, &mode, "How several models are shown.",
                      segments)
             : Segmented("toolbar/compare", kCompareLabels, &mode, kCompareTips))
      compare = static_cast<Compare>(mode);
  }
}

/// In place of the channels.
void StudiesTools(const Session& session, float right, Requests* requests) {
  const Studies& studies = session.files().studies();
  const auto own = std::count_if(studies.list().begin(), studies.list().end(),
                                 [](const StudyEntry& entry) { return entry.own; });
  const std::size_t named = studies.list().size() - static_cast<std::size_t>(own);
  const std::string words = studies.listing() ? "They are being read."
                                              : fmt::format("{} named, {} of your own", named, own);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  DrawText(ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + (Px(32) - FontPx(Role::kLabel)) / 2),
           words, Role::kLabel, Color(Token::kText2));
  std::vector<std::size_t> whole;
  for (std::size_t i = 0; i < studies.list().size(); ++i)
    if (studies.list()[i].cells != nullptr) whole.push_back(i);
  const std::string report = "Write the report", back = "Back to the scene";
  const float icon = Px(22), frame = Px(24);
  const float width = MeasureText(report, Role::kLabelStrong).x +
                      MeasureText(back, Role::kLabelStrong).x + 2 * (icon + frame) + Px(8);
  ImGui::SetCursorPos(ImVec2(right - width - Px(8), Px(4)));
  const bool can = !whole.empty() && !studies.saving();
  if (TextButton("toolbar/report", report, icon::kFile, false, 0, can,
                 studies.saving() ? "It is being written."
                 : whole.empty()  ? "No study has been run to its end yet."
                                  : "Tables, figures and report.html of all studies that were "
                                    "run to their end, into a new folder here."))
    requests->Ask([whole](Session* s) { s->files().studies().Save(whole); });
  ImGui::SameLine(0, Px(8));
  if (TextButton("toolbar/back", back, icon::kScene, false, 0, true,
                 "What runs goes on (" + requests->keys().Label(Action::kStudies) + ")"))
    requests->Do(Action::kStudies);
}

}  // namespace

std::string_view CompareLabel(Compare compare) { return At(kCompareLabels, compare); }

void DrawToolBar(const ToolBarParts& parts) {
  const Session& session = parts.session;
  const Rect& rect = parts.regions.tools;
  Requests* requests = &parts.requests;
  if (!BeginRegion("tools", rect, ImVec2(Px(8), Px(4)), Token::kPanel,
                   ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse)) {
    return;
  }
  const float scene_width =
      std::min(std::max(Px(200), parts.regions.left.width() - Px(16)), rect.width() * 0.22f);
  SceneButton(session, scene_width, parts.picker_open, parts.studies_open, requests);
  ImGui::SameLine(0, Px(16));
  const float buttons = (parts.studies_open ? 0 : RecordButtonWidth(parts.live) + Px(8)) +
                        (parts.from_studies ? Px(40) : 0) + 2 * Px(32) + Px(8);
  if (parts.studies_open) {
    StudiesTools(session, rect.width() - Px(8) - buttons, requests);
  } else {
    ChannelTools(parts, buttons);
  }
  ImGui::SetCursorPos(ImVec2(rect.width() - Px(8) - buttons, Px(4)));
  if (!parts.studies_open) {
    DrawRecordButton(parts.record_open, parts.live, &parts.marks, requests);
    ImGui::SameLine(0, Px(8));
  }
  if (parts.from_studies) {
    if (IconButton("toolbar/to-studies", icon::kStudies,
                   "Back to the studies (" + requests->keys().Label(Action::kEscape) + ")"))
      requests->Do(Action::kStudies);
    ImGui::SameLine(0, Px(8));
  }
  if (IconButton("toolbar/screenshot", icon::kScreenshot,
                 "Screenshot (" + requests->keys().Label(Action::kScreenshot) + ")")) {
    requests->Do(Action::kScreenshot);
  }
  ImGui::SameLine(0, Px(8));
  if (IconButton("toolbar/presenter", icon::kPresenter,
                 "Presenter mode: large text, light colours (" +
                     requests->keys().Label(Action::kPresenter) + ")",
                 32, true, parts.presenter)) {
    requests->Do(Action::kPresenter);
  }
  EndRegion();
}

}  // namespace slip::app
