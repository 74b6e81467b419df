// The card "Record": what of the history becomes a video or a picture, how large, how fast, and
// where it goes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "app/kit/widgets.h"
#include "app/panels/panels.h"

namespace slip::app {
namespace {

constexpr float kRecordWidth = 400, kRecordLabel = 72, kRecordRow = 38;
constexpr double kRecordSpeeds[] = {0, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01};

template <class Enum, std::size_t N>
bool RecordRow(const char* id, const char* label, const std::array<std::string_view, N>& words,
               Enum* value) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  DrawText(ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + (Px(32) - FontPx(Role::kCaption)) / 2),
           label, Role::kCaption, Color(Token::kText2));
  ImGui::SetCursorScreenPos(ImVec2(at.x + Px(kRecordLabel), at.y));
  int chosen = static_cast<int>(*value);
  const bool changed = Segmented(id, words, &chosen);
  *value = static_cast<Enum>(chosen);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + Px(kRecordRow)));
  return changed;
}

std::string PaceText(double speed) {
  return speed >= 1 ? fmt::format("×{:.4g}", speed) : fmt::format("×1/{:.4g}", 1 / speed);
}

void SpeedRow(Ui* ui, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  DrawText(ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + (Px(32) - FontPx(Role::kCaption)) / 2),
           "Speed", Role::kCaption, Color(Token::kText2));
  ImGui::SetCursorScreenPos(ImVec2(at.x + Px(kRecordLabel), at.y));
  RecordSettings& settings = ui->state.record.settings;
  const double played = ui->session.playback().speed();
  std::array<std::string, std::size(kRecordSpeeds)> texts;
  std::array<std::string_view, std::size(kRecordSpeeds)> words;
  int chosen = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    texts[i] = i == 0 ? "As it is played: " + PaceText(std::isfinite(played) ? played : 1)
                      : PaceText(kRecordSpeeds[i]) + (i == 1 ? " (real time)" : "");
    words[i] = texts[i];
    if (kRecordSpeeds[i] == settings.speed) chosen = static_cast<int>(i);
  }
  if (Choice("record/speed", words, &chosen, width - Px(kRecordLabel)))
    settings.speed = kRecordSpeeds[chosen];
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

void VideoRows(Ui* ui, float width) {
  RecordSettings& settings = ui->state.record.settings;
  RecordRow("record/size", "Size", std::array<std::string_view, 3>{"720p", "1080p", "4K"},
            &settings.size);
  const bool gif = settings.format == RecordFormat::kGif;
  int rate = settings.fps == 30 ? 0 : 1;
  if (gif) rate = 0;
  if (gif) {
    RecordRow("record/fps", "Frames/s", std::array<std::string_view, 1>{"25"}, &rate);
  } else if (RecordRow("record/fps", "Frames/s", std::array<std::string_view, 2>{"30", "60"},
                       &rate)) {
    settings.fps = rate == 0 ? 30 : 60;
  }
  SpeedRow(ui, width);
}

/// How long the video gets, under the settings; in amber why there can be none.
void RecordSummary(const Ui& ui, float width) {
  std::string lines[2];
  const char* why = WhyNotRecorded(ui);
  if (why != nullptr) {
    lines[0] = why;
  } else if (ui.state.record.settings.format == RecordFormat::kPicture) {
    const RenderSpec spec = RecordedSpec(ui);
    lines[0] = fmt::format("The moment {:.4g} s, {} × {}", *spec.to, spec.width, spec.height);
    lines[1] = spec.transparent ? "Clear where no body is" : "";
  } else {
    const RenderSpec spec = RecordedSpec(ui);
    const int64_t frames = spec.Frames(*spec.to);
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

void DrawRecordCard(Ui* ui) {
  RecordState& record = ui->state.record;
  if (!record.open) return;
  RecordSettings& settings = record.settings;
  const TimeRange& selected = ui->state.range;
  const bool has_range = selected.active && selected.to > selected.from;
  // what was selected when it opened is meant
  if (!has_range) settings.range = RecordRange::kHistory;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float width = std::min(Px(kRecordWidth), display.x - Px(16)), inner = width - Px(32);
  const float height = std::min(Px(has_range ? 438.0f : 400.0f), display.y - Px(80));
  if (!BeginOverlay("record", ImVec2(display.x - width - Px(8), Px(68)), ImVec2(width, height)))
    return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  DrawText(list, ImVec2(at.x, at.y), icon::kRecord, Role::kIcon, Color(Token::kErr));
  DrawText(list, ImVec2(at.x + Px(24), at.y - Px(1)), "Record", Role::kTitle, Color(Token::kText));
  ImGui::SetCursorScreenPos(ImVec2(at.x + inner - Px(28), at.y - Px(6)));
  bool close = IconButton("record/close", icon::kClose, "Close (Esc)", 28);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + Px(30)));
  if (has_range)
    RecordRow("record/range", "Range", std::array<std::string_view, 2>{"Whole history", "Selected"},
              &settings.range);
  RecordRow("record/region", "Region",
            std::array<std::string_view, 3>{"View", "View + plots", "Window"}, &settings.region);
  const bool picture = settings.format == RecordFormat::kPicture;
  if (picture) {
    int times = settings.picture_scale == 4 ? 2 : settings.picture_scale - 1;
    if (RecordRow("record/times", "Size", std::array<std::string_view, 3>{"As shown", "×2", "×4"},
                  &times))
      settings.picture_scale = 1 << times;
    const ImVec2 row = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos(ImVec2(row.x + Px(kRecordLabel), row.y + Px(4)));
    if (settings.region == RecordRegion::kView)
      Toggle("record/transparent", "Without ground, clear behind", &settings.transparent,
             "A picture with an alpha channel, for slides and papers.");
    ImGui::SetCursorScreenPos(ImVec2(row.x, row.y + Px(kRecordRow)));
  } else {
    VideoRows(ui, inner);
  }
  if (RecordRow("record/format", "Format",
                std::array<std::string_view, 5>{"MP4", "WebM", "GIF", "Frames", "Picture"},
                &settings.format))
    record.name.clear();
  if (record.name.empty() && ui->session.scene() != nullptr)
    record.name = RecordName(settings, ui->session.scene()->id);
  std::string folder = RecordFolder(settings);
  if (RecordTextRow("record/folder", "Folder", "the present folder", inner, &folder))
    settings.folder = folder;
  RecordTextRow("record/name", "Name", "a free name", inner, &record.name);
  const char* why = WhyNotRecorded(*ui);
  RecordSummary(*ui, inner);
  const bool start = TextButton("record/start", "Record", icon::kRecord, true, 0, why == nullptr,
                                "Renders it again from the history, in the background (" +
                                    ui->keys.Label(Action::kRecord) + ")");
  ImGui::SameLine(0, Px(8));
  if (TextButton("record/cancel", "Close")) close = true;
  EndOverlay();
  if (start) StartRecording(ui);
  if (close) record.open = false;
}

}  // namespace slip::app
