#include "engine/method/outcome_place.h"

namespace slip {

Vec3 CalcContactVelocity(const ContactGeometry& g, const Vec3& v_W) {
  return {v_W.dot(g.t1_W) - g.belt, v_W.dot(g.t2_W), v_W.dot(g.n_W)};
}

ContactOutcome PlaceOutcome(const Model& model, const ContactGeometry& g, const Vec3& v_W,
                            double time_step) {
  ContactOutcome out;
  out.key = g.key;
  out.surface = g.surface;
  out.body_a = g.body_a;
  out.body = g.body;
  out.a_moves = g.body_a >= 0 && model.body(g.body_a).Moves();
  out.p_W = g.p_W;
  out.t1_W = g.t1_W, out.t2_W = g.t2_W, out.n_W = g.n_W;
  out.vn0 = g.vn0;
  out.v_C = CalcContactVelocity(g, v_W);
  out.vt = out.v_C.head<2>().norm();
  out.phi = g.phi0 + time_step * out.v_C.z();
  return out;
}

}  // namespace slip
