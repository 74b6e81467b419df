#include "engine/export/export.h"

#include <algorithm>
#include <array>

namespace slip {
namespace {

constexpr std::array kFormats = {
    ExportFormat{.id = "mjcf",
                 .label = "MJCF",
                 .doc = "MuJoCo's own format",
                 .extension = ".xml",
                 .write = WriteMjcf},
    ExportFormat{.id = "urdf",
                 .label = "URDF",
                 .doc = "one tree of links, as ROS reads it",
                 .extension = ".urdf",
                 .write = WriteUrdf},
    ExportFormat{.id = "sdf",
                 .label = "SDF",
                 .doc = "a world of Gazebo",
                 .extension = ".sdf",
                 .write = WriteSdf},
};

}  // namespace

std::span<const ExportFormat> ExportFormats() { return kFormats; }

const ExportFormat* FindExportFormat(std::string_view id) {
  const auto at = std::find_if(kFormats.begin(), kFormats.end(),
                               [&](const ExportFormat& format) { return format.id == id; });
  return at == kFormats.end() ? nullptr : &*at;
}

}  // namespace slip
