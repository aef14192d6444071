/** States of the parts of a chip: of single values, of qubits and couplings, and over the whole chip. */
import {
  countStates,
  type PartCounts as Counts,
  type PartStatus as Status,
} from '../../src/domain/chip/part-state.ts';
import type { QubitValue } from '../../src/domain/chip/chip-metric.ts';
import type { Chip as DomainChip } from '../../src/domain/chip/chip.ts';
import type { MetricScope } from '../../src/domain/values/metric.ts';
import type { ParameterValue as Value, PastValue as Past } from '../../src/domain/values/parameter-value.ts';
import { builder } from '../builder.ts';
import { PARTS, VALUES_READ } from '../read-costs.ts';
import type { GraphQLContext } from '../context.ts';
import { MetricScopeEnum, PartStateEnum } from '../enums.ts';
import { Chip, Coupling, ParameterValue, Qubit, type OfChip } from '../refs.ts';
import { ChipPart } from './chip-part.ts';
import { chipOf, oncePerList } from './chip-parts.ts';
import { QubitValueRef } from './chip-metric.ts';

const PastValue = builder.objectRef<Past>('PastValue').implement({
  description: 'A value that is not current any more.',
  fields: (t) => ({
    value: t.exposeFloat('value', { description: 'As stored, in `unit`.' }),
    unit: t.exposeString('unit', { description: 'Unit of `value`.' }),
    displayValue: t.exposeFloat('displayValue', { description: 'As shown, in `displayUnit`.' }),
    displayUnit: t.exposeString('displayUnit', { description: 'Unit of `displayValue`.' }),
    measuredAt: t.expose('measuredAt', { type: 'DateTime', description: 'When it was measured.' }),
    taskId: t.exposeString('taskId', {
      nullable: true,
      description: 'The task result that produced it; null if unknown.',
    }),
  }),
});

/** `state`, `stateReason` and `lastGood`, for values. */
const STATE = { type: PartStateEnum, description: 'Whether the value can be relied on.' } as const;
const REASON = {
  nullable: true,
  description: 'Why the state is not ENABLED, or what is wrong with an enabled part; else null.',
} as const;
const LAST_GOOD = {
  type: PastValue,
  nullable: true,
  description: 'Of a disabled or missing value: the newest one before it; null if none is recorded.',
} as const;

builder.objectFields(ParameterValue, (t) => ({
  state: t.expose('state', STATE),
  stateReason: t.exposeString('stateReason', REASON),
  lastGood: t.field({ ...LAST_GOOD, resolve: ({ lastGood }: Value) => lastGood }),
}));
builder.objectFields(QubitValueRef, (t) => ({
  state: t.expose('state', STATE),
  stateReason: t.exposeString('stateReason', REASON),
  lastGood: t.field({ ...LAST_GOOD, resolve: ({ lastGood }: QubitValue) => lastGood }),
}));

const partsById = oncePerList(
  (parts: readonly Status[]) => new Map(parts.map((part) => [`${part.kind} ${part.qid}`, part])),
);

/** Null for a part without a row of its own. */
async function statusOf(
  chip: DomainChip,
  kind: MetricScope,
  qid: string,
  { loaders }: GraphQLContext,
): Promise<Status | null> {
  const summary = await loaders.chipSummary.load({ chip, parameters: null });
  return summary === null ? null : (partsById(summary.parts).get(`${kind} ${qid}`) ?? null);
}

const PART_STATE = {
  type: PartStateEnum,
  description:
    'Whether it can be used: DISABLED when each of its gates is, DOUBTFUL as soon as one of its values is.',
} as const;

builder.objectFields(Qubit, (t) => ({
  state: t.field({
    ...PART_STATE,
    resolve: async (qubit, _args, context) =>
      (await statusOf(await chipOf(qubit, context), 'QUBIT', qubit.qid, context))?.state ?? 'MISSING',
  }),
  stateReason: t.string({
    ...REASON,
    resolve: async (qubit, _args, context) =>
      (await statusOf(await chipOf(qubit, context), 'QUBIT', qubit.qid, context))?.stateReason ?? null,
  }),
}));
builder.objectFields(Coupling, (t) => ({
  state: t.field({
    ...PART_STATE,
    resolve: async (coupling, _args, context) =>
      (await statusOf(await chipOf(coupling, context), 'COUPLING', coupling.couplingId, context))?.state ??
      'MISSING',
  }),
  stateReason: t.string({
    ...REASON,
    resolve: async (coupling, _args, context) =>
      (await statusOf(await chipOf(coupling, context), 'COUPLING', coupling.couplingId, context))
        ?.stateReason ?? null,
  }),
  lastSeenAt: t.expose('lastSeenAt', {
    type: 'DateTime',
    nullable: true,
    description: 'Of a coupling that the newest snapshot of its chip lacks: the last one that had it.',
  }),
}));

const PartStatus = builder.objectRef<OfChip<Status>>('PartStatus').implement({
  rule: 'viewer: project',
  description: 'A qubit or coupling and its state.',
  interfaces: [ChipPart],
  fields: (t) => ({
    state: t.expose('state', PART_STATE),
    stateReason: t.exposeString('stateReason', REASON),
    parameters: t.field({
      type: [ParameterValue],
      description: 'Its parameters that are not ENABLED, such as one disabled gate of several.',
      resolve: ({ parameters }) => [...parameters],
    }),
  }),
});

const PartCounts = builder.objectRef<Counts>('PartCounts').implement({
  description: 'How many parts are in each state.',
  fields: (t) => ({
    enabled: t.exposeInt('ENABLED', { description: 'Usable, though single gates of them may be disabled.' }),
    disabled: t.exposeInt('DISABLED', { description: 'Every gate of them is disabled.' }),
    missing: t.exposeInt('MISSING', { description: 'Without values, or not in the newest snapshot.' }),
    doubtful: t.exposeInt('DOUBTFUL', { description: 'With a value that is implausible or too old.' }),
  }),
});

type Parts = { readonly chip: DomainChip; readonly parts: readonly Status[] };

const ChipParts = builder.objectRef<Parts>('ChipParts').implement({
  description: 'States of the qubits and couplings of a chip.',
  fields: (t) => ({
    qubits: t.field({
      type: PartCounts,
      description: 'Qubits by state.',
      resolve: ({ parts }) => countStates(parts.filter(({ kind }) => kind === 'QUBIT')),
    }),
    couplings: t.field({
      type: PartCounts,
      description: 'Couplings by state.',
      resolve: ({ parts }) => countStates(parts.filter(({ kind }) => kind === 'COUPLING')),
    }),
    list: t.field({
      type: [PartStatus],
      complexity: { field: 1, multiplier: PARTS },
      description: 'Qubits, then couplings, each in numeric order.',
      args: {
        states: t.arg({
          type: [PartStateEnum],
          required: false,
          description: 'Only parts in one of these states, or with a parameter in one of them.',
        }),
        kind: t.arg({
          type: MetricScopeEnum,
          required: false,
          description: 'Only qubits or only couplings.',
        }),
      },
      resolve: ({ chip, parts }, { states, kind }) =>
        parts
          .filter(
            (part) =>
              (!kind || part.kind === kind) &&
              (!states ||
                states.includes(part.state) ||
                part.parameters.some(({ state }) => states.includes(state))),
          )
          .map((part) => ({ ...part, chip })),
    }),
  }),
});

builder.objectField(Chip, 'parts', (t) =>
  t.field({
    type: ChipParts,
    description: 'Which of its qubits and couplings are disabled, missing or doubtful, and why.',
    complexity: VALUES_READ,
    resolve: async (chip, _args, { loaders }) => {
      const summary = await loaders.chipSummary.load({ chip, parameters: null });
      return { chip, parts: summary?.parts ?? [] };
    },
  }),
);
