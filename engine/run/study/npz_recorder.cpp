#include "engine/run/study/npz_recorder.h"

#include <fmt/format.h>

#include <filesystem>

#include "engine/core/numbers.h"

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

void NpzRecorder::Complete(const RunContext& context) {
  for (Channel& c : channels_) {
    c.arrays->AddWords(fmt::format("Slipscope {} {}", context.version, c.label),
                       context.command_line);
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
