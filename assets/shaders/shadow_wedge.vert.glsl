// A piece of a soft polygon on a plane (render/draw_list.h, ShadowWedge).
layout(location = 0) in vec4 a_weights;  // of the inner two points and of the outer two
layout(location = 1) in vec4 a_inner;
layout(location = 2) in vec4 a_outer;
layout(location = 3) in vec4 a_middle;  // xy, dark

uniform mat4 u_view_projection;
uniform vec3 u_origin;
uniform vec3 u_x;
uniform vec3 u_y;

out vec3 v_place;  // along, across, 1 where it does not fade
flat out float v_dark;

void main() {
  float outside = a_weights.z + a_weights.w;
  float middle = 1.0 - a_weights.x - a_weights.y - outside;
  vec2 p = a_weights.x * a_inner.xy + a_weights.y * a_inner.zw + a_weights.z * a_outer.xy +
           a_weights.w * a_outer.zw + middle * a_middle.xy;
  v_place = vec3(p, 1.0 - outside);
  v_dark = a_middle.z;
  gl_Position = u_view_projection * vec4(u_origin + p.x * u_x + p.y * u_y, 1.0);
}
