/** What tools about live values share: the qubits and couplings of a call, and sentences about the read. */
import { z } from 'zod';
import type { Chip, Coupling } from '../../domain/chip/chip.ts';
import type { LiveOutcome } from '../../domain/live/live-reading.ts';
import { normaliseQid, qidLabel, twinOf } from '../../domain/qid.ts';
import { formatMeasured } from '../../domain/text/display-text.ts';
import type { Freshness } from '../../domain/values/freshness.ts';
import type { Metric, MetricScope } from '../../domain/values/metric.ts';
import type { ParameterValue } from '../../domain/values/parameter-value.ts';
import type { ToolContext } from '../tool.ts';

/** Most qubits and couplings that may be named. */
const MAX_NAMED = 128;

/** Names qubits and couplings. */
export const liveQidsArg = z
  .array(z.string())
  .max(MAX_NAMED)
  .nullable()
  .describe('Qubits (7) and couplings (4-1); null for all qubits');

/** A qubit or coupling with its current stored values. */
export type LiveTarget = {
  readonly qid: string;
  readonly label: string;
  readonly scope: MetricScope;
  readonly stored: readonly ParameterValue[];
};

/**
 * The targets of a call, in the order asked for; null or nothing means all qubits. A coupling asked for against its
 * direction is answered in its own, which the label shows; named in both directions, it is returned once.
 * @throws NotFoundError naming what the chip has.
 */
export async function liveTargets(
  context: ToolContext,
  chip: Chip,
  asked: readonly string[] | null,
): Promise<readonly LiveTarget[]> {
  const { loaders, services } = context;
  if (!asked?.length) {
    const qubits = await loaders.qubitsOfChip.load(chip);
    return Promise.all(
      qubits.map(async (qubit) => ({
        qid: qubit.qid,
        label: qubit.label,
        scope: 'QUBIT',
        stored: await loaders.qubitParameters.load(qubit),
      })),
    );
  }
  const written = [...new Set(asked.map(normaliseQid))];
  const isCoupling = (qid: string): boolean => qid.includes('-');
  const qubits = await services.qubits.getMany(
    chip,
    written.filter((qid) => !isCoupling(qid)),
  );
  const byQid = new Map(qubits.map((qubit) => [qubit.qid, qubit]));
  const targets = written.map(async (qid): Promise<LiveTarget> => {
    const qubit = byQid.get(qid);
    if (qubit !== undefined) {
      return { ...qubit, scope: 'QUBIT', stored: await loaders.qubitParameters.load(qubit) };
    }
    const coupling = await couplingOf(context, chip, qid);
    return {
      qid: coupling.couplingId,
      label: qidLabel(coupling.couplingId, chip.size),
      scope: 'COUPLING',
      stored: await loaders.couplingParameters.load(coupling),
    };
  });
  const found = new Map((await Promise.all(targets)).map((target) => [target.qid, target]));
  return [...found.values()];
}

async function couplingOf(
  { loaders, services }: ToolContext,
  chip: Chip,
  couplingId: string,
): Promise<Coupling> {
  const couplings = await loaders.couplingsOfChip.load(chip);
  const found =
    couplings.find((each) => each.couplingId === couplingId) ??
    couplings.find((each) => each.couplingId === twinOf(couplingId));
  return found ?? (await services.couplings.get(chip, couplingId)).coupling;
}

/** The catalogue's metric of a target's parameter. */
export const metricOf = (
  { services }: Pick<ToolContext, 'services'>,
  { scope }: Pick<LiveTarget, 'scope'>,
  name: string,
): Metric | null => services.metrics.find(name, scope);

/** The sentence that ends every summary of live values. */
export const liveSentence = ({ oldestAt, newestAt }: Freshness): string =>
  `Live values, ${formatMeasured(oldestAt, newestAt)}.`;

/** What the user must know about the read; empty where all went well. */
export function outcomeSentences(outcome: LiveOutcome, chipId: string): readonly string[] {
  switch (outcome.type) {
    case 'values':
      return outcome.repeated === null ? [] : [`The live source was not asked again: ${outcome.repeated}.`];
    case 'refused':
    case 'fallback':
      return [
        `The live source of ${chipId} was not used: ${outcome.message}.`,
        'What follows is stored, not live; measuring again would settle it.',
      ];
    default:
      return outcome satisfies never;
  }
}

/** Why stored values replace live ones, for the model; null where they do not. */
export function fallbackData(outcome: LiveOutcome) {
  switch (outcome.type) {
    case 'values':
      return null;
    case 'refused':
      return { reason: 'REFUSED', message: outcome.message, retry_after_ms: null };
    case 'fallback':
      return {
        reason: outcome.reason,
        message: outcome.message,
        retry_after_ms: outcome.retryAfterMs,
      };
    default:
      return outcome satisfies never;
  }
}
