#include "app/session/reading_job.h"

#include <utility>

#include "engine/core/thread_stop.h"

namespace slip::app {

ReadingJob::ReadingJob(std::string path, Read read)
    : ReadingJob(std::move(path),
                 ReadMany([read = std::move(read)]() -> Sliced<Finish> { co_return read(); })) {}

ReadingJob::ReadingJob(std::string path, ReadMany read)
    : path_(std::move(path)), read_(std::move(read)) {
  work_.emplace(Work());
}

ReadingJob::~ReadingJob() {
  Stop();
  work_.reset();
}

Sliced<> ReadingJob::Work() {
  const ThreadStop stop([this] { return stop_.load(std::memory_order_relaxed); });
  finish_ = co_await read_();
}

}  // namespace slip::app
