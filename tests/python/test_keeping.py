"""What is kept of runs (files, pickles, copies), studies, and Ctrl+C."""

import copy
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

import numpy as np

from support import BUILD, PROGRAM, slipscope

STUDY = """
schema = "slipscope.study/1"
title = "Creep on a slope"
story = "A box that holds creeps."
[[run]]
id = "slope"
scene = "slope-creep"
methods = ["lagged", "sap"]
set = ["tilt=15 deg"]
axes = ["time_step=10ms,5ms,2ms"]
quick_axes = ["time_step=10ms,5ms"]
duration = 0.2
series = ["slip_speed"]
metrics = {creep = "last(slip_speed)"}
[[condition]]
id = "step"
mark = "derived"
text = "Lagged's creep does not depend on the step"
value = "spread(slope.creep[lagged]) / mean(slope.creep[lagged])"
high = 10
[[condition]]
id = "none"
mark = "chosen"
text = "Nothing creeps"
value = "max(slope.creep)"
high = -1
"""


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.run_ = slipscope.run("conveyor", ["sap", "lagged"], steps=30)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def test_a_file_that_is_there_stays_unless_forced(self):
        path = self.path("a.npz")
        self.run_["sap"].save(path)
        before = pathlib.Path(path).read_bytes()
        with self.assertRaises(slipscope.Error) as caught:
            self.run_["lagged"].save(path)
        self.assertIn("exists", str(caught.exception))
        self.assertIn("force=True", str(caught.exception))
        self.assertNotIn("--", str(caught.exception))
        self.assertEqual(pathlib.Path(path).read_bytes(), before)
        self.run_["lagged"].save(pathlib.Path(path), force=True)
        self.assertNotEqual(pathlib.Path(path).read_bytes(), before)
        self.assertEqual(os.listdir(self.folder.name), ["a.npz"])

    def test_names_are_those_of_the_program(self):
        with self.assertRaises(slipscope.Error) as caught:
            self.run_["sap"].save(self.path("mine"))
        self.assertIn("NAME.npz", str(caught.exception))
        paths = self.run_.save(self.path("new/both.npz"))
        self.assertEqual(
            [os.path.basename(path) for path in paths], ["both-sap.npz", "both-lagged.npz"]
        )
        with self.assertRaises(slipscope.Error):
            self.run_.save(self.path("new/both.npz"))
        subprocess.run(
            [PROGRAM, "run", "conveyor", "-m", "sap,lagged", "--steps", "30"]
            + ["-o", self.path("new/other.npz")],
            check=True,
            capture_output=True,
        )
        with np.load(paths[1]) as ours, np.load(self.path("new/other-lagged.npz")) as theirs:
            for name in theirs.files:
                if name != "command_line":
                    self.assertEqual(ours[name].dtype, theirs[name].dtype, name)
                    np.testing.assert_array_equal(ours[name], theirs[name], name)

    def test_a_saved_channel_comes_back_with_its_notes(self):
        run = slipscope.run("conveyor", ["lagged"], duration=0.5, stiffness=1e3, time_step="50 ms")
        lagged = run["lagged"]
        self.assertTrue(lagged.notes)
        lagged.save(self.path("a.npz"))
        back = slipscope.load(self.path("a.npz"))
        for name in ("label", "notes", "failure", "not_converged", "state_hash", "bodies"):
            self.assertEqual(getattr(back, name), getattr(lagged, name), name)
        self.assertEqual(set(back.arrays), set(lagged.arrays))
        np.testing.assert_array_equal(back["position"], lagged["position"])
        self.assertFalse(back["position"].flags.writeable)
        self.assertTrue(back.stepped)
        other = slipscope.run("conveyor", ["sap"], steps=5, foreign="old=" + self.path("a.npz"))
        self.assertIn("as it was recorded: " + lagged.notes[0], other["old"].notes)
        subprocess.run(
            [PROGRAM, "run", "conveyor", "-m", "sap", "--steps", "30", "-o", self.path("b.npz")],
            check=True,
            capture_output=True,
        )
        self.assertEqual(slipscope.load(self.path("b.npz")).label, "sap")
        # the program's files have them, too: all that meta.json lists
        words = ["conveyor", "-m", "sap,lagged", "-t", "0.5", "-p", "stiffness=1e3"]
        words += ["-p", "time_step=50ms", "-p", "torsional_friction=1mm"]
        for output in ("d.npz", "d"):
            subprocess.run(
                [PROGRAM, "run", *words, "-o", self.path(output)], check=True, capture_output=True
            )
        meta = json.loads(pathlib.Path(self.path("d"), "meta.json").read_text())
        run = slipscope.run(
            "conveyor",
            ["sap", "lagged"],
            duration=0.5,
            stiffness=1e3,
            time_step="50 ms",
            torsional_friction="1 mm",
        )
        for channel, ours in zip(meta["channels"], run.channels):
            texts = [note["text"] for note in meta["notes"] + channel["notes"]]
            self.assertTrue(texts)
            self.assertEqual(ours.notes, texts)
            self.assertEqual(slipscope.load(self.path(f"d-{ours.label}.npz")).notes, texts)
        for path, words in [("none.npz", "none.npz"), ("c.npz", "'bodies'")]:
            np.savez(self.path("c.npz"), time=[0.0])
            with self.assertRaises(slipscope.Error) as caught:
                slipscope.load(self.path(path))
            self.assertIn(words, str(caught.exception))

    def test_what_a_foreign_file_does_not_say(self):
        sap = self.run_["sap"]
        names = ("time", "bodies", "position", "quaternion")
        np.savez(self.path("f.npz"), **{name: sap[name] for name in names})
        with self.assertRaises(slipscope.Error) as caught:
            slipscope.run("conveyor", ["sap"], steps=30, foreign=[self.path("f.npz")])
        self.assertIn("foreign_meta quaternion_order=wxyz", str(caught.exception))
        run = slipscope.run(
            "conveyor",
            ["sap"],
            steps=30,
            foreign=[pathlib.Path(self.path("f.npz"))],
            foreign_meta={"quaternion_order": "wxyz", "time_shift": np.float64(0)},
        )
        self.assertEqual(run.labels, ["sap", "f"])
        with self.assertRaises(slipscope.Error) as caught:
            slipscope.run("conveyor", foreign=self.path("f.npz"), foreign_meta={"quaternoin": 1})
        self.assertIn("quaternoin", str(caught.exception))

    def test_modes_of_contacts(self):
        self.assertEqual(slipscope.CONTACT_MODES, ("open", "stick", "slip"))
        modes = {slipscope.CONTACT_MODES[m] for m in self.run_["sap"].contacts["mode"]}
        self.assertLessEqual(modes, {"stick", "slip"})


class Copies(unittest.TestCase):
    def test_scenes_and_runs_are_pickled(self):
        scene = slipscope.Scene("conveyor")
        run = slipscope.run(scene, ["sap", "lagged"], steps=5)
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            other, back = pickle.loads(pickle.dumps((scene, run), protocol))
            self.assertEqual((other.id, other.parameters), (scene.id, scene.parameters))
            again = slipscope.run(other, ["sap"], steps=5)
            self.assertEqual(again["sap"].state_hash, run["sap"].state_hash)
            self.assertEqual(back.labels, run.labels)
            self.assertEqual(back["lagged"].state_hash, run["lagged"].state_hash)
            self.assertFalse(back["sap"]["position"].flags.writeable)
            np.testing.assert_array_equal(back["sap"]["position"], run["sap"]["position"])
        self.assertEqual(copy.deepcopy(run)["sap"].notes, run["sap"].notes)
        self.assertIs(copy.deepcopy(scene), scene)
        robot = pickle.loads(pickle.dumps(slipscope.Scene("quadruped-trot")))
        self.assertEqual(robot.bodies, slipscope.Scene("quadruped-trot").bodies)

    def test_a_simulation_is_copied_and_not_pickled(self):
        sim = slipscope.Simulation("conveyor", "sap")
        sim.step(10)
        state = sim.save()
        for other in (copy.copy(sim), copy.deepcopy(sim)):
            other.step(5)
            self.assertEqual((sim.steps, other.steps), (10, 15))
        self.assertIs(copy.deepcopy(state), state)
        for thing in (sim, state):
            with self.assertRaises(TypeError) as caught:
                pickle.dumps(thing)
            self.assertIn("pickle the Scene and the parameters", str(caught.exception))

    def test_what_was_not_made_is_refused(self):
        sim = slipscope.Simulation("conveyor")
        for kind in (
            slipscope.Channel,
            slipscope.Run,
            slipscope.Scene,
            slipscope.Simulation,
            slipscope.State,
            slipscope.Study,
        ):
            thing = kind.__new__(kind)
            names = [name for name in dir(kind) if isinstance(getattr(kind, name), property)]
            calls = [lambda name=name: getattr(thing, name) for name in names]
            calls += [lambda: repr(thing)] if kind is not slipscope.State else []
            for call in calls:
                with self.assertRaises(TypeError) as caught:
                    call()
                self.assertIn(f"this {kind.__name__} was made without", str(caught.exception))
        for call in [
            lambda: slipscope.run(slipscope.Scene.__new__(slipscope.Scene)),
            lambda: sim.restore(slipscope.State.__new__(slipscope.State)),
            lambda: pickle.dumps(slipscope.Run.__new__(slipscope.Run)),
            lambda: slipscope.Simulation.__new__(slipscope.Simulation).step(),
        ]:
            with self.assertRaises(TypeError):
                call()

    def test_pickles_of_something_else(self):
        for kind, state in [
            (slipscope.Scene, ("a", "b")),
            (slipscope.Scene, 3),
            (slipscope.Channel, {"time": 3}),
            (slipscope.Run, ([3], True)),
        ]:
            with self.assertRaises((slipscope.Error, TypeError)) as caught:
                kind.__new__(kind).__setstate__(state)
            self.assertNotIn("incompatible", str(caught.exception))


class Interrupts(unittest.TestCase):
    def test_ctrl_c_ends_a_long_step(self):
        # no step converges, and so none is accurate enough: each is of a million inner ones
        endless = {
            "time_step": "10 ms",
            "error_control": True,
            "accuracy": 1e-9,
            "min_step": 1e-12,
            "max_inner": 1000000,
            "max_iterations": 1,
            "solver_tolerance": 1e-12,
            "lost_steps": "accept",
        }
        calls = {
            "step": 'slipscope.Simulation("card-house", "lagged", params=P).step()',
            "run": 'slipscope.run("card-house", "lagged", steps=1, threads=2, params=P)',
        }
        for name, call in calls.items():
            script = textwrap.dedent(
                f"""
                import sys, time
                sys.path.insert(0, {str(BUILD / "python")!r})
                import slipscope
                P = {endless!r}
                print("ready", flush=True)
                try:
                    {call}
                except KeyboardInterrupt:
                    print("stopped", flush=True)
                """
            )
            process = subprocess.Popen(
                [sys.executable, "-c", script],
                stdout=subprocess.PIPE,
                # what the tests were started with, nohup say, is not what is tested
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            )
            self.assertEqual(process.stdout.readline(), b"ready\n")
            time.sleep(1)
            self.assertIsNone(process.poll(), name)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=60)
            self.assertEqual(out, b"stopped\n", name)


class Studies(unittest.TestCase):
    def test_a_study_of_ones_own(self):
        study = slipscope.study(STUDY)
        again = slipscope.study(STUDY, threads=np.int64(1))
        table = study.tables["slope"]
        self.assertEqual(table["cell"].tolist(), [1, 2, 3, 4, 5, 6])
        self.assertEqual(table["time_step_s"].tolist(), [1e-2, 1e-2, 5e-3, 5e-3, 2e-3, 2e-3])
        self.assertEqual(table["model"].tolist(), ["lagged", "sap"] * 3)
        self.assertEqual(table["steps"].tolist(), [20, 20, 40, 40, 100, 100])
        run = slipscope.run(
            "slope-creep", ["sap"], params={"tilt": "15 deg", "time_step": "2 ms"}, duration=0.2
        )
        samples = study.samples["slope"]
        last = samples["cell"] == 6
        name = next(name for name in samples if name.startswith("slip_speed"))
        self.assertEqual(samples[name][last].tolist(), run["sap"]["slip_speed"].tolist())
        for name in table:
            if not name.startswith("wall"):
                np.testing.assert_array_equal(table[name], again.tables["slope"][name])
        step, none = study.statements
        self.assertEqual((step["id"], step["mark"], step["verdict"]), ("step", "derived", "holds"))
        self.assertEqual((none["verdict"], none["fails"]), ("false", False))
        self.assertEqual((study.cells, study.failed, study.holds), (6, 0, True))
        self.assertEqual(slipscope.study(STUDY, quick=True).cells, 4)

    def test_tables_are_those_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "creep.toml")
            pathlib.Path(path).write_text(STUDY)
            out = os.path.join(folder, "out")
            subprocess.run([PROGRAM, "study", path, "-o", out], check=True, capture_output=True)
            lines = (pathlib.Path(out) / "creep-slope.csv").read_text().splitlines()
            table = slipscope.study(pathlib.Path(path)).tables["slope"]
        names = lines[0].split(",")
        self.assertEqual(list(table), names)
        for c, name in enumerate(names):
            if name.startswith("wall"):
                continue
            theirs = [line.split(",")[c] for line in lines[1:]]
            if table[name].dtype.kind == "f":
                theirs = [float(text) for text in theirs]
            elif table[name].dtype.kind == "i":
                theirs = [int(text) for text in theirs]
            np.testing.assert_array_equal(table[name], theirs, name)

    def test_names_and_mistakes(self):
        self.assertIn("seed-001-figure-02", slipscope.studies())
        for call, kind, words in [
            (lambda: slipscope.study("seed-001-figure-2"), slipscope.Error, "seed-001-figure-"),
            (lambda: slipscope.study("schema = 3\n"), slipscope.Error, "text.toml:1"),
            (lambda: slipscope.study(3), TypeError, "study must be a path (found 3)"),
            (lambda: slipscope.study(STUDY, quick=3), TypeError, "quick must be True or False"),
            (lambda: slipscope.study(STUDY, threads=-1), slipscope.Error, "threads must be"),
        ]:
            with self.assertRaises(kind) as caught:
                call()
            self.assertIn(words, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
