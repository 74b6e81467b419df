"""The load on each foot of a trotting robot, under two models."""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas
import slipscope

models = ["sap", "lagged"]
run = slipscope.run("quadruped-trot", models, duration=1.0)

figure, rows = plt.subplots(
    len(models), 1, figsize=(6.5, 4.6), sharex=True, sharey=True, layout="constrained"
)
for axes, channel in zip(rows, run.channels):
    feet = [name for name in channel.signals if name.startswith("force:")]
    table = pandas.DataFrame({name: channel[name] for name in feet}, index=channel.time)
    for name in feet:
        axes.plot(table.index, table[name], label=name.split("/")[-1].replace("_FOOT", ""))
    axes.set_ylabel("force [N]")
    axes.set_title(channel.label, loc="left")
    axes.grid(True, alpha=0.25)
rows[-1].set_xlabel("time [s]")
rows[0].legend(frameon=False, ncols=4, loc="upper right")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "robot_feet.png", dpi=150)
