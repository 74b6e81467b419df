// What the plots show, which of them has the keyboard, and what was asked of one.
#pragma once

#include <imgui.h>

#include <array>
#include <cstdint>
#include <string>

#include "app/plots/plot.h"
#include "engine/sim/signals.h"

namespace slip::app {

inline constexpr int kPlotSlots = 3;

struct PlotSlot : PlotChoice {
  PlotState state;
  ImVec2 size{0, 0};  ///< as last drawn, pixels
  std::string title;  ///< as last drawn: values and differences have other ranges
  uint64_t run = 0;   ///< Snapshot::session that the axis was fitted in

  void Choose(const PlotChoice& choice) {
    const bool halo = state.halo, annotations = state.annotations;
    *this = PlotSlot{};
    PlotChoice::operator=(choice);
    state.halo = halo;
    state.annotations = annotations;
  }
};

/// The plot that has the keyboard (F4), and the series that the arrows walk along.
struct PlotFocus {
  bool on = false;
  int slot = 0;
  std::string series;  ///< its label
};

/// A file or a text that the user asked of a plot; made after the frame.
struct PlotExportRequest {
  PlotExport wanted = PlotExport::kNone;
  int slot = 0;
  int scale = 1;
  bool white = false;
};

struct PlotsState {
  // Saved.
  bool shown = true;
  float along_opacity = 0.4f;  ///< of the curves of branches that are drawn along; 0 = hidden

  // Of this run.
  std::array<PlotSlot, kPlotSlots> slots;
  int count = kPlotSlots;  ///< of them drawn; fewer in a picture that asks for fewer
  int tab = 0;
  std::string card;  ///< of the lesson, that chose the tab last
  LinkedX linked_x;
  PlotFocus focus;
  PlotExportRequest wanted;
  bool follow_chosen = false;  ///< the x axis was switched from all to the newest part
};

}  // namespace slip::app
