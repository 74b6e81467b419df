// Points of the picture in the axes of the eye (right, up, backwards) [m], from the depth buffer.
uniform sampler2D u_depth;
uniform vec4 u_projection;  // of its matrix: 1 / (0,0), 1 / (1,1), (2,2), (2,3)
uniform float u_drawing;    // 1 = orthographic

float DepthOf(vec2 place) {
  float d = 2.0 * texture(u_depth, place).r - 1.0;
  return u_drawing > 0.5 ? d / u_projection.z : -u_projection.w / (d + u_projection.z);
}

/// Of the pixel at that place: its depth is that of its middle, which a floor seen from the side
/// does not forgive.
vec3 PointAt(vec2 place) {
  vec2 size = vec2(textureSize(u_depth, 0));
  place = (floor(place * size) + 0.5) / size;
  float z = DepthOf(place);
  return vec3((2.0 * place - 1.0) * u_projection.xy * (u_drawing > 0.5 ? 1.0 : -z), z);
}
