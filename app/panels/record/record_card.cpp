// The card "Record": what of the history becomes a video or a picture, how large, how fast, and
// where it goes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "app/kit/widgets.h"
#include "app/panels/common/region.h"
#include "app/panels/record/record.h"

namespace slip::app {
namespace {

constexpr float kRecordWidth = 400, kRecordLabel = 72, kRecordRow = 38;
// under the rows: two lines and the buttons
constexpr float kRecordHead = 30, kRecordFoot = 4 + 44 + 32;
constexpr double kRecordSpeeds[] = {RecordSettings::kPlayed,   1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01,
                                    RecordSettings::kEveryStep};

constexpr std::string_view kFormatTip =
    "MP4 and WebM play everywhere, GIF in pages; frames and pictures are PNG files.";

template <class Enum, std::size_t N>
bool RecordRow(const char* id, const char* label, const std::array<std::string_view, N>& words,
               Enum* value, std::string_view tip) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  DrawText(ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + (Px(32) - FontPx(Role::kCaption)) / 2),
           label, Role::kCaption, Color(Token::kText2));
  ImGui::SetCursorScreenPos(ImVec2(at.x + Px(kRecordLabel), at.y));
  int chosen = static_cast<int>(*value);
  std::array<std::string_view, N> tips;
  tips.fill(tip);
  const bool changed = Segmented(id, words, &chosen, tips);
  *value = static_cast<Enum>(chosen);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + Px(kRecordRow)));
  return changed;
}

std::string PaceText(double speed) {
  return speed >= 1 ? fmt::format("×{:.4g}", speed) : fmt::format("×1/{:.4g}", 1 / speed);
}

void SpeedRow(const RecordSources& sources, float width, RecordSettings* settings) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  DrawText(ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + (Px(32) - FontPx(Role::kCaption)) / 2),
           "Speed", Role::kCaption, Color(Token::kText2));
  ImGui::SetCursorScreenPos(ImVec2(at.x + Px(kRecordLabel), at.y));
  const double played = sources.session.playback().speed();
  std::array<std::string, std::size(kRecordSpeeds)> texts;
  std::array<std::string_view, std::size(kRecordSpeeds)> words;
  int chosen = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const double speed = kRecordSpeeds[i];
    texts[i] = speed == RecordSettings::kPlayed
                   ? "As it is played: " + PaceText(std::isfinite(played) ? played : 1)
               : speed == RecordSettings::kEveryStep
                   ? "Every step: a frame each " +
                         FormatQuantity(ShownNow(sources, *settings).time_step, "s")
                   : PaceText(speed) + (i == 1 ? " (real time)" : "");
    words[i] = texts[i];
    if (speed == settings->speed) chosen = static_cast<int>(i);
  }
  if (Choice("record/speed", words, &chosen, "How fast the video plays the run.",
             width - Px(kRecordLabel)))
    settings->speed = kRecordSpeeds[chosen];
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + Px(kRecordRow)));
}

/// A line of text with its label; Return begins to record.
bool RecordTextRow(const char* id, const char* label, const char* hint, float width,
                   std::string* text) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  DrawText(ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + (Px(28) - FontPx(Role::kCaption)) / 2),
           label, Role::kCaption, Color(Token::kText2));
  ImGui::SetCursorScreenPos(ImVec2(at.x + Px(kRecordLabel), at.y));
  const TextBoxResult box = TextBox(id, text, hint, width - Px(kRecordLabel), icon::kExport, false);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + Px(34)));
  return box.changed;
}

void VideoRows(const RecordSources& sources, float width, RecordSettings* settings) {
  // first on the card, last in the files of settings
  constexpr int kSizes = static_cast<int>(RecordSize::kCount);
  int size = (static_cast<int>(settings->size) + 1) % kSizes;
  RecordRow("record/size", "Size",
            std::array<std::string_view, 4>{"As shown", "720p", "1080p", "4K"}, &size,
            "Height of the video; as shown: that of the region.");
  settings->size = static_cast<RecordSize>((size + kSizes - 1) % kSizes);
  const bool gif = FormatOf(*settings) == RecordFormat::kGif;
  int rate = settings->fps == 30 ? 0 : 1;
  if (gif) rate = 0;
  if (gif) {
    RecordRow("record/fps", "Frames/s", std::array<std::string_view, 1>{"25"}, &rate,
              "GIF files count in hundredths of a second.");
  } else if (RecordRow("record/fps", "Frames/s", std::array<std::string_view, 2>{"30", "60"}, &rate,
                       "Frames of the video per second.")) {
    settings->fps = rate == 0 ? 30 : 60;
  }
  if (settings->source == RecordSource::kHistory) SpeedRow(sources, width, settings);
}

void PictureRows(RecordSettings* settings) {
  int times = settings->picture_scale == 4 ? 2 : settings->picture_scale - 1;
  if (RecordRow("record/times", "Size", std::array<std::string_view, 3>{"As shown", "×2", "×4"},
                &times, "Pixels of the picture over those of the window."))
    settings->picture_scale = 1 << times;
  const ImVec2 row = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(ImVec2(row.x + Px(kRecordLabel), row.y + Px(4)));
  if (settings->region == RecordRegion::kView)
    Toggle("record/transparent", "Without ground, clear behind", &settings->transparent,
           "A picture with an alpha channel, for slides and papers.");
  ImGui::SetCursorScreenPos(ImVec2(row.x, row.y + Px(kRecordRow)));
}

/// Where it goes, what is in the picture.
void FileRows(const Session& session, float width, RecordState* record, ViewState* view) {
  RecordSettings& settings = record->settings;
  RecordFormat format = FormatOf(settings);
  bool changed = false;
  if (settings.source == RecordSource::kLive) {
    changed = RecordRow("record/format", "Format",
                        std::array<std::string_view, 3>{"MP4", "WebM", "GIF"}, &format, kFormatTip);
  } else {
    changed = RecordRow("record/format", "Format",
                        std::array<std::string_view, 5>{"MP4", "WebM", "GIF", "Frames", "Picture"},
                        &format, kFormatTip);
  }
  if (changed) settings.format = format;
  if (changed) record->name.clear();
  if (record->name.empty() && session.scene() != nullptr)
    record->name = RecordName(settings, session.scene()->id);
  std::string folder = RecordFolder(settings);
  if (RecordTextRow("record/folder", "Folder", "the present folder", width, &folder))
    settings.folder = folder;
  RecordTextRow("record/name", "Name", "a free name", width, &record->name);
  if (format != RecordFormat::kPicture) DrawInPicture(width, false, &settings, view);
}

float RowsHeight(const RecordSettings& settings, bool range) {
  const bool live = settings.source == RecordSource::kLive;
  const bool picture = FormatOf(settings) == RecordFormat::kPicture;
  const int rows = 4 + (range ? 1 : 0) + (live || picture ? 0 : 1) + 1;
  return static_cast<float>(rows) * kRecordRow + 2 * 34 + (picture ? 0 : kInPictureHeight);
}

/// How long the video gets, under the settings; in amber why there can be none.
void RecordSummary(const RecordSources& sources, const Videos& videos, const KeyMap& keys,
                   float width) {
  std::string lines[2];
  // of one that was stopped a moment ago there is nothing to say
  const char* why = videos.live != nullptr ? nullptr : WhyNotRecorded(sources, videos);
  const RecordSettings& settings = videos.record.settings;
  if (why != nullptr) {
    lines[0] = why;
  } else if (settings.source == RecordSource::kLive) {
    const RenderSpec spec = RecordedSpec(sources, settings, {});
    lines[0] = fmt::format("Begins after 3, 2, 1; {} stops it", keys.Label(Action::kRecord));
    lines[1] = fmt::format("{} × {}, {:.0f} frames a second", spec.width, spec.height, spec.fps);
  } else if (settings.format == RecordFormat::kPicture) {
    const RenderSpec spec = RecordedSpec(sources, settings, {});
    lines[0] = fmt::format("The moment {:.4g} s, {} × {}", *spec.to, spec.width, spec.height);
    lines[1] = spec.transparent ? "Clear where no body is" : "";
  } else {
    const RenderSpec spec = RecordedSpec(sources, settings, {});
    const double end_card = settings.end_card ? kEndCardTime : 0;
    const int64_t frames = spec.Frames(*spec.to) + std::llround(end_card * spec.fps);
    lines[0] = fmt::format("{:.2f} to {:.2f} s become {:.1f} s of video", spec.from, *spec.to,
                           static_cast<double>(frames) / spec.fps);
    lines[1] = fmt::format("{} frames of {} × {}, {:.0f} a second", frames, spec.width, spec.height,
                           spec.fps);
  }
  ImVec2 at = ImGui::GetCursorScreenPos();
  for (int i = 0; i < 2; ++i, at.y += Px(18)) {
    const std::string& text = lines[i];
    DrawText(ImGui::GetWindowDrawList(), at, text, Role::kTick,
             Color(why != nullptr ? Token::kWarn : Token::kText3));
    RegisterWidget(fmt::format("record/summary/{}", i), at, ImVec2(at.x + width, at.y + Px(16)),
                   MeasureText(text, Role::kTick).x > width, text);
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + Px(8)));
}

}  // namespace

void DrawRecordCard(const RecordSources& sources, const Videos& videos, ViewState* view,
                    FrameMarks* marks, Requests* requests) {
  RecordState& record = videos.record;
  if (!record.open) return;
  if (RecordsLive(videos.live)) return DrawLiveCard(videos, view, marks, requests);
  RecordSettings& settings = record.settings;
  const bool live = settings.source == RecordSource::kLive;
  const TimeRange& selected = sources.selected;
  const bool has_range = !live && selected.active && selected.to > selected.from;
  // what was selected when it opened is meant
  if (!live && !has_range) settings.range = RecordRange::kHistory;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float width = std::min(Px(kRecordWidth), display.x - Px(16)), inner = width - Px(32);
  const float wanted = Px(RowsHeight(settings, has_range));
  const float rows = std::min(wanted, display.y - Px(68 + 8 + 32 + kRecordHead + kRecordFoot));
  const float height = rows + Px(32 + kRecordHead + kRecordFoot);
  if (!BeginOverlay("record", ImVec2(display.x - width - Px(8), Px(68)), ImVec2(width, height)))
    return;
  marks->KeepOutOfVideo();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  DrawText(list, ImVec2(at.x, at.y), icon::kRecord, Role::kIcon, Color(Token::kErr));
  DrawText(list, ImVec2(at.x + Px(24), at.y - Px(1)), "Record", Role::kTitle, Color(Token::kText));
  ImGui::SetCursorScreenPos(ImVec2(at.x + inner - Px(28), at.y - Px(6)));
  bool close = IconButton("record/close", icon::kClose, "Close (Esc)", 28);
  // in a low window the rows are scrolled, so that the buttons stay
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + Px(kRecordHead)));
  ImGui::BeginChild("rows", ImVec2(inner + Px(16), rows), false,
                    rows < wanted ? 0 : ImGuiWindowFlags_NoScrollbar);
  if (RecordRow("record/source", "Source", std::array<std::string_view, 2>{"From history", "Live"},
                &settings.source,
                "From history: what was run, drawn again. Live: the window as you use it."))
    record.name.clear();
  if (has_range)
    RecordRow("record/range", "Range", std::array<std::string_view, 2>{"Whole history", "Selected"},
              &settings.range, "Selected: the stretch marked on the time line.");
  RecordRow("record/region", "Region",
            std::array<std::string_view, 3>{"View", "View + plots", "Window"}, &settings.region,
            "What of the window is in it.");
  if (FormatOf(settings) == RecordFormat::kPicture) {
    PictureRows(&settings);
  } else {
    VideoRows(sources, inner, &settings);
  }
  FileRows(sources.session, inner, &record, view);
  ImGui::EndChild();
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + Px(kRecordHead + 4) + rows));
  const char* why = WhyNotRecorded(sources, videos);
  RecordSummary(sources, videos, requests->keys(), inner);
  const bool start = TextButton("record/start", "Record", icon::kRecord, true, 0, why == nullptr,
                                (settings.source == RecordSource::kLive
                                     ? "Records what is shown ("
                                     : "Renders it again from the history, in the background (") +
                                    requests->keys().Label(Action::kRecord) + ")");
  ImGui::SameLine(0, Px(8));
  if (TextButton("record/cancel", "Close")) close = true;
  EndOverlay();
  record.start = start;
  if (close) record.open = false;
}

}  // namespace slip::app
