"""How fast each model creeps on a slope where it should stick, over the time step."""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import slipscope

steps = [1e-4, 3e-4, 1e-3, 3e-3, 1e-2]
models = {"sap": "o-", "lagged": "s-", "similar": "^--"}

figure, axes = plt.subplots(figsize=(5.5, 3.6), layout="constrained")
for model, style in models.items():
    speeds = []
    for h in steps:
        channel = slipscope.run("slope-creep", [model], time_step=h, duration=0.5)[0]
        speeds.append(abs(channel["slip_speed"][-1]))
    axes.loglog([1e3 * h for h in steps], speeds, style, label=model)
axes.set_xlabel("time step [ms]")
axes.set_ylabel("creep speed [m/s]")
axes.set_title("Creep on a slope below the friction angle")
axes.grid(True, which="both", alpha=0.25)
axes.legend(frameon=False)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "creep_over_step.png", dpi=150)
