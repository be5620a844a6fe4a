"""Doctests of the API play in a folder of their own, which they share: the same question is played once."""

import os

import pytest

pytest_plugins = ["tests.proofs"]


@pytest.fixture(scope="session")
def folder_of_doctests(tmp_path_factory):
    return tmp_path_factory.mktemp("doctests")


@pytest.fixture(autouse=True)
def in_folder_of_doctests(request):
    if not request.node.nodeid.startswith(("simkit/ask/", "simkit/questions/", "simkit/plot.py")):
        yield
        return
    import simkit

    before = os.getcwd()
    os.chdir(request.getfixturevalue("folder_of_doctests"))
    request.getfixturevalue("doctest_namespace").update({name: getattr(simkit, name) for name in dir(simkit)})
    yield
    os.chdir(before)
