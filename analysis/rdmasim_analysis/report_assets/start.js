// SPDX-License-Identifier: GPL-2.0-only
// Draws every figure of the page, and again when the width of the window changes.
"use strict";

Report.start = () =>
{
    const charts = JSON.parse(document.getElementById("charts").textContent);
    for (const element of document.querySelectorAll("figure[data-chart]"))
    {
        Report.figures.push(new Report.Figure(charts[element.dataset.chart], element));
    }
    Report.figures.forEach((figure) => figure.draw());
    let width = window.innerWidth;
    window.addEventListener("resize", () =>
    {
        if (window.innerWidth !== width)
        {
            width = window.innerWidth;
            Report.figures.forEach((figure) => figure.draw());
        }
    });
    document.documentElement.dataset.ready = Report.figures.length;
};

Report.start();
