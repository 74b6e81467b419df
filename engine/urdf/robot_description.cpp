#include "engine/urdf/robot_description.h"

#include <algorithm>
#include <filesystem>

#include "engine/core/data_folder.h"

namespace slip {
namespace {

template <class T>
int FindByName(const std::vector<T>& things, std::string_view name) {
  for (std::size_t i = 0; i < things.size(); ++i)
    if (things[i].name == name) return static_cast<int>(i);
  return -1;
}

}  // namespace

int RobotDescription::FindLink(std::string_view link_name) const {
  return FindByName(links, link_name);
}

int RobotDescription::FindJoint(std::string_view joint_name) const {
  return FindByName(joints, joint_name);
}

int RobotDescription::FindFrame(std::string_view frame_name) const {
  return FindByName(frames, frame_name);
}

double RobotDescription::CalcMass() const {
  double mass = 0;
  for (const RobotLink& link : links) mass += link.mass;
  return mass;
}

std::vector<std::string> ListRobots() {
  namespace fs = std::filesystem;
  std::vector<std::string> paths;
  std::error_code code;
  fs::directory_iterator folder(fs::path(DataFolder()) / "assets" / "robots", code);
  for (; !code && folder != fs::directory_iterator(); folder.increment(code))
    if (folder->path().extension() == ".urdf") paths.push_back(folder->path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace slip
