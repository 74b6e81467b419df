// Arrows and cones: a profile turned about the instance's direction (render/meshes.h).
layout(location = 0) in vec2 a_circle;
layout(location = 1) in vec3 a_profile;  // radius 0 none 1 shaft 2 head; station; normal
layout(location = 2) in vec4 a_origin;     // xyz, length
layout(location = 3) in vec4 a_direction;  // xyz, shaft radius
layout(location = 4) in vec4 a_head;       // radius, length, emissive
layout(location = 5) in vec4 a_colour;

uniform mat4 u_view_projection;

out vec3 v_normal;
out vec3 v_local;
flat out vec4 v_colour;
flat out vec4 v_params;

void main() {
  vec3 d = a_direction.xyz;
  vec3 helper = abs(d.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0);
  vec3 e1 = normalize(cross(helper, d));
  vec3 e2 = cross(d, e1);
  vec3 radial = a_circle.x * e1 + a_circle.y * e2;
  float radius = a_profile.x < 0.5 ? 0.0 : (a_profile.x < 1.5 ? a_direction.w : a_head.x);
  float body = a_origin.w - a_head.y;
  float along = a_profile.y < 0.5 ? 0.0 : (a_profile.y < 1.5 ? body : a_origin.w);
  vec3 slope = normalize(a_head.y * radial + a_head.x * d);
  v_normal = a_profile.z < 0.5 ? radial : (a_profile.z < 1.5 ? slope : -d);
  vec3 p = a_origin.xyz + radius * radial + along * d;
  v_local = vec3(0.0);
  v_colour = a_colour;
  v_params = vec4(0.0, a_head.z, 0.0, 0.0);
  gl_Position = u_view_projection * vec4(p, 1.0);
}
