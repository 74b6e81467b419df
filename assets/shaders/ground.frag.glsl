// Ground with its grid, or (BELT) a conveyor with its slats. Most pixels are one of the two, and each
// is flat: its light is worked out once outside (four sRGB colours), at half the cost of a body.
in vec3 v_local;
flat in vec4 v_params;  // grid: offset x, y, spacing; slats: z pitch, w phase

uniform vec3 u_lit;
uniform vec3 u_shaded;
uniform vec3 u_line_lit;
uniform vec3 u_line_shaded;
uniform float u_line_alpha;
uniform vec3 u_fog_srgb;
uniform vec2 u_fog;  // start, 1 / length

#include "shadow.glsl"

out vec4 o_colour;

// Share of a pixel of footprint `w` that a line of half width h around 0 covers (box filter).
float Coverage(float d, float h, float w) {
  return clamp((h + 0.5 * w - abs(d)) / w, 0.0, min(1.0, 2.0 * h / w));
}

void main() {
#ifdef BELT
  float slat = (v_local.x - v_params.w) / v_params.z;
  float drawn = u_line_alpha * Coverage(slat - floor(slat) - 0.5, 0.020, fwidth(slat));
#else
  vec2 grid = (v_local.xy + v_params.xy) / v_params.z;
  vec2 width = fwidth(grid);
  vec2 d = abs(grid - round(grid));
  vec2 scale = 1.0 / width;
  // lines closer than a few pixels fade out instead of turning into grey moire
  vec2 line = clamp(1.0 - d * scale, 0.0, 1.0) * clamp(0.5 * scale - 1.0, 0.0, 1.0);
  float drawn = u_line_alpha * max(line.x, line.y);
#endif
#if SHADOW_TAPS > 0
  float lit = Shadow();
  vec3 colour = mix(mix(u_shaded, u_lit, lit), mix(u_line_shaded, u_line_lit, lit), drawn);
#else
  vec3 colour = mix(u_lit, u_line_lit, drawn);
#endif
  float fog = clamp((1.0 / gl_FragCoord.w - u_fog.x) * u_fog.y, 0.0, 1.0);
  o_colour = vec4(mix(colour, u_fog_srgb, fog), 1.0);
}
