// SceneFiles: the scene's file is read again, and what the user made of the scene goes on.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "app/session/change_text.h"
#include "app/session/scene_files.h"
#include "app/session/session.h"
#include "engine/tell/format.h"

namespace slip::app {
namespace {

/// A channel of a scene's file by what survives another order of its lines: the how-manieth of its
/// model it is.
struct Place {
  MethodId model{};
  int nth = 0;
  bool operator==(const Place&) const = default;
};

Place PlaceOf(const std::vector<ChannelSpec>& channels, std::size_t which) {
  Place place{channels[which].Own().method(), 0};
  for (std::size_t i = 0; i < which; ++i)
    place.nth += channels[i].Own().method() == place.model ? 1 : 0;
  return place;
}

const ChannelSpec* Find(const std::vector<ChannelSpec>& channels, const Place& place) {
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (PlaceOf(channels, i) == place) return &channels[i];
  }
  return nullptr;
}

/// As a scene has it that does not name the model.
ChannelSpec Added(const Scene& scene, MethodId model) {
  ChannelSpec spec{scene.config};
  spec.config.step.method = static_cast<int>(model);
  return spec;
}

/// One value that differs from the scene's own.
struct Changed {
  ParamEntry entry;
  double value = 0;
};

/// "friction of steel", "time step".
std::string NameOf(const ParamEntry& entry) {
  std::string name = Lower(entry.info->label);
  if (!entry.owner.empty()) name += " of " + entry.owner;
  return name;
}

bool SetValue(const Scene& scene, const Changed& changed, Config* config) {
  Config with = *config;
  if (!SetParam(&with, changed.entry.path, changed.value).ok()) return false;
  if (changed.entry.info->applies == Applies::kRebuild && !scene.CheckSize(with).ok()) return false;
  *config = std::move(with);
  return true;
}

void AddOnce(std::string text, std::vector<std::string>* list) {
  if (std::find(list->begin(), list->end(), text) == list->end()) list->push_back(std::move(text));
}

}  // namespace

bool SceneFiles::Reload() {
  if (session_.scene() == nullptr) return Load(scene_request_);
  if (session_.channel_count() == 0 || !session_.TakenOver() ||
      IsExperiment(session_.scene()->file))
    return Load(session_.scene()->file);
  return StartReading(
      session_.scene()->file,
      [this, file = session_.scene()->file, text = session_.scene()->text]() -> ReadingJob::Finish {
        auto read = FindScene(file);
        // the file as it was: what of the present channels it named
        std::vector<ChannelSpec> before;
        if (read.ok() && (*read)->text == text) {
          before = (*read)->channels;
        } else if (read.ok()) {
          if (const auto old = ReadSceneText(text, file)) before = (*old)->channels;
        }
        return [this, file, read = std::move(read), before = std::move(before)] {
          if (read.ok()) return FinishReload(*read, before);
          PostFileErrors(read.errors(), "scene", file);
          return false;
        };
      });
}

bool SceneFiles::FinishReload(const std::shared_ptr<const Scene>& read,
                              const std::vector<ChannelSpec>& before) {
  std::shared_ptr<Scene> scene = CopyOf(read);
  scene->Stage();
  const std::vector<ChannelSpec> of_file = std::exchange(scene->channels, {});
  std::vector<std::string> kept, gone;
  ChannelLooks::Seen seen{{}, -1};
  int lead = 0;
  for (int i = 0; i < session_.channel_count(); ++i) {
    const ChannelLook& look = session_.looks().Of(i);
    const bool given = look.of_scene >= 0 &&
                       static_cast<std::size_t>(look.of_scene) < session_.scene()->channels.size();
    const Place place =
        given ? PlaceOf(session_.scene()->channels, static_cast<std::size_t>(look.of_scene))
              : Place{look.added_as, 0};
    const ChannelSpec* own = given ? Find(of_file, place) : nullptr;
    if (own == nullptr && given && Find(before, place) != nullptr) {
      AddOnce("model " + session_.looks().Name(i), &gone);
      continue;
    }
    ChannelSpec spec = own != nullptr ? *own : Added(*scene, place.model);
    if (own == nullptr) AddOnce(session_.looks().Name(i), &kept);
    // what makes bodies and materials comes before their values
    std::vector<ParamEntry> entries = ListParams(session_.frame(i).config);
    std::stable_partition(entries.begin(), entries.end(), [](const ParamEntry& entry) {
      return entry.info->applies == Applies::kRebuild;
    });
    const Config usual = spec.Own();
    for (const ParamEntry& entry : entries) {
      const Changed changed{entry, session_.params().Value(i, entry.path)};
      if (changed.value == session_.params().Default(i, entry.path)) continue;
      AddOnce(NameOf(entry), SetValue(*scene, changed, &spec.config) ? &kept : &gone);
    }
    spec.own = usual;
    if (session_.looks().chosen_lead() == i) lead = static_cast<int>(scene->channels.size());
    if (session_.looks().solo() == i) seen.solo = static_cast<int>(scene->channels.size());
    seen.visible.push_back(look.visible);
    scene->channels.push_back(std::move(spec));
  }
  // what the file has got since
  for (std::size_t k = 0; k < of_file.size() && !before.empty(); ++k) {
    if (Find(before, PlaceOf(of_file, k)) != nullptr || std::ssize(scene->channels) >= kMaxChannels)
      continue;
    scene->channels.push_back(of_file[k]);
    seen.visible.push_back(true);
  }
  if (scene->channels.empty()) scene->channels = of_file;
  scene->model = scene->ModelFor(scene->channels.front().config);
  TakeBodies(scene->channels.front().config, &scene->config);

  const double speed = session_.playback().speed(), scene_speed = session_.playback().scene_speed();
  return StartLoading({std::move(scene)}, [=, this] {
    session_.looks().SetSeen(seen);
    session_.looks().RestoreLead(lead);
    if (speed != scene_speed) session_.playback().SetSpeed(speed);
    SayReadAgain(kept, gone);
  });
}

void SceneFiles::SayReadAgain(const std::vector<std::string>& kept,
                              const std::vector<std::string>& gone) {
  if (gone.empty() && kept.empty()) return;
  Message message;
  message.subject = "read again";
  message.what = gone.empty()
                     ? "The scene was read again."
                     : fmt::format("The file has no {} any more.", fmt::join(gone, ", no "));
  if (!kept.empty()) message.where = fmt::format("Kept: {}.", fmt::join(kept, ", "));
  session_.Post(std::move(message));
}

}  // namespace slip::app
