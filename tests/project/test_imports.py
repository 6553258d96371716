"""No file needs itself: not by way of other files, nor of the folder it stands in."""

from graphlib import TopologicalSorter

import grimp
import pytest


@pytest.mark.parametrize("root", ["scorer", "vision", "webui", "models"])
def test_no_file_imports_itself_by_way_of_others(root):
    graph = grimp.build_graph(root, cache_dir=None)
    imports = {file: graph.find_modules_directly_imported_by(file) for file in graph.modules}

    TopologicalSorter(imports).prepare()  # raises CycleError, which names the files of a circle
