// ODE's header, its objects as values, its errors and its random numbers: they end the process
// unless a handler says otherwise, and both are global. Included by this room alone, where the
// library was found.
#pragma once

#include <ode/ode.h>

#include <memory>
#include <string>
#include <string_view>

namespace slip {

struct OdeDeleter {
  void operator()(dxWorld* world) const { dWorldDestroy(world); }
  void operator()(dxJointGroup* group) const { dJointGroupDestroy(group); }
  void operator()(dxThreadingImplementation* threads) const {
    dThreadingFreeImplementation(threads);
  }
};
using OdeWorld = std::unique_ptr<dxWorld, OdeDeleter>;
using OdeJoints = std::unique_ptr<dxJointGroup, OdeDeleter>;
using OdeThreads = std::unique_ptr<dxThreadingImplementation, OdeDeleter>;

/// A world of the calling thread: with ODE's own one, worlds would share what steps them.
OdeWorld MakeOdeWorld(OdeThreads* threads);

/// Calls the function, which must have nothing to destroy on its way. Where the library gives up,
/// what it says, kept in *error; *messages counts what it only complains of.
std::string_view GuardOde(void (*function)(void*), void* context, std::string* error,
                          int* messages);

/// Calls GuardOde with the library's random numbers begun at the seed, and nobody else's.
std::string_view GuardOdeWithSeed(unsigned long seed, void (*function)(void*), void* context,
                                  std::string* error, int* messages);

}  // namespace slip
