// SPDX-License-Identifier: GPL-2.0-only
// The frame of a figure: title, views, legend, hover and zoom.
"use strict";

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
