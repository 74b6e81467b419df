// A file that takes long to read: it is said, and can be left.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <fstream>
#include <numbers>

#include "tests/support/program.h"

namespace slip {
namespace {

/// A robot whose hull has that many points, on a sphere.
void WriteBall(const TempFolder& folder, int points) {
  std::ofstream mesh(folder.path("ball.obj"));
  for (int i = 0; i < points; ++i) {
    const double z = 1 - 2 * (i + 0.5) / points, r = std::sqrt(1 - z * z);
    const double angle = std::numbers::pi * (3 - std::sqrt(5)) * i;
    mesh << "v " << r * std::cos(angle) << " " << r * std::sin(angle) << " " << z << "\n";
  }
  for (int i = 0; i + 2 < points; i += 3)
    mesh << "f " << i + 1 << " " << i + 2 << " " << i + 3 << "\n";
  std::ofstream(folder.path("ball.urdf"))
      << "<robot name=\"r\"><link name=\"ball\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial><collision><geometry>"
         "<mesh filename=\"ball.obj\"/></geometry></collision></link></robot>";
}

TEST(ReadingNotice, AHullOfManyPointsIsSaidAndCanBeLeft) {
  const TempFolder folder;
  WriteBall(folder, 1500000);
  const std::string robot = folder.path("ball.urdf");
  for (const bool run : {false, true}) {
    std::vector<std::string> arguments = {"check", robot};
    if (run) arguments = {"run", robot, "-t", "0.01"};
    Program program(arguments);
    EXPECT_TRUE(WaitFor([&] {
      return program.Err().find("reading " + robot + ", 1 s so far") != std::string::npos;
    })) << program.Err();
    const auto begin = std::chrono::steady_clock::now();
    program.Signal(SIGINT);
    EXPECT_EQ(program.Wait().exit, 128 + SIGINT);
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(waited.count(), 1) << arguments[0];
  }
}

TEST(ReadingNotice, WhatIsReadAtOnceIsNotSaid) {
  const ProgramResult result = RunProgram({"check", "conveyor"});
  EXPECT_EQ(result.err.find("reading"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace slip
