// Key light that arrives: 0 in full shadow, 1 in the light or outside the map.
#if SHADOW_TAPS > 0
in vec3 v_shadow;
uniform sampler2DShadow u_shadow_map;
uniform vec3 u_shadow_texel;  // size in the map, normal bias in metres, depth bias
#endif

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
