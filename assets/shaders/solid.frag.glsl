// Lambert under a hemisphere and one key light, with shadow and fog. Variants by #define, because
// a branch costs as much as what it skips on software renderers:
//   SHADOW_TAPS 0, 1, 9 | GRID (ground) | BELT (slats) | PLAIN (no fog, no shadow: glyphs)
in vec3 v_position;
in vec3 v_normal;
in vec3 v_local;
flat in vec4 v_colour;
flat in vec4 v_params;

uniform vec3 u_eye;
uniform vec3 u_to_light;
uniform vec3 u_up;
uniform vec3 u_sky;    // radiance / pi
uniform vec3 u_earth;
uniform vec3 u_key;
uniform vec3 u_fog_colour;
uniform vec2 u_fog;    // start, 1 / length
uniform vec4 u_line;   // grid or slat line colour
uniform float u_alpha;
#if SHADOW_TAPS > 0
in vec3 v_shadow;
uniform sampler2DShadow u_shadow_map;
uniform vec3 u_shadow_texel;  // size in the map, normal bias in metres, depth bias
#endif

out vec4 o_colour;

vec3 ToSrgb(vec3 c) {
  c = clamp(c, 0.0, 1.0);
#ifdef FAST
  return 1.13 * sqrt(c) - 0.13 * c;  // within 0.012 of the curve, without a power
#else
  return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
#endif
}

// Share of a pixel of footprint `w` that a line of half width h around 0 covers (box filter).
float Coverage(float d, float h, float w) {
  return clamp((h + 0.5 * w - abs(d)) / w, 0.0, min(1.0, 2.0 * h / w));
}

float Shadow() {
#if SHADOW_TAPS > 0
  vec3 p = v_shadow;
  vec2 edge = abs(p.xy - 0.5) * 2.0;
  float inside = clamp((1.0 - max(edge.x, edge.y)) * 7.0, 0.0, 1.0);
#if SHADOW_TAPS > 1
  float lit = 0.0;
  for (int i = -1; i <= 1; ++i) {
    for (int j = -1; j <= 1; ++j) {
      lit += texture(u_shadow_map, vec3(p.xy + 1.6 * u_shadow_texel.x * vec2(i, j), p.z));
    }
  }
  lit /= 9.0;
#else
  float lit = texture(u_shadow_map, p);
#endif
  return mix(1.0, lit, inside);
#else
  return 1.0;
#endif
}

void main() {
#ifdef GRID
  vec3 n = u_up;  // the ground's block in the side view shall be as light as its top
#else
  vec3 n = normalize(v_normal);
#endif
  vec3 albedo = v_colour.rgb;

#if defined(GRID)
  vec2 grid = (v_local.xy + v_params.xy) / v_params.z;
  vec2 width = fwidth(grid);
  vec2 d = grid - round(grid);
  vec2 line = clamp(1.0 - abs(d) / width, 0.0, 1.0);
  // lines closer than a few pixels fade out instead of turning into grey moire
  line *= clamp(0.5 / width - 1.0, 0.0, 1.0);
  albedo = mix(albedo, u_line.rgb, u_line.a * max(line.x, line.y));
#elif defined(BELT)
  float slat = (v_local.x - v_params.w) / v_params.z;
  float d = slat - floor(slat) - 0.5;
  albedo = mix(albedo, u_line.rgb, u_line.a * Coverage(d, 0.020, fwidth(slat)));
#else
  if (v_params.x > 0.5) {
    // two tones on what is round, so that rolling is seen
    float s = abs(v_params.x - 2.0) > 0.5 ? v_local.x * v_local.z : v_local.x * 0.02;
    float w = max(fwidth(s), 1e-7);
    albedo *= mix(v_params.x > 2.5 ? 0.02 : 0.62, 1.0, clamp(s / w + 0.5, 0.0, 1.0));
  }
#endif

  vec3 light = mix(u_earth, u_sky, 0.5 + 0.5 * dot(n, u_up));
  float facing = dot(n, u_to_light);
#ifdef PLAIN
  light += u_key * max(facing, 0.0);
  vec3 colour = albedo * mix(light, vec3(1.0), v_params.y);
#else
  if (facing > 0.0) light += u_key * facing * Shadow();
#if defined(GRID) || defined(BELT)
  vec3 colour = albedo * light;
#else
  vec3 colour = albedo * mix(light, vec3(1.0), v_params.y);
#endif
  float fog = clamp((distance(v_position, u_eye) - u_fog.x) * u_fog.y, 0.0, 1.0);
  colour = mix(colour, u_fog_colour, fog);
#endif
  o_colour = vec4(ToSrgb(colour), v_colour.a * u_alpha);
}
