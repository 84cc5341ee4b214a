"""The reference of the Python package, made from its docstrings by `make docs-python`; the pages need no network."""

import probmix

project = "probmix"
release = probmix.__version__
extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon"]
templates_path = []
html_theme = "alabaster"
html_theme_options = {"description": "Calibrated conditional densities", "fixed_sidebar": True, "page_width": "1100px"}
html_copy_source = False
html_show_sourcelink = False
default_role = "py:obj"
autodoc_member_order = "bysource"
autodoc_mock_imports = ["jax", "torch"]  # large, and not needed to read docstrings
napoleon_use_rtype = False
napoleon_use_param = False
