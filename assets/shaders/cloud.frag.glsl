// A sphere in the square around it: normal and depth of every pixel are the sphere's own. Variants:
//   QUAD | DEPTH_ONLY (a disc) | FLAT (depth of the centre: for points of a few pixels) | FAST
#ifdef QUAD
in vec2 v_place;
#endif

#ifdef DEPTH_ONLY
void main() {
#ifdef QUAD
  vec2 d = v_place;
#else
  vec2 d = 2.0 * gl_PointCoord - 1.0;
#endif
  if (dot(d, d) > 1.0) discard;
}
#else

flat in vec4 v_paint;  // colour; share of the key light that arrives

uniform vec3 u_light_view;  // right, up, towards the eye
uniform vec3 u_up_view;
uniform vec3 u_sky;
uniform vec3 u_earth;
uniform vec3 u_key;
uniform vec3 u_fog_colour;
uniform vec2 u_fog;  // start, 1 / length
uniform float u_radius;
uniform vec2 u_toward;  // clip space z and w of a metre towards the eye
uniform float u_emissive;
uniform float u_opacity;
uniform float u_behind;  // added to the depth

out vec4 o_colour;

#include "srgb.glsl"

void main() {
#ifdef QUAD
  vec2 d = v_place;
#else
  vec2 d = vec2(2.0, -2.0) * gl_PointCoord + vec2(-1.0, 1.0);
#endif
  float across = dot(d, d);
  if (across > 1.0) discard;
  vec3 n = vec3(d, sqrt(1.0 - across));
  float w = 1.0 / gl_FragCoord.w;  // of the centre, as the depth is
#ifndef FLAT
  vec2 clip = vec2((2.0 * gl_FragCoord.z - 1.0) * w, w) + n.z * u_radius * u_toward;
  gl_FragDepth = 0.5 + 0.5 * clip.x / clip.y + u_behind;
#endif
  vec3 light = mix(u_earth, u_sky, 0.5 + 0.5 * dot(n, u_up_view));
  light += u_key * max(dot(n, u_light_view), 0.0) * v_paint.a;
  vec3 colour = v_paint.rgb * mix(light, vec3(1.0), u_emissive);
  float fog = clamp((w - u_fog.x) * u_fog.y, 0.0, 1.0);
  o_colour = vec4(ToSrgb(mix(colour, u_fog_colour, fog)), u_opacity);
}
#endif
