// Work beside its owner: on a thread, or left between its steps and gone on with in the next frame.
#include "engine/core/side_work.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "engine/core/thread_stop.h"
#include "engine/core/worker_pool.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/without_threads.h"

namespace slip {
namespace {

Sliced<int> Count(int steps, int* made) {
  for (int i = 0; i < steps; ++i) {
    ++*made;
    co_await MayRest{};
  }
  co_return steps;
}

Sliced<> CountTwice(int steps, int* made, int* sum) {
  *sum = co_await Count(steps, made);
  *sum += co_await Count(steps, made);
}

Sliced<int> Throw() {
  co_await MayRest{};
  throw std::runtime_error("why");
}

/// Every slice makes one step.
constexpr SliceBudget kNone{.first = 0, .after = 0};

TEST(Sliced, RunsThroughWhereThereAreNoSlices) {
  int made = 0, sum = 0;
  EXPECT_EQ(Count(3, &made).Finish(), 3);
  CountTwice(2, &made, &sum).Finish();
  EXPECT_EQ(made, 7);
  EXPECT_EQ(sum, 4);
  EXPECT_THROW(Throw().Finish(), std::runtime_error);
}

// Whatever the compiler makes of calls at the end of a function.
TEST(Sliced, ManyThatAreWaitedForInTurnNeedNoStack) {
  int made = 0;
  const auto all = [&]() -> Sliced<int> {
    int sum = 0;
    for (int i = 0; i < 300000; ++i) sum += co_await Count(1, &made);
    co_return sum;
  };
  EXPECT_EQ(all().Finish(), 300000);
  const WithoutThreads none;
  int sum = 0;
  const auto work = [&]() -> Sliced<> { sum = co_await all(); };
  SideWork sliced(work());
  for (int i = 0; i < 1000; ++i) GiveSlices(kNone);
  EXPECT_FALSE(sliced.done());
  EXPECT_TRUE(sliced.WaitFor(60));
  EXPECT_EQ(sum, 300000);
}

TEST(Sliced, AStepAllocatesNothing) {
  std::size_t few = 0, many = 0;
  for (const auto& [steps, count] : {std::pair(10, &few), {10000, &many}}) {
    int made = 0;
    const test::AllocGuard guard;
    EXPECT_EQ(Count(steps, &made).Finish(), steps);
    *count = guard.count();
  }
  EXPECT_EQ(few, many);
}

TEST(SideWork, OnAThreadItNeedsNoFrames) {
  const int before = CountThreads();
  std::atomic<int> made = 0;
  std::atomic<bool> stop = false;
  std::thread::id id;
  const auto run = [&]() -> Sliced<> {
    id = std::this_thread::get_id();
    while (!stop) {
      ++made;
      co_await MayRest{};
      co_await Rest{};
    }
  };
  {
    SideWork work(run());
    EXPECT_FALSE(work.WaitFor(0.001));
    while (made < 1000) std::this_thread::yield();
    EXPECT_GT(CountThreads(), before);
    EXPECT_FALSE(HasMoreSlices());
    stop = true;
    EXPECT_TRUE(work.WaitFor(60));
    EXPECT_TRUE(work.done());
  }
  EXPECT_NE(id, std::this_thread::get_id());
}

TEST(SideWork, InSlicesItGoesOnWhereItWasLeft) {
  const WithoutThreads none;
  const int before = CountThreads();
  int made = 0, sum = 0;
  SideWork work(CountTwice(3, &made, &sum));
  EXPECT_EQ(made, 0);
  EXPECT_TRUE(HasMoreSlices());
  for (int frame = 1; frame <= 6; ++frame) {
    GiveSlices(kNone);
    EXPECT_EQ(made, frame);
    EXPECT_EQ(sum, frame < 4 ? 0 : 3);
    EXPECT_FALSE(work.done());
  }
  GiveSlices(kNone);
  EXPECT_TRUE(work.done());
  EXPECT_EQ(sum, 6);
  EXPECT_FALSE(HasMoreSlices());
  GiveSlices();
  EXPECT_EQ(made, 6);
  EXPECT_EQ(CountThreads(), before);
}

TEST(SideWork, ALongerSliceMakesMoreSteps) {
  const WithoutThreads none;
  int made = 0, sum = 0;
  SideWork work(CountTwice(1000, &made, &sum));
  GiveSlices({.first = 0, .after = 60});
  EXPECT_TRUE(work.done());
  EXPECT_EQ(made, 2000);
}

TEST(SideWork, TheFirstComeFirstAndWhoRestsLeavesTheOthersItsTime) {
  const WithoutThreads none;
  std::vector<std::string> order;
  const auto rest = [&](std::string name) -> Sliced<> {
    for (;;) {
      order.push_back(name);
      if (order.size() > 7) co_return;
      co_await Rest{};
    }
  };
  SideWork after(rest("after"));
  SideWork first(rest("first"), {.order = SideWork::Order::kFirst});
  for (int frame = 0; frame < 3; ++frame) GiveSlices();
  EXPECT_EQ(order,
            (std::vector<std::string>{"first", "after", "first", "after", "first", "after"}));
  EXPECT_FALSE(HasMoreSlices()) << "they have nothing to do";
}

TEST(SideWork, NobodyIsLeftOut) {
  const WithoutThreads none;
  int made[3] = {}, sums[3] = {};
  std::vector<std::unique_ptr<SideWork>> works;
  for (int i = 0; i < 3; ++i)
    works.push_back(std::make_unique<SideWork>(CountTwice(1'000'000, &made[i], &sums[i])));
  GiveSlices({.first = 0, .after = 0.003});
  for (const int each : made) EXPECT_GT(each, 0);
  // who goes must not be gone on with
  const int left = made[1];
  works.erase(works.begin() + 1);
  EXPECT_EQ(made[1], 2'000'000) << "it was run to its end, from " << left;
  const int others[] = {made[0], made[2]};
  GiveSlices({.first = 0, .after = 0.003});
  EXPECT_GT(made[0], others[0]);
  EXPECT_GT(made[2], others[1]);
}

TEST(SideWork, ItsStopIsItsOwn) {
  const WithoutThreads none;
  std::vector<bool> asked;
  const auto run = [&]() -> Sliced<> {
    const ThreadStop stop([] { return true; });
    for (int i = 0; i < 2; ++i) {
      asked.push_back(ThreadStop::Asked());
      co_await Rest{};
    }
  };
  const ThreadStop own([] { return false; });
  {
    SideWork work(run());
    for (int frame = 0; frame < 2; ++frame) {
      GiveSlices();
      EXPECT_FALSE(ThreadStop::Asked()) << "the frame goes on";
    }
  }
  EXPECT_FALSE(ThreadStop::Asked());
  EXPECT_EQ(asked, (std::vector<bool>{true, true}));
}

TEST(SideWork, WhoWaitsGivesItTheTime) {
  const WithoutThreads none;
  int made = 0, sum = 0;
  SideWork work(CountTwice(1000, &made, &sum));
  EXPECT_FALSE(work.WaitFor(0));
  EXPECT_EQ(made, 0);
  EXPECT_TRUE(work.WaitFor(60));
  EXPECT_EQ(sum, 2000);
}

TEST(SideWork, WhatIsThrownComesToTheFrame) {
  const WithoutThreads none;
  const auto run = []() -> Sliced<> { co_await Throw(); };
  SideWork work(run());
  EXPECT_THROW(GiveSlices({.first = 0, .after = 60}), std::runtime_error);
  EXPECT_TRUE(work.done());
}

TEST(SideWork, PoolsStartNoThreadEither) {
  const WithoutThreads none;
  const int before = CountThreads();
  WorkerPool pool(4);
  EXPECT_EQ(pool.workers(), 1);
  EXPECT_EQ(HardwareThreads(), 1);
  int calls = 0;
  pool.ForEach(10, [&](int i, int worker) { calls += i >= 0 && worker == 0 ? 1 : 0; });
  EXPECT_EQ(calls, 10);
  EXPECT_EQ(CountThreads(), before);
}

}  // namespace
}  // namespace slip
