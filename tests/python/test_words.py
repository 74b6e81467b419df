"""What is said: one sentence for whatever is wrong, and help that reads well."""

import contextlib
import inspect
import io
import math
import unittest

import numpy as np

from support import BUILD, slipscope

KINDS = (
    slipscope.Channel,
    slipscope.Run,
    slipscope.Scene,
    slipscope.Simulation,
    slipscope.State,
    slipscope.Study,
)


class Errors(unittest.TestCase):
    def test_sentences(self):
        cases = [
            (lambda: slipscope.run("conveyer"), "did you mean 'conveyor'"),
            (lambda: slipscope.run("conveyor", ["sop"]), "sop"),
            (lambda: slipscope.run("conveyor", stifness=1), "stifness"),
            (lambda: slipscope.run("conveyor", stiffness=math.nan), "stiffness"),
            (lambda: slipscope.run("conveyor", stiffness=-1), "stiffness"),
            (lambda: slipscope.run("conveyor", duration=0), "duration"),
            (lambda: slipscope.run("conveyor", steps=0), "steps"),
            (lambda: slipscope.run("conveyor", every=0), "every"),
            (lambda: slipscope.run("conveyor", duration=1e-12), "duration"),
            (lambda: slipscope.run("conveyor", duration=1, steps=3), "not both"),
            (lambda: slipscope.run("conveyor", threads=-1), "threads"),
            (lambda: slipscope.run("conveyor", steps=2**62), "steps"),
            (lambda: slipscope.run("conveyor", foreign=["x.npz"], align="bests"), "'best'"),
            (lambda: slipscope.run("conveyor", at=["x"]), "x"),
            (lambda: slipscope.run("conveyor", foreign=["none.npz"]), "none.npz"),
            (lambda: slipscope.Scene.from_text("schema = 3"), "text.toml:1"),
            (lambda: slipscope.Scene("no/such.urdf"), "no/such.urdf"),
            (lambda: slipscope.Simulation("conveyor").step(-1), "0 or more"),
            (lambda: slipscope.solve("none.json"), "none.json"),
        ]
        for call, words in cases:
            with self.assertRaises(slipscope.Error) as caught:
                call()
            self.assertIn(words, str(caught.exception))
        self.assertTrue(issubclass(slipscope.Error, ValueError))
        missing = [
            (lambda: slipscope.Simulation("conveyor").signal("forse"), "forse"),
            (lambda: slipscope.Simulation("conveyor")["stifness"], "stifness"),
            (lambda: slipscope.Scene("conveyor").describe("x"), "x"),
        ]
        for call, words in missing:
            with self.assertRaises(KeyError) as caught:
                call()
            self.assertIn(words, str(caught.exception))

    def test_wrong_types_are_one_sentence(self):
        sim = slipscope.Simulation("conveyor", "sap")
        run = slipscope.run("conveyor", ["sap"], steps=2)
        cases = [
            (lambda: slipscope.run(3), "scene must be a path (found 3)"),
            (lambda: slipscope.run(None), "scene must be a path (found None)"),
            (lambda: slipscope.run(), "run: missing a required argument: 'scene'"),
            (lambda: slipscope.run("conveyor", "sap", 4), "run: too many positional arguments"),
            (lambda: slipscope.run("conveyor", 3), "models must be texts (found 3)"),
            (lambda: slipscope.run("conveyor", [1]), "models must be a text (found 1)"),
            (lambda: slipscope.run("conveyor", stiffness=[1]), "stiffness must be a number"),
            (lambda: slipscope.run("conveyor", stiffness=None), "stiffness must be a number"),
            (lambda: slipscope.run("conveyor", stiffness=1j), "stiffness must be a number"),
            (lambda: slipscope.run("conveyor", stiffness=np.array([1.0])), "must be a number"),
            (lambda: slipscope.run("conveyor", params=[1]), "params must be a dict"),
            (lambda: slipscope.run("conveyor", params={1: 2}), "path of a parameter must be"),
            (lambda: slipscope.run("conveyor", steps="x"), "steps must be a whole number"),
            (lambda: slipscope.run("conveyor", steps=True), "steps must be a whole number"),
            (lambda: slipscope.run("conveyor", steps=[2]), "steps must be a whole number"),
            (lambda: slipscope.run("conveyor", every=None), "every must be a whole number"),
            (lambda: slipscope.run("conveyor", duration="x"), "duration must be a number"),
            (lambda: slipscope.run("conveyor", at=3), "at must be texts"),
            (lambda: slipscope.run("conveyor", align=None), "align must be a text"),
            (lambda: slipscope.Scene(), "Scene: missing a required argument: 'name_or_path'"),
            (lambda: slipscope.Scene.from_text(3), "text must be a text (found 3)"),
            (lambda: slipscope.Scene("conveyor").describe(None), "path must be a text"),
            (lambda: slipscope.Simulation("conveyor", modle="sap", params=3), "params must be"),
            (lambda: slipscope.Simulation(), "Simulation: missing a required argument"),
            (lambda: slipscope.list_scenes(1), "list_scenes: too many positional arguments"),
            (lambda: sim.step("x"), "count must be a whole number (found 'x')"),
            (lambda: sim.step(1, 2), "step: too many positional arguments"),
            (lambda: sim.step(cuont=2), "step: got an unexpected keyword argument 'cuont'"),
            (lambda: slipscope.Simulation.step(3), "step: not called on a Simulation"),
            (lambda: sim.signal(3), "the name of a signal must be a text (found 3)"),
            (lambda: sim.restore(3), "state must be one that save gave (found 3)"),
            (lambda: sim[3], "the path of a parameter must be a text"),
            (lambda: sim.__setitem__("friction", None), "friction must be a number"),
            (lambda: setattr(sim, "model", 3), "model must be a text"),
            (lambda: run[None], "the number of a channel must be a whole number"),
            (lambda: run["sap"][3], "must be a text"),
            (lambda: slipscope.solve(3), "problem must be a path"),
        ]
        for call, words in cases:
            with self.assertRaises(TypeError) as caught:
                call()
            self.assertIn(words, str(caught.exception))
            self.assertEqual(len(str(caught.exception).splitlines()), 1)

    def test_wrong_values_are_one_sentence(self):
        sim = slipscope.Simulation("conveyor", "sap")
        for call, words in [
            (lambda: slipscope.run("conveyor", steps=2.5), "steps must be a whole number (found 2"),
            (lambda: slipscope.run("conveyor", steps=math.nan), "steps must be a whole number"),
            (lambda: slipscope.run("conveyor", steps=math.inf), "steps must be a whole number"),
            (lambda: slipscope.run("conveyor", steps=2**80), "below 2^63"),
            (lambda: slipscope.run("conveyor", stiffness=10**400), "stiffness must be a number"),
            (lambda: slipscope.run("conveyor", []), "models: the list is empty"),
            (lambda: slipscope.run("conv\0eyor"), "without a zero"),
            (lambda: slipscope.run("conveyor", "sap\ud800"), "whole characters"),
            (lambda: slipscope.Simulation("conveyor", "sap,lagged"), "one model"),
            (lambda: setattr(sim, "model", "lagget"), "did you mean 'lagged'"),
        ]:
            with self.assertRaises(slipscope.Error) as caught:
                call()
            self.assertIn(words, str(caught.exception))

    def test_unknown_names_suggest_the_nearest(self):
        run = slipscope.run("conveyor", ["sap", "lagged"], steps=2)
        for call, words in [
            (lambda: run["lagget"], "no channel 'lagget' (did you mean 'lagged'?)"),
            (lambda: run["x"], "no channel 'x' (known: sap, lagged)"),
            (lambda: run["sap"]["normal_forse"], "did you mean 'normal_force'?"),
            (lambda: run["sap"]["positoin"], "did you mean 'position'?"),
        ]:
            with self.assertRaises(KeyError) as caught:
                call()
            self.assertIn(words, caught.exception.args[0])
        with self.assertRaises(IndexError) as caught:
            run[2]
        self.assertEqual(str(caught.exception), "no channel 2: the run has 2")

    def test_numbers_of_numpy(self):
        plain = slipscope.run("conveyor", ["sap"], steps=4, every=2, threads=1, stiffness=1e8)
        for kind in (np.int64, np.int32, np.uint8, np.float64, np.float32, float, np.array):
            given = slipscope.run(
                "conveyor",
                np.array(["sap"]),
                steps=kind(4),
                every=kind(2),
                threads=kind(1),
                stiffness=np.float64(1e8),
            )
            self.assertEqual(given[kind(0)].state_hash, plain[0].state_hash, kind)
            sim = slipscope.Simulation("conveyor", np.str_("sap"), stiffness=np.float32(1e8))
            sim.step(kind(4))
            self.assertEqual(sim.state_hash, plain[0].state_hash, kind)
        sim["friction"] = np.float32(0.25)
        self.assertEqual(sim["friction"], 0.25)
        sim["body.box.own_material"] = np.bool_(True)
        self.assertEqual(sim["body.box.own_material"], "on")
        run = slipscope.run("conveyor", duration=np.int64(1), at="0.5:friction=0.2", params=None)
        self.assertEqual(run.labels, slipscope.Scene("conveyor").models)

    def test_a_refused_step_leaves_the_state(self):
        sim = slipscope.Simulation("conveyor", "explicit-euler", time_step="50 ms")
        with self.assertRaises(slipscope.Error) as caught:
            sim.step(100000)
        before = sim.state_hash
        self.assertTrue(str(caught.exception))
        self.assertTrue(math.isfinite(sim.positions.sum()))
        self.assertEqual(sim.state_hash, before)


class Words(unittest.TestCase):
    def test_signatures_are_those_of_python(self):
        for thing, words in [
            (slipscope.Simulation, "(scene, model=None, *, params={}, **more)"),
            (slipscope.Simulation.step, "(self, count=1)"),
            (slipscope.Simulation("conveyor").step, "(count=1)"),
            (slipscope.Scene, "(name_or_path)"),
            (slipscope.Scene.from_text, "(text, name='text.toml')"),
            (slipscope.list_scenes, "()"),
        ]:
            self.assertEqual(str(inspect.signature(thing)), words)
        self.assertIn("foreign", inspect.signature(slipscope.run).parameters)
        self.assertTrue(slipscope.run.__doc__.startswith("Runs a scene"))
        self.assertTrue(slipscope.Simulation.__doc__.startswith("One model on a scene"))
        with contextlib.redirect_stdout(io.StringIO()) as page:
            help(slipscope)
        for words in ("_slipscope.", "Overloaded"):
            self.assertNotIn(words, page.getvalue())

    def test_everything_public_is_described(self):
        for name in slipscope.__all__:
            self.assertTrue(getattr(slipscope, name).__doc__, name)
        for kind in KINDS:
            for name in dir(kind):
                if not name.startswith("_"):
                    self.assertTrue(getattr(kind, name).__doc__, f"{kind.__name__}.{name}")

    def test_stubs_name_what_there_is(self):
        stubs = (BUILD / "python" / "slipscope" / "__init__.pyi").read_text()
        for kind in KINDS:
            for name in dir(kind):
                if not name.startswith("_"):
                    self.assertRegex(stubs, rf"(def {name}\b|\b{name}:)", kind.__name__)


if __name__ == "__main__":
    unittest.main()
