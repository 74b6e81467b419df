// What a picture is asked for with: equal requests are equal, whatever lies between their members.
#include "render/scene/view_request.h"

#include <gtest/gtest.h>

#include <cstring>
#include <new>

namespace slip::render {
namespace {

/// A request in memory that held something else before.
class Poisoned {
 public:
  explicit Poisoned(int byte) {
    std::memset(memory_, byte, sizeof memory_);
    request_ = new (memory_) ViewRequest;
  }
  ViewRequest& operator*() { return *request_; }

 private:
  alignas(ViewRequest) unsigned char memory_[sizeof(ViewRequest)];
  ViewRequest* request_;
};

TEST(ViewRequestTest, EqualWhateverLiesBetweenTheMembers) {
  Poisoned a(0x00), b(0xff);
  EXPECT_TRUE(*a == *b);
  (*a).hidden.Set(7, true);
  EXPECT_FALSE(*a == *b);
  (*b).hidden.Set(7, true);
  EXPECT_TRUE(*a == *b);
}

TEST(ViewRequestTest, StyleAndFrameBothCount) {
  ViewStyle style;
  style.fan_out = 0.25;
  const ViewRequest request{style};
  EXPECT_EQ(request.fan_out, 0.25);
  EXPECT_TRUE(request == ViewRequest{style});
  const auto differs = [&](auto change) {
    ViewRequest other{style};
    change(&other);
    return !(other == request);
  };
  EXPECT_TRUE(differs([](ViewRequest* r) { r->fan_out = 0.5; }));
  EXPECT_TRUE(differs([](ViewRequest* r) { r->msaa = 0; }));
  EXPECT_TRUE(differs([](ViewRequest* r) { r->force_floor = 0.1; }));
  EXPECT_TRUE(differs([](ViewRequest* r) { r->theme = Theme::kLight; }));
  EXPECT_TRUE(differs([](ViewRequest* r) { r->lead = 1; }));
  EXPECT_TRUE(differs([](ViewRequest* r) { r->visible[3] = false; }));
  EXPECT_TRUE(differs([](ViewRequest* r) { r->selected_key = 5; }));
}

}  // namespace
}  // namespace slip::render
