// SPDX-License-Identifier: GPL-2.0-only
// Curves, steps, points and bands over one x axis.
"use strict";

// The indices of a series' points within the range, and one beyond each end.
const inRange = (one, low, high) =>
{
    if (one.style === "points")
    {
        return [0, one.x.length];
    }
    let first = one.x.findIndex((value) => value >= low);
    first = first < 0 ? one.x.length : first;
    let last = first;
    while (last < one.x.length && one.x[last] <= high)
    {
        last++;
    }
    return [Math.max(0, first - 1), Math.min(one.x.length, last + 1)];
};

// Least and greatest value of all series on one axis; of y within the range of x.
const extent = (series, key, range) =>
{
    let low = Infinity;
    let high = -Infinity;
    const take = (value, log) =>
    {
        if (value !== null && value !== undefined && (!log || value > 0))
        {
            low = Math.min(low, value);
            high = Math.max(high, value);
        }
    };
    for (const one of series)
    {
        const [first, last] = range ? inRange(one, ...range) : [0, one.x.length];
        for (let k = first; k < last; k++)
        {
            take(one[key][k], range === undefined);
            if (key === "y" && one.low)
            {
                take(one.low[k]);
                take(one.high[k]);
            }
        }
    }
    return low <= high ? [low, high] : [0, 1];
};

// The range of an axis: what the figure says, else the data, with some air.
const limits = (spec, [low, high], air) =>
{
    low = spec.low ?? low;
    high = Math.max(spec.high ?? high, low);
    if (low === high)
    {
        [low, high] = spec.log ? [low * 0.8 || 0.1, high * 1.25 || 1] :
            [Math.min(0, low), high || 1];
    }
    if (spec.high === undefined)
    {
        high = spec.log ? high * (high / low) ** air : high + (high - low) * air;
    }
    if (spec.low === undefined && spec.log)
    {
        low /= (high / low) ** air;
    }
    return [low, high];
};

// A path through points; columns of one pixel with many points become their extremes.
const trace = (one, x, y, [first, last]) =>
{
    let path = "";
    let pen = false;
    let marks = 0;
    let column = null;
    const put = (px, py) =>
    {
        path += (pen ? "L" : "M") + px.toFixed(1) + "," + py.toFixed(1);
        pen = true;
        marks++;
    };
    const flush = () =>
    {
        if (column)
        {
            column.values.forEach((value) => put(column.pixel, value));
            column = null;
        }
    };
    const dense = last - first > 3000;
    let previous = null;
    for (let k = first; k < last; k++)
    {
        if (one.y[k] === null)
        {
            flush();
            pen = false;
            previous = null;
            continue;
        }
        const px = x.at(one.x[k]);
        const py = y.at(one.y[k]);
        if (!dense)
        {
            if (one.style === "step" && previous !== null)
            {
                put(px, previous);
            }
            put(px, py);
            previous = py;
        }
        else if (column && Math.round(px) === column.pixel)
        {
            column.least = Math.min(column.least, py);
            column.most = Math.max(column.most, py);
            column.values = [column.values[0], column.least, column.most, py];
        }
        else
        {
            flush();
            column = {pixel: Math.round(px), least: py, most: py, values: [py]};
        }
    }
    flush();
    return {path, marks};
};

const band = (one, x, y, [first, last]) =>
{
    const up = [];
    const down = [];
    for (let k = first; k < last; k++)
    {
        if (one.low[k] !== null && one.high[k] !== null)
        {
            const px = x.at(one.x[k]).toFixed(1);
            up.push(`${px},${y.at(one.high[k]).toFixed(1)}`);
            down.unshift(`${px},${y.at(Math.max(one.low[k], y.low)).toFixed(1)}`);
        }
    }
    return up.length ? "M" + [...up, ...down].join("L") + "Z" : "";
};

// Draws one series into the clipped group; returns the number of marks.
const drawSeries = (figure, group, one, x, y, range) =>
{
    const span = inRange(one, ...range);
    if (one.low)
    {
        Report.svg("path", {d: band(one, x, y, span), fill: one.colour, opacity: 0.16}, group);
    }
    if (one.style === "points")
    {
        let marks = 0;
        one.x.forEach((value, k) =>
        {
            if (one.y[k] !== null && value >= range[0] && value <= range[1])
            {
                Report.svg("circle", {cx: x.at(value).toFixed(1), cy: y.at(one.y[k]).toFixed(1),
                                      r: 2.4, fill: one.colour, opacity: 0.4}, group);
                marks++;
            }
        });
        return marks;
    }
    const {path, marks} = trace(one, x, y, span);
    Report.svg("path", {d: path, fill: "none", stroke: one.colour, "stroke-width": 1.7,
                        "stroke-dasharray": one.dash, "stroke-linejoin": "round"}, group);
    for (let k = span[0]; one.marks && k < span[1]; k++)
    {
        if (one.y[k] !== null)
        {
            Report.svg("circle", {cx: x.at(one.x[k]), cy: y.at(one.y[k]), r: 3.2,
                                  fill: one.colour}, group);
        }
    }
    return marks;
};

// The index of the value of a series at x: the last not after it for steps, else the nearest.
const indexAt = (one, value) =>
{
    let low = 0;
    let high = one.x.length - 1;
    while (low < high)
    {
        const middle = Math.ceil((low + high) / 2);
        if (one.x[middle] <= value)
        {
            low = middle;
        }
        else
        {
            high = middle - 1;
        }
    }
    const next = low + 1 < one.x.length && one.style !== "step" &&
        Math.abs(one.x[low + 1] - value) < Math.abs(one.x[low] - value);
    return next ? low + 1 : low;
};

const hoverLines = (figure, series, x, y) => (px, py) =>
{
    const {box} = figure;
    if (px < box.left || px > box.right || py < box.top - 8 || py > box.bottom + 8)
    {
        return null;
    }
    const {x: xSpec, y: ySpec} = figure.data;
    const lines = series.filter((one) => one.style !== "points");
    // The place of the nearest sample of any line, or the cursor where lines are steps.
    let value = x.back(px);
    const near = lines.filter((one) => one.style !== "step")
        .map((one) => one.x[indexAt(one, value)]);
    if (near.length)
    {
        value = near.reduce((best, at) =>
            Math.abs(x.at(at) - px) < Math.abs(x.at(best) - px) ? at : best);
    }
    const found = lines.map((one) => ({one, k: indexAt(one, value)}))
        .filter(({one, k}) => one.y[k] !== null && one.y[k] !== undefined &&
            value >= one.x[0] && value <= one.x[one.x.length - 1]);
    found.sort((a, b) => b.one.y[b.k] - a.one.y[a.k]);
    const tick = xSpec.ticks?.reduce((best, one) =>
        Math.abs(one[0] - value) < Math.abs(best[0] - value) ? one : best)[1];
    return found.length ? {
        title: `${xSpec.label}: ${tick ?? Report.format(value, xSpec.unit)}`,
        lines: found.slice(0, 12).map(({one, k}) => ({
            colour: one.colour, text: `${one.name}: ${Report.format(one.y[k], ySpec.unit)}` +
                (one.low && one.low[k] !== null ? ` (${Report.format(one.low[k], ySpec.unit)} to ` +
                    `${Report.format(one.high[k], ySpec.unit)})` : "")})),
        x: x.at(value)} : null;
};

Report.kinds.lines = (figure) =>
{
    const {x: xSpec, y: ySpec} = figure.data;
    const series = figure.visible();
    const all = figure.data.series;
    const range = figure.range ?? limits(xSpec, extent(all, "x"), xSpec.log ? 0.02 : 0);
    let yRange = limits(ySpec, extent(series, "y", range), 0.05);
    if (ySpec.log && !(yRange[0] > 0))
    {
        yRange = limits(ySpec, extent(series, "y"), 0.05);
    }
    figure.height = figure.spec.height ?? (figure.width < 420 ? 270 : 330);
    const bottom = figure.height - 40;
    const trial = Report.axis(ySpec, ...yRange, bottom, 24);
    const widest = Math.max(16, ...trial.ticks.map(([, text]) => 6.7 * text.length));
    const box = {left: widest + 10, right: figure.width - 8, top: 24, bottom, width: figure.width};
    const x = Report.axis(xSpec, ...range, box.left, box.right);
    Object.assign(figure, {box, xAxis: x});
    Report.drawAxes(figure.svg, box, x, trial);
    const name = `clip${Report.figures.indexOf(figure)}`;
    const clip = Report.svg("clipPath", {id: name}, figure.svg);
    Report.svg("rect", {x: box.left - 1, y: box.top - 4, width: box.right - box.left + 2,
                        height: box.bottom - box.top + 5}, clip);
    const group = Report.svg("g", {"clip-path": `url(#${name})`}, figure.svg);
    let marks = 0;
    for (const one of series)
    {
        marks += drawSeries(figure, group, one, x, trial, range);
    }
    figure.hover = hoverLines(figure, series, x, trial);
    return marks;
};
