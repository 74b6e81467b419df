// Scene files: any text is read or refused, and what is read can be built.
#include "engine/core/numbers.h"
#include "engine/scene/scene.h"
#include "engine/sim/snapshot.h"
#include "tests/fuzz/oracle.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace slip;
  using namespace slip::fuzz;
  const auto scene = ReadSceneText(TextOf(data, size), "fuzz.toml");
  if (!scene) {
    RequireErrors(scene.errors());
    return 0;
  }
  const Model& model = *(*scene)->model;
  Require(!model.bodies.empty() && model.bodies.size() <= 20000, "number of bodies");
  Require(
      !(*scene)->channels.empty() && (*scene)->channels.size() <= ToIndex(Snapshot::kMaxChannels),
      "number of channels");
  for (const Body& body : model.bodies) {
    Require(std::isfinite(body.mass) && body.inertia_B.allFinite(), "mass of a body");
    Require(body.X_WB.p.allFinite() && body.V_WB.allFinite(), "start of a body");
    Require(std::abs(body.X_WB.q.norm() - 1) < 1e-9, "start orientation of a body");
    Require(std::isfinite(body.bound), "bound of a body");
  }
  for (const ChannelSpec& channel : (*scene)->channels) {
    for (const ParamEntry& entry : ListParams(channel.config)) {
      const double value = GetParam(channel.config, entry.path).value();
      Require(CheckValue(*entry.info, value).ok(), "a parameter of a scene is in its range");
    }
  }
  return 0;
}
