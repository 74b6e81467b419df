// Linear light to what the screen takes. FAST: without a power.
vec3 ToSrgb(vec3 c) {
  c = clamp(c, 0.0, 1.0);
#ifdef FAST
  return 1.13 * sqrt(c) - 0.13 * c;  // within 0.012 of the curve
#else
  return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
#endif
}
