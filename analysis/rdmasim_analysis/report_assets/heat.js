// SPDX-License-Identifier: GPL-2.0-only
// Heat maps: a row for each name, time along x, a colour for the value.
"use strict";

// White to dark blue; even in lightness, so that it reads without colour.
const shadeOf = (share) =>
{
    const stops = [[255, 255, 255], [158, 202, 225], [33, 113, 181], [8, 29, 88]];
    const place = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
    const below = Math.min(Math.floor(place), stops.length - 2);
    return stops[below].map((part, k) =>
        Math.round(part + (stops[below + 1][k] - part) * (place - below)));
};

// The cells as a picture of one pixel each.
const cells = (values, top) =>
{
    const canvas = document.createElement("canvas");
    canvas.width = values[0].length;
    canvas.height = values.length;
    const context = canvas.getContext("2d");
    const image = context.createImageData(canvas.width, canvas.height);
    let marks = 0;
    values.flat().forEach((value, k) =>
    {
        image.data.set([...shadeOf((value ?? 0) / top), 255], 4 * k);
        marks += value > 0;
    });
    context.putImageData(image, 0, 0);
    return {url: canvas.toDataURL(), marks};
};

// A key of colours at the top right.
const colourKey = (figure, value, top) =>
{
    const width = Math.min(160, figure.width * 0.35);
    const left = figure.width - width - 8;
    for (let k = 0; k < 32; k++)
    {
        Report.svg("rect", {x: left + k * width / 32, y: 4, width: width / 32 + 0.5, height: 10,
                            fill: `rgb(${shadeOf(k / 31)})`}, figure.svg);
    }
    Report.svg("rect", {x: left, y: 4, width, height: 10, fill: "none", stroke: "#8c959f"},
               figure.svg);
    Report.svg("text", {x: left - 6, y: 13, "text-anchor": "end", class: "title"}, figure.svg,
               `${value.label}: 0`);
    Report.svg("text", {x: left + width, y: 28, "text-anchor": "end"}, figure.svg,
               Report.format(top, value.unit));
};

Report.kinds.heat = (figure) =>
{
    const {rows, values, value, x: xSpec, until} = figure.spec;
    const top = value.high ?? (Math.max(...values.map((row) => Math.max(...row))) || 1);
    figure.heat ??= cells(values, top);
    const rowHeight = rows.length > 24 ? 14 : 20;
    const longest = Math.max(...rows.map((name) => name.length));
    const room = Math.min(6.9 * longest + 10, figure.width * 0.42);
    const box = {left: room, right: figure.width - 8, top: 36,
                 bottom: 36 + rowHeight * rows.length, width: figure.width};
    figure.height = box.bottom + 42;
    const x = Report.axis(xSpec, ...(figure.range ?? [xSpec.low, xSpec.high]), box.left, box.right);
    Object.assign(figure, {box, xAxis: x});
    const inner = Report.svg("svg", {x: box.left, y: box.top, width: box.right - box.left,
                                     height: box.bottom - box.top}, figure.svg);
    Report.svg("image", {href: figure.heat.url, x: x.at(0) - box.left, y: 0,
                         width: x.at(until) - x.at(0), height: box.bottom - box.top,
                         preserveAspectRatio: "none", style: "image-rendering: pixelated"}, inner);
    Report.svg("rect", {x: box.left, y: box.top, width: box.right - box.left,
                        height: box.bottom - box.top, fill: "none", stroke: "#c4cbd2"}, figure.svg);
    Report.drawAxes(figure.svg, {...box, top: box.bottom}, x, null);
    const letters = Math.floor((room - 10) / 6.7);
    rows.forEach((name, k) =>
    {
        const text = name.length > letters ? name.slice(0, letters - 2) + ".." : name;
        Report.svg("text", {x: box.left - 6, y: box.top + (k + 0.5) * rowHeight + 4,
                            "text-anchor": "end"}, figure.svg, text);
    });
    colourKey(figure, value, top);
    figure.hover = (px, py) =>
    {
        const row = Math.floor((py - box.top) / rowHeight);
        const column = Math.floor(x.back(px) / until * values[0].length);
        if (px < box.left || px > box.right || !(rows[row] && column in values[0]))
        {
            return null;
        }
        const step = until / values[0].length;
        const time = column * step;
        return {title: rows[row], x: px, lines: [
            {text: Report.format(time, xSpec.unit) + " to " +
                Report.format(time + step, xSpec.unit)},
            {text: `${value.label}: ${Report.format(values[row][column], value.unit)}`}]};
    };
    return figure.heat.marks;
};
