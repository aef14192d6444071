/** Charts that a model wrote into its answer: its values are its own, so they are marked as such wherever they are shown. */
import { isWithinDepth } from '../../base/json-depth.ts';
import { isJsonObject, type ChartSpec } from '../visuals.ts';
import { titleOf } from './drawing.ts';
import { MADE_BY_MODEL } from './model-chart.ts';
import { figureChart } from './analysis-figures.ts';

/** Deepest nesting and longest JSON text of one figure; a model cannot write more by itself that is worth a look. */
const MAX_DEPTH = 20;
const MAX_CHARACTERS = 100_000;
const MAX_TRACES = 12;

const UNTITLED = 'Chart by the model';
const MARK = 'Made by the model; its values are not from stored results';

/** The figure as a marked chart, or in plain words why it is not shown. */
export function answerChart(figure: unknown): ChartSpec | string {
  if (!isWithinDepth(figure, MAX_DEPTH)) return `a chart nested more than ${MAX_DEPTH} deep`;
  if (!isJsonObject(figure)) return 'a chart that is no object';
  const characters = JSON.stringify(figure).length;
  if (characters > MAX_CHARACTERS)
    return `a chart of ${characters} characters; ${MAX_CHARACTERS} is the most`;
  const drawn = figureChart(figure, UNTITLED);
  if (typeof drawn === 'string') return drawn;
  const { chart } = drawn;
  if (chart.data.length > MAX_TRACES) {
    return `a chart of ${chart.data.length} traces; ${MAX_TRACES} is the most`;
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
