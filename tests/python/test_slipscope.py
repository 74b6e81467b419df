"""The module of Python: the same bits as the program, arrays of a run, steps one by one."""

import os
import pathlib
import random
import resource
import subprocess
import tempfile
import threading
import time
import unittest

from support import PROGRAM, program_hashes, slipscope


class SameBits(unittest.TestCase):
    def test_random_scenes_and_parameters(self):
        numbers = random.Random(5)
        here = [id for id, words in slipscope.list_models().items() if not words.startswith("not")]
        scenes = [name for name in slipscope.list_scenes() if name not in ("bunny-grasp",)]
        seen = 0
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(int(os.environ.get("SLIPSCOPE_PYTHON_RUNS", "40"))):
                scene = slipscope.Scene(numbers.choice(scenes))
                known = scene.parameters
                changes = {"gravity": numbers.choice([9.81, 3.7, 1.62])}
                for name, low, high in [("stiffness", 5, 9), ("dissipation", -1, 2)]:
                    if any(path.endswith("." + name) for path in known):
                        changes[name] = 10 ** numbers.uniform(low, high)
                models = None if numbers.random() < 0.5 else [numbers.choice(here)]
                words = [scene.id, "--steps", "20"]
                if models:
                    words += ["-m", models[0]]
                for path, value in changes.items():
                    words += ["-p", f"{path}={value!r}"]
                try:
                    ours = slipscope.run(scene, models, steps=20, params=changes)
                except slipscope.Error as error:
                    # the program refuses it in the same words
                    found = subprocess.run(
                        [PROGRAM, "run", *words], capture_output=True, text=True, check=False
                    )
                    self.assertNotEqual(found.returncode, 0)
                    self.assertIn(str(error).splitlines()[0], found.stderr)
                    continue
                hashes = program_hashes(folder, *words)
                self.assertEqual({c.label: c.state_hash for c in ours.channels}, hashes, words)
                seen += len(hashes)
        self.assertGreater(seen, 40)

    def test_steps_one_by_one_are_those_of_a_run(self):
        run = slipscope.run("conveyor", ["lagged"], steps=50, stiffness=1e8)
        sim = slipscope.Simulation("conveyor", "lagged", stiffness=1e8)
        forces = []
        for _ in range(50):
            sim.step()
            forces.append(sim.signal("normal_force"))
        self.assertEqual(sim.state_hash, run["lagged"].state_hash)
        self.assertEqual(list(run["lagged"]["normal_force"]), forces)
        self.assertEqual(sim.time, run["lagged"].time[-1])

    def test_any_number_of_threads(self):
        one = slipscope.run("clutter", ["sap"], steps=5, threads=1)
        two = slipscope.run("clutter", ["sap"], steps=5, threads=2)
        self.assertEqual(one["sap"].state_hash, two["sap"].state_hash)


class Arrays(unittest.TestCase):
    def test_shapes_names_and_ownership(self):
        run = slipscope.run("conveyor", ["sap", "lagged"], steps=30)
        self.assertEqual(run.labels, ["sap", "lagged"])
        sap = run["sap"]
        self.assertEqual(sap["position"].shape, (30, len(sap.bodies), 3))
        self.assertEqual(sap["quaternion"].shape, (30, len(sap.bodies), 4))
        self.assertEqual(len(sap.contacts["time"]), 30)
        self.assertEqual(sap.contacts["force"].shape, (30, 3))
        for values in sap.signals.values():
            self.assertEqual(values.shape, (30,))
            self.assertFalse(values.flags.owndata)  # the run's own numbers, no copy
            self.assertFalse(values.flags.writeable)
        self.assertIs(run[0], sap)
        self.assertTrue("sap" in run and sap in run and "sop" not in run and 3 not in run)
        self.assertIs(run[-1], run["lagged"])
        self.assertTrue(run.complete)
        with self.assertRaises(KeyError):
            sap["no_such"]

    def test_every_and_changes_on_the_way(self):
        run = slipscope.run("conveyor", ["sap"], steps=40, every=10, at=["0.2:friction=0"])
        self.assertEqual(list(run["sap"]["step"]), [10, 20, 30, 40])
        self.assertGreater(run["sap"]["friction_force"][0], 0)
        self.assertEqual(run["sap"]["friction_force"][-1], 0)

    def test_a_run_saved_comes_back_as_a_foreign_one(self):
        run = slipscope.run("conveyor", ["sap"], steps=50)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mine.npz")
            run["sap"].save(path)
            both = slipscope.run("conveyor", ["lagged"], steps=50, foreign=["mine=" + path])
        mine = both["mine"]
        self.assertFalse(mine.stepped)
        for ours, theirs in zip(run["sap"]["position_x"][1:], mine["position_x"][1:]):
            self.assertAlmostEqual(ours, theirs, delta=1e-9)


class Stepping(unittest.TestCase):
    def test_save_restore_branch(self):
        sim = slipscope.Simulation("conveyor", "sap")
        sim.step(20)
        saved = sim.save()
        other = sim.branch()
        sim["friction"] = 0.1
        sim.step(20)
        changed = sim.state_hash
        sim.restore(saved)
        self.assertEqual(sim["friction"], 0.5)
        self.assertEqual(sim.state_hash, saved.hash)
        sim.step(20)
        other.step(20)
        self.assertEqual(sim.state_hash, other.state_hash)
        self.assertNotEqual(sim.state_hash, changed)

    def test_restore_brings_the_bodies_back(self):
        for scene, path, value in [
            ("conveyor", "body.box.mass", 1.05),
            ("conveyor", "body.box.own_material", "on"),
            ("spring-wall", "body.mass.own_material", "on"),
        ]:
            sim = slipscope.Simulation(scene, "lagged")
            sim.step(10)
            saved, other = sim.save(), sim.branch()
            sim[path] = value
            sim.restore(saved)
            sim.step(20)
            other.step(20)
            self.assertEqual(sim.state_hash, other.state_hash, path)
            self.assertEqual(sim.signal("normal_force"), other.signal("normal_force"), path)
            sim.reset()
            sim.step(5)
        with self.assertRaises(slipscope.Error):
            sim.restore(slipscope.Simulation("conveyor").save())

    def test_one_simulation_is_for_one_thread(self):
        sim = slipscope.Simulation("clutter", "sap")
        refused = []

        def work():
            for _ in range(50):
                try:
                    sim.step(5)
                    len(sim.contacts)
                except slipscope.Error as error:
                    refused.append(str(error))

        workers = [threading.Thread(target=work) for _ in range(3)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertTrue(all("another thread" in words for words in refused))
        sim.step()

    def test_the_model_is_switched_while_it_runs(self):
        sim = slipscope.Simulation("conveyor", "sap")
        sim.step(10)
        sim.model = "lagged"
        sim.step(10)
        run = slipscope.run("conveyor", ["sap"], steps=20, at=["0.1:method=lagged"])
        self.assertEqual(sim.state_hash, run[0].state_hash)
        self.assertEqual(sim.model, "lagged")

    def test_contacts_and_bodies(self):
        sim = slipscope.Simulation("conveyor", "lagged")
        sim.step(5)
        (contact,) = sim.contacts
        self.assertEqual((contact["a"], contact["b"]), ("belt", "box"))
        self.assertAlmostEqual(contact["force"][2], sim.signal("normal_force"))
        self.assertEqual(sim.positions.shape, (1, 3))
        self.assertEqual((sim.bodies, sim.scene.id), (["box"], "conveyor"))
        sim["time_step"] = 0.005
        self.assertEqual(sim.parameters["time_step"], 0.005)
        self.assertEqual(sim.quaternions.shape, (1, 4))
        self.assertEqual(set(sim.signals), set(slipscope.Scene("conveyor").signals))

    def test_another_number_of_bodies_starts_again(self):
        sim = slipscope.Simulation("clutter", "sap")
        sim.step(2)
        sim["bodies"] = 10
        self.assertEqual(sim.steps, 0)
        sim.step()
        self.assertEqual(len(sim.positions), 10)

    def test_a_million_steps_do_not_grow(self):
        sim = slipscope.Simulation("conveyor", "sap", time_step="1 ms")
        sim.step(1000)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        count = int(os.environ.get("SLIPSCOPE_PYTHON_STEPS", "200000"))
        for _ in range(count // 2):
            sim.step()
        sim.step(count - count // 2)
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        self.assertLess(after - before, 2000, "KiB")

    def test_two_threads_step_at_once(self):
        # steps leave the lock: another thread counts while they are made
        sim = slipscope.Simulation("clutter", "sap")
        done = threading.Event()

        def work():
            sim.step(300)
            done.set()

        worker = threading.Thread(target=work)
        counted = 0
        worker.start()
        while not done.is_set():
            counted += 1
            time.sleep(0)
        worker.join()
        self.assertGreater(counted, 10)
        again = slipscope.Simulation("clutter", "sap")
        again.step(300)
        self.assertEqual(sim.state_hash, again.state_hash)


class Problems(unittest.TestCase):
    def test_a_recorded_problem(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(
                [PROGRAM, "run", "conveyor", "-m", "sap", "--steps", "3", "--dump-problems", folder],
                check=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            path = sorted(pathlib.Path(folder).iterdir())[-1]
            answer = slipscope.solve(path)
            self.assertTrue(answer["converged"])
            self.assertEqual(answer["impulses"].shape, (1, 3))
            other = slipscope.solve(path, method="lagged")
            self.assertNotEqual(list(other["impulses"][0]), list(answer["impulses"][0]))


if __name__ == "__main__":
    unittest.main()
