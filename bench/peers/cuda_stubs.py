#!/usr/bin/env python3
"""Lets PyPI's PyTorch, which is built for CUDA, load without the gigabytes of CUDA libraries.

    cuda_stubs.py SITE_PACKAGES

The wheel's libraries refer to CUDA libraries and symbols that the loader requires, although nothing on
a CPU calls them. For each library that is not installed, this compiles a stub beside them that defines
these symbols, with their versions, and aborts if one is called.
"""
import collections
import pathlib
import re
import subprocess
import sys

CUDA = re.compile(r"lib(cu|nccl|nv)\w*\.so")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main(site_packages):
    folder = site_packages / "torch" / "lib"
    installed = {path.name for path in site_packages.glob("nvidia/*/lib/*.so*")}
    needed, library_of, symbols = set(), {}, collections.defaultdict(set)
    for path in [p for p in folder.glob("lib*.so") if not CUDA.match(p.name)]:
        headers = output("objdump", "-p", path)
        needed |= set(re.findall(r"NEEDED +(\S+)", headers))
        for library, lines in re.findall(r"required from (\S+):\n((?:    .*\n)*)", headers):
            library_of.update((line.split()[-1], library) for line in lines.splitlines())
        for line in output("nm", "-D", "--undefined-only", path).splitlines():
            symbol, _, version = line.split()[-1].partition("@")
            symbols[version.strip("@")].add(symbol)

    installed.add("libcuda.so.1")  # the driver: nothing that is loaded at the start needs it
    missing = sorted(n for n in needed if CUDA.match(n) and n not in installed)
    for name in missing:
        versions = {v: s for v, s in symbols.items() if library_of.get(v) == name}
        free = set()  # symbols without a version may come from any library
        if name == missing[0]:
            free = {s for s in symbols[""] if re.match("cu|nccl|nv", s)}
        code = "".join(f"void {s}(void) {{ __builtin_trap(); }}\n"
                       for s in sorted(free.union(*versions.values())))
        script = "".join(f"{v} {{ {' '.join(s + ';' for s in sorted(names))} }};\n"
                         for v, names in versions.items())
        map_file = folder / "stub.map"
        map_file.write_text(script)
        options = [f"-Wl,--version-script={map_file}"] if script else []
        subprocess.run(["cc", "-shared", "-fPIC", "-nostdlib", "-w", "-x", "c", "-", *options,
                        f"-Wl,-soname,{name}", "-o", folder / name],
                       check=True, input=code, text=True)
        map_file.unlink()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
