// A model as libmujoco reads it, and how its state is that of ours.
#pragma once

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "engine/dynamics/model.h"
#include "engine/dynamics/state.h"

namespace slip::test {

class MjcfTwin {
 public:
  /// `prefix` is that of our names: "robot/".
  MjcfTwin(const std::string& text, std::string prefix) : prefix_(std::move(prefix)) {
    const std::string file = testing::TempDir() + "slipscope_twin.xml";
    std::ofstream(file) << text;
    char error[1000] = "";
    m = mj_loadXML(file.c_str(), nullptr, error, sizeof error);
    std::filesystem::remove(file);
    if (m == nullptr) throw std::runtime_error(error);
    d = mj_makeData(m);
  }
  ~MjcfTwin() {
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  MjcfTwin(const MjcfTwin&) = delete;

  void SetPrefix(std::string prefix) { prefix_ = std::move(prefix); }

  /// Our body that the joint carries.
  const Body& BodyOf(const Model& model, int joint) const {
    const std::string name = prefix_ + mj_id2name(m, mjOBJ_JOINT, joint);
    for (const Body& body : model.bodies)
      if (body.joint.name == name && body.shape_of_link < 0) return body;
    throw std::runtime_error("no joint " + name);
  }
  /// Our body of that name.
  int Find(const Model& model, int body) const {
    const std::string name = prefix_ + mj_id2name(m, mjOBJ_BODY, body);
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
      if (model.bodies[b].name == name && model.bodies[b].shape_of_link < 0)
        return static_cast<int>(b);
    return -1;
  }

  /// Takes over our state. T: their velocities from ours; rate: what of their acceleration is not T
  /// times ours.
  void Set(const Model& model, const State& state) {
    T.setZero(m->nv, model.nv);
    rate.setZero(m->nv);
    for (int j = 0; j < m->njnt; ++j) {
      const Body& body = BodyOf(model, j);
      double* q = d->qpos + m->jnt_qposadr[j];
      const int row = m->jnt_dofadr[j];
      const double* own = state.q.data() + body.q_start;
      if (m->jnt_type[j] == mjJNT_FREE) {
        const auto index = static_cast<std::size_t>(&body - model.bodies.data());
        const Pose& X_WB = state.X_WB[index];
        const Quat R = X_WB.q * body.X_BL.q;
        const Vec3 p = X_WB * body.X_BL.p, r = X_WB.p - p;
        const double pose[] = {p.x(), p.y(), p.z(), R.w(), R.x(), R.y(), R.z()};
        std::copy(pose, pose + 7, q);
        const Vec3 w = state.v.segment<3>(body.v_start);
        for (int i = 0; i < 3; ++i) {
          T(row + i, body.v_start + 3 + i) = 1;
          T.block<3, 1>(row, body.v_start + i) = r.cross(Vec3::Unit(i));
        }
        T.block<3, 3>(row + 3, body.v_start) = R.conjugate().toRotationMatrix();
        rate.segment<3>(row) = w.cross(r).cross(w);
      } else if (m->jnt_type[j] == mjJNT_BALL) {
        const Quat turn(own[3], own[0], own[1], own[2]);
        const double wxyz[] = {own[3], own[0], own[1], own[2]};
        std::copy(wxyz, wxyz + 4, q);
        T.block<3, 3>(row, body.v_start) = turn.conjugate().toRotationMatrix();
      } else {
        *q = *own;
        T(row, body.v_start) = 1;
      }
    }
    Eigen::Map<VectorX>(d->qvel, m->nv) = T * state.v;
  }

  mjModel* m = nullptr;
  mjData* d = nullptr;
  MatrixX T;
  VectorX rate;

 private:
  std::string prefix_;
};

}  // namespace slip::test
