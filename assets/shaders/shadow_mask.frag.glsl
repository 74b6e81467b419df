// Light that is left, into alpha; blended by the least. Variant: DISC.
in vec3 v_place;
flat in float v_dark;
#ifdef DISC
in vec2 v_disc;
flat in float v_inner;
#endif

uniform vec2 u_half;       // extent of the plane
uniform float u_strength;  // of full darkness
uniform vec2 u_fog;   // start, 1 / length

out vec4 o_colour;

void main() {
  if (any(greaterThan(abs(v_place.xy), u_half))) discard;
#ifdef DISC
  float share = clamp((1.0 - length(v_disc)) / max(1.0 - v_inner, 1e-3), 0.0, 1.0);
#else
  float share = v_place.z;
#endif
  share *= share * (3.0 - 2.0 * share);
  float fog = clamp((1.0 / gl_FragCoord.w - u_fog.x) * u_fog.y, 0.0, 1.0);
  o_colour = vec4(0.0, 0.0, 0.0, 1.0 - u_strength * v_dark * share * (1.0 - fog));
}
