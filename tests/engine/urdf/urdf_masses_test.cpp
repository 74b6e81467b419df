// What moves as one is judged as one: parts need not be bodies.
#include "tests/support/geometry.h"
#include "tests/support/urdf.h"

namespace slip::test {
namespace {

std::string Inertial(double mass, const std::array<double, 6>& I, const std::string& origin = {}) {
  return fmt::format(
      "<inertial>{}<mass value=\"{}\"/>\n<inertia ixx=\"{}\" ixy=\"{}\" ixz=\"{}\" iyy=\"{}\" "
      "iyz=\"{}\" izz=\"{}\"/></inertial>",
      origin, mass, I[0], I[1], I[2], I[3], I[4], I[5]);
}

// all ones: singular; and moments 0.1, 0.1, 0.3
constexpr std::array<double, 6> kSingular = {1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6};
constexpr std::array<double, 6> kNoBody = {0.1, 0, 0, 0.1, 0, 0.3};
constexpr std::array<double, 6> kTrunk = {0.2, 0, 0, 0.6, 0, 0.7};

/// A root, a trunk fixed to it, and a camera fixed to that.
std::string Walker(const std::string& root, const std::string& trunk, const std::string& camera) {
  return "<robot name=\"r\">\n" + LinkText("root", root) + LinkText("trunk", trunk) +
         LinkText("camera", camera) + JointText("j", "fixed", "root", "trunk") +
         JointText("k", "fixed", "trunk", "camera",
                   "<origin xyz=\"0.2 0 0.1\" rpy=\"0.3 0.2 0.1\"/>") +
         "</robot>";
}

TEST(UrdfMasses, TheSumIsJudgedAndThePartsAreNoted) {
  const auto read = ReadText(Walker(Inertial(1e-6, kSingular), Inertial(5, kTrunk),
                                    Inertial(0.1, {1e-3, 0, 0, 1e-3, 0, 3e-3})));
  ASSERT_TRUE(read.ok()) << ErrorsOf(read);
  EXPECT_TRUE(HasNote(read->notes, "link 'root': the inertia is not positive definite"));
  EXPECT_TRUE(HasNote(read->notes, "link 'camera': no body has this inertia"));
  EXPECT_TRUE(HasNote(read->notes, "what is fixed to it, and that is a body"));
  EXPECT_EQ(Flaw(MergeFixedLinks(*read)), "");
  // a point mass behind a fixed joint is nothing to speak of; a root that is one is
  const auto points = ReadText(Walker(Inertial(1, {}), Inertial(5, kTrunk), Inertial(0.1, {})));
  ASSERT_TRUE(points.ok()) << ErrorsOf(points);
  EXPECT_TRUE(HasNote(points->notes, "link 'root'"));
  EXPECT_FALSE(HasNote(points->notes, "link 'camera'"));
}

TEST(UrdfMasses, APartThatSpoilsTheSumIsAnError) {
  const auto spoilt = ReadText(Walker("", Inertial(5, kTrunk), Inertial(1, {1, 0, 0, 1, 0, 9})));
  ASSERT_FALSE(spoilt.ok());
  EXPECT_EQ(spoilt.errors().size(), 1u) << ErrorsOf(spoilt);
  EXPECT_NE(ErrorsOf(spoilt).find("link 'camera': no body has this inertia"), std::string::npos);
  EXPECT_EQ(spoilt.error().line, 6) << ErrorsOf(spoilt);
  // two points make a line, which has no moment about itself
  EXPECT_NE(ErrorsOf(ReadText(Walker("", Inertial(5, {}), Inertial(1, {})))).find("all zero"),
            std::string::npos);
  // behind a joint that moves nobody helps
  const auto alone = ReadText(
      RobotText(LinkText("a", Inertial(1, kNoBody)) + JointText("j", "continuous", "base", "a")));
  EXPECT_NE(ErrorsOf(alone).find("link 'a': no body has this inertia"), std::string::npos);
}

TEST(UrdfMasses, WhatIsNearlyABodyIsKeptAsItIs) {
  const auto read = [](double third) {
    return ReadText(RobotText(LinkText("a", Inertial(1, {1, 0, 0, 1, 0, third})) +
                              JointText("j", "continuous", "base", "a")));
  };
  for (const double third : {2.01, 2.4, 2.499}) {
    const auto near = read(third);
    ASSERT_TRUE(near.ok()) << third << ErrorsOf(near);
    EXPECT_TRUE(HasNote(near->notes, "no body has this inertia")) << third;
    EXPECT_TRUE(HasNote(near->notes, "nearly so: it is kept as it is")) << third;
    EXPECT_EQ(near->links[1].I_LC(2, 2), third);
  }
  EXPECT_FALSE(read(2.51).ok());
  const auto rounded = read(2.001);
  ASSERT_TRUE(rounded.ok());
  EXPECT_FALSE(HasNote(rounded->notes, "no body"));
}

TEST(UrdfMasses, OnTheWorldNoInertiaCounts) {
  const std::string text = "<robot name=\"r\">" + LinkText("world", "") +
                           LinkText("post", Inertial(3, {})) +
                           JointText("j", "fixed", "world", "post") + "</robot>";
  const auto read = ReadText(text);
  ASSERT_TRUE(read.ok()) << ErrorsOf(read);
  EXPECT_TRUE(HasNote(read->notes, "link 'post'"));
  EXPECT_TRUE(HasNote(read->notes, "it is not used"));
}

}  // namespace
}  // namespace slip::test
