#include "engine/core/worker_pool.h"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <set>
#include <thread>

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

// Loops so short and so many that threads come late, stay, or find the next job at once.
TEST(WorkerPool, ShortLoopsInAnyMixture) {
  WorkerPool pool(4);
  std::vector<int> calls(64, 0), by(4, 0);
  int expected = 0;
  for (int round = 0; round < 3000; ++round) {
    const int count = 2 + round % 63;
    if (round % 5 == 0) pool.Wake();
    pool.ForEach(count, [&](int i, int worker) {
      calls[static_cast<std::size_t>(i)] += i + 1;
      ++by[static_cast<std::size_t>(worker)];  // calls of one worker follow each other
    });
    expected += count;
    ASSERT_EQ(calls[0], round + 1);
    ASSERT_EQ(std::accumulate(by.begin(), by.end(), 0), expected);
    if (round % 500 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));  // all sleep
  }
  EXPECT_EQ(pool.shared(), 3000u);
  for (int i = 0; i < 64; ++i) {
    int rounds = 0;
    for (int round = 0; round < 3000; ++round) rounds += i < 2 + round % 63;
    EXPECT_EQ(calls[static_cast<std::size_t>(i)], rounds * (i + 1)) << i;
  }
}

TEST(WorkerPool, OneCallIsTheCallers) {
  WorkerPool pool(3);
  const auto self = std::this_thread::get_id();
  pool.ForEach(1, [&](int, int worker) {
    EXPECT_EQ(worker, 0);
    EXPECT_EQ(std::this_thread::get_id(), self);
  });
  EXPECT_EQ(pool.shared(), 0u);
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
