// How much of the sky each point sees: points of a spiral about it that stand over its surface
// take some away, the near ones most.
in vec2 v_place;

uniform float u_radius;   // of the spiral [m]
uniform vec2 u_per_metre; // of the picture, at 1 m
uniform float u_texel;    // height of a pixel of the depth buffer in the picture
uniform float u_aspect;
#include "eye_space.glsl"

out vec4 o_seen;

const int kPoints = 14;
const float kStrength = 1.1;
const float kTurns = 5.0;

void main() {
  o_seen = vec4(1.0);
  if (texture(u_depth, v_place).r >= 1.0) return;
  // not on the border of two pixels
  vec2 place = v_place + 0.25 * vec2(u_texel / u_aspect, u_texel);
  vec3 p = PointAt(place);
  // the smaller of both differences does not cross an edge
  vec2 dx = vec2(u_texel / u_aspect, 0.0), dy = vec2(0.0, u_texel);
  vec3 right = PointAt(place + dx) - p, left = p - PointAt(place - dx);
  vec3 up = PointAt(place + dy) - p, down = p - PointAt(place - dy);
  vec3 n = normalize(cross(abs(right.z) < abs(left.z) ? right : left,
                           abs(up.z) < abs(down.z) ? up : down));
  vec2 reach = u_radius * u_per_metre / (u_drawing > 0.5 ? 1.0 : -p.z);
  // a turn of its own for each pixel: the blur takes its grain away
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  float turn = 6.2831853 * float((pixel.x & 3) * 4 + (pixel.y & 3)) / 16.0;
  float lost = 0.0;
  for (int i = 0; i < kPoints; ++i) {
    float share = (float(i) + 0.5) / float(kPoints);
    float angle = turn + share * kTurns * 6.2831853;
    vec3 v = PointAt(place + share * reach * vec2(cos(angle), sin(angle))) - p;
    float away = dot(v, v) / (u_radius * u_radius);
    // less than a thousandth of the depth may be rounding
    lost += max(dot(v, n) + 0.001 * p.z, 0.0) / (length(v) + 0.02 * u_radius) * max(1.0 - away, 0.0);
  }
  o_seen = vec4(max(1.0 - kStrength * lost * 2.0 / float(kPoints), 0.25));
}
