#include "app/session/cut_videos.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/core/output_file.h"

namespace slip::app {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kNotePrefix = "video-", kNoteSuffix = ".txt";

bool Runs(long process) { return kill(static_cast<pid_t>(process), 0) == 0 || errno != ESRCH; }

}  // namespace

VideoNote::VideoNote(const std::string& folder, const std::string& video) {
  if (folder.empty() || !MakeFolder(folder).ok()) return;
  std::error_code ignored;
  path_ = (fs::path(folder) / fmt::format("{}{}{}", kNotePrefix, getpid(), kNoteSuffix)).string();
  const std::string whole = fs::absolute(video, ignored).string();
  if (!WriteFile(path_, whole, true).ok()) path_.clear();
}

void VideoNote::Remove() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove(path_, ignored);
  path_.clear();
}

std::vector<CutVideo> FindCutVideos(const std::string& folder) {
  std::vector<CutVideo> found;
  std::error_code code;
  fs::directory_iterator files(folder, code);
  for (; !code && files != fs::directory_iterator(); files.increment(code)) {
    const std::string name = files->path().filename().string();
    if (!name.starts_with(kNotePrefix) || !name.ends_with(kNoteSuffix)) continue;
    const long process = std::atol(name.c_str() + kNotePrefix.size());
    if (process <= 0 || Runs(process)) continue;
    std::ifstream in(files->path());
    const std::string video{std::istreambuf_iterator<char>(in), {}};
    CutVideo cut{video, video + ".part", files->path().string()};
    std::error_code ignored;
    if (!video.empty() && fs::exists(cut.part, ignored)) {
      found.push_back(std::move(cut));
    } else {
      fs::remove(files->path(), ignored);
    }
  }
  return found;
}

Result<std::string> Keep(const CutVideo& cut) {
  const fs::path video(cut.video);
  std::string name = cut.video;
  std::error_code code;
  if (fs::exists(video, code)) {
    const std::string dotted = video.extension().string();
    name = FreeName(fs::path(video).replace_extension().string(),
                    dotted.empty() ? dotted : dotted.substr(1));
  }
  fs::rename(cut.part, name, code);
  if (code) return Error{.message = "cannot rename " + cut.part + ": " + code.message()};
  return name;
}

}  // namespace slip::app
