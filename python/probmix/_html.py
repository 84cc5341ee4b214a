"""A fitted estimator as HTML for notebooks: its columns, the curve of its training, its scores."""

import html
import math

import numpy as np

_MOST_LEVELS = 6
_MOST_COLUMNS = 100
_STYLE = """<style>
.probmix { font-size: 0.9em; }
.probmix table { border-collapse: collapse; margin: 0.4em 0; }
.probmix td, .probmix th { text-align: left; padding: 0.15em 0.8em 0.15em 0; }
.probmix .number { text-align: right; font-variant-numeric: tabular-nums; }
.probmix svg text { font-size: 10px; fill: currentColor; }
</style>"""


def estimator_html(estimator):
    """For a fitted estimator; everything that comes from the user's table is escaped."""
    model = estimator.model_
    parts = [_STYLE, f"<p><b>{_text(type(estimator).__name__)}</b> for {_list(model.targets, 'target')}: "
             f"{_text(model.family)}, {model.networks} network{'s' * (model.networks > 1)}</p>", _columns(model)]
    histories = getattr(estimator, "histories_", [])
    curves = [np.asarray(history) for history in histories if len(history)]
    if curves:
        parts += [_curve(curves), _scores(curves)]
    remarks = getattr(estimator, "remarks_", [])
    if remarks:
        parts.append("<ul>" + "".join(f"<li>{_text(remark)}</li>" for remark in remarks) + "</ul>")
    return f'<div class="probmix">{"".join(parts)}</div>'


def _text(value):
    return html.escape(str(value))


def _list(names, what):
    shown = ", ".join(_text(name) for name in names[:_MOST_LEVELS])
    return f"the {what}{'s' * (len(names) > 1)} {shown}{', ...' * (len(names) > _MOST_LEVELS)}"


def _columns(model):
    inputs = model.inputs()
    rows = [f"<tr><td>{_text(name)}</td><td>{_text(kind)}</td><td>{_text(_summary(kind, *how))}</td></tr>"
            for name, kind, *how in inputs[:_MOST_COLUMNS]]
    if len(inputs) > _MOST_COLUMNS:
        rows.append(f"<tr><td colspan=3>and {len(inputs) - _MOST_COLUMNS} more</td></tr>")
    return ("<table><thead><tr><th>input</th><th>kind</th><th>in training</th></tr></thead>"
            f"<tbody>{''.join(rows)}</tbody></table>")


def _summary(kind, has_missing, mean, scale, levels):
    if kind == "category":
        shown = ", ".join(levels[:_MOST_LEVELS])
        text = f"{len(levels)} levels: {shown}{', ...' * (len(levels) > _MOST_LEVELS)}"
    elif kind == "date":
        text = f"around {np.datetime64(round(mean), 's').astype('datetime64[D]')}"
    else:
        text = f"mean {mean:.4g}, deviation {scale:.4g}"
    return text + "; some missing" * has_missing


def _curve(curves):
    """Validation NLL over the epochs of each network, or the training loss if there is no validation."""
    column, name = (1, "validation NLL") if np.isfinite(curves[0][:, 1]).any() else (0, "training loss")
    lines = [curve[:, column] for curve in curves]
    finite = np.concatenate(lines)
    finite = finite[np.isfinite(finite)]
    if len(finite) == 0:
        return ""
    # The first epochs may be far above the rest, which is what one wants to see.
    low, high = finite.min(), max(np.quantile(finite, 0.98), finite.min() + 1e-9)
    longest = max(map(len, lines))
    width, height, left, bottom, top = 420, 170, 50, 24, 18

    def place(epoch, value):
        x = left + (width - left - 8) * epoch / max(1, longest - 1)
        share = min(1.0, (value - low) / (high - low))
        return f"{x:.1f},{height - bottom - (height - bottom - top) * share:.1f}"

    drawn = []
    for line in lines:
        points = " ".join(place(epoch, value) for epoch, value in enumerate(line) if math.isfinite(value))
        drawn.append(f'<polyline points="{points}" fill="none" stroke="#2b6ca3" stroke-width="1.2" opacity="0.7"/>')
    axis = (f'<path d="M{left} {top}V{height - bottom}H{width - 8}" fill="none" stroke="currentColor" opacity="0.5"/>'
            f'<text x="{left - 4}" y="{height - bottom}" text-anchor="end">{low:.3g}</text>'
            f'<text x="{left - 4}" y="{top + 4}" text-anchor="end">{high:.3g}</text>'
            f'<text x="{left}" y="{height - 8}">1</text>'
            f'<text x="{width - 8}" y="{height - 8}" text-anchor="end">{longest} epochs</text>'
            f'<text x="{left}" y="11">{name}</text>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
            f'role="img" aria-label="{name} over the epochs">{axis}{"".join(drawn)}</svg>')


def _scores(curves):
    rows = []
    for k, curve in enumerate(curves):
        validation = curve[:, 1]
        if not np.isfinite(validation).any():
            return ""
        best = int(np.nanargmin(np.where(np.isfinite(validation), validation, np.nan)))
        rows.append(f'<tr><td>{k + 1}</td><td class="number">{len(curve)}</td><td class="number">{best + 1}</td>'
                    f'<td class="number">{validation[best]:.4f}</td></tr>')
    return ('<table><thead><tr><th>network</th><th>epochs</th><th>best epoch</th><th>validation NLL</th></tr></thead>'
            f'<tbody>{"".join(rows)}</tbody></table>')
