import { z } from 'zod';
import { METRIC_SELECTIONS, type ChipMetric } from '../../src/domain/chip/chip-metric.ts';
import type { Chip as DomainChip } from '../../src/domain/chip/chip.ts';
import { pictureUrl } from '../../src/domain/pictures/picture-url.ts';
import { boardChart, isContentKey } from '../boards/content-key.ts';
import { builder } from '../builder.ts';
import type { ChartContext } from '../context.ts';
import { ChartKindEnum } from '../enums.ts';
import { encodeNodeId } from '../node-ids.ts';
import { Chart, type KeyedChart } from '../refs.ts';

builder.node(Chart, {
  rule: 'viewer: shared',
  description: 'A chart as data for Plotly.',
  id: { resolve: ({ key }) => key },
  loadWithoutCache: (key, context) => {
    if (isContentKey(key)) return boardChart(key, context);
    return isHeatmapKey(key) ? metricHeatmap(key, context) : storedChart(key, context);
  },
  fields: (t) => ({
    title: t.string({ description: 'Title, as plain text.', resolve: ({ spec }) => spec.title }),
    kind: t.field({ type: ChartKindEnum, description: 'Its kind.', resolve: ({ spec }) => spec.kind }),
    data: t.field({
      type: 'JSON',
      description: "Plotly's list of traces; missing values are null.",
      resolve: ({ spec }) => spec.data,
    }),
    layout: t.field({
      type: 'JSON',
      description:
        "Plotly's layout, without the colours of the page. `title` repeats the chart's title and may have a caption in `title.subtitle`. Axes of grids (heatmap, topology) have equal scales, in cells.",
      resolve: ({ spec }) => spec.layout,
    }),
    pictureUrl: t.string({
      description:
        'Path of its picture as PNG on this server; with `.svg` at its end as SVG. Whoever may read the chart by its id may read the picture.',
      resolve: ({ key }, _args, { viewer: { projectId } }) =>
        pictureUrl({ projectId, chartId: encodeNodeId('Chart', key), format: 'png' }),
    }),
    callId: t.exposeString('callId', {
      nullable: true,
      description:
        'The tool call that it shows; null outside of conversations, and for a chart by the model.',
    }),
  }),
});

const HEATMAP = 'heatmap?';
const heatmapParts = z.object({
  chip: z.string(),
  metric: z.string(),
  selection: z.enum(METRIC_SELECTIONS),
  withinHours: z.coerce.number().optional(),
});

/** Key of a heatmap, which is computed on request: its inputs. */
export function heatmapKey({ chipId }: DomainChip, { metric, selection, withinHours }: ChipMetric): string {
  const window = withinHours === null ? {} : { withinHours: String(withinHours) };
  return HEATMAP + new URLSearchParams({ chip: chipId, metric: metric.name, selection, ...window });
}

export const isHeatmapKey = (key: string): boolean => key.startsWith(HEATMAP);

/** The metric of a heatmap by its key, with its chip; null for one that is gone. */
export async function chipMetricOf(key: string, { loaders }: ChartContext) {
  const parts = heatmapParts.safeParse(Object.fromEntries(new URLSearchParams(key.slice(HEATMAP.length))));
  const chip = parts.success ? await loaders.chip.load(parts.data.chip) : null;
  if (!parts.success || chip === null) return null;
  const { metric: name, selection, withinHours = null } = parts.data;
  return { ...(await loaders.chipMetric.load({ chip, name, selection, withinHours })), chip };
}

async function metricHeatmap(key: string, context: ChartContext): Promise<KeyedChart | null> {
  const metric = await chipMetricOf(key, context);
  return metric && { key, callId: null, spec: metric.heatmap };
}

/** A stored chart of a turn; null for an unknown id. */
export async function storedChart(
  id: string,
  { loaders }: Pick<ChartContext, 'loaders'>,
): Promise<KeyedChart | null> {
  const chart = await loaders.chart.load(id);
  return chart && { key: chart.id, callId: chart.callId, spec: chart };
}
