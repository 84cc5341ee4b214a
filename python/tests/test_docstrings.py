"""Everything public is documented: each parameter by name, what is returned, and examples that run."""

import doctest
import importlib.util
import inspect
import re

import pytest

import probmix

MODULES = {"probmix": None, "probmix.distributions": None, "probmix.estimators": "sklearn", "probmix.forecaster": None,
           "probmix.mixing": None, "probmix._base": None, "probmix.torch": "torch", "probmix.jax": "jax"}
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def module_of(name):
    if MODULES[name]:
        pytest.importorskip(MODULES[name])
    return importlib.import_module(name)


@pytest.fixture(scope="module")
def names():
    """The names that the first example of the package makes: the others go on from there."""
    namespace = {}
    example = doctest.DocTestParser().get_doctest(probmix.__doc__, namespace, "probmix", None, 0)
    assert doctest.DocTestRunner(optionflags=FLAGS).run(example, clear_globs=False).failed == 0
    return example.globs


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name, names):
    tests = [test for test in doctest.DocTestFinder(exclude_empty=True).find(module_of(name), name, globs=names) if test.examples]
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    report = []
    for test in tests:
        runner.run(test, out=report.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(report)
    assert runner.tries > 0


def documented():
    """(name, function or class) of everything public."""
    found = [(name, getattr(probmix, name)) for name in probmix.__all__ if not name.startswith("_")]
    for name in MODULES:
        if MODULES[name] in (None, "sklearn") or importlib.util.find_spec(MODULES[name]):
            module = importlib.import_module(name)
            if name in ("probmix.mixing", "probmix.torch", "probmix.jax"):
                found += [(f"{name}.{key}", value) for key, value in vars(module).items()
                          if not key.startswith("_") and getattr(value, "__module__", "") == name]
    for name, value in [*found]:
        if inspect.isclass(value):
            found += [(f"{name}.{key}", method) for key, method in inspect.getmembers(value, inspect.isfunction)
                      if not key.startswith("_") and method.__module__.startswith("probmix")]
    return dict(found)


@pytest.mark.parametrize("name", documented())
def test_a_docstring_names_what_is_given_and_returned(name):
    value = documented()[name]
    text = inspect.getdoc(value)
    assert text and text.splitlines()[0].endswith((".", ":")), "no summary"
    if inspect.isclass(value) and (issubclass(value, (Exception, Warning)) or value.__init__ is object.__init__):
        return
    if name.split(".")[-1] in ("Distribution", "ClassDistribution"):
        return  # made by predict_dist alone
    parameters = set(inspect.signature(value).parameters) - {"self"}
    if parameters:
        section = text.split("Parameters\n----------\n")[1]
        section = re.split(r"\n\n[A-Z][a-z]+\n-{4,}\n", section)[0]
        given = {word.strip("*") for line in section.splitlines() if not line.startswith(" ") for word in
                 re.split(r"[ ,]+", line.split(" : ")[0])}
        assert parameters <= given, f"undocumented: {parameters - given}"
    returns_something = "return " in inspect.getsource(value) and not inspect.isclass(value)
    assert not returns_something or "Returns\n-------\n" in text
