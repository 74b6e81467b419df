// The whole picture.
layout(location = 0) in vec2 a_corner;  // 0 or 1
layout(location = 1) in vec4 a_bounds;  // low, high in clip space

out vec2 v_place;  // 0 to 1

void main() {
  v_place = a_corner;
  gl_Position = vec4(mix(a_bounds.xy, a_bounds.zw, a_corner), 0.0, 1.0);
}
