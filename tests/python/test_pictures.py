"""Pictures as arrays: those that `slipscope render` writes."""

import os
import subprocess
import sys
import tempfile
import threading
import unittest

import numpy as np
from PIL import Image

from support import BUILD, PROGRAM, slipscope


class Pictures(unittest.TestCase):
    def rendered(self, *words):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.png")
            subprocess.run([PROGRAM, "render", *words, "-o", path], check=True, capture_output=True)
            with Image.open(path) as picture:
                return np.asarray(picture)

    def test_a_picture_is_the_one_that_render_writes(self):
        ours = slipscope.picture(
            "conveyor",
            ["sap", "lagged"],
            time=0.5,
            width=800,
            height=500,
            region="view-plots",
            plots=["slip_speed", "normal_force"],
            theme="light",
            show="no_forces",
            at="0.2:friction=0.2",
            stiffness=1e6,
        )
        theirs = self.rendered(
            *"conveyor -m sap,lagged --time 0.5 --size 800x500 --region view-plots".split(),
            *"--plots slip_speed,normal_force --theme light --show no_forces".split(),
            *"--at 0.2:friction=0.2 -p stiffness=1e6".split(),
        )
        self.assertEqual((ours.dtype, ours.shape), (np.uint8, (500, 800, 3)))
        np.testing.assert_array_equal(ours, theirs[..., :3])
        self.assertGreater(len(np.unique(ours.reshape(-1, 3), axis=0)), 100)

    def test_one_without_its_ground(self):
        words = {"time": 0.1, "width": 320, "height": 200, "region": "view", "transparent": True}
        ours = slipscope.picture("conveyor", "sap", **words)
        theirs = self.rendered(
            *"conveyor -m sap --time 0.1 --size 320x200 --region view --transparent".split()
        )
        np.testing.assert_array_equal(ours, theirs)
        self.assertEqual((ours[..., 3].min(), ours[..., 3].max()), (0, 255))

    def test_a_simulation_where_it_stands(self):
        sim = slipscope.Simulation("conveyor", "sap")
        sim.step(50)
        words = {"width": 320, "height": 200}
        view = slipscope.picture("conveyor", "sap", time=sim.time, region="view", **words)
        before = sim.state_hash
        np.testing.assert_array_equal(sim.picture(**words), view)
        self.assertEqual(sim.state_hash, before)
        # nothing but the step itself counts: not how it was reached
        saved = sim.save()
        sim.model = "lagged"
        sim["friction"] = 0.05
        sim.step(30)
        self.assertFalse((sim.picture(**words) == view).all())
        sim.restore(saved)
        np.testing.assert_array_equal(sim.picture(**words), view)
        # with its own time step, not that which the window opens the scene with
        sim = slipscope.Simulation("clutter", "lagged", bodies=10)
        sim.step(30)
        self.assertEqual(sim.picture(320, 200, transparent=True).shape, (200, 320, 4))

    def test_two_threads_and_the_scene_as_text(self):
        scene = slipscope.Scene("conveyor")
        pictures = [None, None]

        def draw(i):
            pictures[i] = slipscope.picture(scene, "sap", time=0, width=200, height=100, region="view")

        threads = [threading.Thread(target=draw, args=(i,)) for i in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        np.testing.assert_array_equal(pictures[0], pictures[1])

    def test_what_cannot_be_drawn(self):
        picture = slipscope.picture
        for words, said in [
            ({"region": "veiw"}, "no region 'veiw' (did you mean 'view'?)"),
            ({"theme": "blue"}, "no theme 'blue'"),
            ({"quality": "better"}, "no quality 'better'"),
            ({"width": 100}, "size 100x900 is too small for the window, which needs 800x450"),
            ({"width": 0}, "width must be from 16"),
            ({"height": 2.5}, "height must be a whole number"),
            ({"scale": 100}, "scale must be from"),
            ({"transparent": True}, "transparent is for a picture of the view"),
            ({"plots": "forse"}, "plots: "),
            ({"show": ["forcse"]}, "show: no switch 'forcse'"),
            ({"time": -1}, "time must be from 0"),
            ({"time": 1, "at": "2:friction=0.2"}, "2"),
            ({"stifness": 1}, "stifness"),
        ]:
            with self.assertRaises(slipscope.Error, msg=str(words)) as caught:
                picture("conveyor", **words)
            self.assertIn(said, str(caught.exception))
            self.assertNotIn("--", str(caught.exception))
        for words in ({"width": "x"}, {"theme": 3}, {"transparent": 1}, {"show": 3}):
            with self.assertRaises(TypeError):
                picture("conveyor", **words)

    def test_a_model_that_does_not_come_so_far_is_a_warning(self):
        with self.assertWarns(UserWarning) as caught:
            slipscope.picture(
                "conveyor", "explicit-euler", time=3, time_step="50 ms", width=64, height=64, region="view"
            )
        self.assertIn("explicit-euler", str(caught.warning).lower().replace(" ", "-"))

    def test_without_egl(self):
        script = f"""
import sys
sys.path.insert(0, {str(BUILD / "python")!r})
import slipscope
print(slipscope.run("conveyor", "sap", steps=2).complete)
try:
    slipscope.picture("conveyor", time=0)
except slipscope.Error as error:
    print(error)
"""
        # a vendor's list without vendors is what a machine without a driver has
        with tempfile.TemporaryDirectory() as nothing:
            done = subprocess.run(
                [sys.executable, "-c", script],
                env={**os.environ, "__EGL_VENDOR_LIBRARY_DIRS": nothing},
                capture_output=True,
                text=True,
                check=True,
            )
        self.assertIn("True\n", done.stdout)
        self.assertIn("no OpenGL", done.stdout)


if __name__ == "__main__":
    unittest.main()
