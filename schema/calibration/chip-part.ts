import { qidLabel } from '../../src/domain/qid.ts';
import type { MetricScope } from '../../src/domain/values/metric.ts';
import { builder } from '../builder.ts';
import { MetricScopeEnum } from '../enums.ts';
import { Coupling, Qubit, type OfChip } from '../refs.ts';
import { couplingOf, qubitOf } from './chip-parts.ts';

/** What is about one qubit or one coupling. */
export const ChipPart = builder
  .interfaceRef<OfChip<{ readonly kind: MetricScope; readonly qid: string }>>('ChipPart')
  .implement({
    rule: 'viewer: project',
    description: 'What is about a qubit or a coupling.',
    fields: (t) => ({
      kind: t.expose('kind', { type: MetricScopeEnum, description: 'Whether it is a qubit or a coupling.' }),
      qid: t.exposeString('qid', { description: 'Qubit `7` or coupling `4-1`.' }),
      label: t.string({
        description: 'Its name for people, for example `Q07` or `Q04-Q01`.',
        resolve: ({ chip, qid }) => qidLabel(qid, chip.size),
      }),
      qubit: t.field({
        type: Qubit,
        nullable: true,
        description: 'The qubit; null for a coupling.',
        resolve: ({ chip, kind, qid }, _args, context) =>
          kind === 'QUBIT' ? qubitOf(chip, qid, context) : null,
      }),
      coupling: t.field({
        type: Coupling,
        nullable: true,
        description: 'The coupling; null for a qubit.',
        resolve: ({ chip, kind, qid }, _args, context) =>
          kind === 'COUPLING' ? couplingOf(chip, qid, context) : null,
      }),
    }),
  });
