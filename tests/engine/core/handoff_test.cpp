#include "engine/core/handoff.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "tests/support/alloc_guard.h"

namespace slip {
namespace {

TEST(Handoff, QueueKeepsOrderAcrossChunksAndThreads) {
  SpscQueue<int, 8> queue;
  constexpr int kCount = 200000;
  std::thread producer([&queue] {
    for (int i = 0; i < kCount; ++i) queue.Push(i);
  });
  int expected = 0, value = -1;
  while (expected < kCount) {
    if (!queue.Pop(&value)) continue;
    ASSERT_EQ(value, expected++);
  }
  producer.join();
  EXPECT_FALSE(queue.Pop(&value));
}

TEST(Handoff, QueueAllocatesNothingWhileTheConsumerKeepsUp) {
  SpscQueue<int, 8> queue;
  int value = 0;
  for (int i = 0; i < 100; ++i) queue.Push(i), queue.Pop(&value);
  const test::AllocGuard guard;
  for (int i = 0; i < 1000; ++i) {
    queue.Push(i);
    ASSERT_TRUE(queue.Pop(&value));
    ASSERT_EQ(value, i);
  }
  EXPECT_EQ(guard.count(), 0u);
}

TEST(Handoff, TripleBufferIsNeverTorn) {
  TripleBuffer<std::array<int, 64>> buffer;
  constexpr int kLast = 20000;
  std::thread writer([&buffer] {
    for (int i = 1; i <= kLast; ++i) {
      buffer.Back().fill(i);
      buffer.Publish();
    }
  });
  int seen = 0;
  while (seen < kLast) {
    const std::array<int, 64>& latest = buffer.Latest();
    ASSERT_GE(latest[0], seen);  // time does not run backwards
    seen = latest[0];
    for (int x : latest) ASSERT_EQ(x, seen);
  }
  writer.join();
}

}  // namespace
}  // namespace slip
