// SPDX-License-Identifier: GPL-2.0-only
// Horizontal bars, each with its name and its value.
"use strict";

Report.kinds.bars = (figure) =>
{
    const {rows, values, value} = figure.spec;
    const longest = Math.max(...rows.map((name) => name.length));
    const room = Math.min(6.9 * longest + 10, figure.width * 0.45);
    const top = value.high ?? (Math.max(...values) || 1);
    const letters = Math.floor((room - 10) / 6.7);
    const width = figure.width - room - 70;
    Report.svg("text", {x: room, y: 12, class: "title"}, figure.svg, value.label);
    rows.forEach((name, k) =>
    {
        const y = 20 + 21 * k;
        const text = name.length > letters ? name.slice(0, letters - 2) + ".." : name;
        Report.svg("text", {x: room - 6, y: y + 13, "text-anchor": "end"}, figure.svg, text);
        Report.svg("rect", {x: room, y, width, height: 17, fill: "#f0f2f5"}, figure.svg);
        Report.svg("rect", {x: room, y, width: Math.max(1, width * values[k] / top), height: 17,
                            fill: Report.COLOURS[0]}, figure.svg);
        Report.svg("text", {x: room + width + 6, y: y + 13}, figure.svg,
                   Report.format(values[k], value.unit));
    });
    figure.height = 26 + 21 * rows.length;
    figure.xAxis = null;
    figure.box = {top: 20, bottom: figure.height};
    figure.hover = (px, py) =>
    {
        const k = Math.floor((py - 20) / 21);
        return rows[k] ? {title: rows[k], lines: [
            {text: `${value.label}: ${Report.format(values[k], value.unit)}`}]} : null;
    };
    return rows.length;
};
