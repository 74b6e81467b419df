// MuJoCo's header with what its versions differ in, its memory as values, and its errors: they end
// the process unless a handler says otherwise, and the handlers are global. Included by this room
// alone, where the library was found.
#pragma once

#include <mujoco/mujoco.h>

#include <memory>
#include <string>
#include <string_view>

// Not in the header of every version.
extern "C" void mj_implicit(const mjModel* m, mjData* d);

namespace slip {

struct MujocoDeleter {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};
using MujocoModel = std::unique_ptr<mjModel, MujocoDeleter>;
using MujocoData = std::unique_ptr<mjData, MujocoDeleter>;

/// 222 as "2.2.2".
std::string VersionText(int number);

/// Null and an error where it is refused.
MujocoModel LoadMujocoModel(const std::string& text, std::string* error);
MujocoData MakeMujocoData(const mjModel* model, std::string* error);

/// Calls the function, which must have nothing to destroy on its way. Where the library gives up,
/// what it says, kept in *error.
std::string_view GuardMujoco(void (*function)(void*), void* context, std::string* error);

}  // namespace slip
