/** Calls that compare a chip as it stood at the ends of two days. */
import { z } from 'zod';
import { isPeriod, type Period } from '../../domain/questions/period.ts';
import type { Ask } from '../../domain/questions/query.ts';
import { LOWER_IS_BETTER } from '../../domain/questions/vocabulary.ts';
import { planned, type PlannedCall } from '../shared/tool-answers.ts';
import { changesProgram } from './python.ts';

const DAY_MS = 86_400_000;

/** Whether two days, or the whole chip, are compared: then values of parts that were not measured again count, too. */
export function isOfTwoDays({ period, before, metrics }: Ask): boolean {
  if (before === null || !isPeriod(period)) return false;
  const length = ({ from, to }: Period): number => Date.parse(to ?? '') - Date.parse(from ?? '');
  return metrics.length === 0 || Math.max(length(before), length(period)) <= DAY_MS;
}

const fetchedChanges = z.object({ data_key: z.string() });

/** The moves of a parameter in order, which the summary of a comparison names only a few of. */
export function changesOf(
  { metrics: [metric], direction, count }: Ask,
  fetched: unknown,
): PlannedCall | null {
  const { data } = fetchedChanges.safeParse(fetched);
  if (data === undefined || metric === undefined) return null;
  const isLower = LOWER_IS_BETTER.has(metric);
  const sign = direction === 'any' ? 0 : (direction === 'better') === isLower ? -1 : 1;
  return planned('execute_python_analysis', {
    code: changesProgram(data.data_key, metric, { sign, count: count ?? 5 }),
  });
}

/** The whole chip at two points in time: the ends of two periods, or of one. */
export function snapshotsOf({ chipId: chip_id, qids, metrics, period, before }: Ask): PlannedCall {
  const { from, to } = isPeriod(period) ? period : { from: null, to: null };
  return planned('compare_snapshots', {
    chip_id,
    from: before?.to ?? from ?? to,
    to,
    param_names: metrics.length > 0 ? metrics : null,
    qids: qids.length > 0 ? qids : null,
  });
}
