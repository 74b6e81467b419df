// Ten models in MuJoCo's format for each feature that is read: drawn at random, the same in every
// run, each different in what it has of the feature.
#pragma once

#include <vector>

#include "tests/support/mjcf_models.h"

namespace slip::test {

/// What libmujoco 2.2.2 does not read, it gets written out.
std::vector<MjcfCase> MakeMjcfVariants();

}  // namespace slip::test
