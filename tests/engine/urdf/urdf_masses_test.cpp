// What moves as one is judged as one: parts need not be bodies.
#include <fmt/format.h>

#include <array>
#include <cmath>

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
  const auto spoilt = ReadText(Walker("", Inertial(5, kTrunk), Inertial(1, {1, 0, 0, 1, 0, -9})));
  ASSERT_FALSE(spoilt.ok());
  EXPECT_EQ(spoilt.errors().size(), 1u) << ErrorsOf(spoilt);
  EXPECT_NE(ErrorsOf(spoilt).find("link 'camera': the inertia is not positive definite"),
            std::string::npos);
  EXPECT_EQ(spoilt.error().line, 6) << ErrorsOf(spoilt);
}

// What moves by it is defined, whether a body has it or not.
TEST(UrdfMasses, AnInertiaThatNoBodyHasIsKeptAsItIs) {
  const auto read = [](double third) {
    return ReadText(RobotText(LinkText("a", Inertial(1, {1, 0, 0, 1, 0, third})) +
                              JointText("j", "continuous", "base", "a")));
  };
  for (const double third : {2.01, 2.4, 2.499, 2.6, 9.0}) {
    const auto odd = read(third);
    ASSERT_TRUE(odd.ok()) << third << ErrorsOf(odd);
    EXPECT_TRUE(HasNote(odd->notes, "link 'a': no body has this inertia")) << third;
    EXPECT_EQ(HasNote(odd->notes, "but nearly so"), third < 2.5) << third;
    EXPECT_TRUE(HasNote(odd->notes, ": it is kept as it is")) << third;
    EXPECT_EQ(odd->links[1].I_LC(2, 2), third);
  }
  const auto rounded = read(2.001);
  ASSERT_TRUE(rounded.ok());
  EXPECT_FALSE(HasNote(rounded->notes, "no body"));
}

const std::string kBrick =
    "<collision><origin xyz=\"0.1 0 0\" rpy=\"0 0 1.5707963267948966\"/><geometry>"
    "<box size=\"0.1 0.2 0.3\"/></geometry></collision>";

TEST(UrdfMasses, AnInertiaOfZeroIsThatOfTheShapes) {
  for (const auto& flat :
       {std::array<double, 6>{}, kSingular, std::array<double, 6>{1e-20, 0, 0, -1e-20, 0, 0}}) {
    const auto read = ReadText(RobotText(
        LinkText("a", Inertial(2, flat) + kBrick) + LinkText("b", Inertial(3, flat)) +
        JointText("j", "continuous", "base", "a") + JointText("k", "continuous", "a", "b")));
    ASSERT_TRUE(read.ok()) << ErrorsOf(read);
    // a box of 2 kg, a quarter turned
    const Vec3 box = 2.0 / 12 * Vec3(0.01 + 0.09, 0.04 + 0.09, 0.01 + 0.04);
    EXPECT_TRUE(read->links[1].I_LC.isApprox(box.asDiagonal().toDenseMatrix(), 1e-12))
        << read->links[1].I_LC;
    EXPECT_EQ(read->links[1].p_LC, Vec3::Zero());
    EXPECT_TRUE(HasNote(read->notes,
                        "link 'a': its inertia is not positive definite: that of its "
                        "collision shapes"));
    // a ball of three litres
    const double radius = std::cbrt(3 * 3e-3 / (4 * 3.14159265358979));
    EXPECT_NEAR(read->links[2].I_LC(1, 1), 0.4 * 3 * radius * radius, 1e-12);
    EXPECT_TRUE(HasNote(read->notes,
                        "link 'b': its inertia is not positive definite: that of a "
                        "ball"));
  }
  // two points make a line, which has no moment about itself: both are balls then
  const auto points = ReadText(Walker("", Inertial(5, {}), Inertial(1, {})));
  ASSERT_TRUE(points.ok()) << ErrorsOf(points);
  EXPECT_EQ(Flaw(*points), "");
  EXPECT_TRUE(HasNote(points->notes, "link 'trunk', link 'camera': its inertia"));
}

TEST(UrdfMasses, WhatMovesWithoutAMassHasThatOfItsShapes) {
  const auto read =
      ReadText(RobotText(LinkText("a", kBrick) + JointText("j", "continuous", "base", "a")));
  ASSERT_TRUE(read.ok()) << ErrorsOf(read);
  EXPECT_NEAR(read->links[1].mass, 6, 1e-12);
  EXPECT_LT((read->links[1].p_LC - Vec3(0.1, 0, 0)).norm(), 1e-12);
  EXPECT_NEAR(read->links[1].I_LC(0, 0), 0.5 * (0.01 + 0.09), 1e-12);
  EXPECT_TRUE(HasNote(read->notes, "link 'a': it moves but has no mass: it has that of its"));
}

// A frame between two joints is what a planar base is made of.
TEST(UrdfMasses, AFrameBetweenJointsNeedsNoMass) {
  const auto chain = [](const std::string& upper, const std::string& lower,
                        const std::string& place) {
    return ReadText(RobotText(LinkText("a", "") + LinkText("b") +
                              JointText("j", "continuous", "base", "a", upper) +
                              JointText("k", "continuous", "a", "b", place + lower)));
  };
  const std::string x = "<axis xyz=\"1 0 0\"/>", y = "<axis xyz=\"0 1 0\"/>",
                    aside = "<origin xyz=\"0 0 0.1\"/>", along = "<origin xyz=\"0.1 0 0\"/>";
  const auto cross = chain(x, y, "");
  ASSERT_TRUE(cross.ok()) << ErrorsOf(cross);
  EXPECT_TRUE(HasNote(cross->notes, "link 'a': it has no mass and is a frame between joints"));
  EXPECT_TRUE(chain(x, x, aside).ok());
  const auto one = chain(x, x, along);
  ASSERT_FALSE(one.ok());
  EXPECT_NE(ErrorsOf(one).find("no mass between joints 'j' and 'k', which move alike"),
            std::string::npos)
      << ErrorsOf(one);
}

TEST(UrdfMasses, AMassOfNextToNothingIsNone) {
  const auto read = ReadText(Walker("", Inertial(5, kTrunk), Inertial(1e-15, {})));
  ASSERT_TRUE(read.ok()) << ErrorsOf(read);
  EXPECT_EQ(read->CalcMass(), 5);
  EXPECT_TRUE(HasNote(read->notes, "link 'camera': a mass below 1e-09 kg is taken for none"));
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
