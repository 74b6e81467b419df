// The commands; each returns the exit code of the program.
#pragma once

#include <string>

#include "app/cli/options.h"
#include "engine/run/study/recorder.h"

namespace slip::app {

/// Reads the arguments. Either *options is filled and nothing returned, or all is said (help,
/// version, an error on stderr) and the exit code returned. --threads 0 is in force from then on.
std::optional<int> ParseCommandLine(int argc, char** argv, AnyOptions* options);

int RunCommand(const RunOptions& options, const std::string& command_line);
/// run --suite
int SuiteCommand(const RunOptions& options);
int SweepCommand(const SweepOptions& options, const std::string& command_line);
int StudyCommand(const StudyOptions& options, const std::string& command_line);
int FitCommand(const FitOptions& options, const std::string& command_line);
int SolveCommand(const SolveOptions& options);
int ListCommand(const ListOptions& options);
int ShowCommand(const ShowOptions& options);
int CheckCommand(const CheckOptions& options);
int ReplayCommand(const ReplayOptions& options);
int DoctorCommand(const DoctorOptions& options);
int ExportCommand(const ExportOptions& options);
int DialectCommand(const DialectOptions& options);
int RenderCommand(const RenderOptions& options);
int WindowCommand(const WindowOptions& options);

/// The scene of the options with models, parameters and changes applied; errors are printed and
/// *exit set. The window and the renderer start from it, too. *render gets the section of that name
/// of an experiment file.
std::optional<RunPlan> LoadPlan(const SimulateOptions& options, int* exit,
                                std::string* render = nullptr);

/// The recorded runs that are asked for, on the plan's scene; nothing after errors were printed and
/// *exit set.
std::optional<ForeignChannels> LoadForeign(const SimulateOptions& options, const RunPlan& plan,
                                           int* exit);

/// Whether all that was asked for can come to pass within the run: changes, rows and conditions.
/// False after all errors were printed.
bool CheckPlan(const RunPlan& plan, const std::vector<Expression>& conditions, int64_t every = 1);
/// The same beside recorded runs, which `wide` has as channels.
bool CheckPlan(const RunPlan& plan, const RunPlan& wide, const std::vector<Expression>& conditions,
               int64_t every);

/// The conditions of --expect; `recorded`: names of recorded runs. They are read before the run: a
/// typo must not cost an hour. False after all errors were printed.
bool ParseExpectations(const std::vector<std::string>& texts, const Model& model,
                       std::span<const std::string> recorded, std::vector<Expression>* conditions,
                       std::string_view option = "--expect");

}  // namespace slip::app
