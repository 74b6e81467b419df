"""Newton or Warp's simulator: record(model, solver, control, steps, h).

Velocities are left out: what they are of has changed between versions. Differences of poses do.
"""

from slipscope_run import Run


def record(model, solver, control, steps, h):
    names = getattr(model, "body_label", None) or getattr(model, "body_key")
    run = Run(names, engine="Newton", quaternion_order="xyzw", pose_of="link", time_step=h)
    here, there = model.state(), model.state()
    for step in range(1, steps + 1):
        here.clear_forces()
        solver.step(here, there, control, model.collide(here), h)
        here, there = there, here
        q = here.body_q.numpy().astype(float)  # rows: position, then x, y, z, w
        run.sample(step * h, q[:, :3], q[:, 3:])
    return run
