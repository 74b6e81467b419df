#include "app/session/studies.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/session/plan_scene.h"
#include "app/session/session.h"
#include "engine/core/thread_stop.h"

namespace slip::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSaved = "Study written.";
constexpr std::size_t kMostShown = Snapshot::kMaxChannels;

/// Both forms of a study, and what is said of it.
StudyEntry ReadEntry(const std::string& name, bool own) {
  StudyEntry entry;
  entry.own = own;
  entry.id = fs::path(name).stem().string();
  entry.title = entry.id;
  entry.file = name;
  for (const bool quick : {false, true}) {
    Result<Study> study = FindStudy(name, quick);
    if (!study) {
      entry.error = study.error().Text();
      entry.plans = {};
      break;
    }
    entry.file = study->file;
    entry.title = study->title;
    entry.source = study->source;
    entry.shows = study->shows;
    entry.story = study->story;
    auto plan = std::make_shared<StudyPlan>();
    plan->studies.push_back(std::move(study).value());
    entry.plans[quick ? 1 : 0] = std::move(plan);
  }
  return entry;
}

/// Files of studies that lie in the current folder.
std::vector<std::string> StudiesHere() {
  std::vector<std::string> files;
  std::error_code code;
  fs::directory_iterator folder(".", code);
  for (; !code && folder != fs::directory_iterator(); folder.increment(code)) {
    const fs::path& path = folder->path();
    if (path.extension() == ".toml" && IsStudyFile(path.string()))
      files.push_back(path.filename().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool IsSameFile(const std::string& a, const std::string& b) {
  std::error_code none;
  return a == b || fs::equivalent(a, b, none);
}

/// The question of a suite that stands at a point of its axis.
std::pair<const SuiteCase*, const SuiteVariant*> QuestionAt(const Suite& suite, std::size_t point) {
  auto of = suite.cases.begin();
  for (; point >= of->variants.size(); ++of) point -= of->variants.size();
  return {&*of, &of->variants[point]};
}

MethodId MethodOf(const StudyRun& run, std::size_t model) {
  return run.plan.base.configs[model].method();
}

/// Whether a method is asked at this point.
bool IsAsked(const StudyRun& run, std::size_t point, std::size_t model) {
  return run.suite == nullptr ||
         !QuestionAt(*run.suite, point)
              .first->not_for.contains(std::string(Info(MethodOf(run, model)).id));
}

/// A question of a suite: its scene, put to as many of the methods that are asked as a window has.
/// Where the suite turns the scene about the vertical, it is shown unturned: experiments keep a
/// scene as the text of its file.
CellScene SceneOfQuestion(const StudyRun& run, std::size_t point) {
  const auto [of, variant] = QuestionAt(*run.suite, point);
  std::vector<std::string> set = of->set;
  set.insert(set.end(), variant->set.begin(), variant->set.end());
  std::string methods;
  for (const std::size_t model : ShownModels(run, point)) {
    const std::string id(Info(MethodOf(run, model)).id);
    methods += (methods.empty() ? "" : ",") + id;
    const auto more = of->set_of.find(id);
    if (more == of->set_of.end()) continue;
    const std::size_t sign = more->second.find('=');
    set.push_back(more->second.substr(0, sign) + "@" + id + more->second.substr(sign));
  }
  const Result<RunPlan> plan = MakeRunPlan(of->scene, methods, set, {});
  return plan ? CellScene{SceneOf(*plan), {}} : CellScene{of->scene, {}};
}

/// "slipscope-study-creep-001"
std::string FreeFolder(const std::string& stem) {
  std::string path;
  std::error_code ignored;
  for (int i = 1; path.empty() || fs::exists(path, ignored); ++i)
    path = fmt::format("{}-{:03d}", stem, i);
  return path;
}

}  // namespace

Studies::Studies(Session* session) : session_(*session) {}

Studies::~Studies() {
  listing_.reset();
  opening_.reset();
  saving_.reset();
  job_.reset();
  for (StudyEntry& entry : list_) entry.cells.reset();
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

/// With results that were kept, those of all cells before those of the quick set.
StudyEntry Studies::Read(const std::string& name, bool own) const {
  StudyEntry entry = ReadEntry(name, own);
  for (const bool quick : {false, true}) {
    if (entry.plans[0] == nullptr || entry.shown != nullptr) break;
    const FoundStudy found = kept_.Find(entry.plans[quick ? 1 : 0]);
    if (found.shown == nullptr) continue;
    const RunContext& now = session_.experiments().context();
    entry.quick = quick;
    entry.state = StudyState::kDone;
    entry.shown = found.shown;
    entry.cells = found.cells;
    entry.seconds = found.seconds;
    entry.outdated = found.by.version != now.version || found.by.build != now.build;
    entry.made_by = found.by.version.empty() ? std::string("another version") : found.by.version;
  }
  return entry;
}

void Studies::List() {
  if (std::exchange(listed_, true)) return;
  const ReadingJob::ReadMany list = [this]() -> Sliced<ReadingJob::Finish> {
    const std::vector<std::string> all = ListStudies(), here = StudiesHere();
    std::vector<StudyEntry> read;
    for (const auto* names : {&all, &here}) {
      for (const std::string& name : *names) {
        if (ThreadStop::Asked()) break;
        read.push_back(Read(name, names == &here));
        co_await MayRest{};
      }
    }
    co_return [this, read = std::move(read)] {
      Take(read);
      return true;
    };
  };
  listing_ = std::make_unique<ReadingJob>("studies", list);
}

/// Entries that are there already stay: they may be running.
void Studies::Take(std::vector<StudyEntry> read) {
  std::vector<StudyEntry> opened = std::exchange(list_, std::move(read));
  for (StudyEntry& entry : opened) {
    const auto twin = std::find_if(list_.begin(), list_.end(), [&](const StudyEntry& other) {
      return IsSameFile(other.file, entry.file);
    });
    if (twin == list_.end()) continue;
    entry.own = twin->own;
    list_.erase(twin);
  }
  const std::size_t shift = list_.size();
  for (StudyEntry& entry : opened) list_.push_back(std::move(entry));
  for (std::size_t& waiting : queue_) waiting += shift;
  job_of_ += shift;
  opened_as_ += shift;
}

void Studies::Open(const std::string& path) {
  opening_ = std::make_unique<ReadingJob>(path, [this, path]() -> ReadingJob::Finish {
    const StudyEntry read = Read(path, true);
    return [this, read] {
      if (read.plans[0] == nullptr) {
        Message message;
        message.level = Message::Level::kError;
        message.subject = "study file";
        message.what = "The study was not opened.";
        message.where = read.file;
        message.advice = read.error;
        message.actions.push_back(
            {"Read again", [file = read.file](Session* s) { s->files().studies().Open(file); }});
        session_.Post(std::move(message));
        return false;
      }
      const auto same = std::find_if(list_.begin(), list_.end(), [&](const StudyEntry& other) {
        return IsSameFile(other.file, read.file);
      });
      opened_as_ = static_cast<std::size_t>(same - list_.begin());
      if (same == list_.end()) {
        list_.push_back(read);
      } else if (!same->Waits()) {
        const bool own = same->own;
        *same = read;
        same->own = own;
      }
      ++opened_;
      return true;
    };
  });
}

std::string Studies::NewFolder() {
  if (folder_.empty()) {
    std::error_code ignored;
    std::string name = (fs::temp_directory_path(ignored) / "slipscope-studies-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) return {};
    folder_ = name;
  }
  return (fs::path(folder_) / std::to_string(++folders_)).string();
}

void Studies::Run(std::size_t index, bool quick) {
  StudyEntry& entry = At(list_, index);
  if (entry.plans[0] == nullptr || entry.Waits()) return;
  entry.quick = quick;
  entry.state = StudyState::kWaits;
  entry.error.clear();
  queue_.push_back(index);
  StartNext();
}

void Studies::RunAll(bool quick) {
  for (std::size_t i = 0; i < list_.size(); ++i) {
    const StudyEntry& entry = list_[i];
    const bool done = entry.state == StudyState::kDone && !entry.outdated;
    if (done && (entry.quick == quick || !entry.quick)) continue;
    Run(i, quick);
  }
}

void Studies::StartNext() {
  while (job_ == nullptr && !queue_.empty()) {
    const std::size_t index = queue_.front();
    queue_.pop_front();
    StudyEntry& entry = list_[index];
    std::string& folder = entry.folders[entry.quick ? 1 : 0];
    if (folder.empty()) folder = NewFolder();
    if (folder.empty()) {
      entry.state = StudyState::kFailed;
      entry.error = "There is no folder for files that last a while.";
      continue;
    }
    entry.state = StudyState::kRuns;
    entry.shown.reset();
    entry.cells.reset();
    entry.made_by.clear();
    entry.outdated = false;
    job_of_ = index;
    const RunContext context = session_.experiments().context();
    const auto keep = [kept = kept_, context](const KeptCells& cells, double seconds) {
      kept.Keep(cells, context, seconds);
    };
    job_ = std::make_unique<StudyJob>(entry.plan(), folder, context, keep);
  }
}

void Studies::Stop(std::size_t index) {
  StudyEntry& entry = At(list_, index);
  if (entry.state == StudyState::kRuns) return job_->Stop();
  if (entry.state != StudyState::kWaits) return;
  std::erase(queue_, index);
  entry.state = entry.shown == nullptr   ? StudyState::kFresh
                : entry.cells == nullptr ? StudyState::kStopped
                                         : StudyState::kDone;
}

void Studies::StopAll() {
  while (!queue_.empty()) Stop(queue_.back());
  if (job_ != nullptr) job_->Stop();
}

bool Studies::Update() {
  bool changed = false;
  for (std::unique_ptr<ReadingJob>* reading : {&listing_, &opening_, &saving_}) {
    if (*reading == nullptr || !(*reading)->done()) continue;
    const std::unique_ptr<ReadingJob> job = std::move(*reading);
    job->Take()();
    changed = true;
  }
  if (job_ == nullptr) return changed;
  StudyEntry& entry = list_[job_of_];
  const bool done = job_->done();
  const std::shared_ptr<const StudyShown> shown = job_->shown();
  changed = changed || done || shown != entry.shown;
  entry.shown = shown;
  entry.seconds = job_->seconds();
  if (done) EndJob();
  return changed;
}

void Studies::EndJob() {
  StudyEntry& entry = list_[job_of_];
  entry.cells = job_->cells();
  entry.error = job_->error();
  entry.state = entry.cells != nullptr ? StudyState::kDone
                : entry.error.empty()  ? StudyState::kStopped
                                       : StudyState::kFailed;
  // the next run of one that is whole begins anew
  if (entry.state != StudyState::kStopped) entry.folders[entry.quick ? 1 : 0].clear();
  job_.reset();
  StartNext();
}

void Studies::Save(const std::vector<std::size_t>& entries) {
  if (saving_ != nullptr) return session_.Say("A study is being written already.");
  std::vector<std::shared_ptr<const KeptCells>> kept;
  for (const std::size_t index : entries)
    if (const auto& cells = At(list_, index).cells) kept.push_back(cells);
  if (kept.empty()) return session_.Say("There is no whole study to write yet.");
  const Study& first = kept.front()->plan->studies.front();
  const bool one = kept.size() == 1;
  const std::string folder =
      FreeFolder(one ? "slipscope-study-" + first.id : std::string("slipscope-studies"));
  std::string command = "slipscope study";
  for (const auto& cells : kept) command += " " + cells->plan->studies.front().id;
  if (first.is_quick) command += " --quick";
  const ReportContext context{command + " -o " + folder, session_.experiments().context().version};
  saving_ =
      std::make_unique<ReadingJob>(folder, [this, kept, folder, context]() -> ReadingJob::Finish {
        std::vector<MadeStudy> made;
        for (const auto& cells : kept) made.push_back({cells->plan.get(), 0, &*cells->index});
        const auto written = WriteStudyFolder(folder, made, context, false, {});
        std::string note;
        if (written)
          for (const StudyReport& report : *written)
            if (!report.note.empty()) note += " " + report.note + ".";
        const std::string error = written ? std::string() : written.error().Text();
        return [this, folder, error, note] {
          std::error_code ignored;
          const std::string where = fs::absolute(folder, ignored).string();
          Message message;
          message.subject = kSaved;
          message.where = where;
          message.what = kSaved;
          message.advice =
              "report.html shows all of it; the tables are CSV files, the figures SVG and PNG." +
              note;
          if (!error.empty()) {
            message.level = Message::Level::kError;
            message.what = "The study was not written.";
            message.advice = error;
          }
          session_.Post(std::move(message));
          return error.empty();
        };
      });
}

void Studies::ShowMe(std::size_t index, std::size_t run, std::size_t point) {
  const StudyEntry& entry = At(list_, index);
  if (entry.ShownPlan() == nullptr) return;
  const StudyRun& of = At(entry.ShownPlan()->studies.front().runs, run);
  const CellScene made = SceneOfPoint(of, point);
  const bool some = ShownModels(of, point).size() < of.plan.models();
  const std::string words = some ? ShownWords(of, point) : std::string();
  session_.files().Open(made.scene, nullptr, [this, words, changes = made.changes] {
    if (!words.empty()) session_.Say("The study " + words + ".");
    if (!changes.empty()) session_.params().Schedule(changes);
    session_.playback().SetPlaying(true);
  });
}

std::vector<std::size_t> ShownModels(const StudyRun& run, std::size_t point) {
  std::vector<std::size_t> shown;
  for (std::size_t m = 0; m < run.plan.models() && shown.size() < kMostShown; ++m)
    if (IsAsked(run, point, m)) shown.push_back(m);
  return shown;
}

std::string ShownWords(const StudyRun& run, std::size_t point) {
  const std::vector<std::size_t> shown = ShownModels(run, point);
  std::string text, no_room, no_question;
  const auto add = [&run](std::size_t model, std::string* to) {
    *to += (to->empty() ? "" : ", ") + std::string(Info(MethodOf(run, model)).label);
  };
  for (std::size_t m = 0; m < run.plan.models(); ++m) {
    const bool is_shown = std::find(shown.begin(), shown.end(), m) != shown.end();
    add(m, is_shown ? &text : IsAsked(run, point, m) ? &no_room : &no_question);
  }
  text = "shows " + text;
  if (!no_room.empty())
    text += fmt::format("; left out, as a window has {} models at most: {}", kMostShown, no_room);
  if (!no_question.empty()) text += "; not asked: " + no_question;
  return text;
}

CellScene SceneOfPoint(const StudyRun& run, std::size_t point) {
  if (run.suite != nullptr) return SceneOfQuestion(run, point);
  RunPlan plan = run.plan.base;
  const std::size_t models = run.plan.models(), shown = std::min(models, kMostShown);
  plan.configs.clear();
  for (std::size_t m = 0; m < shown; ++m)
    plan.configs.push_back(run.plan.ConfigOf(point * models + m));
  plan.own.resize(shown, plan.configs.front());
  for (const SweepAxis& axis : run.plan.axes) plan.assigned.push_back(axis.path);
  for (const SweepFormula& formula : run.plan.formulas) plan.assigned.push_back(formula.path);
  std::erase_if(plan.changes, [&](const TimedChange& change) {
    return change.channel >= static_cast<int>(shown);
  });
  return {SceneOf(plan), plan.changes};
}

}  // namespace slip::app
