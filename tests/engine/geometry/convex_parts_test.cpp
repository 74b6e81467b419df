// Solids that are not convex as convex parts: they cover the solid, hold little else, and are few.
#include "engine/geometry/convex_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "engine/core/thread_stop.h"
#include "engine/geometry/mass_properties.h"
#include "engine/geometry/mesh_pieces.h"
#include "engine/geometry/solid_piece.h"
#include "tests/support/concave.h"
#include "tests/support/mesh_files.h"

namespace slip::test {
namespace {

bool IsWithin(const ConvexMesh& part, const Vec3& p, double slack = 1e-9) {
  return std::all_of(part.faces.begin(), part.faces.end(), [&](const ConvexMesh::Face& face) {
    return face.normal.dot(p) <= face.offset + slack;
  });
}

bool IsWithin(const ConvexParts& parts, const Vec3& p, double slack = 1e-9) {
  return std::any_of(parts.parts.begin(), parts.parts.end(),
                     [&](const ConvexMesh& part) { return IsWithin(part, p, slack); });
}

struct Overlap {
  double common = 0, missed = 0, added = 0;  ///< shares of the solid's volume
};

/// Of the union of parts and the solid, by points.
Overlap Compare(const Soup& soup, const ConvexParts& parts, int points = 20000) {
  const SolidSurface solid(soup.vertices, soup.triangles);
  Eigen::AlignedBox3d box;
  for (const Vec3& p : soup.vertices) box.extend(p);
  Random random(7);
  int inside = 0, missed = 0, added = 0;
  for (int i = 0; i < points; ++i) {
    Vec3 p = random.InBox(0.5).cwiseProduct(box.sizes()) + box.center();
    const bool in_solid = solid.CalcWinding(p) > 0.5;
    const bool in_parts = IsWithin(parts, p);
    inside += in_solid ? 1 : 0;
    missed += in_solid && !in_parts ? 1 : 0;
    added += in_parts && !in_solid ? 1 : 0;
  }
  return {1.0 * inside / points, 1.0 * missed / inside, 1.0 * added / inside};
}

ConvexParts PartsOf(const Soup& soup) {
  auto parts = MakeConvexParts(Clean(soup));
  EXPECT_TRUE(parts.ok()) << (parts.ok() ? "" : parts.error().Text());
  return parts.ok() ? std::move(parts).value() : ConvexParts();
}

double SumOfVolumes(const ConvexParts& parts) {
  double sum = 0;
  for (const ConvexMesh& part : parts.parts) sum += CalcMassProperties(part, 1).volume;
  return sum;
}

TEST(ConvexParts, BoxesAtRightAnglesAreExact) {
  const struct {
    const char* name;
    Soup soup;
    double volume;
    std::size_t parts;
  } cases[] = {{"tray", TraySoup(), kTrayVolume, 5}, {"ell", EllSoup(), kEllVolume, 2}};
  for (const auto& each : cases) {
    const ConvexParts parts = PartsOf(each.soup);
    EXPECT_EQ(parts.parts.size(), each.parts) << each.name;
    EXPECT_NEAR(SumOfVolumes(parts), each.volume, 1e-9 * each.volume) << each.name;
    EXPECT_LT(parts.error, 1e-9) << each.name;
    EXPECT_TRUE(parts.why_hull.empty());
    const Overlap overlap = Compare(each.soup, parts);
    EXPECT_EQ(overlap.missed, 0) << each.name;
    EXPECT_EQ(overlap.added, 0) << each.name;
  }
}

TEST(ConvexParts, RoundFiguresAreCoveredWithLittleElse) {
  const struct {
    const char* name;
    Soup soup;
    double added;
    double error;  // [m]
  } cases[] = {{"ring", RingSoup(48, 0.1, 0.06, 0.03), 0.04, 4e-3},
               {"bowl", BowlSoup(32, 16, 0.1, 0.02), 0.25, 8e-3}};
  for (const auto& each : cases) {
    const ConvexParts parts = PartsOf(each.soup);
    EXPECT_GT(parts.parts.size(), 4u) << each.name;
    EXPECT_LE(parts.parts.size(), static_cast<std::size_t>(kMostConvexParts)) << each.name;
    const Overlap overlap = Compare(each.soup, parts);
    EXPECT_EQ(overlap.missed, 0) << each.name;
    EXPECT_LT(overlap.added, each.added) << each.name << " of " << parts.parts.size();
    EXPECT_GT(parts.error, 0) << each.name;
    EXPECT_LT(parts.error, each.error) << each.name;
    RecordProperty(std::string(each.name) + "_parts", static_cast<int>(parts.parts.size()));
    RecordProperty(std::string(each.name) + "_added", std::to_string(overlap.added));
  }
}

TEST(ConvexParts, TheHoleOfARingStaysOpen) {
  const ConvexParts parts = PartsOf(RingSoup(48, 0.1, 0.06, 0.03));
  for (int i = 0; i < 100; ++i) {
    const double angle = 2 * kPi * i / 100;
    EXPECT_FALSE(IsWithin(parts, {0.054 * std::cos(angle), 0.054 * std::sin(angle), 0.015}));
    EXPECT_TRUE(IsWithin(parts, {0.08 * std::cos(angle), 0.08 * std::sin(angle), 0.015}));
  }
}

TEST(ConvexParts, WhatHangsNotTogetherIsTakenApart) {
  const Soup two = Together(BoxSoup({0.1, 0.1, 0.1}), BoxSoup({0.1, 0.2, 0.1}), {0.3, 0, 0});
  const ConvexParts parts = PartsOf(two);
  ASSERT_EQ(parts.parts.size(), 2u);
  EXPECT_EQ(parts.parts[0].faces.size(), 6u);
  EXPECT_EQ(parts.parts[1].faces.size(), 6u);
  EXPECT_NEAR(SumOfVolumes(parts), 0.003, 1e-12);
  // two that touch in an edge have four triangles there
  const Soup touching = Together(BoxSoup({0.1, 0.1, 0.1}), BoxSoup({0.1, 0.1, 0.1}), {0.1, 0.1, 0});
  const ConvexParts corner = PartsOf(touching);
  EXPECT_EQ(corner.parts.size(), 2u);
  EXPECT_NEAR(SumOfVolumes(corner), 0.002, 1e-12);
}

TEST(ConvexParts, InnerPiecesAndHollowsAreNotTouched) {
  // a box with a smaller one in it, and one with a hollow
  const Soup inner = Together(BoxSoup({0.3, 0.3, 0.3}), BoxSoup({0.1, 0.1, 0.1}));
  EXPECT_EQ(PartsOf(inner).parts.size(), 1u);
  Soup hollow = BoxSoup({0.1, 0.1, 0.1});
  for (auto& t : hollow.triangles) std::swap(t[1], t[2]);
  EXPECT_EQ(PartsOf(Together(BoxSoup({0.3, 0.3, 0.3}), hollow)).parts.size(), 1u);
}

TEST(ConvexParts, NearlyConvexMeshesKeepTheirHull) {
  // a dent of a thousandth of the volume
  Soup ball = BallSoup(0.1, 24);
  ball.vertices.back().z() -= 0.004;
  const ConvexParts parts = PartsOf(ball);
  EXPECT_EQ(parts.parts.size(), 1u);
  EXPECT_TRUE(parts.why_hull.empty());
}

TEST(ConvexParts, ManyPiecesAreGathered) {
  Soup heap;
  for (int i = 0; i < 60; ++i)
    heap = Together(std::move(heap), BoxSoup({0.01, 0.01, 0.01}),
                    {0.02 * (i % 10), 0.02 * (i / 10), 0});
  const ConvexParts parts = PartsOf(heap);
  EXPECT_GT(parts.parts.size(), 20u);
  EXPECT_LE(parts.parts.size(), static_cast<std::size_t>(kMostConvexParts));
  EXPECT_EQ(Compare(heap, parts).missed, 0);
  for (int i = 60; i < 300; ++i)
    heap = Together(std::move(heap), BoxSoup({0.01, 0.01, 0.01}),
                    {0.02 * (i % 10), 0.02 * (i / 10), 0});
  const ConvexParts hull = PartsOf(heap);
  EXPECT_EQ(hull.parts.size(), 1u);
  EXPECT_EQ(hull.why_hull, "it has 300 pieces");
}

TEST(ConvexParts, OneMeshHasTheSameParts) {
  const Soup soup = RingSoup(24, 0.1, 0.06, 0.03);
  const ConvexParts a = PartsOf(soup), b = PartsOf(soup);
  ASSERT_EQ(a.parts.size(), b.parts.size());
  for (std::size_t i = 0; i < a.parts.size(); ++i)
    EXPECT_EQ(a.parts[i].vertices, b.parts[i].vertices);
  EXPECT_EQ(a.error, b.error);
}

TEST(ConvexParts, FiguresOfTheFormatsKeepTheirVolume) {
  for (const NamedSoup& figure : TenFigures()) {
    const ConvexParts parts = PartsOf(figure.soup);
    const Overlap overlap = Compare(figure.soup, parts, 4000);
    EXPECT_EQ(overlap.missed, 0) << figure.name;
    EXPECT_LT(overlap.added, 0.05) << figure.name << ", " << parts.parts.size() << " parts";
  }
}

// Sheets, threads, torn and twisted surfaces: a hull with a reason, or one sentence.
TEST(ConvexParts, HostileMeshesEndInAHullOrASentence) {
  std::vector<std::pair<const char*, Soup>> cases;
  Soup open = TraySoup();
  open.triangles.resize(open.triangles.size() / 2);
  cases.emplace_back("half its triangles", open);
  Soup mixed = TraySoup();
  for (std::size_t t = 0; t < mixed.triangles.size(); t += 2)
    std::swap(mixed.triangles[t][1], mixed.triangles[t][2]);
  cases.emplace_back("wound both ways", mixed);
  cases.emplace_back("itself again", Together(TraySoup(), TraySoup()));
  cases.emplace_back("itself through itself", Together(TraySoup(), TraySoup(), {0.1, 0.1, 0.02}));
  Soup crumpled = BallSoup(0.1, 12);
  Random random(3);
  for (Vec3& p : crumpled.vertices) p += random.InBox(0.05);
  cases.emplace_back("self-intersecting", crumpled);
  Soup spikes;
  for (int i = 0; i < 200; ++i) {
    const int first = static_cast<int>(spikes.vertices.size());
    for (int k = 0; k < 3; ++k) spikes.vertices.push_back(random.InBox(0.1));
    spikes.triangles.push_back({first, first + 1, first + 2});
  }
  cases.emplace_back("triangles anywhere", spikes);
  for (const auto& [name, soup] : cases) {
    const auto parts = MakeConvexParts(Clean(soup));
    ASSERT_TRUE(parts.ok()) << name << ": " << parts.error().Text();
    ASSERT_GE(parts->parts.size(), 1u) << name;
    EXPECT_LE(parts->parts.size(), static_cast<std::size_t>(kMostConvexParts)) << name;
    for (const ConvexMesh& part : parts->parts)
      EXPECT_GT(CalcMassProperties(part, 1).volume, 0) << name;
  }
  EXPECT_FALSE(MakeConvexParts(Clean(cases[0].second))->why_hull.empty());
  Soup flat = FloorSoup(0.2, 3);
  EXPECT_FALSE(MakeConvexParts(Clean(flat)).ok());
  Soup single;
  single.vertices = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()};
  single.triangles = {{0, 1, 2}};
  EXPECT_FALSE(MakeConvexParts(Clean(single)).ok());
}

TEST(ConvexParts, LargeMeshesAreCutWhereSmallOnesAre) {
  const Soup soup = BowlSoup(200, 100, 0.1, 0.02);
  ASSERT_GT(soup.triangles.size(), 70000u);
  const ConvexParts parts = PartsOf(soup);
  EXPECT_GT(parts.parts.size(), 4u);
  EXPECT_LE(parts.parts.size(), static_cast<std::size_t>(kMostConvexParts));
  const SolidSurface solid(soup.vertices, soup.triangles);
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p = random.Direction().cwiseProduct(Vec3(1, 1, 1)) * random.Uniform(0.081, 0.099);
    if (p.z() < -1e-4) EXPECT_TRUE(IsWithin(parts, p, 1e-4)) << p.transpose();
  }
}

TEST(ConvexParts, CanBeStopped) {
  const TriangleMesh mesh = Clean(BowlSoup(32, 16, 0.1, 0.02));
  int asked = 0;
  const ThreadStop stop(StopPoll([&asked] { return ++asked > 40; }));
  const auto parts = MakeConvexParts(mesh);
  ASSERT_FALSE(parts.ok());
  EXPECT_EQ(parts.error().message, "it was stopped");
}

}  // namespace
}  // namespace slip::test
