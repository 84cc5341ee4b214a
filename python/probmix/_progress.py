"""Progress of a training, for those who ask: verbose=1 shows a bar, verbose=2 also remarks."""

import sys


class Progress:
    """A bar of tqdm if that is installed and someone may be watching, else nothing."""

    def __init__(self, verbose):
        self._verbose = int(verbose)
        self._bar = None

    def __enter__(self):
        watched = sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)
        if self._verbose > 0 and watched:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return self
            self._bar = tqdm(desc="training", unit="epoch", leave=False)
        return self

    def __exit__(self, *_):
        if self._bar is not None:
            self._bar.close()

    def say(self, lines):
        if self._verbose > 1:
            for line in lines:
                print(line, file=sys.stderr)

    def show(self, done, of):
        if self._bar is not None:
            self._bar.total = of
            self._bar.update(done - self._bar.n)
