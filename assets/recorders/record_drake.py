"""Drake (pydrake): record(simulator, plant, {"name as in the scene": body}, seconds)."""

import numpy as np

from slipscope_run import WORLD, Run


def record(simulator, plant, bodies, seconds):
    h = plant.time_step()
    frames = list(bodies.values())
    place = {body.index(): i for i, body in enumerate(frames)}
    run = Run(
        bodies,
        engine="Drake",
        quaternion_order="wxyz",
        pose_of="link",  # poses are those of body frames, wherever the centre of mass is
        time_step=h if h > 0 else 1e-3,
    )
    step = run.meta["time_step"]
    if h == 0:
        del run.meta["time_step"]  # a plant of continuous time has no step
    for time in np.arange(step, seconds + 0.5 * step, step):
        simulator.AdvanceTo(time)
        context = plant.GetMyContextFromRoot(simulator.get_context())
        poses = [plant.EvalBodyPoseInWorld(context, body) for body in frames]
        run.sample(
            time,
            [pose.translation() for pose in poses],
            [pose.rotation().ToQuaternion().wxyz() for pose in poses],
        )
        results = plant.get_contact_results_output_port().Eval(context)
        for i in range(results.num_point_pair_contacts()):
            info = results.point_pair_contact_info(i)
            a = place.get(info.bodyA_index(), WORLD)
            b = place.get(info.bodyB_index(), WORLD)
            normal = -np.array(info.point_pair().nhat_BA_W)
            run.contact(time, a, b, info.contact_point(), normal, info.contact_force())
    return run
