// What a video would be made of, and the words for one that is being made.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/record/record.h"

namespace slip::app {

Stretch StretchOf(const RecordSources& sources, const RecordSettings& settings) {
  const TimeRange& range = sources.selected;
  if (settings.range == RecordRange::kSelected && range.active && range.to > range.from)
    return {range.from, range.to};
  return {0, sources.session.snapshot().history_end};
}

Rect RecordedRect(const Regions& r, const std::string& region) {
  if (region == "view") return r.view;
  if (region == "window") return {ImVec2(0, 0), ImGui::GetIO().DisplaySize};
  Rect all = r.view;
  for (const Rect& part : {r.plots, r.time}) {
    if (part.empty()) continue;
    // the time line begins left of the picture: that piece is not in it
    all.max = ImVec2(std::max(all.max.x, part.max.x), std::max(all.max.y, part.max.y));
  }
  return all;
}

ShownFrame ShownNow(const RecordSources& sources, const RecordSettings& settings) {
  const Session& session = sources.session;
  const std::string region = SpecOf(settings, {}, {}, {}).region;
  const Rect rect = RecordedRect(sources.regions, region);
  ShownFrame shown;
  shown.time = session.snapshot().time;
  shown.playback = session.playback().speed();
  if (session.channel_count() > 0)
    shown.time_step = session.frame(session.looks().lead()).config.step.time_step;
  shown.width = static_cast<double>(rect.width());
  shown.height = static_cast<double>(rect.height());
  shown.scale = sources.scale;
  return shown;
}

RenderSpec RecordedSpec(const RecordSources& sources, const RecordSettings& settings,
                        const RenderSpec& look) {
  const ShownFrame shown = ShownNow(sources, settings);
  if (settings.source == RecordSource::kLive) return LiveSpecOf(settings, look, shown);
  if (settings.format == RecordFormat::kPicture) return PictureSpecOf(settings, look, shown);
  return SpecOf(settings, look, StretchOf(sources, settings), shown);
}

const char* WhyNotRecorded(const RecordSources& sources, const Videos& videos) {
  const RecordState& record = videos.record;
  if (sources.session.scene() == nullptr) return "There is no scene.";
  if (videos.job != nullptr || videos.live != nullptr || record.asked)
    return "A video is being made already.";
  if (record.settings.source == RecordSource::kLive) return nullptr;
  const Stretch stretch = StretchOf(sources, record.settings);
  const bool picture = record.settings.format == RecordFormat::kPicture;
  if (!picture && !(stretch.to > stretch.from)) return "Nothing was simulated yet.";
  return nullptr;
}

bool RecordsLive(const LiveRecording* live) {
  return live != nullptr && (live->counting() || live->active());
}

std::string ClockText(double seconds) {
  const auto whole = static_cast<int64_t>(std::floor(seconds + 1e-6));
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string SizeText(uintmax_t bytes) {
  const double size = static_cast<double>(bytes);
  return size < 1e6 ? fmt::format("{:.0f} kB", size / 1e3) : fmt::format("{:.1f} MB", size / 1e6);
}

std::string LiveFacts(const LiveRecording& live) {
  const render::LiveVideo& video = live.video();
  const int64_t repeated = video.repeated();
  return fmt::format("{} frames, {} repeated", video.frames(),
                     repeated > 0 ? std::to_string(repeated) : std::string("none"));
}

std::string LiveFormText(const LiveRecording& live) {
  const RenderSpec& spec = live.spec();
  const char* region = spec.region == "view"     ? "View"
                       : spec.region == "window" ? "Window"
                                                 : "View + plots";
  return fmt::format("{}, {} × {}, {:.0f} fps", region, spec.width, spec.height, spec.fps);
}

}  // namespace slip::app
