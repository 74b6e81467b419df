// Exported SDF as libsdformat reads it, where that is installed.
#ifdef SLIP_SDFORMAT
#include <gtest/gtest.h>

#include <sdf/sdf.hh>

#include "tests/engine/export/exported_scenes.h"

namespace slip {
namespace {

TEST(SdfExport, LibsdformatReadsEveryScene) {
  for (const std::string& name : ListScenes()) {
    SCOPED_TRACE(name);
    const test::ExportedScene scene = test::ExportedFile(name);
    sdf::Root root;
    for (const sdf::Error& error : root.LoadSdfString(WriteSdf(scene.Input()).text))
      ADD_FAILURE() << error.Message();
    ASSERT_EQ(root.WorldCount(), 1u);
    const sdf::World& world = *root.WorldByIndex(0);
    // a mass is that of the scene, link by link
    double ours = 0, theirs = 0;
    for (const Body& body : scene.model->bodies)
      if (body.shape_of_link < 0 && body.Moves()) ours += body.mass;
    for (uint64_t m = 0; m < world.ModelCount(); ++m) {
      const sdf::Model& model = *world.ModelByIndex(m);
      for (uint64_t l = 0; l < model.LinkCount() && !model.Static(); ++l)
        theirs += model.LinkByIndex(l)->Inertial().MassMatrix().Mass();
    }
    EXPECT_GE(theirs, ours * (1 - 1e-12));
  }
}

}  // namespace
}  // namespace slip
#endif
