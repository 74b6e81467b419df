// A rectangle of the picture that has shadows.
layout(location = 0) in vec2 a_corner;  // 0 or 1
layout(location = 1) in vec4 a_bounds;  // low, high in clip space

void main() { gl_Position = vec4(mix(a_bounds.xy, a_bounds.zw, a_corner), 0.0, 1.0); }
