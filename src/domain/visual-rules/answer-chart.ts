/** Charts that a model wrote into its answer. The values are the model's own, and marked as such. */
import { isWithinDepth } from '../../base/json-depth.ts';
import { isJsonObject, type ChartSpec } from '../visuals.ts';
import { titleOf } from './drawing.ts';
import { MADE_BY_MODEL } from './model-chart.ts';
import { figureChart } from './analysis-figures.ts';

/** Deepest nesting and longest JSON text of one figure. */
const MAX_DEPTH = 20;
const MAX_CHARACTERS = 100_000;
const MAX_TRACES = 12;

const UNTITLED = 'Chart by the model';
const MARK = 'Made by the model; its values are not from stored results';

/** The figure as a marked chart, or why it is not shown. */
export function answerChart(figure: unknown): ChartSpec | string {
  if (!isWithinDepth(figure, MAX_DEPTH)) return `a chart nested more than ${MAX_DEPTH} deep`;
  if (!isJsonObject(figure)) return 'a chart that is not an object';
  const characters = JSON.stringify(figure).length;
  if (characters > MAX_CHARACTERS)
    return `a chart of ${characters} characters; the limit is ${MAX_CHARACTERS}`;
  const drawn = figureChart(figure, UNTITLED);
  if (typeof drawn === 'string') return drawn;
  const { chart } = drawn;
  if (chart.data.length > MAX_TRACES) {
    return `a chart of ${chart.data.length} traces; the limit is ${MAX_TRACES}`;
  }
  return {
    ...chart,
    layout: {
      ...chart.layout,
      title: titleOf(chart.title, MARK),
      meta: MADE_BY_MODEL,
    },
  };
}
