/** Reads what a rule needs, by the services that health and changes use, and judges it. */
import { InvalidInputError, NotFoundError } from '../../base/errors.ts';
import { evaluateRule, type ChangeInput, type Evaluation } from '../../domain/alerts/evaluate.ts';
import { isChangeTest, type AlertRule, type ChangeTest } from '../../domain/alerts/rule.ts';
import { compareChip } from '../../domain/chip/chip-comparison.ts';
import type { Chip } from '../../domain/chip/chip.ts';
import type { ChipSummary } from '../../domain/chip/chip-summary.ts';
import { formatTime } from '../../domain/text/display-text.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { Mute } from '../../domain/records/mute.ts';
import type { CalibrationServices } from '../calibration/calibration-services.ts';

export type EvaluateDeps = {
  readonly calibration: Pick<
    CalibrationServices,
    'chips' | 'chipSummaries' | 'chipComparisons' | 'chipFalls' | 'cooldowns' | 'metrics'
  >;
  readonly mutesOf: (projectId: string, chipId: string) => Promise<readonly Mute[]>;
  readonly now: () => Date;
};

const HOUR_MS = 3_600_000;

/** @throws NotFoundError for a chip that is gone, InvalidInputError for a parameter that neither chip nor catalogue has */
export async function evaluateNow(deps: EvaluateDeps, viewer: Viewer, rule: AlertRule): Promise<Evaluation> {
  const { calibration, now } = deps;
  const chip = await calibration.chips.get(viewer, rule.chipId);
  const { parameter, test } = rule;
  const parameters = parameter === null ? null : [parameter];
  const [[summary], mutes] = await Promise.all([
    calibration.chipSummaries.getMany([{ chip, parameters }]),
    deps.mutesOf(viewer.projectId, rule.chipId),
  ]);
  if (summary instanceof InvalidInputError) throw summary;
  if (summary == null) throw new NotFoundError(`chip ${rule.chipId} has no qubits`);
  const { change, why } = isChangeTest(test)
    ? await changeOf(deps, { viewer, chip, summary, parameter: parameter ?? '', test })
    : { change: null, why: '' };
  return evaluateRule(rule, {
    chipSize: chip.size,
    summary,
    change,
    whyNoChange: why,
    mutes,
    metrics: calibration.metrics,
    now: now(),
  });
}

type ChangeOf = {
  readonly viewer: Viewer;
  readonly chip: Chip;
  readonly summary: ChipSummary;
  readonly parameter: string;
  readonly test: ChangeTest;
};

/**
 * The chip as it was at the begin of the time, and as it is. A time of hours ends with the newest value of the parameter,
 * as that of the falls of a week does: data that are imported later are judged by their own times.
 */
async function changeOf(
  { calibration, now }: EvaluateDeps,
  { viewer, chip, summary, parameter, test }: ChangeOf,
): Promise<{ readonly change: ChangeInput | null; readonly why: string }> {
  const { newestAt } = summary.freshness;
  const nothing = (why: string) => ({ change: null, why });
  if (newestAt === null) return nothing(`no ${parameter} was ever recorded`);
  const from =
    test.hours === null
      ? await calibration.cooldowns.startOf(viewer, chip)
      : new Date(newestAt.getTime() - test.hours * HOUR_MS);
  if (from === null) return nothing('when the cool-down began is not recorded');
  const to = now();
  if (from >= to) return nothing(`no value from before ${formatTime(from)}`);
  const parameters = [parameter];
  const [before, after] = await Promise.all([
    calibration.chipComparisons.asOf(chip, from, { parameters }),
    calibration.chipComparisons.asOf(chip, to, { parameters }),
  ]);
  const parts = { from, to, before: before.parts, after: after.parts };
  const { changes } = compareChip({ ...parts, metrics: calibration.metrics });
  const falls =
    test.is === 'WORSENS'
      ? await calibration.chipFalls.among(chip, changes, from)
      : { falls: [], notJudged: [] };
  return { change: { ...parts, falls }, why: '' };
}
