// Reading JSON: its time, its limits, and where something is wrong.
#include "engine/core/json_document.h"

#include <gtest/gtest.h>

#include <ctime>
#include <string>

namespace slip {
namespace {

constexpr TextFileKind kDocument{.name = "note", .most_bytes = 256 * kMebibyte};

Result<bool> Parse(std::string_view text, Json* json = nullptr) {
  return ParseJsonWithin(text, "n.json", kDocument, [json](const Json& read) {
    if (json != nullptr) *json = read;
  });
}

std::string RefusalOf(std::string_view text) {
  const Result<bool> parsed = Parse(text);
  return parsed.ok() ? "" : parsed.error().Text();
}

std::string Repeat(const std::string& piece, int times, const std::string& between = ",") {
  std::string text;
  for (int i = 0; i < times; ++i) text += (i > 0 ? between : "") + piece;
  return text;
}

// an object that ends looked at all items before it
TEST(JsonDocument, TheTimeGoesWithTheLength) {
  for (const std::string piece : {"{}", "{\"a\":{}}", "[[]]"}) {
    const std::string text = "{\"x\":[" + Repeat(piece, 300000) + "]}";
    const std::clock_t begin = std::clock();
    Json json;
    ASSERT_TRUE(Parse(text, &json).ok());
    EXPECT_EQ(json["x"].size(), 300000u);
    EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 5) << piece;
  }
}

TEST(JsonDocument, IsWhatTheTextSays) {
  Json json;
  ASSERT_TRUE(Parse("{\"a\": [1, -2, 2.5, true, null, \"t\", {\"b\": {}}], \"c\": {\"d\": []},"
                    " \"n\": 18446744073709551615}",
                    &json)
                  .ok());
  EXPECT_EQ(json, Json::parse("{\"a\": [1, -2, 2.5, true, null, \"t\", {\"b\": {}}], "
                              "\"c\": {\"d\": []}, \"n\": 18446744073709551615}"));
  for (const char* plain : {"3", "\"x\"", "null", "[]", "{}"}) {
    ASSERT_TRUE(Parse(plain, &json).ok()) << plain;
    EXPECT_EQ(json, Json::parse(plain));
  }
  // of a key that is there twice, the last one
  ASSERT_TRUE(Parse("{\"a\": [1, {\"b\": 2}], \"a\": {\"c\": 3}}", &json).ok());
  EXPECT_EQ(json, Json::parse("{\"a\": {\"c\": 3}}"));
  // as deep as the parts go
  EXPECT_TRUE(Parse(Repeat("[", 1000000, "") + Repeat("]", 1000000, "")).ok());
}

TEST(JsonDocument, LimitsHold) {
  EXPECT_EQ(RefusalOf("[" + Repeat("[]", (4 << 20) + 1) + "]"),
            "n.json: too much for a note: more than 4194304 lists, objects and keys (is it one?)");
  EXPECT_EQ(RefusalOf("[" + Repeat("1", (16 << 20) + 1) + "]"),
            "n.json: too much for a note: more than 16777216 numbers (is it one?)");
  EXPECT_TRUE(Parse("[" + Repeat("1", 16 << 20) + "]").ok());
}

TEST(JsonDocument, ErrorsSayWhere) {
  EXPECT_EQ(RefusalOf(""), "n.json:1:1: the file is empty");
  EXPECT_EQ(RefusalOf("{\"a\": [1,\n  2,, 3]}"), "n.json:2:5: not valid JSON here");
  EXPECT_EQ(RefusalOf("{\"a\": 1} x"), "n.json:1:10: not valid JSON here");
  EXPECT_EQ(RefusalOf("{\"c\": [{\"d\": 1}, {\"d\": [0, -inf]}]}"),
            "n.json:1:28: c[1].d[1] must be a finite number (found -inf)");
  EXPECT_EQ(RefusalOf("{\"c\": [{\"d\": 1}, {\"d\": [0, 1e999]}]}"),
            "n.json: c[1].d[1] must be a finite number (found one too large)");
  EXPECT_EQ(Parse("{}").ok(), true);
}

}  // namespace
}  // namespace slip
