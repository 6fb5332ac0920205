// SPDX-License-Identifier: GPL-2.0-only
// Axes: scales, ticks, labels.
"use strict";

// A mapping from values to pixels with its ticks: [[value, text]].
Report.axis = (spec, low, high, from, to) =>
{
    const log = spec.log && low > 0;
    const move = log ? Math.log10 : (value) => value;
    const span = move(high) - move(low) || 1;
    const at = (value) => from + (move(value) - move(low)) / span * (to - from);
    const back = (pixel) =>
    {
        const value = move(low) + (pixel - from) / (to - from) * span;
        return log ? 10 ** value : value;
    };
    if (spec.ticks)
    {
        return {at, back, ticks: spec.ticks, name: spec.label, low, high};
    }
    const largest = Math.max(Math.abs(low), Math.abs(high));
    const {by, name} = log ? {by: 1, name: ""} : Report.scale(largest, spec.unit);
    // Labels stand closer below each other than beside each other.
    const gap = from > to ? 38 : 62;
    const ticks = log ? Report.logTicks(low, high, spec.unit) :
        Report.linearTicks(low / by, high / by, Math.abs(to - from) / gap)
            .map(([value, text]) => [value * by, text]);
    return {at, back, ticks, low, high, name: spec.label + (name ? ` (${name})` : "")};
};

Report.linearTicks = (low, high, count) =>
{
    const rough = (high - low) / Math.max(2, Math.min(10, count)) || 1;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999);
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const ticks = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++)
    {
        ticks.push([k * step, (k * step).toFixed(Math.min(digits, 12))]);
    }
    return ticks;
};

Report.logTicks = (low, high, unit) =>
{
    const decades = Math.log10(high / low);
    if (decades < 0.75)
    {
        return Report.linearTicks(low, high, 5).map(([v]) => [v, Report.format(v, unit)]);
    }
    const factors = decades < 2.5 ? [1, 2, 5] : [1];
    const ticks = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
    {
        for (const factor of factors)
        {
            const value = factor * 10 ** power;
            if (value >= low * 0.9999 && value <= high * 1.0001)
            {
                ticks.push([value, Report.format(value, unit)]);
            }
        }
    }
    return ticks;
};

const textWidth = (text) => 7.2 * text.length;

// Every how many labels fit beside each other: all, every second, ...
const labelStride = (places) =>
{
    for (let stride = 1; stride < places.length; stride++)
    {
        const kept = places.filter((_, k) => k % stride === 0);
        if (kept.every(({low}, k) => k === 0 || low > kept[k - 1].high + 6))
        {
            return stride;
        }
    }
    return Math.max(1, places.length);
};

// Draws both axes; labels that would touch their neighbour are left out.
Report.drawAxes = (svg, box, x, y) =>
{
    const places = x.ticks.filter(([value]) =>
        x.at(value) > box.left - 0.5 && x.at(value) < box.right + 0.5).map(([value, text]) =>
    {
        const half = textWidth(text) / 2;
        const middle = Math.min(Math.max(x.at(value), half), box.width - half);
        return {place: x.at(value), text, middle, low: middle - half, high: middle + half};
    });
    const stride = labelStride(places);
    places.forEach(({place, text, middle}, k) =>
    {
        Report.svg("line", {x1: place, x2: place, y1: box.top, y2: box.bottom,
                            stroke: "#e8ebee"}, svg);
        if (k % stride === 0)
        {
            Report.svg("text", {x: middle, y: box.bottom + 16, "text-anchor": "middle"}, svg, text);
        }
    });
    for (const [value, text] of y?.ticks ?? [])
    {
        const place = y.at(value);
        Report.svg("line", {x1: box.left, x2: box.right, y1: place, y2: place,
                            stroke: "#e8ebee"}, svg);
        Report.svg("text", {x: box.left - 6, y: place + 4, "text-anchor": "end"}, svg, text);
    }
    Report.svg("line", {x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom,
                        stroke: "#57606a"}, svg);
    Report.svg("text", {x: box.right, y: box.bottom + 33, "text-anchor": "end", class: "title"},
               svg, x.name);
    if (y)
    {
        Report.svg("text", {x: 0, y: 12, class: "title"}, svg, y.name);
    }
};
