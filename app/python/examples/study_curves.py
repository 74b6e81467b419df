"""A study of the program: its samples drawn, its statements with their verdicts beside them."""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas
import slipscope

study = slipscope.study("seed-001-figure-02", quick=True)
samples = pandas.DataFrame(study.samples["belt"])

figure, axes = plt.subplots(figsize=(7, 4.6), layout="constrained")
for model, rows in samples.groupby("model"):
    axes.plot(rows["time_s"], rows["normal_force_N"], lw=1, label=model)
axes.set_xlabel("time [s]")
axes.set_ylabel("normal force [N]")
axes.set_title(study.title)
axes.legend(frameon=False)
lines = [f"{s['verdict']}  [{s['mark']}] {s['id']}" for s in study.statements]
figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=7, family="monospace")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "study_curves.png", dpi=150)
