// The panels left and right of the picture: a strip of tabs (session/tab_list.h) and the chosen
// one.
#pragma once

#include "app/panels/common/tab.h"

namespace slip::app {

void DrawLeft(const TabContext& context, Narrow narrow);
void DrawRight(const TabContext& context);

}  // namespace slip::app
