// What is drawn of a link and what collides.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/core/numbers.h"
#include "engine/core/quantity_text.h"
#include "engine/scene/robot_sketch.h"
#include "engine/tell/surprise_list.h"

namespace slip {
namespace {

// Shapes beside what is drawn, that share of the larger diagonal aside: where their boxes do not
// meet, and where they do, as those of limbs whose shapes cover a part.
constexpr double kApart = 0.1, kAside = 0.3;
// Shapes that differ by more than this are not of the same thing.
constexpr double kMuchLarger = 2.5;
// A link beside the middle one of its robot.
constexpr double kFarLarger = 50, kFarSmaller = 400;
constexpr double kAbsurd = 20;  // [m]
// How thick a sheet is, and how far from the face of what collides, over its diagonal.
constexpr double kSheet = 0.01;

class ShapeLook {
 public:
  ShapeLook(const Scene& scene, SurpriseList* list)
      : scene_(scene), model_(*scene.model), links_(ListLinkShapes(scene)), list_(*list) {}

  std::set<int> Find() {
    FindSizes();
    for (const LinkShapes& link : links_)
      if (!IsAbsurd(link)) CompareWithDrawn(link);
    FindMissing();
    if (fits_ > 0 && fits_ == compared_) {
      list_.Say(
          "drawn_right", SurpriseKind::kRight, 1, -1, {},
          fits_ == 1
              ? "the one link that is drawn and collides does so in one place"
              : fmt::format("all {} links that are drawn and collide do so in one place", fits_));
    }
    return absurd_;
  }

 private:
  bool Moves(const LinkShapes& link) const {
    return link.body >= 0 && model_.body(link.body).Moves();
  }

  bool IsAbsurd(const LinkShapes& link) const {
    return std::find(absurd_links_.begin(), absurd_links_.end(), &link) != absurd_links_.end();
  }

  // Sizes that do not belong together: likely millimetres among metres.
  void FindSizes() {
    std::map<int, std::vector<double>> sizes;
    const auto size_of = [](const LinkShapes& link) {
      ShapeBox box = link.drawn;
      box.Add(link.collides);
      return box.diagonal();
    };
    for (const LinkShapes& link : links_) sizes[link.robot].push_back(size_of(link));
    for (auto& [robot, all] : sizes) std::sort(all.begin(), all.end());
    for (const LinkShapes& link : links_) {
      if (!Moves(link)) continue;
      const std::vector<double>& all = sizes[link.robot];
      const double size = size_of(link), middle = all[all.size() / 2];
      const bool larger = all.size() > 2 && size > kFarLarger * middle;
      const bool smaller = all.size() > 2 && size * kFarSmaller < middle;
      if (!larger && !smaller && size < kAbsurd) continue;
      absurd_links_.push_back(&link);
      absurd_.insert(link.body);
      const double other = std::min(link.drawn.empty() ? size : link.drawn.diagonal(),
                                    link.collides.empty() ? size : link.collides.diagonal());
      const char* what = size < 2 * other ? "is"
                         : link.drawn.diagonal() > link.collides.diagonal()
                             ? "is drawn"
                             : "collides as if it were";
      std::string text =
          fmt::format("link {} {} {} large", QuoteLink(link.name), what, FormatQuantity(size, "m"));
      if (larger) text += fmt::format(", {} times the middle link", TimesText(size / middle));
      if (smaller) text += fmt::format(", a {}th of the middle link", TimesText(middle / size));
      list_.Say("size", SurpriseKind::kWrong, std::abs(std::log(size / middle)), link.body,
                link.name, std::move(text),
                smaller ? "is its mesh scaled twice?"
                        : "if its mesh is in millimetres, write scale=\"0.001 0.001 0.001\"");
    }
  }

  // What is drawn and what collides should be where the other one is.
  void CompareWithDrawn(const LinkShapes& link) {
    if (link.drawn.empty() || link.collides.empty()) return;
    const double drawn = link.drawn.diagonal(), collides = link.collides.diagonal();
    if (!(drawn > 0) || !(collides > 0)) return;
    ++compared_;
    if (!Moves(link) && IsGround(link)) {
      ++fits_;
      return;
    }
    const Vec3 way = link.collides.centre() - link.drawn.centre();
    const double larger = std::max(drawn, collides), aside = way.norm();
    const bool apart = ((link.drawn.min - link.collides.max).array() > 0).any() ||
                       ((link.collides.min - link.drawn.max).array() > 0).any();
    const double ratio = collides / drawn;
    const bool alike = ratio < kMuchLarger && ratio > 1 / kMuchLarger;
    // a shape within what is drawn stands for a part of it
    const double out = Beyond(link.collides, link.drawn);
    if ((apart && aside > kApart * larger) ||
        (alike && out > kAside * drawn && aside > kAside * larger)) {
      return list_.Say("drawn_aside", SurpriseKind::kWrong, aside / larger, link.body, link.name,
                       fmt::format("link {} is drawn {} aside of the shape that collides",
                                   QuoteLink(link.name), FormatQuantity(aside, "m")),
                       "compare the origins of its visual and its collision");
    }
    if (ratio > kMuchLarger) {
      return list_.Say(
          "collides_larger", SurpriseKind::kWrong, ratio, link.body, link.name,
          fmt::format("link {} collides with a shape {} times as large as what is drawn",
                      QuoteLink(link.name), TimesText(ratio)));
    }
    ++fits_;
  }

  /// Whether a sheet is drawn where what collides has a face: it goes on where nothing is drawn, as
  /// ground does.
  static bool IsGround(const LinkShapes& link) {
    const double slack = kSheet * link.drawn.diagonal();
    int across = 0;
    if (link.drawn.size().minCoeff(&across) > slack || Beyond(link.drawn, link.collides) > slack)
      return false;
    const double at = link.drawn.centre()[across];
    return std::min(std::abs(link.collides.max[across] - at),
                    std::abs(link.collides.min[across] - at)) <= slack;
  }

  /// How far one box reaches out of another [m].
  static double Beyond(const ShapeBox& box, const ShapeBox& of) {
    return std::max(0.0, std::max((of.min - box.min).maxCoeff(), (box.max - of.max).maxCoeff()));
  }

  // Links without what is drawn or what collides, and robots without either.
  void FindMissing() {
    for (const SceneRobot& robot : scene_.robots) {
      if (robot.file == nullptr || HasShapes(*robot.file)) continue;
      list_.Say(
          "no_shapes", SurpriseKind::kAssumed, 1, -1, robot.file->name,
          fmt::format("robot {} has no shapes in its file: bars from joint to joint are drawn "
                      "in their place",
                      QuoteLink(robot.file->name)));
    }
    std::size_t drawn = 0, touchless = 0;
    for (const LinkShapes& link : links_) {
      if (link.stands_in) {
        list_.Say("not_drawn", SurpriseKind::kAssumed, 1, link.body, link.name,
                  fmt::format("link {} has nothing to be drawn: its collision shapes are",
                              QuoteLink(link.name)));
      }
      if (link.drawn.empty() || link.by_points) continue;
      ++drawn;
      if (!link.collides.empty()) continue;
      ++touchless;
      list_.Say("no_collision", SurpriseKind::kAssumed, link.drawn.diagonal(), link.body, link.name,
                fmt::format("link {} is drawn and does not collide: nothing touches it",
                            QuoteLink(link.name)));
    }
    if (drawn > 1 && touchless == drawn) {
      list_.Drop("no_collision");
      list_.Say("no_collision", SurpriseKind::kWrong, 1, -1, "",
                "nothing of the robot collides: it is only drawn", "add <collision> shapes");
    }
  }

  const Scene& scene_;
  const Model& model_;
  const std::vector<LinkShapes> links_;
  SurpriseList& list_;
  std::vector<const LinkShapes*> absurd_links_;
  std::set<int> absurd_;  // bodies of these
  int compared_ = 0, fits_ = 0;
};

}  // namespace

std::set<int> FindShapeSurprises(const Scene& scene, SurpriseList* list) {
  return ShapeLook(scene, list).Find();
}

}  // namespace slip
