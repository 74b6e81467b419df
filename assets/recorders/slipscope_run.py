"""Writes a recorded run as one .npz that `slipscope ... --foreign FILE.npz` reads.

Needs NumPy alone. Copy it beside your program, with the recorder of your engine or without:

    run = Run(["box"], engine="my engine 1.0", quaternion_order="wxyz", pose_of="com", time_step=h)
    for each step:
        run.sample(time, [position], [quaternion])          # [velocity], [angular velocity] if known
        run.contact(time, a, b, point, normal, force)       # optional; force on b, normal from a to b
    run.save("run.npz")
"""

import numpy as np

WORLD = -1  # of a contact: what is none of the bodies


class Run:
    def __init__(self, bodies, **meta):
        """meta: engine, quaternion_order (wxyz or xyzw: must be said), pose_of (com or link),
        velocity_of, angular_velocity_in (world or body), up (z or y), time_step [s]."""
        if meta.get("quaternion_order") not in ("wxyz", "xyzw"):
            raise ValueError("say quaternion_order: wxyz or xyzw")
        self.bodies = [str(name) for name in bodies]
        self.meta = meta
        self.times, self.positions, self.quaternions = [], [], []
        self.velocities, self.spins, self.contacts = [], [], []

    def index(self, name):
        return self.bodies.index(name) if name in self.bodies else WORLD

    def sample(self, time, positions, quaternions, velocities=None, spins=None):
        """One row a body: [m], quaternions, [m/s], [rad/s]."""
        self.times.append(float(time))
        self.positions.append(np.array(positions, float).reshape(-1, 3))
        self.quaternions.append(np.array(quaternions, float).reshape(-1, 4))
        if velocities is not None and spins is not None:
            self.velocities.append(np.array(velocities, float).reshape(-1, 3))
            self.spins.append(np.array(spins, float).reshape(-1, 3))

    def contact(self, time, a, b, point, normal, force):
        """Bodies by place, WORLD for the rest; the normal goes from a to b, the force acts on b."""
        self.contacts.append([time, a, b, *point, *normal, *force])

    def save(self, path):
        arrays = {
            "time": np.array(self.times),
            "bodies": np.array(self.bodies),
            "position": np.array(self.positions),
            "quaternion": np.array(self.quaternions),
            "schema": np.array("slipscope.foreign/1"),
        }
        if self.velocities:
            if len(self.velocities) != len(self.times):
                raise ValueError("give velocities with every sample, or with none")
            arrays["linear_velocity"] = np.array(self.velocities)
            arrays["angular_velocity"] = np.array(self.spins)
        if self.contacts:
            rows = np.array(self.contacts, float)
            arrays["contact_time"] = rows[:, 0]
            arrays["contact_a"] = rows[:, 1].astype("i4")
            arrays["contact_b"] = rows[:, 2].astype("i4")
            arrays["contact_position"] = rows[:, 3:6]
            arrays["contact_normal"] = rows[:, 6:9]
            arrays["contact_force"] = rows[:, 9:12]
        for key, value in self.meta.items():
            arrays[key] = np.array(value)
        np.savez(path, **{name: np.ascontiguousarray(array) for name, array in arrays.items()})
