// JSON stays JSON whatever the texts are.
#include "engine/core/json_writer.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/core/utf8.h"

namespace slip {
namespace {

std::string RoundTrip(const std::string& text) {
  JsonWriter json;
  json.BeginObject().Text("text", text).EndObject();
  return nlohmann::json::parse(json.Take())["text"];
}

TEST(JsonWriter, TextsComeBack) {
  for (const char* text : {"", "plain", "ä€\U0001F600", "\"\\\n\t\x01\x7f", "\xed\x9f\xbf"})
    EXPECT_EQ(RoundTrip(text), text);
}

TEST(JsonWriter, BytesThatAreNoTextAreReplaced) {
  EXPECT_EQ(RoundTrip("a\xff b"), "a\uFFFD b");
  EXPECT_EQ(RoundTrip("\xc3"), "\uFFFD");                           // cut off
  EXPECT_EQ(RoundTrip("\xc0\xaf"), "\uFFFD\uFFFD");                 // longer than needed
  EXPECT_EQ(RoundTrip("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");       // a surrogate
  EXPECT_EQ(RoundTrip("\xf4\x90\x80\x80").substr(0, 3), "\uFFFD");  // beyond the last character
  EXPECT_EQ(RoundTrip("\xe2\x82z"), "\uFFFD\uFFFDz");
}

TEST(Utf8, KnowsTextFromBytes) {
  EXPECT_TRUE(IsUtf8(""));
  EXPECT_TRUE(IsUtf8("aä€\U0001F600"));
  for (const char* bytes :
       {"\x80", "a\xff", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf", "\xf5\x80\x80\x80"})
    EXPECT_FALSE(IsUtf8(bytes));
}

}  // namespace
}  // namespace slip
