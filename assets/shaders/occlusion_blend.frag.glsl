// The mean over the sixteen turns of the spirals, of points at about the same depth.
in vec2 v_place;

uniform sampler2D u_seen;
uniform vec2 u_step;  // of a pixel of u_seen
#include "eye_space.glsl"

out vec4 o_share;

void main() {
  float z = DepthOf(v_place), sum = 0.0, weights = 0.0;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      vec2 at = v_place + (vec2(i, j) - 1.5) * u_step;
      float weight = 1e-4 + max(0.0, 1.0 - 40.0 * abs(DepthOf(at) / z - 1.0));
      sum += weight * texture(u_seen, at).r;
      weights += weight;
    }
  }
  o_share = vec4(vec3(sum / weights), 1.0);
}
