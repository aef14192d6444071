/** Current values of several parameters side by side, a part a row: what conditions on values are judged by. */
import type { MetricValues } from '../../domain/chip/chip-metric.ts';
import { presentOf, type Chip } from '../../domain/chip/chip.ts';
import { normaliseQid, oncePerPair } from '../../domain/qid.ts';
import { strictestLimitSeconds } from '../../domain/values/metric.ts';
import type { Quantity } from '../../domain/values/value-conditions.ts';
import { InvalidInputError } from '../../base/errors.ts';
import type { ToolContext } from '../tool.ts';
import { disabledSentences, pastSentences } from './words.ts';

/** `1 - cz_gate_fidelity`: the error that belongs to a fidelity. */
const ERROR = /^1\s*-\s*/u;

/** A qubit or coupling with its values by the keys of quantities, and the oldest time of those. */
export type TablePart = {
  readonly qid: string;
  readonly label: string;
  readonly values: ReadonlyMap<string, number | null>;
  readonly measuredAt: Date | null;
};

/** All parts of a chip with the quantities that were asked for; pairs that are the same both ways appear once. */
export type ValueTable = {
  readonly entity: 'Qubit' | 'Coupling';
  readonly parts: readonly TablePart[];
  readonly quantityOf: (asked: string) => Quantity;
  readonly staleAfterSeconds: number | null;
  /** Parts that are disabled, so that they have no current value; `sentences` name them. */
  readonly disabled: { readonly qids: ReadonlySet<string>; readonly sentences: readonly string[] };
  /** Names past couplings, which are no parts. */
  readonly past: readonly string[];
};

/** @throws InvalidInputError for parameters of qubits and of couplings together, and for unknown ones. */
export async function valueTable(
  { loaders, services: { metrics } }: ToolContext,
  chip: Chip,
  asked: readonly string[],
): Promise<ValueTable> {
  const names = [...new Set(asked.map((name) => name.replace(ERROR, '')))];
  const ofCouplings = names.filter((name) => isOfCouplings(name));
  if (ofCouplings.length > 0 && ofCouplings.length < names.length) {
    const others = names.filter((name) => !ofCouplings.includes(name));
    const message = `${ofCouplings.join(', ')} is of couplings and ${others.join(', ')} of qubits: they cannot be joined`;
    throw InvalidInputError.at(['where'], message);
  }
  const entity = ofCouplings.length > 0 ? 'Coupling' : 'Qubit';
  const loader = entity === 'Coupling' ? loaders.couplingMetric : loaders.chipMetric;
  const columns = new Map(
    await Promise.all(
      names.map(async (name): Promise<readonly [string, MetricValues]> => [
        name,
        await loader.load({ chip, name, selection: 'LATEST', withinHours: null }),
      ]),
    ),
  );
  const parts = new Map<string, { label: string; values: Map<string, number | null>; times: Date[] }>();
  for (const [name, { metric, values }] of columns) {
    for (const { qid, label, displayValue, measuredAt } of presentOf(values)) {
      const part = parts.get(qid) ?? { label, values: new Map<string, number | null>(), times: [] as Date[] };
      parts.set(qid, part);
      part.values.set(name, displayValue);
      const whole = metric.unit === '%' ? 100 : 1;
      part.values.set(errorKey(name), displayValue === null ? null : roundedError(whole - displayValue));
      if (measuredAt !== null && displayValue !== null) part.times.push(measuredAt);
    }
  }
  const once = oncePerPair(
    [...parts].map(([qid, { label, values, times }]) => ({
      qid,
      label,
      values,
      measuredAt: times.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null,
    })),
    (a, b) => [...a.values].every(([key, value]) => value === b.values.get(key)),
  );
  const kept = new Set(once.map(({ qid }) => qid));
  const all = [...columns.values()].flatMap(({ values }) => values.filter(({ qid }) => kept.has(qid)));
  function isOfCouplings(name: string): boolean {
    return metrics.find(name, 'QUBIT') === null && metrics.find(name, 'COUPLING') !== null;
  }
  return {
    entity,
    parts: once,
    quantityOf: (written) => {
      const name = written.replace(ERROR, '');
      const metric = columns.get(name)?.metric;
      const [unit, title] = [metric?.unit ?? '', metric?.title ?? name];
      if (name === written) return { key: name, title, unit };
      if (!name.endsWith('fidelity')) {
        throw InvalidInputError.at(['show'], `${title} is no fidelity, so there is no error of it`);
      }
      return { key: errorKey(name), title: title.replace(/Fidelity$/u, 'Error'), unit };
    },
    disabled: {
      qids: new Set(all.flatMap(({ qid, state }) => (state === 'DISABLED' ? [qid] : []))),
      sentences: disabledSentences(all),
    },
    past: pastSentences([...columns.values()][0]?.values ?? []),
    staleAfterSeconds: strictestLimitSeconds([...columns.values()].map(({ metric }) => metric)),
  };
}

const errorKey = (name: string): string => `${name} error`;

/** 100 − 99.37 is 0.63, not 0.6299999999999955. */
const roundedError = (value: number): number => Number(value.toPrecision(12));

/** The parts that a call is about: some, or all but some. A coupling is left out with either of its qubits. */
export function askedParts(
  parts: readonly TablePart[],
  { qids, without }: { readonly qids: readonly string[] | null; readonly without: readonly string[] | null },
): readonly TablePart[] {
  const isIn = (list: readonly string[], qid: string): boolean => {
    const ids = list.map(normaliseQid);
    return (
      ids.includes(qid) ||
      qid.split('-').some((end) => ids.includes(end)) ||
      ids.includes(qid.split('-').toReversed().join('-'))
    );
  };
  return parts.filter(
    ({ qid }) => (!qids?.length || isIn(qids, qid)) && !(without?.length && isIn(without, qid)),
  );
}
