// Lambert under a hemisphere and one key light, with shadow and fog. Variants by #define, because
// a branch costs as much as what it skips on software renderers:
//   SHADOW_TAPS 0, 1, 9 | PLAIN (no fog, no shadow: glyphs) | VERTEX_LIT (light comes interpolated)
#ifdef VERTEX_LIT
in vec3 v_light;
#else
in vec3 v_normal;
#endif
in vec3 v_local;
flat in vec4 v_colour;
flat in vec4 v_params;

uniform vec3 u_to_light;
uniform vec3 u_up;
uniform vec3 u_sky;    // radiance / pi
uniform vec3 u_earth;
uniform vec3 u_key;
uniform vec3 u_fog_colour;
uniform vec2 u_fog;    // start, 1 / length
uniform float u_alpha;
#include "shadow.glsl"
#include "srgb.glsl"

out vec4 o_colour;

void main() {
  vec3 albedo = v_colour.rgb;

  if (v_params.x > 0.5) {
    // two tones on what is round, so that rolling is seen
    float s = abs(v_params.x - 2.0) > 0.5 ? v_local.x * v_local.z : v_local.x * 0.02;
    float w = max(fwidth(s), 1e-7);
    albedo *= mix(v_params.x > 2.5 ? 0.02 : 0.62, 1.0, clamp(s / w + 0.5, 0.0, 1.0));
  }

#ifdef VERTEX_LIT
  vec3 colour = albedo * v_light;
  float fog = clamp((1.0 / gl_FragCoord.w - u_fog.x) * u_fog.y, 0.0, 1.0);
  colour = mix(colour, u_fog_colour, fog);
#else
  vec3 n = normalize(v_normal);
  vec3 light = mix(u_earth, u_sky, 0.5 + 0.5 * dot(n, u_up));
  float facing = dot(n, u_to_light);
#ifdef PLAIN
  light += u_key * max(facing, 0.0);
  vec3 colour = albedo * mix(light, vec3(1.0), v_params.y);
#else
  if (facing > 0.0) light += u_key * facing * Shadow();
  vec3 colour = albedo * mix(light, vec3(1.0), v_params.y);
  float fog = clamp((1.0 / gl_FragCoord.w - u_fog.x) * u_fog.y, 0.0, 1.0);
  colour = mix(colour, u_fog_colour, fog);
#endif
#endif
  o_colour = vec4(ToSrgb(colour), v_colour.a * u_alpha);
}
