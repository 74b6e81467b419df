// Bars between two points, and dots: quads that face the eye, their width in metres.
layout(location = 0) in vec2 a_corner;  // 0 or 1 along, -1 or 1 across
layout(location = 1) in vec4 a_from;    // relative to the target; half width
layout(location = 2) in vec4 a_to;
layout(location = 3) in vec4 a_colour;  // sRGB
layout(location = 4) in vec4 a_params;  // square ends

uniform mat4 u_view_projection;
uniform vec2 u_size;     // of the pane in pixels
uniform float u_scale;   // pixels per metre at w = 1

out vec2 v_place;  // along from the first point, across [px]
flat out vec4 v_shape;  // length, half widths, square
flat out vec4 v_colour;

void main() {
  vec4 a = u_view_projection * vec4(a_from.xyz, 1.0);
  vec4 b = u_view_projection * vec4(a_to.xyz, 1.0);
  v_colour = a_colour;
  // what reaches behind the eye is left out
  if (min(a.w, b.w) < 1e-3) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    v_place = vec2(0.0);
    v_shape = vec4(0.0);
    return;
  }
  vec2 p = 0.5 * u_size * a.xy / a.w, q = 0.5 * u_size * b.xy / b.w;
  // thinner than a pixel: fainter instead
  vec2 wanted = vec2(a_from.w / a.w, a_to.w / b.w) * u_scale;
  vec2 half_width = max(wanted, vec2(0.6));
  v_colour.a *= clamp(max(wanted.x, wanted.y) / 0.6, 0.25, 1.0);
  float length = distance(p, q);
  vec2 along = length > 0.01 ? (q - p) / length : vec2(1.0, 0.0);
  vec2 across = vec2(-along.y, along.x);
  float reach = max(half_width.x, half_width.y) + 1.0;
  float x = a_corner.x < 0.5 ? -reach : length + reach;
  vec2 at = p + x * along + a_corner.y * reach * across;
  v_place = vec2(x, a_corner.y * reach);
  v_shape = vec4(length, half_width, a_params.x);
  gl_Position = vec4(2.0 * at / u_size, 0.0, 1.0);
}
