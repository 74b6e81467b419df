"""PyBullet: call record(bodies, steps, h) in place of your own loop of stepSimulation.

bodies: {"name as in the scene": unique id}.
"""

import numpy as np
import pybullet as p

from slipscope_run import WORLD, Run


def record(bodies, steps, h):
    p.setTimeStep(h)
    ids = list(bodies.values())
    place = {body: i for i, body in enumerate(ids)}
    run = Run(
        bodies, engine="PyBullet", quaternion_order="xyzw", pose_of="com", time_step=h
    )
    for step in range(1, steps + 1):
        p.stepSimulation()
        poses = [p.getBasePositionAndOrientation(body) for body in ids]
        moves = [p.getBaseVelocity(body) for body in ids]
        run.sample(
            step * h,
            [pose[0] for pose in poses],
            [pose[1] for pose in poses],
            [move[0] for move in moves],
            [move[1] for move in moves],
        )
        for c in p.getContactPoints():
            # its normal goes from the second body to the first, which takes the force
            first, second = place.get(c[1], WORLD), place.get(c[2], WORLD)
            normal = np.array(c[7])
            force = normal * c[9] + np.array(c[11]) * c[10] + np.array(c[13]) * c[12]
            if first != WORLD or second != WORLD:
                run.contact(step * h, second, first, c[5], normal, force)
    return run
