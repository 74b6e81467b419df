#include "engine/core/worker_pool.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/alloc_guard.h"

namespace slip::test {
namespace {

TEST(WorkerPool, EveryIndexOnceForAnyNumberOfWorkers) {
  for (const int workers : {0, 1, 2, 5}) {
    WorkerPool pool(workers);
    EXPECT_EQ(pool.workers(), std::max(1, workers));
    for (int round = 0; round < 200; ++round) {
      const int count = round % 17;
      std::vector<int> calls(static_cast<std::size_t>(count), 0);
      pool.ForEach(count, [&](int i) { ++calls[static_cast<std::size_t>(i)]; });
      for (const int n : calls) ASSERT_EQ(n, 1) << workers << " workers, round " << round;
    }
  }
}

TEST(WorkerPool, OthersHelp) {
  WorkerPool pool(2);
  std::atomic<int> arrived{0};
  // each call waits for the other: one thread alone would wait for ever
  pool.ForEach(2, [&](int) {
    ++arrived;
    while (arrived.load() < 2) std::this_thread::yield();
  });
  EXPECT_EQ(arrived.load(), 2);
}

TEST(WorkerPool, AllocatesNothing) {
  WorkerPool pool(3);
  std::atomic<int> sum{0};
  const auto add = [&](int i) { sum += i; };
  pool.ForEach(10, add);
  const AllocGuard guard;
  for (int round = 0; round < 50; ++round) pool.ForEach(10, add);
  EXPECT_EQ(guard.count(), 0u);
  EXPECT_EQ(sum.load(), 51 * 45);
}

}  // namespace
}  // namespace slip::test
