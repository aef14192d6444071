/** A chart by its key with what a picture of it says: of which chip it is, and when its values were measured. */
import { sourceOf, sourceOfCall, type PictureSource } from '../../src/domain/pictures/source.ts';
import type { ChartSpec } from '../../src/domain/visuals.ts';
import { boardContent, isContentKey } from '../boards/content-key.ts';
import type { ChartContext } from '../context.ts';
import { chipMetricOf, isHeatmapKey } from './chart.ts';

export type PicturedChart = { readonly chart: ChartSpec; readonly source: PictureSource };

/** Null for an unknown key, and for a chart that the viewer may not read. */
export function picturedChart(key: string, context: ChartContext): Promise<PicturedChart | null> {
  if (isContentKey(key)) return onBoard(key, context);
  return isHeatmapKey(key) ? heatmap(key, context) : ofConversation(key, context);
}

async function onBoard(key: string, context: ChartContext): Promise<PicturedChart | null> {
  const found = await boardContent(key, context);
  if (found === null) return null;
  const { chart, freshness } = found.content;
  return chart && { chart, source: sourceOf(found.item.query.arguments['chip_id'], freshness) };
}

async function heatmap(key: string, context: ChartContext): Promise<PicturedChart | null> {
  const metric = await chipMetricOf(key, context);
  return metric && { chart: metric.heatmap, source: sourceOf(metric.chip.chipId, metric.freshness) };
}

async function ofConversation(id: string, { loaders }: ChartContext): Promise<PicturedChart | null> {
  const chart = await loaders.chart.load(id);
  if (chart === null) return null;
  const calls = await loaders.toolCallsOfTurn.load(chart.turnId);
  return { chart, source: sourceOfCall(calls.find(({ callId }) => callId === chart.callId)) };
}
