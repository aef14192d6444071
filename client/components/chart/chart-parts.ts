import { z } from 'zod';
import type { ChartParts } from '../../charts/plotly-figure.ts';

const jsonObject = z.record(z.string(), z.unknown());
const chartParts = z.object({ data: z.array(jsonObject), layout: jsonObject });

/**
 * Traces and layout of a chart from the server, which the schema types as JSON; null if no chart can be drawn
 * from it.
 */
export const chartPartsOf = (chart: {
  readonly data: unknown;
  readonly layout: unknown;
}): ChartParts | null => chartParts.safeParse(chart).data ?? null;
