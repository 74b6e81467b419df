// Rounded boxes, spheres and capsules, one instance each (render/meshes.h, SolidInstance). DOME:
// balls as the half that faces the eye.
layout(location = 0) in vec3 a_corner;
layout(location = 1) in vec3 a_normal;
layout(location = 2) in vec4 a_row0;
layout(location = 3) in vec4 a_row1;
layout(location = 4) in vec4 a_row2;
layout(location = 5) in vec4 a_half;  // half extents, edge radius
layout(location = 6) in vec4 a_colour;
layout(location = 7) in vec4 a_params;

uniform mat4 u_view_projection;
#ifdef DOME
uniform vec4 u_eye;    // relative to the target; w = 0: the direction to it
uniform vec3 u_right;  // of the picture
#endif

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
#ifdef DOME
  vec3 centre = vec3(a_row0.w, a_row1.w, a_row2.w);
  vec3 way = u_eye.xyz - u_eye.w * centre;
  float far = length(way);
  vec3 axis = way / far;
  vec3 aside = normalize(cross(axis, u_right)), across = cross(aside, axis);
  // from the pole to the horizon, which is nearer than the equator
  float cap = u_eye.w > 0.5 ? acos(min(a_half.w / far, 1.0)) : 1.5707963;
  float angle = a_normal.x * cap;
  vec3 n = cos(angle) * axis + sin(angle) * (a_normal.y * across + a_normal.z * aside);
  vec3 local = a_half.w * (a_row0.xyz * n.x + a_row1.xyz * n.y + a_row2.xyz * n.z);
  vec3 world = centre + a_corner.x * a_half.w * n;
  gl_Position = u_view_projection * vec4(world, 1.0);
#else
  vec3 local = a_corner * (a_half.xyz - a_half.w) + a_half.w * a_normal;
  vec4 p = vec4(local, 1.0);
  vec3 world = vec3(dot(a_row0, p), dot(a_row1, p), dot(a_row2, p));
  gl_Position = u_view_projection * vec4(world, 1.0);
#endif
#ifndef DEPTH_ONLY
#ifndef DOME
  vec3 n = vec3(dot(a_row0.xyz, a_normal), dot(a_row1.xyz, a_normal), dot(a_row2.xyz, a_normal));
#endif
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
