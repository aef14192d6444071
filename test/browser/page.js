/**
 * What the test page does inside the browser: draws one chart as a client would, and tells what then stands in the
 * document.
 */
/* global document, window, Plotly */

function element(tag, className, text = '') {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function cardOf({ heading, value, unit, notes }) {
  const card = element('div', 'card');
  const number = element('p', 'value', value);
  number.append(element('span', 'unit', unit));
  card.append(element('p', 'heading', heading), number, ...notes.map((note) => element('p', 'note', note)));
  return card;
}

async function draw({ heading, caption, figure, cards, theme, widthPx }) {
  document.documentElement.dataset['theme'] = theme;
  const chart = element('section', 'chart');
  chart.id = 'chart';
  chart.style.width = `${widthPx}px`;
  document.body.replaceChildren(chart);
  if (cards) {
    chart.append(...cards.map(cardOf));
    return [];
  }
  const plot = element('div', 'plot');
  chart.append(element('h3', 'heading', heading), ...(caption ? [element('p', 'note', caption)] : []), plot);
  await document.fonts.ready;
  await Plotly.newPlot(plot, figure.data, figure.layout, figure.config);
  const problems = Plotly.validate(figure.data, figure.layout) ?? [];
  return problems.map(({ msg }) => msg);
}

const boxOf = (node) => {
  const { left, top, right, bottom } = node.getBoundingClientRect();
  return { left, top, right, bottom };
};
const meet = (a, b) =>
  a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;

function inspect() {
  const chart = document.getElementById('chart');
  const plot = chart.querySelector('.plot') ?? chart;
  const within = boxOf(plot);
  const texts = [...plot.querySelectorAll('text, p')].filter((node) => node.textContent.trim() !== '');
  const boxes = texts.map((node) => ({ text: node.textContent, box: boxOf(node) }));
  const outside = boxes.filter(
    ({ box }) =>
      box.left < within.left - 1 ||
      box.right > within.right + 1 ||
      box.top < within.top - 1 ||
      box.bottom > within.bottom + 1,
  );
  const overlaps = boxes.flatMap((one, index) =>
    boxes
      .slice(index + 1)
      .flatMap((other) => (meet(one.box, other.box) ? [`${one.text} | ${other.text}`] : [])),
  );
  const count = (selector) => plot.querySelectorAll(selector).length;
  return {
    text: chart.innerText + texts.map((node) => node.textContent).join('\n'),
    outside: outside.map(({ text }) => text),
    overlaps,
    lines: count('.scatterlayer .js-line'),
    points: count('.scatterlayer .point'),
    bars: count('.barlayer .point'),
    cellTexts: count('.heatmap-label text'),
    cells: count('.heatmaplayer image'),
    errorBars: count('.scatterlayer .yerror'),
    marks:
      count('.scatterlayer .point') +
      count('.scatterlayer .js-line') +
      count('.barlayer .point') +
      count('.heatmaplayer image') +
      count('.boxlayer path.box'),
    shapes: count('.shapelayer path'),
    foreign: [
      ...chart.querySelectorAll(
        'script, a:not(.modebar-btn), img, iframe, object, foreignObject, image, [onload], [onerror], [onclick]',
      ),
    ]
      .filter((node) => !node.closest('.heatmaplayer') && !node.closest('.modebar'))
      .map((node) => node.outerHTML.slice(0, 200)),
  };
}

/** What shows when pointing at a point of a trace, or at a cell by row and column, a line of text each. */
function hover(curveNumber, point) {
  const plot = document.querySelector('.plot');
  if (Array.isArray(point)) Plotly.Fx.hover(plot, { xval: point[1], yval: point[0] }, 'xy');
  else Plotly.Fx.hover(plot, [{ curveNumber, pointNumber: point }]);
  return [...plot.querySelectorAll('.hoverlayer text')].flatMap((node) => {
    const lines = [...node.querySelectorAll('tspan.line')];
    return (lines.length > 0 ? lines : [node]).map((line) => line.textContent);
  });
}

window.qpilot = { draw, inspect, hover };
