// Rounded boxes, spheres and capsules, one instance each (render/meshes.h, SolidInstance).
layout(location = 0) in vec3 a_corner;
layout(location = 1) in vec3 a_normal;
layout(location = 2) in vec4 a_row0;
layout(location = 3) in vec4 a_row1;
layout(location = 4) in vec4 a_row2;
layout(location = 5) in vec4 a_half;  // half extents, edge radius
layout(location = 6) in vec4 a_colour;
layout(location = 7) in vec4 a_params;

uniform mat4 u_view_projection;

#ifndef DEPTH_ONLY
#ifdef VERTEX_LIT
out vec3 v_light;
uniform vec3 u_to_light;
uniform vec3 u_up;
uniform vec3 u_sky;
uniform vec3 u_earth;
uniform vec3 u_key;
#else
out vec3 v_normal;
#endif
out vec3 v_local;
flat out vec4 v_colour;
flat out vec4 v_params;
#if SHADOW_TAPS > 0
uniform mat4 u_shadow;
uniform vec3 u_shadow_texel;
out vec3 v_shadow;  // affine, so it may be interpolated: cheaper than a product per pixel
#endif
#endif

void main() {
  vec3 local = a_corner * (a_half.xyz - a_half.w) + a_half.w * a_normal;
  vec4 p = vec4(local, 1.0);
  vec3 world = vec3(dot(a_row0, p), dot(a_row1, p), dot(a_row2, p));
  gl_Position = u_view_projection * vec4(world, 1.0);
#ifndef DEPTH_ONLY
  vec3 n = vec3(dot(a_row0.xyz, a_normal), dot(a_row1.xyz, a_normal), dot(a_row2.xyz, a_normal));
#ifdef VERTEX_LIT
  vec3 light = mix(u_earth, u_sky, 0.5 + 0.5 * dot(n, u_up)) + u_key * max(dot(n, u_to_light), 0.0);
  v_light = mix(light, vec3(1.0), a_params.y);
#else
  v_normal = n;
#endif
  v_local = local;
  v_colour = a_colour;
  v_params = a_params;
#if SHADOW_TAPS > 0
  v_shadow = (u_shadow * vec4(world + u_shadow_texel.y * n, 1.0)).xyz;
  v_shadow.z -= u_shadow_texel.z;
#endif
#endif
}
