// What holds for the process as a whole: its descriptors, its signals, how it ends.
#pragma once

#include <string>

namespace slip::app {

/// To be called first. Closed standard descriptors get a place-holder, so that no data file becomes
/// "stderr"; a file that grows beyond the limit of the shell fails to be written instead of killing
/// us; an exception that nobody catches, on whatever thread, ends in a sentence and exit 1.
void PrepareProcess();

/// The sentence for the exception that is being handled.
void PrintException() noexcept;

/// The arguments as a shell would read them back, for meta.json.
std::string CommandLine(int argc, const char* const* argv);

/// From now on SIGINT, SIGTERM and SIGHUP only set a flag; a SIGHUP that is ignored (nohup) stays
/// so.
void CatchInterrupts();
/// 0, or the signal's number.
int Interrupted();
/// Says what became of the work and returns the exit code, 128 + signal.
int ExitInterrupted(const std::string& what_is_left);

}  // namespace slip::app
