import type { Visual } from '../domain/visuals.ts';

/** What of a result is drawn, and the titles of what is not because the turn has enough already. */
export type DrawnVisuals = { readonly visuals: readonly Visual[]; readonly leftOut: readonly string[] };

/** Decides over the charts and tables of one turn, in the order in which its calls end. */
export type TurnVisuals = { draw(visuals: readonly Visual[]): DrawnVisuals };

/**
 * Draws the same chart or table once a turn, however many calls make it, and no more than `limit` in all: an answer is
 * to be read. What is left out stays in the results of its call.
 */
export function createTurnVisuals(limit: number): TurnVisuals {
  const drawn = new Set<string>();
  return {
    draw(visuals) {
      const fresh = visuals.filter((visual) => !drawn.has(JSON.stringify(visual)));
      const shown = fresh.slice(0, Math.max(0, limit - drawn.size));
      for (const visual of shown) drawn.add(JSON.stringify(visual));
      return { visuals: shown, leftOut: fresh.slice(shown.length).map(({ title }) => title) };
    },
  };
}
