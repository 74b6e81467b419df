"""Contact mechanics: run scenes under several contact models, or step one yourself.

    import slipscope
    run = slipscope.run("conveyor", models=["sap", "lagged"], stiffness=1e8)
    run["sap"]["gliding_offset"]        # a NumPy array, one number a step

Numbers are in SI units and have the same bits as those of the program `slipscope`. Whatever is wrong
with what was given is one exception: slipscope.Error, a ValueError with the program's sentences;
TypeError where the type is another one; KeyError and IndexError where there is no such thing.
CONTACT_MODES are the words for the numbers of channel.contacts["mode"].
"""

import os as _os

_data = _os.path.join(_os.path.dirname(__file__), "share")
if _os.path.isdir(_data):  # scenes and meshes that came with the wheel
    _os.environ.setdefault("SLIPSCOPE_DATA", _data)

from ._slipscope import (  # noqa: E402
    CONTACT_MODES,
    Channel,
    Error,
    Run,
    Scene,
    Simulation,
    State,
    Study,
    __version__,
    list_models,
    list_scenes,
    load,
    picture,
    run,
    solve,
    studies,
    study,
)

__all__ = [
    "CONTACT_MODES",
    "Channel",
    "Error",
    "Run",
    "Scene",
    "Simulation",
    "State",
    "Study",
    "list_models",
    "list_scenes",
    "load",
    "picture",
    "run",
    "solve",
    "studies",
    "study",
]
