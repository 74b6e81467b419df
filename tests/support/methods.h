// Methods by name, for tests.
#pragma once

#include "engine/sim/method_list.h"

namespace slip::method_id {

inline constexpr MethodId kSap = MethodNamed("sap"), kLagged = MethodNamed("lagged"),
                          kLaggedRegularized = MethodNamed("lagged-regularized"),
                          kSimilar = MethodNamed("similar"), kAnitescu = MethodNamed("anitescu"),
                          kTodorov = MethodNamed("todorov"), kCoulomb = MethodNamed("coulomb");

}  // namespace slip::method_id
