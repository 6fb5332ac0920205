// SPDX-License-Identifier: GPL-2.0-only
// What all figures share: numbers with units, axes, the frame with legend, hover and zoom.
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
    const {by, name} = log ? {by: 1, name: ""} : Report.scale(Math.max(Math.abs(low), Math.abs(high)),
                                                              spec.unit);
    // Labels stand closer below each other than beside each other.
    const gap = from > to ? 38 : 62;
    const ticks = log ? Report.logTicks(low, high, spec.unit) :
        Report.linearTicks(low / by, high / by, Math.abs(to - from) / gap).map(([v, text]) => [v * by, text]);
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

// The frame of one figure. A kind provides draw(figure), which fills figure.svg within its width
// and returns the number of marks drawn, and may set figure.hover(x, y) -> [title, lines] or null.
Report.Figure = class
{
    constructor(spec, element)
    {
        this.spec = spec;
        this.element = element;
        this.view = 0;
        this.hidden = new Set();
        this.header = Report.html("header", "", element);
        Report.html("h3", "", this.header, spec.title);
        this.tabs = Report.html("div", "tabs", this.header);
        this.legend = Report.html("div", "legend", element);
        this.plot = Report.html("div", "plot", element);
        this.tip = Report.html("div", "tip", this.plot);
        if (spec.note)
        {
            Report.html("p", "note", element, spec.note);
        }
        (spec.views ?? []).forEach((view, index) => this.addTab(view.name, index));
        this.reset = Report.html("button", "reset", this.tabs, "reset zoom");
        this.reset.onclick = () => this.setZoom(null);
        this.hideSeries();
        this.listen();
    }

    get data()
    {
        return this.spec.views ? this.spec.views[this.view] : this.spec;
    }

    // The range of x shown, shared by figures of a group; null: everything.
    get range()
    {
        const group = this.data.x?.group;
        return (group ? Report.zoom[group] : this.own) ?? null;
    }

    setZoom(range)
    {
        const group = this.data.x?.group;
        if (!group)
        {
            this.own = range;
            this.draw();
            return;
        }
        Report.zoom[group] = range;
        Report.figures.filter((other) => other.data.x?.group === group)
            .forEach((other) => other.draw());
    }

    addTab(name, index)
    {
        if (this.spec.views.length < 2)
        {
            return;
        }
        const button = Report.html("button", "view", this.tabs, name);
        button.onclick = () =>
        {
            this.view = index;
            this.own = null;
            this.hideSeries();
            this.draw();
        };
    }

    hideSeries()
    {
        this.hidden = new Set((this.data.series ?? []).filter((one) => one.off)
            .map((one) => one.name));
    }

    // The series that are shown, each with its look.
    visible()
    {
        return (this.data.series ?? []).map((one, index) => ({...one, ...Report.look(one, index)}))
            .filter((one) => !this.hidden.has(one.name));
    }

    draw()
    {
        const width = Math.max(220, this.plot.clientWidth);
        this.svg?.remove();
        this.hover = null;
        this.svg = Report.svg("svg", {role: "img", "aria-label": this.spec.title}, null);
        this.plot.insertBefore(this.svg, this.tip);
        this.width = width;
        const marks = Report.kinds[this.spec.kind](this);
        this.svg.setAttribute("viewBox", `0 0 ${width} ${this.height}`);
        this.svg.setAttribute("height", this.height);
        this.element.dataset.drawn = marks;
        this.reset.style.display = this.range ? "" : "none";
        [...this.tabs.querySelectorAll(".view")].forEach((button, index) =>
            button.setAttribute("aria-pressed", index === this.view));
        this.drawLegend();
    }

    drawLegend()
    {
        this.legend.replaceChildren();
        const names = new Map();
        (this.data.series ?? []).forEach((one, index) =>
            names.has(one.name) || names.set(one.name, {...one, ...Report.look(one, index)}));
        if (names.size < 2)
        {
            return;
        }
        for (const [name, one] of names)
        {
            const button = Report.html("button", "", this.legend);
            button.title = "click: show or hide; double click: this one alone";
            const key = Report.svg("svg", {width: 22, height: 12}, button);
            if (one.style === "points")
            {
                Report.svg("circle", {cx: 11, cy: 6, r: 3.5, fill: one.colour}, key);
            }
            else
            {
                Report.svg("line", {x1: 0, x2: 22, y1: 6, y2: 6, stroke: one.colour,
                                    "stroke-width": 2.5, "stroke-dasharray": one.dash}, key);
            }
            Report.html("span", "", button, name);
            button.setAttribute("aria-pressed", !this.hidden.has(name));
            button.onclick = () => this.toggle(name);
            button.ondblclick = () => this.isolate(name, [...names.keys()]);
        }
    }

    toggle(name)
    {
        this.hidden.delete(name) || this.hidden.add(name);
        this.draw();
    }

    isolate(name, names)
    {
        const alone = names.every((other) => other === name || this.hidden.has(other));
        this.hidden = new Set(alone ? [] : names.filter((other) => other !== name));
        this.draw();
    }

    // Hover shows values, dragging along x zooms, a double click goes back.
    listen()
    {
        let from = null;
        let shade = null;
        const place = (event) =>
        {
            const frame = this.svg.getBoundingClientRect();
            return [event.clientX - frame.left, event.clientY - frame.top];
        };
        this.plot.onpointerdown = (event) => { from = this.xAxis ? place(event)[0] : null; };
        this.plot.onpointermove = (event) =>
        {
            const [x, y] = place(event);
            if (from !== null && event.buttons && this.box)
            {
                shade?.remove();
                shade = Report.svg("rect", {x: Math.min(from, x), width: Math.abs(x - from),
                    y: this.box.top, height: this.box.bottom - this.box.top,
                    fill: "#0072b2", opacity: 0.15}, this.svg);
            }
            this.showTip(x, y);
        };
        this.plot.onpointerup = (event) =>
        {
            const x = place(event)[0];
            shade?.remove();
            if (from !== null && Math.abs(x - from) > 6 && this.xAxis)
            {
                const ends = [from, x].map((pixel) => this.xAxis.back(
                    Math.min(Math.max(pixel, this.box.left), this.box.right)));
                this.setZoom([Math.min(...ends), Math.max(...ends)]);
            }
            from = null;
        };
        this.plot.onpointerleave = () =>
        {
            this.tip.style.display = "none";
            this.cursor?.remove();
            shade?.remove();
            from = null;
        };
        this.plot.ondblclick = () => this.setZoom(null);
    }

    showTip(x, y)
    {
        this.cursor?.remove();
        const found = this.hover?.(x, y);
        if (!found)
        {
            this.tip.style.display = "none";
            return;
        }
        this.tip.replaceChildren();
        Report.html("b", "", this.tip, found.title);
        for (const {colour, text} of found.lines)
        {
            const line = Report.html("div", "", this.tip);
            if (colour)
            {
                Report.html("i", "", line).style.background = colour;
            }
            line.append(text);
        }
        if (found.x !== undefined)
        {
            this.cursor = Report.svg("line", {x1: found.x, x2: found.x, y1: this.box.top,
                y2: this.box.bottom, stroke: "#57606a", "stroke-dasharray": "3 3"}, this.svg);
        }
        this.tip.style.display = "block";
        const width = this.tip.offsetWidth;
        const left = x + 14 + width > this.width ? x - 14 - width : x + 14;
        this.tip.style.left = Math.max(0, Math.min(left, this.width - width)) + "px";
        this.tip.style.top = Math.max(0, y - 10) + "px";
    }
};
