import type { DataSource } from '../../domain/values/freshness.ts';
import { isByRule, isModelMade } from '../../domain/visual-rules/model-chart.ts';
import type { ChartSpec, Visual } from '../../domain/visuals.ts';

/** The visuals of a result that are drawn, and titles of those left out because the turn has enough already. */
export type DrawnVisuals = { readonly visuals: readonly Visual[]; readonly leftOut: readonly string[] };

export type TurnVisuals = ReturnType<typeof createTurnVisuals>;

/**
 * Decides which charts and tables of a turn are drawn, in the order in which its calls end. Each is drawn once,
 * however many calls make it, and at most `limit` in all, so that an answer stays readable. A chart that a model
 * chose is drawn only while nothing is drawn by rule; later the event writer takes it back. Whatever is left out
 * stays in its call's result.
 */
export function createTurnVisuals(limit: number) {
  /** Whether a model made it, by the JSON of each visual. */
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
    /** Whether a chart that the model wrote into its answer is drawn. */
    drawOfAnswer: (chart: ChartSpec) => draw([chart], null).visuals.length > 0,
    /** Forgets a chart of a retracted answer, so that it may be drawn again. */
    forget: (chart: ChartSpec) => void drawn.delete(JSON.stringify(chart)),
    /** Whether anything drawn came from a tool rather than from the model. */
    get showsResults() {
      return showsResults;
    },
  };
}
