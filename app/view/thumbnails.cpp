#include "app/view/thumbnails.h"

#include <fmt/format.h>
#include <glad/gl.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>

#include "app/view/view_panes.h"
#include "engine/core/hash.h"
#include "engine/core/side_work.h"
#include "engine/core/user_folder.h"
#include "engine/run/scope/scope.h"
#include "engine/scene/toml_tree.h"
#include "render/gl/gl.h"
#include "render/video/frame_writer.h"

namespace slip::app {
namespace {

namespace fs = std::filesystem;

// The moment that is shown: this share of the scene's duration, but no later and no dearer than so.
constexpr double kMoment = 0.4, kLatest = 1;
constexpr auto kWorkerPatience = std::chrono::milliseconds(1500);
// Counts changes of how pictures are made: older ones on the disk no longer fit.
constexpr std::uint64_t kRecipe = 1;
// Share of the scene's own camera distance.
constexpr double kCloser = 0.72;
// With more bodies than this one model is enough.
constexpr std::size_t kGhostBodies = 60;

struct Job {
  std::string file, key;  ///< the key names content, version and theme
  render::Theme theme = render::Theme::kDark;
};

/// What the worker hands over: a picture from the disk, or what to draw.
struct Done {
  Job job;
  render::Image image;
  std::shared_ptr<const Scene> scene;
  Snapshot snapshot;
};

std::string KeyOf(const std::string& text, render::Theme theme) {
  Fnv1a hash;
  const auto add = [&hash](std::string_view bytes) {
    hash.Add(bytes.size());
    for (const char c : bytes) hash.Add(static_cast<unsigned char>(c));
  };
  add(text);
  add(SLIP_VERSION);
  hash.Add(kRecipe);
  return fmt::format("{:016x}-{}", hash.value(), theme == render::Theme::kLight ? "light" : "dark");
}

Sliced<Snapshot> RunTo(std::shared_ptr<const Scene> scene, const std::atomic<bool>& stop) {
  if (scene->model != nullptr && scene->model->bodies.size() > kGhostBodies) {
    auto single = std::make_shared<Scene>(*scene);
    single->channels.resize(1);
    scene = std::move(single);
  }
  Scope scope({}, std::size_t{1} << 20);
  scope.SetStop([&stop] { return stop.load(); });
  scope.Apply(LoadScene{scene});
  const double end = std::min(kMoment * scene->duration, kLatest);
  const auto begin = std::chrono::steady_clock::now();
  while (!stop && scope.time() < end && scope.Advance()) {
    if (std::chrono::steady_clock::now() - begin > kWorkerPatience) break;
    co_await MayRest{};
  }
  Snapshot snapshot;
  scope.Fill(&snapshot);
  co_return snapshot;
}

render::Image Draw(ViewPanes* panes, const Done& done) {
  render::ViewRequest request;
  request.theme = done.job.theme;
  request.quality = render::Quality::kMedium;
  request.fan_out = done.scene->fan_out;
  request.support = false;  // too small to be read
  request.compare = done.snapshot.channels.size() > 1 ? render::CompareMode::kGhosts
                                                      : render::CompareMode::kSingle;
  // the small picture shows the subject rather than its surroundings
  CameraSpec view = done.scene->camera;
  view.distance *= kCloser;
  render::Camera camera(view);
  camera.SetGravity(done.snapshot.gravity_W);
  if (done.scene->camera.follow && !done.snapshot.channels.empty()) {
    const auto body = static_cast<std::size_t>(done.snapshot.model->lead_body);
    const auto& bodies = done.snapshot.channels[0].bodies;
    if (body < bodies.size()) {
      Vec3 way = bodies[body].X_WB.p - done.snapshot.model->bodies[body].X_WB.p;
      way -= camera.up_W().dot(way) * camera.up_W();
      if (way.allFinite()) camera.Travel(way);
    }
  }
  return panes->Picture(done.snapshot, camera, request, Thumbnails::kWidth, Thumbnails::kHeight);
}

unsigned Upload(const render::Image& image) {
  unsigned texture = 0;
  GLint before = 0;
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &before);
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, image.width, image.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
               image.pixels.data());
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glGenerateMipmap(GL_TEXTURE_2D);
  glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(before));
  return texture;
}

}  // namespace

struct Thumbnails::Impl {
  struct Entry {
    fs::file_time_type changed;
    std::string key;
    unsigned texture = 0;
  };
  std::string folder;
  std::map<std::string, Entry> entries;  ///< by file and theme

  std::mutex mutex;
  std::condition_variable wake;
  std::deque<Job> jobs;
  std::deque<Done> finished;
  int open = 0;  ///< asked for, not yet taken over
  std::atomic<bool> stop{false};
  std::optional<SideWork> worker;

  std::string PathOf(const std::string& key) const {
    return folder.empty() ? std::string() : (fs::path(folder) / (key + ".png")).string();
  }

  void Ask(Job job) {
    {
      const std::lock_guard lock(mutex);
      jobs.push_back(std::move(job));
      ++open;
      wake.notify_one();
    }
    if (!worker) worker.emplace(Work());
  }

  bool HasWork() {
    const std::lock_guard lock(mutex);
    return stop || !jobs.empty();
  }

  Sliced<> Work() {
    for (;;) {
      while (Slice::Present() != nullptr && !HasWork()) co_await Rest{};
      Done done;
      {
        std::unique_lock lock(mutex);
        wake.wait(lock, [this] { return stop || !jobs.empty(); });
        if (stop) co_return;
        done.job = std::move(jobs.front());
        jobs.pop_front();
      }
      const std::string path = PathOf(done.job.key);
      Result<render::Image> kept =
          path.empty() ? Result<render::Image>(Error{"no folder"}) : render::ReadPng(path);
      if (kept.ok() && kept->width == kWidth && kept->height == kHeight) {
        done.image = std::move(kept).value();
      } else if (const auto scene = ReadScene(done.job.file); scene.ok()) {
        done.scene = *scene;
        done.snapshot = co_await RunTo(*scene, stop);
      }
      {
        const std::lock_guard lock(mutex);
        finished.push_back(std::move(done));
      }
      co_await MayRest{};
    }
  }

  void Keep(const render::Image& image, const std::string& key) const {
    const std::string path = PathOf(key);
    if (path.empty()) return;
    // a picture that cannot be kept is made again
    if (MakeFolder(folder)) (void)render::WritePng(image, path, true);
  }
};

Thumbnails::Thumbnails() : impl_(std::make_unique<Impl>()) {}
Thumbnails::~Thumbnails() { Stop(); }

void Thumbnails::set_folder(std::string folder) { impl_->folder = std::move(folder); }

std::string Thumbnails::UserFolder() { return UserCacheFolder("scenes"); }

unsigned Thumbnails::Texture(const std::string& scene_file, render::Theme theme) {
  const std::string name = scene_file + (theme == render::Theme::kLight ? "|light" : "|dark");
  std::error_code code;
  const auto changed = fs::last_write_time(scene_file, code);
  if (code) return 0;
  const auto [at, fresh] = impl_->entries.try_emplace(name);
  Impl::Entry& entry = at->second;
  if (!fresh && entry.changed == changed) return entry.texture;
  entry.changed = changed;
  const Result<std::string> text = ReadTextFile(scene_file, kSceneFile);
  const std::string key = KeyOf(text ? *text : std::string(), theme);
  if (key == entry.key) return entry.texture;
  entry.key = key;
  impl_->Ask({scene_file, key, theme});
  return entry.texture;
}

void Thumbnails::Update(ViewPanes* panes) {
  Impl& s = *impl_;
  std::optional<Done> done;
  {
    const std::lock_guard lock(s.mutex);
    if (s.finished.empty()) return;
    done.emplace(std::move(s.finished.front()));
    s.finished.pop_front();
    --s.open;
  }
  if (done->scene != nullptr && !done->snapshot.channels.empty()) {
    done->image = Draw(panes, *done);
    if (!done->image.empty()) s.Keep(done->image, done->job.key);
  }
  if (done->image.empty()) return;
  for (auto& [name, entry] : s.entries) {
    if (entry.key != done->job.key) continue;
    if (entry.texture != 0) glDeleteTextures(1, &entry.texture);
    entry.texture = Upload(done->image);
  }
}

bool Thumbnails::busy() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->open > 0;
}

void Thumbnails::Stop() {
  Impl& s = *impl_;
  {
    const std::lock_guard lock(s.mutex);
    s.stop = true;
    s.wake.notify_one();
  }
  s.worker.reset();
  for (auto& [name, entry] : s.entries) {
    if (entry.texture != 0 && render::ContextAlive()) glDeleteTextures(1, &entry.texture);
  }
  s.entries.clear();
  s.finished.clear();
}

}  // namespace slip::app
