"""What accuracy costs: error of the box's place against wall time, for each model."""

import sys
import time

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import slipscope

scene = slipscope.Scene("conveyor")
steps = [2e-2, 1e-2, 5e-3, 2e-3, 1e-3]
end = 0.8

figure, axes = plt.subplots(figsize=(5.5, 3.6), layout="constrained")
for model in ["sap", "lagged", "similar"]:
    truth = slipscope.run(scene, [model], time_step=2e-5, duration=end, every=100)[0]
    errors, costs = [], []
    for h in steps:
        began = time.perf_counter()
        channel = slipscope.run(scene, [model], time_step=h, duration=end, threads=1)[0]
        costs.append(1e3 * (time.perf_counter() - began))
        errors.append(abs(channel["position_x"][-1] - truth["position_x"][-1]))
    axes.loglog(costs, errors, "o-", label=model)
axes.set_xlabel("wall time of the run [ms]")
axes.set_ylabel("error of the place at 0.8 s [m]")
axes.set_title("Conveyor: work and precision")
axes.grid(True, which="both", alpha=0.25)
axes.legend(frameon=False)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "work_precision.png", dpi=150)
