"""Configure the examples of Hypothesis."""

import os

from hypothesis import settings

# CI uses the same examples each time; other runs use new ones. There are no deadlines.
settings.register_profile("assamese", deadline=None, derandomize="ABHIDHAN_CI" in os.environ)
settings.load_profile("assamese")
