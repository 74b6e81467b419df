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

flat in vec4 v_depth;
flat in vec4 v_colour;
flat in vec2 v_light;

uniform vec3 u_light_view;  // right, up, towards the eye
uniform vec3 u_up_view;
uniform vec3 u_sky;
uniform vec3 u_earth;
uniform vec3 u_key;
uniform vec3 u_fog_colour;
uniform float u_emissive;
uniform float u_behind;  // added to the depth

out vec4 o_colour;

vec3 ToSrgb(vec3 c) {
  c = clamp(c, 0.0, 1.0);
#ifdef FAST
  return 1.13 * sqrt(c) - 0.13 * c;  // within 0.012 of the curve, without a power
#else
  return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
#endif
}

void main() {
#ifdef QUAD
  vec2 d = v_place;
#else
  vec2 d = vec2(2.0, -2.0) * gl_PointCoord + vec2(-1.0, 1.0);
#endif
  float across = dot(d, d);
  if (across > 1.0) discard;
  vec3 n = vec3(d, sqrt(1.0 - across));
#ifndef FLAT
  vec2 clip = v_depth.xy + n.z * v_depth.zw;
  gl_FragDepth = 0.5 + 0.5 * clip.x / clip.y + u_behind;
#endif
  vec3 light = mix(u_earth, u_sky, 0.5 + 0.5 * dot(n, u_up_view));
  light += u_key * max(dot(n, u_light_view), 0.0) * v_light.x;
  vec3 colour = v_colour.rgb * mix(light, vec3(1.0), u_emissive);
  o_colour = vec4(ToSrgb(mix(colour, u_fog_colour, v_light.y)), v_colour.a);
}
#endif
