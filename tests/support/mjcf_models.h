// Models in MuJoCo's format for tests, each with something of one group of features. All joints and
// bodies have names, and libmujoco 2.2.2 reads them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/mjcf/mjcf.h"

namespace slip::test {

struct MjcfCase {
  std::string name, text;
  /// The same without what libmujoco 2.2.2 does not read; empty = the text itself.
  std::string written_out = {};
  std::vector<std::pair<std::string, std::string>> files = {};  ///< beside it: name, text

  const std::string& twin() const { return written_out.empty() ? text : written_out; }
};
inline void PrintTo(const MjcfCase& model, std::ostream* out) { *out << model.name; }

/// A text, and what is said of it.
struct MjcfSaying {
  const char* name;
  std::string text;
  std::string said;
};
inline void PrintTo(const MjcfSaying& one, std::ostream* out) { *out << one.name; }

inline const MjcfCase kMjcfModels[] = {
    {"turns", R"(<mujoco model="turns"><compiler angle="radian" eulerseq="zXy" autolimits="true"/>
<worldbody>
 <body name="a" pos="0.1 0 1" euler="0.3 -0.4 0.5"><joint name="ja" axis="0 1 0.2"/>
  <geom type="box" size="0.1 0.05 0.02" pos="0.1 0 0" axisangle="1 1 0 0.7"/>
  <body name="b" pos="0.2 0 0" xyaxes="0 1 0.1 -1 0.2 0"><joint name="jb" type="slide" axis="1 0 1"/>
   <geom type="capsule" size="0.03 0.1" zaxis="1 2 3"/>
   <body name="c" pos="0 0.3 0" zaxis="0 0 -1"><joint name="jc" pos="0 0 0.1" axis="1 0 0"/>
    <inertial pos="0.01 0.02 0.03" quat="1 2 3 4" mass="0.4" diaginertia="0.01 0.02 0.025"/>
   </body></body></body></worldbody></mujoco>)"},
    {"chain", R"(<mujoco model="chain"><compiler autolimits="true"/><worldbody>
 <body name="cart" pos="0 0 1">
  <joint name="x" type="slide" axis="1 0 0" pos="0.1 0.2 0.3" range="-1 1" damping="0.2"/>
  <joint name="z" type="slide" axis="0 0 1" armature="0.3"/>
  <joint name="turn" axis="0 1 0" pos="0 0 -0.2" ref="20" armature="0.01" range="-50 90"/>
  <geom type="sphere" size="0.1" mass="2"/>
  <body name="ball" pos="0.3 0 0"><joint name="socket" type="ball" pos="-0.1 0 0" armature="0.02"/>
   <geom type="cylinder" size="0.05 0.1" density="700" euler="10 20 30"/>
   <body name="tip" pos="0 0 0.4"><joint name="tip_x" axis="1 0 0"/><joint name="tip_y" axis="0 1 0"/>
    <geom type="ellipsoid" size="0.1 0.05 0.03" pos="0 0.02 0"/>
    <body name="cap" pos="0 0 0.1"><geom type="sphere" size="0.02" density="3000"/></body></body>
  </body></body></worldbody></mujoco>)"},
    {"free", R"(<mujoco model="free"><compiler autolimits="true"/><worldbody>
 <geom name="ground" type="plane" size="2 2 0.1"/>
 <body name="box" pos="0 0 0.5" euler="20 0 40"><freejoint name="fb"/>
  <geom type="box" size="0.1 0.2 0.05" pos="0.03 0.02 0.01"/>
  <body name="flap" pos="0.1 0 0"><joint name="hinge" axis="0 1 0" frictionloss="0.1"/>
   <geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.02"/></body></body>
 <body name="ball" pos="0.5 0 0.3"><joint name="fs" type="free"/><geom size="0.1"/></body>
 <body name="post" pos="-1 0 0"><geom type="box" size="0.1 0.1 0.5" pos="0 0 0.5"/></body>
</worldbody></mujoco>)"},
    {"defaults", R"(<mujoco model="defaults"><compiler autolimits="true"/>
<default><geom density="500" rgba="1 0 0 1"/><joint damping="0.5" armature="0.02"/>
 <default class="leg"><geom type="capsule" size="0.02 0.1"/><joint axis="0 1 0" range="-90 90"/>
  <default class="foot"><geom type="sphere" size="0.03" density="2000"/></default></default>
</default>
<worldbody><geom type="plane" size="0 0 1"/>
 <body name="torso" pos="0 0 0.6"><freejoint name="root"/><geom type="box" size="0.2 0.1 0.05"/>
  <body name="thigh" pos="0.1 0 -0.05" childclass="leg"><joint name="hip"/><geom pos="0 0 -0.1"/>
   <body name="shin" pos="0 0 -0.2"><joint name="knee" range="-120 -1" damping="0.1"/>
    <geom pos="0 0 -0.1"/><geom class="foot" pos="0 0 -0.2"/></body></body></body>
</worldbody></mujoco>)"},
    {"inertia", R"(<mujoco model="inertia"><compiler inertiafromgeom="auto" boundmass="0.05"
 boundinertia="0.0001" balanceinertia="true" settotalmass="3" angle="radian" autolimits="true"/>
<worldbody>
 <body name="a" pos="0 0 1"><joint name="ja" axis="0 1 0"/>
  <inertial pos="0.1 0 0" mass="1" fullinertia="0.02 0.03 0.04 0 0 0"/>
  <geom type="sphere" size="0.5"/>
  <body name="b" pos="0.3 0 0"><joint name="jb" axis="0 0 1"/>
   <inertial pos="0 0.1 0" mass="0.2" diaginertia="0.001 0.001 0.01"/>
   <body name="c" pos="0 0 0.2"><joint name="jc" axis="1 0 0"/>
    <geom type="sphere" size="0.01"/><geom type="box" size="0.02 0.02 0.02" pos="0.1 0 0" mass="0"/>
   </body></body></body></worldbody></mujoco>)"},
    {"motors", R"(<mujoco model="motors"><compiler angle="radian" autolimits="true"/>
<default><position kp="40"/></default>
<worldbody><geom type="plane" size="1 1 1"/>
 <body name="a" pos="0 0 1"><joint name="ja" axis="0 1 0" damping="1" stiffness="5" springref="0.2"/>
  <geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.03"/>
  <body name="b" pos="0 0 -0.3"><joint name="jb" axis="0 1 0" springdamper="0.1 0.7"/>
   <geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.02"/>
   <body name="c" pos="0 0 -0.3"><joint name="jc" type="slide" axis="0 0 1" range="-0.1 0.1"/>
    <geom type="sphere" size="0.03"/></body></body></body></worldbody>
<actuator><position name="pa" joint="ja" gear="2" ctrlrange="-1 1" forcerange="-30 30"/>
 <velocity name="vb" joint="jb" kv="0.5"/>
 <general name="gc" joint="jc" gaintype="fixed" biastype="affine" gainprm="200" biasprm="0 -200 -10"/>
 <motor name="mc" joint="jc" gear="3" ctrlrange="-2 2"/></actuator>
<keyframe><key name="low" qpos="0.3 -0.5 0.02" qvel="0.1 0.2 0.3" ctrl="0.4 0 0.05 0"/>
 <key name="zero"/></keyframe></mujoco>)"},
    {"gripper", R"(<mujoco model="gripper"><compiler angle="radian" autolimits="true"/><worldbody>
 <body name="hand" pos="0 0 0.5"><joint name="lift" type="slide" axis="0 0 1" range="-0.3 0.3"/>
  <geom type="box" size="0.05 0.02 0.02"/>
  <body name="left" pos="0.05 0 -0.05"><joint name="jl" type="slide" axis="1 0 0" range="0 0.04"/>
   <geom type="box" size="0.01 0.02 0.03"/></body>
  <body name="right" pos="-0.05 0 -0.05"><joint name="jr" type="slide" axis="-1 0 0" range="0 0.04"/>
   <geom type="box" size="0.01 0.02 0.03"/></body></body></worldbody>
<contact><exclude body1="left" body2="right"/></contact>
<equality><joint joint1="jr" joint2="jl" polycoef="0 1 0 0 0"/></equality>
<actuator><position joint="lift" kp="500"/><position joint="jl" kp="100" ctrlrange="0 0.04"/></actuator>
</mujoco>)"},
    {"masks", R"(<mujoco model="masks"><option cone="elliptic" impratio="2" timestep="0.001"
 gravity="0 0 -9.81"><flag warmstart="enable"/></option><compiler autolimits="true"/><worldbody>
 <geom name="floor" type="plane" size="1 1 1" contype="1" conaffinity="1"/>
 <body name="a" pos="0 0 0.1"><freejoint name="fa"/>
  <geom name="ga" size="0.1" contype="0" conaffinity="1"/></body>
 <body name="b" pos="0.15 0 0.1"><freejoint name="fb"/>
  <geom name="gb" size="0.1" contype="0" conaffinity="1"/></body>
 <body name="c" pos="0.075 0 0.25"><freejoint name="fc"/>
  <geom name="gc" size="0.1" contype="3" conaffinity="3" friction="0.7 0.01 0" condim="4"
        solref="0.01 1" solimp="0.9 0.9 0.001"/></body>
 <body name="d" pos="0.075 0 0.05"><freejoint name="fd"/>
  <geom name="gd" size="0.02" contype="2" conaffinity="2" solref="-5000 -100"/></body>
</worldbody></mujoco>)"},
    {"statics", R"(<mujoco model="statics"><compiler autolimits="true"/><worldbody>
 <geom name="slope" type="plane" size="1 1 1" euler="0 10 0"/>
 <geom name="wall" type="box" size="0.05 1 0.5" pos="0.6 0 0.5"/>
 <body name="table" pos="0 0 0.4"><geom name="top" type="box" size="0.3 0.3 0.02"/>
  <body name="leg" pos="0 0 -0.2"><geom type="cylinder" size="0.02 0.18"/></body></body>
 <body name="door" pos="0.5 0 0.9"><joint name="jd" axis="0 0 1"/>
  <geom type="box" size="0.2 0.02 0.3" pos="-0.2 0 0"/></body>
 <body name="cup" pos="0 0 0.5"><freejoint name="fc"/><geom type="cylinder" size="0.04 0.05"/></body>
</worldbody></mujoco>)"},
    {"pairs", R"(<mujoco model="pairs"><compiler autolimits="true"/>
<default><pair solref="0.01 1"/><default class="slick"><pair friction="0.1 0.1"/></default></default>
<worldbody><geom name="floor" type="plane" size="2 2 1" contype="0" conaffinity="0"/>
 <body name="a" pos="0 0 0.1"><freejoint name="fa"/>
  <geom name="ga" type="box" size="0.1 0.1 0.1" contype="0" conaffinity="0"/></body>
 <body name="b" pos="0 0 0.25"><freejoint name="fb"/><geom name="gb" size="0.05"/></body>
 <body name="c" pos="0.5 0 0.1"><freejoint name="fc"/><geom name="gc" size="0.1"/></body>
</worldbody><contact><exclude body1="a" body2="b"/><pair geom1="floor" geom2="ga" class="slick"/>
 <pair geom1="gb" geom2="ga" condim="4" friction="0.6 0.6 0.01" solref="-4000 -90"
       solimp="0.8 0.9 0.002"/><pair geom1="gc" geom2="floor" condim="1"/></contact></mujoco>)"},
    {"mesh", R"(<mujoco model="mesh"><compiler autolimits="true"/>
<asset><mesh name="wedge" vertex="0 0 0  0.2 0 0  0 0.1 0  0.2 0.1 0  0 0 0.1  0 0.1 0.1"
  face="0 2 1  1 2 3  0 1 4  2 5 3  0 4 2  2 4 5  1 3 4  3 5 4"/>
 <material name="blue" rgba="0 0 1 1"/></asset><worldbody><geom type="plane" size="1 1 1"/>
 <body name="w" pos="0 0 0.2" euler="0 0 30"><freejoint name="fw"/>
  <inertial pos="0.05 0.01 0.02" mass="0.8" diaginertia="0.002 0.003 0.004"/>
  <geom type="mesh" mesh="wedge" pos="0.1 0 0" euler="0 0 20" material="blue"/></body>
</worldbody></mujoco>)"},
};

inline Result<RobotDescription> ReadMjcfString(const std::string& text) {
  return ReadMjcfText(text, "test.xml", testing::TempDir());
}

inline std::string MjcfErrors(const std::string& text) {
  const Result<RobotDescription> robot = ReadMjcfString(text);
  std::string all;
  for (const Error& error : robot.errors()) all += error.Text() + "\n";
  return all;
}

/// A world with what stands in it.
inline std::string MjcfWorld(const std::string& inside, const std::string& before = {},
                             const std::string& after = {}) {
  return "<mujoco model='m'>" + before + "<worldbody>" + inside + "</worldbody>" + after +
         "</mujoco>";
}

/// A ball on a hinge, with more in its body or its joint.
inline std::string MjcfArm(const std::string& body = {}, const std::string& joint = {}) {
  return "<body name='b'><joint name='j' axis='0 1 0' " + joint +
         "/><geom name='g' size='0.1' pos='0.2 0 0'/>" + body + "</body>";
}

}  // namespace slip::test
