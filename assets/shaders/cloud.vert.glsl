// Points of a cloud, each a sphere that faces the eye (render/gpu_cloud.h). Variants by #define:
//   QUAD (two triangles a point: points larger than the driver's largest) | DEPTH_ONLY (shadow map)
//   | SHADOW_TAPS 0, 1, 9
layout(location = 0) in vec4 a_point;  // body axes; along the longest extent, 0 to 1
#ifdef QUAD
layout(location = 1) in vec2 a_corner;  // -1 or 1
out vec2 v_place;
uniform vec2 u_clip_per_metre;  // across the picture, at w = 1
#endif

uniform mat4 u_view_projection;
uniform vec4 u_row0;
uniform vec4 u_row1;
uniform vec4 u_row2;
uniform float u_radius;
uniform float u_pixels;  // per metre at w = 1
uniform float u_perspective;  // 1 or 0

#ifndef DEPTH_ONLY
uniform vec3 u_to_light;
uniform vec3 u_low;  // colours at the ends of the longest extent
uniform vec3 u_high;
// One for all: what a point hands on is copied for every point, and costs more than its pixels.
flat out vec4 v_paint;  // colour; share of the key light that arrives
#if SHADOW_TAPS > 0
uniform mat4 u_shadow;
uniform sampler2DShadow u_shadow_map;
uniform vec3 u_shadow_texel;

// Once per point, not once per pixel: points are small.
float Shadow(vec3 world) {
  vec3 p = (u_shadow * vec4(world, 1.0)).xyz;
  vec2 edge = abs(p.xy - 0.5) * 2.0;
  float inside = clamp((1.0 - max(edge.x, edge.y)) * 7.0, 0.0, 1.0);
#if SHADOW_TAPS > 1
  float lit = 0.0;
  for (int i = -1; i <= 1; i += 2) {
    for (int j = -1; j <= 1; j += 2) {
      lit += 0.25 * textureLod(u_shadow_map, vec3(p.xy + 1.6 * u_shadow_texel.x * vec2(i, j), p.z), 0.0);
    }
  }
#else
  float lit = textureLod(u_shadow_map, p, 0.0);
#endif
  return mix(1.0, lit, inside);
}
#endif
#endif

void main() {
  vec4 p = vec4(a_point.xyz, 1.0);
  vec3 world = vec3(dot(u_row0, p), dot(u_row1, p), dot(u_row2, p));
  vec4 clip = u_view_projection * vec4(world, 1.0);
#ifndef DEPTH_ONLY
  v_paint = vec4(mix(u_low, u_high, a_point.w), 1.0);
#if SHADOW_TAPS > 0
  // well in front of the point's own ball and those beside it
  v_paint.a = Shadow(world + 2.5 * u_radius * u_to_light);
#endif
#endif
  // the outline of a near ball is wider than the ball
  float near = u_perspective * u_radius / clip.w;
  float radius = u_radius * inversesqrt(max(1.0 - near * near, 0.25));
#ifdef QUAD
  v_place = a_corner;
  clip.xy += radius * u_clip_per_metre * a_corner;
#else
  // never so small that the cloud gets holes
  gl_PointSize = max(2.0 * radius * u_pixels / clip.w, 1.5);
#endif
  gl_Position = clip;
}
