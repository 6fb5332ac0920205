// SPDX-License-Identifier: GPL-2.0-only
// The congestion tree at an instant: from each congested egress port down to all whom it stops.
"use strict";

const TREE_ROWS = 80;

// The pause that each active pause hangs below: its nearest cause that is still active, else the
// one, if any, that stops the very port where its chain began. No link closes a cycle.
const parentsOf = ({pauses}, active) =>
{
    const causeOf = new Map(pauses.pause.map((pause, k) => [pause, pauses.cause[k]]));
    const stopped = new Map([...active].map(([pause, k]) =>
        [`${pauses.port[k]} ${pauses.priority[k]}`, pause]));
    const parents = new Map();
    for (const [pause, k] of active)
    {
        let parent = causeOf.get(pause) ?? null;
        while (parent !== null && !active.has(parent))
        {
            parent = causeOf.get(parent) ?? null;
        }
        parent ??= stopped.get(`${pauses.root[k]} ${pauses.priority[k]}`) ?? null;
        let above = parent;
        while (above !== null && above !== pause)
        {
            above = parents.get(above) ?? null;
        }
        if (parent !== null && above === null)
        {
            parents.set(pause, parent);
        }
    }
    return parents;
};

// [{level, k (index of the pause, or null at a root), text}] at an instant.
const treeRows = (spec, instant) =>
{
    const {pauses, names} = spec;
    const active = new Map();
    pauses.start.forEach((start, k) =>
    {
        if (start <= instant && (pauses.stop[k] === null || instant < pauses.stop[k]))
        {
            active.set(pauses.pause[k], k);
        }
    });
    const parents = parentsOf(spec, active);
    const below = new Map();
    for (const [pause, k] of active)
    {
        const key = parents.get(pause) ?? `${names[pauses.root[k]]} prio ${pauses.priority[k]}`;
        below.set(key, [...(below.get(key) ?? []), pause]);
    }
    const rows = [];
    const visit = (pause, level) =>
    {
        rows.push({level, k: active.get(pause)});
        (below.get(pause) ?? []).forEach((child) => visit(child, level + 1));
    };
    for (const [key, children] of [...below].filter(([key]) => typeof key === "string").sort())
    {
        rows.push({level: 0, k: null, text: `${key}: congested egress port`});
        children.forEach((pause) => visit(pause, 1));
    }
    return rows;
};

const rowText = ({k, text}, spec, instant) =>
{
    if (k === null)
    {
        return text;
    }
    const {pauses, names} = spec;
    const stop = pauses.stop[k];
    return `${names[pauses.port[k]]} paused by ${names[pauses.by[k]]} for ` +
        Report.format(instant - pauses.start[k], "ns") +
        (stop === null ? ", to the end" : ` of ${Report.format(stop - pauses.start[k], "ns")}`);
};

const drawTree = (figure) =>
{
    const {spec, instant} = figure;
    figure.list.replaceChildren();
    const rows = treeRows(spec, instant);
    const indent = figure.width < 420 ? 12 : 26;
    rows.slice(0, TREE_ROWS).forEach((row) =>
    {
        const line = Report.html("div", row.k === null ? "row root" : "row", figure.list,
                                 rowText(row, spec, instant));
        line.style.marginLeft = `${row.level * indent}px`;
        line.style.borderColor = ["#1b1f24", "#D55E00", "#E69F00", "#0072B2", "#56B4E9"][
            Math.min(row.level, 4)];
    });
    if (rows.length > TREE_ROWS)
    {
        Report.html("p", "note", figure.list, `and ${rows.length - TREE_ROWS} more rows`);
    }
    if (!rows.length)
    {
        Report.html("p", "note", figure.list, "No port is paused at this instant.");
    }
    figure.output.textContent = Report.format(instant, "ns");
    return rows.length;
};

// The slider, the instant as text, and the list.
const makeTree = (figure, instants) =>
{
    const line = Report.html("div", "instant", figure.element);
    figure.output = Report.html("output", "", line);
    figure.slider = Report.html("input", "", line);
    Object.assign(figure.slider, {type: "range", min: 0, max: instants.length - 1});
    figure.slider.setAttribute("aria-label", "instant of the congestion tree");
    figure.slider.value = Math.max(0, instants.findIndex((time) => time >= figure.instant));
    figure.slider.oninput = () =>
    {
        figure.instant = instants[figure.slider.value];
        figure.draw();
    };
    figure.list = Report.html("div", "tree", figure.element);
};

Report.kinds.tree = (figure) =>
{
    const {spec} = figure;
    if (!figure.list)
    {
        figure.instant = spec.instant;
        spec.height = 190;
        // The tree changes only where a pause begins or ends.
        const {start, stop} = spec.pauses;
        const times = new Set([...start, ...stop].filter((time) => time !== null));
        makeTree(figure, [...times].sort((a, b) => a - b));
    }
    Report.kinds.lines(figure);
    const place = figure.xAxis.at(figure.instant);
    if (place >= figure.box.left && place <= figure.box.right)
    {
        Report.svg("line", {x1: place, x2: place, y1: figure.box.top, y2: figure.box.bottom,
                            stroke: "#D55E00", "stroke-width": 2}, figure.svg);
    }
    return drawTree(figure);
};
