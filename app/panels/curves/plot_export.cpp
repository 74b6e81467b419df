#include "app/panels/curves/plot_export.h"

#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "app/kit/theme_scope.h"
#include "app/kit/widget_registry.h"
#include "app/panels/curves/plot_content.h"
#include "app/plots/svg.h"
#include "engine/core/output_file.h"
#include "engine/sim/part_signals.h"
#include "render/gl/gl.h"

namespace slip::app {
namespace {

constexpr const char* kWritten = "Plot written.";
constexpr float kFigureWidth = 600, kFigureHeight = 280;  // at least: the names need room
constexpr float kMostScale = 6;                           // the fonts' sheet ends there
constexpr float kSvgWidth = 480, kSvgHeight = 300;        // points: two of them on a page

/// "slipscope-conveyor-normal_force-001.svg": the first that does not exist. What separates the
/// parts of a name elsewhere is a dash here.
std::string FreePath(const Session& session, const PlotChoice& choice, std::string_view extension) {
  const std::string scene = session.scene() != nullptr ? session.scene()->id : "empty";
  std::string name = NameOf(session.scene_model(), choice);
  for (const char c : {':', '/', '@'}) std::replace(name.begin(), name.end(), c, '-');
  return FreeName(fmt::format("slipscope-{}-{}", scene, name), extension);
}

void SayWritten(const Status& status, const std::string& path, const std::string& note,
                Requests* requests) {
  if (!status.ok()) {
    Message message;
    message.level = Message::Level::kError;
    message.what = "The plot was not written.";
    message.where = path;
    message.advice = status.error().Text();
    requests->Ask([message](Session* s) { s->Post(message); });
    return;
  }
  std::error_code ignored;
  const std::string where = std::filesystem::absolute(path, ignored).string();
  Message message;
  message.what = kWritten;
  message.subject = kWritten;  // the last file is the one that is looked for
  message.where = where;
  message.advice = note;
  message.actions.push_back(
      {"Copy path", [where](Session*) { ImGui::SetClipboardText(where.c_str()); }});
  requests->Ask([message](Session* s) { s->Post(message); });
}

}  // namespace

Result<render::Image> DrawPlotPicture(const Session& session, const PlotsState& plots,
                                      const PlotFigure& figure, Compare compare,
                                      PlotSources* sources) {
  const PlotSlot& plot = plots.slots[figure.slot];
  const float shown = UiScale();
  if (plot.size.x < 1 || plot.size.y < 1) return Error{"the plot was never drawn", "", 0, 0, ""};
  const float scale = std::min(figure.scale, kMostScale);
  const ImVec2 size{std::round(std::max(plot.size.x / shown, kFigureWidth) * scale),
                    std::round(std::max(plot.size.y / shown, kFigureHeight) * scale)};
  const render::StateGuard guard;
  render::Image image;
  {
    const ThemeScope scope;
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = size;
    io.DeltaTime = 1.0f / 60;
    SetTheme(figure.theme, scale);
    ImGui_ImplOpenGL3_Init("#version 330 core");
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::Begin("plot", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBackground);
    PlotContent content = MakePlotContent(session, plots, figure.slot, compare, sources);
    AddPlotEvents(MakePlotEvents(session), &content);
    PlotSpec spec = content.Spec();
    spec.figure = true;
    spec.print = figure.white;
    spec.play_head.reset();  // of the moment, not of the figure
    PlotState state = plot.state;
    LinkedX x = plots.linked_x;
    x.hover.reset();
    Plot(spec, &state, &x, size);
    ImGui::End();
    ImGui::PopStyleVar();
    ImGui::Render();
    const int width = static_cast<int>(size.x), height = static_cast<int>(size.y);
    const render::ColourTarget target = render::MakeColourTarget(width, height);
    glViewport(0, 0, width, height);
    glDisable(GL_SCISSOR_TEST);
    const ImVec4 ground = figure.white ? ImVec4(1, 1, 1, 1) : ColorV(Token::kApp);
    glClearColor(ground.x, ground.y, ground.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    image = render::ReadPixels(target.framebuffer.id(), width, height);
    ImGui_ImplOpenGL3_Shutdown();
  }
  return image;
}

void CopyFigureCommand(const Session& session, const PlotsState& plots, Theme theme,
                       Requests* requests) {
  std::string signals;
  for (const PlotSlot& slot : plots.slots) {
    signals += (signals.empty() ? "" : ",") + NameOf(session.scene_model(), slot);
  }
  const std::string scene = session.scene() != nullptr ? session.scene()->id : "conveyor";
  const std::string options = fmt::format(
      " --time {:.9g} --region plots --plots {} --size 1600x420 --theme {} -o {}-plots.png",
      session.snapshot().time, signals, theme == Theme::kLight ? "light" : "dark", scene);
  requests->Ask([requests, options](Session* s) {
    s->experiments().CopyCommandLine(
        Experiments::CommandKind::kArguments,
        [requests, options](const std::string& run) {
          requests->Copy("slipscope render " + run + options, "Command line");
        },
        s->snapshot().time);
  });
}

void ExportPlot(const Session& session, Theme theme, Compare compare, PlotsState* plots,
                PlotSources* sources, Requests* requests) {
  const PlotExportRequest request = plots->wanted;
  plots->wanted = {};
  if (request.wanted == PlotExport::kNone) return;
  const auto slot = static_cast<std::size_t>(std::clamp(request.slot, 0, kPlotSlots - 1));
  const PlotSlot& plot = plots->slots[slot];
  const LinkedX& x = plots->linked_x;
  const auto csv = [&](bool all) {
    constexpr double kEver = std::numeric_limits<double>::max();
    const PlotContent content = MakePlotContent(session, *plots, slot, compare, sources);
    return PlotCsv(content.Spec(), all ? AxisRange{-kEver, kEver} : x.range);
  };
  const auto write = [&](std::string_view text, std::string_view extension) {
    const std::string path = FreePath(session, plot, extension);
    const auto begin = session.series().Begin();
    SayWritten(
        WriteFile(path, text, false), path,
        begin ? "What is kept for plots begins at " + FormatQuantity(*begin, "s", 4) + "." : "",
        requests);
  };
  switch (request.wanted) {
    case PlotExport::kNone:
      break;
    case PlotExport::kCopyCsv:
      requests->Copy(csv(false), "Visible samples as CSV");
      break;
    case PlotExport::kCsvVisible:
      write(csv(false), "csv");
      break;
    case PlotExport::kCsvAll:
      write(csv(true), "csv");
      break;
    case PlotExport::kSvg: {
      // in the colours of the light theme, whatever the window has
      const ThemeScope scope;
      ImGui::GetIO().IniFilename = nullptr;
      SetTheme(Theme::kLight, 1);
      PlotContent content = MakePlotContent(session, *plots, slot, compare, sources);
      AddPlotEvents(MakePlotEvents(session), &content);
      write(PlotSvg(content.Spec(), plot.state, x, {kSvgWidth, kSvgHeight}), "svg");
      break;
    }
    case PlotExport::kPng: {
      const PlotFigure figure{slot, request.white ? Theme::kLight : theme, request.white,
                              UiScale() * static_cast<float>(request.scale)};
      const Result<render::Image> image =
          DrawPlotPicture(session, *plots, figure, compare, sources);
      const std::string path = FreePath(session, plot, "png");
      SayWritten(image.ok() ? render::WritePng(*image, path, false) : Status(image.errors()), path,
                 "", requests);
      break;
    }
    case PlotExport::kCopyCommand:
      CopyFigureCommand(session, *plots, theme, requests);
      break;
  }
}

}  // namespace slip::app
