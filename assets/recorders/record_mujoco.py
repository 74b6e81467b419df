"""MuJoCo (package mujoco, 3 or later): python3 record_mujoco.py MODEL.xml SECONDS RUN.npz"""

import sys

import mujoco
import numpy as np

from slipscope_run import Run


def record(model, data, seconds):
    bodies = list(range(1, model.nbody))
    place = {body: i for i, body in enumerate(bodies)}
    run = Run(
        [model.body(body).name or f"body{body}" for body in bodies],
        engine="MuJoCo " + mujoco.__version__,
        quaternion_order="wxyz",
        pose_of="com",
        time_step=model.opt.timestep,
    )
    force = np.zeros(6)
    while data.time < seconds:
        mujoco.mj_step(model, data)
        # contacts are those that the step began with, their forces its mean
        for i in range(data.ncon):
            contact = data.contact[i]
            mujoco.mj_contactForce(model, data, i, force)
            axes = contact.frame.reshape(3, 3)  # rows: normal, from the first geom to the second
            run.contact(
                data.time,
                place.get(model.geom_bodyid[contact.geom1], -1),
                place.get(model.geom_bodyid[contact.geom2], -1),
                contact.pos,
                axes[0],
                axes.T @ force[:3],
            )
        # poses of the step's end: a step leaves those of its start. xipos is the centre of mass;
        # the body's own axes, as ximat has the principal ones
        mujoco.mj_kinematics(model, data)
        run.sample(data.time, data.xipos[1:], data.xquat[1:])
    return run


if __name__ == "__main__":
    model = mujoco.MjModel.from_xml_path(sys.argv[1])
    record(model, mujoco.MjData(model), float(sys.argv[2])).save(sys.argv[3])
