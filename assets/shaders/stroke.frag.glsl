// Inside of a bar or dot, with a feathered edge and a dark rim that parts it from light bodies.
in vec2 v_place;
flat in vec4 v_shape;
flat in vec4 v_colour;

uniform vec3 u_rim;

out vec4 o_colour;

void main() {
  float past = v_place.x < 0.0 ? v_place.x : max(v_place.x - v_shape.x, 0.0);
  float share = clamp(v_place.x / max(v_shape.x, 1e-3), 0.0, 1.0);
  float half_width = mix(v_shape.y, v_shape.z, share);
  float outside = v_shape.w > 0.5 ? max(abs(past), abs(v_place.y)) : length(vec2(past, v_place.y));
  float d = outside - half_width;
  float alpha = clamp(0.5 - d, 0.0, 1.0);
  float rim = clamp(d + 1.6, 0.0, 1.0) * clamp(half_width - 1.0, 0.0, 1.0);
  o_colour = vec4(mix(v_colour.rgb, u_rim, 0.55 * rim), v_colour.a * alpha);
}
