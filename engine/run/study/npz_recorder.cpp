#include "engine/run/study/npz_recorder.h"

#include <fmt/format.h>

#include <filesystem>

#include "engine/core/numbers.h"
#include "engine/run/study/foreign_channels.h"
#include "engine/run/study/plan_notes.h"

namespace slip {
Result<std::unique_ptr<NpzRecorder>> NpzRecorder::Open(const std::string& path, const RunPlan& plan,
                                                       int64_t every, bool force, bool* taken,
                                                       const RunChoice& choice) {
  namespace fs = std::filesystem;
  const fs::path whole(path);
  const fs::path folder = whole.has_parent_path() ? whole.parent_path() : fs::path(".");
  std::vector<std::string> names;
  for (std::size_t c = 0; c < plan.configs.size(); ++c) {
    const std::string label = plan.configs.size() == 1 ? "" : "-" + plan.labels[c];
    names.push_back(whole.stem().string() + label + std::string(kNpzSuffix));
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  auto files = OpenOutputFiles(folder.string(), views, force, taken);
  if (!files) return files.errors();
  std::unique_ptr<NpzRecorder> recorder(new NpzRecorder);
  recorder->every_ = every;
  for (std::size_t c = 0; c < files->size(); ++c) {
    auto writer = NpzWriter::Open((folder / names[c]).string());
    if (!writer) return writer.errors();
    Channel channel{.file = (*files)[c],
                    .writer = std::move(writer).value(),
                    .arrays = {},
                    .label = plan.labels[c]};
    channel.arrays.emplace(*plan.scene->model, plan.configs[c].step.time_step, channel.writer.get(),
                           choice);
    recorder->channels_.push_back(std::move(channel));
  }
  return recorder;
}

void NpzRecorder::Step(int channel, const Simulation& simulation) {
  if (simulation.step() % every_ == 0) At(channels_, channel).arrays->Add(simulation);
}

std::vector<NpzRecorder::Words> NpzRecorder::WordsOf(const RunPlan& plan,
                                                     const std::vector<ChannelMetrics>& metrics,
                                                     const RunResult& result) {
  std::vector<Words> words;
  for (std::size_t c = 0; c < result.channels.size(); ++c) {
    const auto& foreign = metrics[c].foreign;
    const ChannelResult& own = result.channels[c];
    words.push_back({foreign ? foreign->notes : NoteTexts(plan, c, own), own.failure});
  }
  return words;
}

void NpzRecorder::Complete(const RunContext& context, std::vector<Words> words) {
  words.resize(channels_.size());
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    Channel& c = channels_[i];
    c.arrays->AddWords(fmt::format("Slipscope {} {}", context.version, c.label),
                       context.command_line);
    if (!words[i].notes.empty()) c.writer->AddTexts("notes", words[i].notes, false);
    if (!words[i].failure.empty())
      c.writer->AddTexts("failure", std::vector<std::string>{words[i].failure}, true);
    c.writer->Finish(c.file.get());
  }
}

std::vector<OutputFile*> NpzRecorder::files() const {
  std::vector<OutputFile*> files;
  for (const Channel& channel : channels_) files.push_back(channel.file.get());
  return files;
}

bool NpzRecorder::good() const {
  for (const Channel& channel : channels_) {
    if (!channel.writer->good() || !channel.file->good()) return false;
  }
  return true;
}

}  // namespace slip
