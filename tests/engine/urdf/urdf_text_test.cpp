// From bytes to XML: encodings, what may stand before the declaration, and elements that nobody
// closed.
#include "tests/support/urdf.h"

namespace slip::test {
namespace {

using namespace std::string_literals;

const std::string kBody1 = "<robot name=\"r\"><link name=\"a\"/></robot>\n";

std::string Said(const std::string& text) {
  const auto read = ReadText(text);
  return read.ok() ? "read" : ErrorsOf(read);
}

void ExpectSaid(const std::string& text, const std::string& part, int line) {
  const auto read = ReadText(text);
  ASSERT_FALSE(read.ok()) << part;
  ASSERT_EQ(read.errors().size(), 1u) << ErrorsOf(read);
  EXPECT_NE(read.error().message.find(part), std::string::npos)
      << ErrorsOf(read) << "expected: " << part;
  EXPECT_EQ(read.error().line, line) << ErrorsOf(read);
  EXPECT_FALSE(read.error().hint.empty());
}

TEST(UrdfText, CommentsMayStandBeforeTheDeclaration) {
  const std::string declaration = "<?xml version=\"1.0\"\n ?>";
  for (const std::string& before :
       {"<!-- made by a machine -->\n"s, "\n \n"s, "\xEF\xBB\xBF"s,
        "\xEF\xBB\xBF<!-- a --><!-- <?xml --> \n<!-- b -->"s, "<!-- a -->"s + "\r\n"})
    EXPECT_EQ(Said(before + declaration + kBody1), "read") << before;
  // the lines keep their numbers
  ExpectSaid("<!-- a -->\n" + declaration + "\n<robot name=\"r\"><link/></robot>",
             "<link> without a name", 4);
  ExpectSaid("<!-- it does not end\n" + declaration + kBody1, "comment", 1);
}

TEST(UrdfText, Latin1IsConvertedWhereItIsDeclared) {
  const auto file = [](const std::string& encoding, const std::string& name) {
    return "<?xml version='1.0' encoding = '" + encoding + "'?>\n<!-- L\xE4nge -->\n" +
           "<robot name=\"r\"><link name=\"" + name + "\"/></robot>";
  };
  for (const char* encoding :
       {"ISO-8859-1", "iso-8859-1", "Iso_8859-1", "ISO8859-1", "latin1", "Latin-1"}) {
    const auto read = ReadText(file(encoding, "gr\xF6\xDF\x65r"));
    ASSERT_TRUE(read.ok()) << encoding << ErrorsOf(read);
    EXPECT_EQ(read->links[0].name,
              "gr\xC3\xB6\xC3\x9F"
              "er");
  }
  const auto windows = ReadText(file("Windows-1252", "\x80 \x9F"));
  ASSERT_TRUE(windows.ok()) << ErrorsOf(windows);
  EXPECT_EQ(windows->links[0].name, "\xE2\x82\xAC \xC5\xB8");
  // what is in UTF-8 is read so, whatever it declares
  const auto both = ReadText(
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>"
      "<robot name=\"r\"><link name=\"\xC3\xB6\"/></robot>");
  ASSERT_TRUE(both.ok()) << ErrorsOf(both);
  EXPECT_EQ(both->links[0].name, "\xC3\xB6");
}

TEST(UrdfText, OtherEncodingsAreNamed) {
  const std::string latin = "<robot name=\"r\"><link name=\"\xE4\"/></robot>";
  ExpectSaid("<?xml version=\"1.0\" encoding=\"Shift_JIS\"?>\n" + latin,
             "the encoding 'Shift_JIS', which is not read; expected UTF-8", 2);
  ExpectSaid("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\n" + latin,
             "not a text file in UTF-8: byte 0xE4", 3);
  ExpectSaid(latin, "byte 0xE4 is part of no character", 1);
  // in plain letters any of them is the same
  EXPECT_EQ(Said("<?xml version=\"1.0\" encoding=\"gb2312\"?>" + kBody1), "read");
  ExpectSaid("\xFF\xFE<\0r\0"s, "one in UTF-16", 0);
  ExpectSaid("\xFE\xFF\0<\0r"s, "one in UTF-16", 0);
  ExpectSaid("<\0r\0o\0"s, "one in UTF-16", 0);
  ExpectSaid("<robot\0>"s, "not a text file in UTF-8", 0);
}

TEST(UrdfText, WhatIsNotClosedIsNamedWithItsLine) {
  ExpectSaid("<robot name=\"r\">\n<link name=\"a\"/>\n<link name=\"b\"/>\n\n",
             "<robot> of line 1 is not closed: the file ends in line 3", 1);
  ExpectSaid(
      "<?xml version=\"1.0\"?>\n<!-- <link> -->\n<robot name=\"r\">\n<link name=\"a>b\">\n"
      "<visual/>\n</robot>\n",
      "<link> of line 4 is not closed: </robot> follows in line 6", 4);
  ExpectSaid("<robot name=\"r\">\n<link name=\"a\"></lnik>\n</robot>",
             "<link> of line 2 is not closed: </lnik> follows in line 2", 2);
}

}  // namespace
}  // namespace slip::test
