"""Genesis: record(scene, {"name as in the scene": link}, steps, h); links are entity.links."""

import numpy as np

from slipscope_run import Run


def rows(values):
    return np.stack([np.asarray(value.cpu()).reshape(-1) for value in values])


def record(scene, links, steps, h):
    run = Run(links, engine="Genesis", quaternion_order="wxyz", pose_of="link", time_step=h)
    for step in range(1, steps + 1):
        scene.step()
        run.sample(
            step * h,
            rows([link.get_pos() for link in links.values()]),
            rows([link.get_quat() for link in links.values()]),
        )
    return run
