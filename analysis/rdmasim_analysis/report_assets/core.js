// SPDX-License-Identifier: GPL-2.0-only
// What all figures share: colours, numbers with units, elements.
// The data of a figure has the form that charts.py describes.
"use strict";

const Report = {kinds: {}, figures: [], zoom: {}};

// Okabe and Ito's palette without its yellow, which is too light for lines on white.
Report.COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000"];
Report.DASHES = ["", "7 4", "2 3"];

// Colour and dash of a series: -1 is grey, -2 black, and a dash may be asked for.
Report.look = (one, index) =>
{
    const number = one.colour ?? index;
    const count = Report.COLOURS.length;
    const colour = number === -1 ? "#8c8c8c" : number === -2 ? "#000" :
        Report.COLOURS[number % count];
    const dash = one.dash ? "6 4" : number < 0 ? "" :
        Report.DASHES[Math.floor(number / count) % Report.DASHES.length];
    return {colour, dash};
};

const PREFIXES = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]];
const TIMES = [[1e9, "s"], [1e6, "ms"], [1e3, "us"], [1, "ns"], [1e-3, "ps"]];

// The divisor and name with which values up to the largest read best.
Report.scale = (largest, unit) =>
{
    if (unit === "%")
    {
        return {by: 0.01, name: "%"};
    }
    if (unit === "")
    {
        return {by: 1, name: ""};
    }
    const table = unit === "ns" ? TIMES : PREFIXES.map(([by, prefix]) => [by, prefix + unit]);
    const [by, name] = table.find(([by]) => Math.abs(largest) >= by * 0.9999) ??
        (unit === "ns" && largest ? table[table.length - 1] : [1, unit]);
    return {by, name};
};

// A number with few digits and no trailing zeros.
Report.plain = (value, digits = 4) =>
{
    const text = Number(value.toPrecision(digits));
    return Math.abs(text) >= 1e6 ? text.toExponential() : String(text);
};

Report.format = (value, unit) =>
{
    if (value === null || value === undefined)
    {
        return "-";
    }
    const {by, name} = Report.scale(value, unit);
    return Report.plain(value / by) + (name ? " " + name : "");
};

Report.svg = (name, attributes, parent, text) =>
{
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes))
    {
        node.setAttribute(key, value);
    }
    if (text !== undefined)
    {
        node.textContent = text;
    }
    parent?.appendChild(node);
    return node;
};

Report.html = (name, className, parent, text) =>
{
    const node = document.createElement(name);
    node.className = className;
    if (text !== undefined)
    {
        node.textContent = text;
    }
    parent?.appendChild(node);
    return node;
};
