"""Choose the examples of Hypothesis."""

import os

from hypothesis import settings

# CI takes the same examples each time; other runs take new ones. Time is never judged.
settings.register_profile("assamese", deadline=None, derandomize="ABHIDHAN_CI" in os.environ)
settings.load_profile("assamese")
