// Every way in which data changes thread: a triple buffer for the latest value, and an unbounded
// single-producer single-consumer queue that recycles its chunks. Neither blocks either side.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <utility>

namespace slip {

/// Latest-value hand-off. The writer fills Back() and calls Publish(); the reader calls Latest().
/// Buffers are reused, so their vectors keep their capacity.
template <class T>
class TripleBuffer {
 public:
  T& Back() { return buffers_[back_]; }
  void Publish() { back_ = middle_.exchange(back_ | kFresh, std::memory_order_acq_rel) & kIndex; }
  /// True if a value was published since the last Latest().
  bool Fresh() const { return (middle_.load(std::memory_order_acquire) & kFresh) != 0; }
  T& Latest() {
    if (Fresh()) front_ = middle_.exchange(front_, std::memory_order_acq_rel) & kIndex;
    return buffers_[front_];
  }

 private:
  static constexpr unsigned kFresh = 4;
  static constexpr unsigned kIndex = 3;
  std::array<T, 3> buffers_{};
  unsigned back_ = 0;
  std::atomic<unsigned> middle_{1};
  unsigned front_ = 2;
};

/// Lossless FIFO for one producer and one consumer thread. Allocates a chunk only when the
/// consumer lags; consumed chunks go back to the producer (one spare is kept).
template <class T, std::size_t kChunk = 1024>
class SpscQueue {
 public:
  SpscQueue() : head_(new Chunk), tail_(head_) {}
  ~SpscQueue() {
    for (Chunk* chunk = head_; chunk != nullptr;) {
      Chunk* next = chunk->next.load(std::memory_order_relaxed);
      delete chunk;
      chunk = next;
    }
    delete spare_.load(std::memory_order_relaxed);
  }
  SpscQueue(const SpscQueue&) = delete;
  SpscQueue& operator=(const SpscQueue&) = delete;

  /// Producer side.
  void Push(T value) {
    const std::size_t count = tail_->count.load(std::memory_order_relaxed);
    if (count < kChunk) {
      tail_->items[count] = std::move(value);
      tail_->count.store(count + 1, std::memory_order_release);
      return;
    }
    Chunk* chunk = spare_.exchange(nullptr, std::memory_order_acq_rel);
    if (chunk == nullptr) chunk = new Chunk;
    chunk->items[0] = std::move(value);
    chunk->next.store(nullptr, std::memory_order_relaxed);
    chunk->count.store(1, std::memory_order_relaxed);
    tail_->next.store(chunk, std::memory_order_release);
    tail_ = chunk;
  }

  /// Consumer side: moves the oldest item into *value; false when empty.
  bool Pop(T* value) {
    if (read_ == head_->count.load(std::memory_order_acquire)) {
      if (read_ < kChunk) return false;
      Chunk* next = head_->next.load(std::memory_order_acquire);
      if (next == nullptr) return false;
      Chunk* old = head_;
      head_ = next;
      read_ = 0;
      delete spare_.exchange(old, std::memory_order_acq_rel);
    }
    *value = std::move(head_->items[read_++]);
    return true;
  }

 private:
  struct Chunk {
    std::array<T, kChunk> items{};
    std::atomic<std::size_t> count{0};
    std::atomic<Chunk*> next{nullptr};
  };
  Chunk* head_;           // consumer
  std::size_t read_ = 0;  // consumer
  Chunk* tail_;           // producer
  std::atomic<Chunk*> spare_{nullptr};
};

}  // namespace slip
