# SPDX-License-Identifier: GPL-2.0-only
"""Charts as SVG text: published points as hollow marks, measured ones as dots."""

import html
import math

WIDTH, HEIGHT = 560, 300
LEFT, RIGHT, TOP, BOTTOM = 62, 14, 12, 46
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
DOTS_AT_MOST = 40  # a longer line is drawn without a dot for each point


def is_number(text):
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def nice_step(span, steps):
    """The least of 1, 2, 2.5 or 5 times a power of ten of which at most so many fill a span."""
    power = 10 ** math.floor(math.log10(span / steps))
    return next(power * m for m in (1, 2, 2.5, 5, 10) if span / (power * m) <= steps)


def short(value):
    """A number as an axis shows it."""
    if value == 0:
        return "0"
    if not 1e-3 <= abs(value) < 1e5:
        mantissa, exponent = f"{value:.0e}".split("e")
        return f"{mantissa}e{int(exponent)}"
    return f"{value:.6g}"


class Axis:
    """From values to places between two ends of a picture."""

    def __init__(self, values, is_logarithmic, ends):
        self.is_logarithmic = is_logarithmic
        self.ends = ends
        low, high = min(values), max(values)
        if is_logarithmic:
            self.low, self.high = self._decades(low, high)
        else:
            self.low = min(low, 0.0) if low > 0 and low < 0.6 * high else low
            self.high = high
            margin = 0.06 * ((self.high - self.low) or abs(high) or 1)
            self.high += margin
            if self.low != 0:
                self.low -= margin
        if self.low == self.high:
            self.high = self.low * 10 if is_logarithmic else self.low + 1

    @staticmethod
    def _decades(low, high):
        return 10 ** math.floor(math.log10(low)), 10 ** math.ceil(math.log10(high))

    def place(self, value):
        if self.is_logarithmic:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.ends[0] + share * (self.ends[1] - self.ends[0])

    def ticks(self):
        if self.is_logarithmic:
            first, last = round(math.log10(self.low)), round(math.log10(self.high))
            return [(10.0**n, short(10.0**n)) for n in range(first, last + 1)]
        step = nice_step(self.high - self.low, 6)
        value = math.ceil(self.low / step - 1e-9) * step
        found = []
        while value <= self.high + 1e-9 * step:
            found.append((value, short(round(value, 12))))
            value += step
        return found


class CategoryAxis:
    """Names at even distances."""

    def __init__(self, names, ends):
        self.names = list(dict.fromkeys(names))
        self.ends = ends

    def place(self, name):
        share = (self.names.index(name) + 0.5) / len(self.names)
        return self.ends[0] + share * (self.ends[1] - self.ends[0])

    def ticks(self):
        return [(name, name) for name in self.names]


def group(points):
    """Points by series, in the order of their first."""
    series = {}
    for point in points:
        series.setdefault(point.series, []).append(point)
    return series


def text(x, y, words, anchor="middle", extra=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {extra}>'
            f"{html.escape(words)}</text>")


def draw_axes(x_axis, y_axis, figure):
    bottom, left = HEIGHT - BOTTOM, LEFT
    parts = []
    for value, label in y_axis.ticks():
        y = y_axis.place(value)
        parts.append(f'<line class="grid" x1="{left}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(text(left - 7, y + 4, label, "end"))
    for value, label in x_axis.ticks():
        x = x_axis.place(value)
        parts.append(f'<line class="tick" x1="{x:.1f}" x2="{x:.1f}" y1="{bottom}" y2="{bottom + 4}"/>')
        parts.append(text(x, bottom + 17, label))
    parts.append(f'<path class="axis" d="M{left} {TOP}V{bottom}H{WIDTH - RIGHT}"/>')
    parts.append(text((left + WIDTH - RIGHT) / 2, HEIGHT - 8, figure.x, extra='class="label"'))
    middle = (TOP + bottom) / 2
    turn = f'class="label" transform="rotate(-90 14 {middle:.1f})"'
    parts.append(text(14, middle, figure.y, extra=turn))
    return parts


def draw_series(places, name, style):
    """A line with dots for what was measured, a broken one with hollow marks for what was published."""
    colour, is_published, is_line = style
    parts = []
    if is_line:
        kind = "line published" if is_published else "line"
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in places)
        parts.append(f'<polyline class="{kind}" stroke="{colour}" points="{path}"/>')
    if is_published or not is_line or len(places) <= DOTS_AT_MOST:
        fill = "#fff" if is_published else colour
        radius = 4 if is_published else 3
        for x, y, label in places:
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}" '
                         f'stroke="{colour}" stroke-width="1.6"><title>'
                         f"{html.escape(name)}: {html.escape(label)}</title></circle>")
    return parts


def legend(names):
    """Names beside their marks, below the picture."""
    entries = []
    for name, (colour, is_published, _) in names.items():
        fill = "#fff" if is_published else colour
        mark = (f'<svg width="14" height="12"><circle cx="7" cy="6" r="4" fill="{fill}" '
                f'stroke="{colour}" stroke-width="1.6"/></svg>')
        entries.append(f"<span>{mark} {html.escape(name)}</span>")
    return f'<div class="legend">{"".join(entries)}</div>'


def draw_figure(figure, published, measured):
    """
    One figure as HTML: picture, legend, caption.

    published, measured: points of the figure. Measured series are coloured in their order, and
    published ones after them, so that colours are the same with and without a measurement.
    """
    points = measured + published
    if not points:
        return ""
    is_numeric = all(is_number(point.x) for point in points)
    x_ends, y_ends = (LEFT, WIDTH - RIGHT), (HEIGHT - BOTTOM, TOP)
    if is_numeric:
        x_axis = Axis([float(point.x) for point in points], "x" in figure.logarithmic, x_ends)
    else:
        x_axis = CategoryAxis([point.x for point in points], x_ends)
    y_axis = Axis([float(point.y) for point in points], "y" in figure.logarithmic, y_ends)
    parts = draw_axes(x_axis, y_axis, figure)
    styles = {}
    everything = [(False, group(measured)), (True, group(published))]
    for is_published, series in everything:
        for name, rows in series.items():
            colour = COLOURS[len(styles) % len(COLOURS)]
            styles[name] = (colour, is_published, is_numeric)
            places = [(x_axis.place(float(row.x) if is_numeric else row.x),
                       y_axis.place(float(row.y)), f"{row.x}, {short(float(row.y))}")
                      for row in rows]
            parts += draw_series(places, name, styles[name])
    caption = f": {html.escape(figure.caption)}" if figure.caption else ""
    return (f'<figure><figcaption><b>{html.escape(figure.name)}</b>{caption}</figcaption>'
            f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
            f'aria-label="{html.escape(figure.name)}">{"".join(parts)}</svg>'
            f"{legend(styles)}</figure>")


def draw_band(low, high, ours):
    """A narrow picture of where a value lies in what is allowed; nothing for what has no width."""
    bounds = [bound for bound in (low, high) if bound is not None]
    if not bounds or (low is not None and low == high):
        return ""
    middle = sum(bounds) / len(bounds)
    reach = max(abs(value - middle) for value in (*bounds, ours)) or 1
    span = 1.15 * max(reach, (bounds[-1] - bounds[0]) if len(bounds) > 1 else reach)

    def place(value):
        return 60 + 56 * (value - middle) / span

    left = 2 if low is None else place(low)
    right = 118 if high is None else place(high)
    return (f'<svg class="band" viewBox="0 0 120 14"><rect x="{left:.1f}" y="4" '
            f'width="{right - left:.1f}" height="6"/><circle cx="{place(ours):.1f}" cy="7" r="4"/></svg>')
