"""How processes end and fork, and what is refused before it begins."""

import copyreg
import multiprocessing
import os
import pickle
import subprocess
import sys
import tempfile
import textwrap
import unittest

import numpy as np

from support import BUILD, slipscope

HEAD = f"""
import sys, threading, time
sys.path.insert(0, {str(BUILD / "python")!r})
import slipscope
"""


def run_script(text):
    words = HEAD + textwrap.dedent(text)
    return subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, timeout=60)


def draw(_):
    try:
        return slipscope.Simulation("conveyor").picture(64, 48).shape
    except slipscope.Error as error:
        return str(error)


class DaemonThreads(unittest.TestCase):
    def check(self, work):
        ended = run_script(f"""
            sim = slipscope.Simulation("clutter", "sap")
            def work():
                {work}
            threading.Thread(target=work, daemon=True).start()
            time.sleep(0.3)
            print("end")
        """)
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "end\n", ""))

    def test_a_long_step(self):
        self.check("sim.step(10**7)")

    def test_many_steps(self):
        self.check("while True: sim.step(1)")

    def test_a_run(self):
        self.check("slipscope.run('clutter', duration=1000)")


class Processes(unittest.TestCase):
    def test_a_picture_after_a_fork_says_what_to_do(self):
        ours = draw(0)
        if isinstance(ours, str):
            self.skipTest(ours)
        with multiprocessing.get_context("fork").Pool(1) as pool:
            words = pool.map_async(draw, [0]).get(timeout=30)[0]
        self.assertIn("forked", words)
        self.assertIn("spawn", words)

    def test_every_protocol_of_pickle(self):
        run = slipscope.run("conveyor", "sap", steps=5)
        for thing in (slipscope.Scene("conveyor"), run, run[0]):
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                again = pickle.loads(pickle.dumps(thing, protocol))
                self.assertIs(type(again), type(thing))
            self.assertIs(thing.__reduce__()[0], copyreg.__newobj__)


class Refused(unittest.TestCase):
    def test_more_than_memory_holds(self):
        with self.assertRaises(slipscope.Error) as caught:
            slipscope.run("clutter", models="sap", steps=10**11)
        self.assertIn("every=K", str(caught.exception))

    def test_names_that_are_no_text(self):
        name = os.fsdecode(b"/tmp/\xff\xfe-none/s.toml")
        for path in (name, os.fsencode(name)):
            with self.assertRaises(slipscope.Error) as caught:
                slipscope.Scene(path)
            self.assertIn(r"\xff\xfe-none", str(caught.exception))

    def test_files_are_written_under_names_that_are_no_text(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, os.fsdecode(b"\xff.npz"))
            run = slipscope.run("conveyor", "sap", steps=5)
            self.assertEqual(run.save(path), [path])
            self.assertEqual(slipscope.load(path).state_hash, run[0].state_hash)

    def test_channels_whose_arrays_do_not_fit(self):
        with tempfile.TemporaryDirectory() as folder:
            path, other = os.path.join(folder, "a.npz"), os.path.join(folder, "b.npz")
            slipscope.run("conveyor", "sap", steps=10).save(path)
            good = dict(np.load(path))
            for name, change in (
                ("position", lambda x: x[:3]),
                ("position", lambda x: x * np.nan),
                ("quaternion", lambda x: 0 * x),
                ("time", lambda x: x[::-1]),
                ("time", lambda x: x * np.nan),
            ):
                np.savez(other, **{**good, name: change(good[name])})
                with self.assertRaises(slipscope.Error, msg=name) as caught:
                    slipscope.load(other)
                self.assertIn("b.npz", str(caught.exception))


class Words(unittest.TestCase):
    def test_names_that_are_not_there_are_key_errors(self):
        sim = slipscope.Simulation("conveyor")
        for ask in (sim.__getitem__, sim.signal, slipscope.Scene("conveyor").describe):
            with self.assertRaises(KeyError):
                ask("nope")

    def test_what_a_channel_has(self):
        channel = slipscope.run("conveyor", "sap", steps=5)[0]
        self.assertIn("time", channel)
        self.assertIn("normal_force", channel)
        self.assertNotIn("nope", channel)
        self.assertIn("position", list(channel))

    def test_arrays_of_a_simulation_are_read_only(self):
        sim = slipscope.Simulation("conveyor")
        for array in (sim.positions, sim.quaternions, sim.linear_velocities):
            with self.assertRaises(ValueError):
                array[0, 0] = 5


if __name__ == "__main__":
    unittest.main()
