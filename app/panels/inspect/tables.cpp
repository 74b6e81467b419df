// The tables of the inspector as text: copied, or written to a file.
#include <filesystem>
#include <utility>

#include "app/kit/widgets.h"
#include "app/panels/common/friction.h"
#include "app/panels/inspect/tables.h"
#include "engine/core/numbers.h"
#include "engine/core/output_file.h"
#include "engine/sim/foot_load.h"

namespace slip::app {

DataTable ContactsTable(const Session& session, DifferenceStore*) {
  DataTable table{"contacts",
                  {"model", "body_b", "body_a", "signed_distance_m", "vn_m_s", "vt_m_s", "fn_N",
                   "ft_N", "torque_Nm", "friction_used", "mode"},
                  {}};
  const Model* model = session.model();
  if (model == nullptr) return table;
  for (int i = 0; i < session.channel_count(); ++i) {
    if (!session.looks().Present(i)) continue;
    for (const ContactFrame& c : session.written().frame(i).contacts) {
      table.rows.push_back({session.looks().Name(i), model->body(c.body).name,
                            std::string(NameOfA(*model, c)), c.signed_distance, c.vn, c.vt, c.fn,
                            c.ft, c.torque, c.friction_used, std::string(c.word)});
    }
  }
  return table;
}

DataTable FeetTable(const Session& session, DifferenceStore*) {
  DataTable table{"feet",
                  {"model", "foot", "normal_force_N", "friction_used", "slip_speed_m_s", "height_m",
                   "contacts"},
                  {}};
  const Model* model = session.model();
  if (model == nullptr) return table;
  for (int i = 0; i < session.channel_count(); ++i) {
    const ChannelFrame& frame = session.written().frame(i);
    if (!session.looks().Present(i) || frame.bodies.size() != model->bodies.size()) continue;
    for (const Robot& robot : model->robots) {
      for (const Robot::Foot& foot : robot.feet) {
        const FootLoad load =
            CalcFootLoad(*model, foot, At(frame.bodies, foot.body).X_WB, frame.contacts);
        table.rows.push_back({session.looks().Name(i), robot.name + "/" + foot.name, load.normal,
                              load.friction_used, load.slip_speed, load.height,
                              static_cast<double>(load.contacts)});
      }
    }
  }
  return table;
}

DataTable BodiesTable(const Session& session, DifferenceStore*) {
  DataTable table{"bodies",
                  {"model", "body", "mass_kg", "px_m", "py_m", "pz_m", "qw", "qx", "qy", "qz",
                   "vx_m_s", "vy_m_s", "vz_m_s", "wx_rad_s", "wy_rad_s", "wz_rad_s"},
                  {}};
  const Model* model = session.model();
  if (model == nullptr) return table;
  for (int i = 0; i < session.channel_count(); ++i) {
    const ChannelFrame& frame = session.written().frame(i);
    if (!session.looks().Present(i) || frame.bodies.size() != model->bodies.size()) continue;
    for (std::size_t b = 0; b < model->bodies.size(); ++b) {
      if (model->bodies[b].shape_of_link >= 0) continue;
      const Vec3& p = frame.bodies[b].X_WB.p;
      const Quat q = model->bodies[b].ShownTurn(frame.bodies[b].X_WB.q);
      const Vec6& V = frame.bodies[b].V_WB;
      table.rows.push_back({session.looks().Name(i), model->bodies[b].name, model->bodies[b].mass,
                            p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z(), V[3], V[4], V[5], V[0],
                            V[1], V[2]});
    }
  }
  return table;
}

DataTable ShownTable(const Session& session, TabId tab, DifferenceStore* differences) {
  const auto table = TabOf(ShownTab(session, tab, Narrow::kNo)).table;
  return table != nullptr ? table(session, differences) : DataTable{};
}

void SaveTable(const Session& session, const DataTable& table, Requests* requests) {
  const std::string scene = session.scene() != nullptr ? session.scene()->id : "scene";
  const std::string path = FreeName("slipscope-" + scene + "-" + table.name, "csv");
  std::error_code ignored;
  const Status status = WriteFile(path, Csv(table), false);
  std::string told = status.ok()
                         ? "Table written to " + std::filesystem::absolute(path, ignored).string()
                         : "The table could not be written: " + status.error().Text();
  requests->Ask([told = std::move(told)](Session* session) { session->Say(told); });
}

void TableMenu(const Session& session, TabId tab, DifferenceStore* differences,
               Requests* requests) {
  if (TabOf(tab).table == nullptr) return;
  const bool taken = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);  // by a row's own menu
  if (!taken && ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && ImGui::IsMouseReleased(1))
    ImGui::OpenPopup("table-menu");
  if (!ImGui::BeginPopup("table-menu")) return;
  const DataTable table = ShownTable(session, tab, differences);
  Paragraph("Table of " + table.name + ", SI units", Role::kCaption, Token::kText3);
  if (ImGui::MenuItem("Copy as CSV")) requests->Copy(Csv(table), "Table");
  RegisterLastItem("table/csv");
  if (ImGui::MenuItem("Copy as Markdown")) requests->Copy(Markdown(table), "Table");
  RegisterLastItem("table/markdown");
  if (ImGui::MenuItem("Save as CSV")) SaveTable(session, table, requests);
  RegisterLastItem("table/save");
  ImGui::EndPopup();
}

}  // namespace slip::app
