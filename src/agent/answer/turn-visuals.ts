import type { DataSource } from '../../domain/values/data-source.ts';
import { isByRule, isModelMade } from '../../domain/visual-rules/model-chart.ts';
import type { ChartSpec, Visual } from '../../domain/visuals.ts';

/** What of a result is drawn, and the titles of what is not because the turn has enough already. */
export type DrawnVisuals = { readonly visuals: readonly Visual[]; readonly leftOut: readonly string[] };

/** Decides over the charts and tables of one turn, in the order in which its calls end. */
export type TurnVisuals = {
  /** `source` is that of the result. */
  draw(visuals: readonly Visual[], source: DataSource): DrawnVisuals;
  /** Whether a chart that the model wrote into its answer is drawn. */
  drawOfAnswer(chart: ChartSpec): boolean;
  /** Takes back a chart whose answer was taken back, so that it may come again. */
  forget(chart: ChartSpec): void;
  /** Whether anything is drawn that shows what a tool found and not what the model made of it. */
  readonly showsResults: boolean;
};

/**
 * Draws the same chart or table once a turn, however many calls make it, and no more than `limit` in all: an answer is
 * to be read. A chart that a model chose is drawn only while nothing is drawn by rule, and makes room for what is: the
 * event writer takes it back then. What is left out stays in the results of its call.
 */
export function createTurnVisuals(limit: number): TurnVisuals {
  /** By their JSON, and whether a model made them. */
  const drawn = new Map<string, boolean>();
  let hasRuled = false;
  let showsResults = false;

  function draw(visuals: readonly Visual[], source: DataSource | null): DrawnVisuals {
    const fresh = visuals.filter((visual) => !drawn.has(JSON.stringify(visual)));
    if (fresh.some((visual) => isByRule(visual, source))) {
      hasRuled = true;
      for (const [key, isTheModels] of drawn) if (isTheModels) drawn.delete(key);
    }
    const fitting = fresh.filter((visual) => !(hasRuled && isModelMade(visual)));
    const shown = fitting.slice(0, Math.max(0, limit - drawn.size));
    for (const visual of shown) {
      drawn.set(JSON.stringify(visual), isModelMade(visual));
      showsResults ||= !isModelMade(visual);
    }
    const leftOut = fresh.filter((visual) => !shown.includes(visual));
    return { visuals: shown, leftOut: leftOut.map(({ title }) => title) };
  }

  return {
    draw,
    drawOfAnswer: (chart) => draw([chart], null).visuals.length > 0,
    forget: (chart) => void drawn.delete(JSON.stringify(chart)),
    get showsResults() {
      return showsResults;
    },
  };
}
