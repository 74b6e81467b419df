// A soft ellipse on a plane (render/draw_list.h, ShadowDisc).
layout(location = 0) in vec2 a_corner;  // -1 or 1
layout(location = 1) in vec4 a_centre;  // xy, first half axis
layout(location = 2) in vec4 a_second;  // xy, dark, inner

uniform mat4 u_view_projection;
uniform vec3 u_origin;
uniform vec3 u_x;
uniform vec3 u_y;

out vec3 v_place;
out vec2 v_disc;
flat out float v_dark;
flat out float v_inner;

void main() {
  vec2 p = a_centre.xy + a_corner.x * a_centre.zw + a_corner.y * a_second.xy;
  v_place = vec3(p, 1.0);
  v_disc = a_corner;
  v_dark = a_second.z;
  v_inner = a_second.w;
  gl_Position = u_view_projection * vec4(u_origin + p.x * u_x + p.y * u_y, 1.0);
}
