#!/usr/bin/env python3
"""A picture of charts in a page that probmix wrote, for the documentation.

    picture.py uci.html "Calibration on the test rows" uci-pit.png --charts erm mix probmix
    picture.py toy.html "Predictive densities" bands.png --width 1100 --scale 1.25

Takes the charts under the heading, all or those with the given titles, lets Chromium draw them and writes
what they fill as a PNG file of 256 colours. Needs Chromium and Pillow.
"""

import argparse
import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from PIL import Image

KEEP = """
<style>main { max-width: none; margin: 0; padding: 12px 16px } .figures { margin: 0 }</style>
<script>
(() => {
  const wanted = %s;
  const main = document.querySelector('main');
  const headings = [...main.querySelectorAll('h2, h3, h4')];
  const first = headings.find((h) => h.textContent === wanted.heading);
  const kept = [];
  for (let e = first && first.nextElementSibling; e && !headings.includes(e); e = e.nextElementSibling) {
    if (e.matches('.figures, .legend')) kept.push(e);
  }
  const figures = kept.flatMap((e) => [...e.querySelectorAll('figure')]);
  const title = (figure) => figure.querySelector('.title')?.textContent;
  for (const figure of figures) if (wanted.charts && !wanted.charts.includes(title(figure))) figure.remove();
  main.replaceChildren(...kept);
  main.dataset.pictureCharts = JSON.stringify(figures.map(title));
  main.dataset.pictureHeadings = JSON.stringify(headings.map((h) => h.textContent));
  setInterval(() => { main.dataset.pictureHeight = Math.ceil(main.getBoundingClientRect().height); }, 50);
})();
</script>
"""


def chromium(page, *options):
    command = ["chromium", "--headless", "--no-sandbox", "--hide-scrollbars", "--virtual-time-budget=60000"]
    done = subprocess.run([*command, *options, str(page)], capture_output=True, text=True, check=True)
    return done.stdout


def attribute(dom, name):
    return json.loads(html.unescape(re.search(rf'data-picture-{name}="([^"]*)"', dom)[1]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("heading")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--charts", nargs="+", metavar="TITLE", help="titles of the charts [default: all]")
    parser.add_argument("--width", type=int, default=1100, help="of the page, in pixels [default: 1100]")
    parser.add_argument("--scale", type=float, default=1.0, help="pixels of the picture for each of the page's")
    arguments = parser.parse_args()

    keep = KEEP % json.dumps({"heading": arguments.heading, "charts": arguments.charts})
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "charts.html"
        try:
            text = arguments.page.read_text(encoding="utf-8")
        except OSError as error:
            sys.exit(f"{arguments.page}: {error.strerror}")
        page.write_text(text.replace("</main>", "</main>" + keep, 1), encoding="utf-8")
        dom = chromium(page, f"--window-size={arguments.width},4000", "--dump-dom")
        charts = attribute(dom, "charts")
        if not charts:
            sys.exit(f"{arguments.page} has no charts under '{arguments.heading}'; its headings are "
                     + ", ".join(attribute(dom, "headings")))
        if unknown := set(arguments.charts or []) - set(charts):
            sys.exit(f"no chart '{unknown.pop()}' there; there are {', '.join(charts)}")
        height = attribute(dom, "height")
        chromium(page, f"--window-size={arguments.width},{height}", f"--screenshot={arguments.out.resolve()}",
                 f"--force-device-scale-factor={arguments.scale}")
    with Image.open(arguments.out) as picture:
        few = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    few.save(arguments.out, optimize=True)
    print(f"{arguments.out}: {', '.join(arguments.charts or charts)}")


if __name__ == "__main__":
    main()
