/** Arguments by which the qubits or couplings of a chip are picked by state, and paged. */
import { InvalidInputError } from '../../src/base/errors.ts';
import type { Chip } from '../../src/domain/chip/chip.ts';
import { normaliseQid } from '../../src/domain/qid.ts';
import type { PartState } from '../../src/domain/values/current.ts';
import type { MetricScope } from '../../src/domain/values/metric.ts';
import { builder } from '../builder.ts';
import { PAGE_READ, sizesFor } from '../read-costs.ts';
import type { GraphQLContext } from '../context.ts';
import { PartStateEnum } from '../enums.ts';

/** More than that is an error, so that nobody mistakes a cut list for the whole one. */
const MOST_PARTS = 1000;

/** A fresh set of arguments, for one field. */
export const partFilterArgs = () =>
  builder.args((arg) => ({
    states: arg.field({
      type: [PartStateEnum],
      required: false,
      description: 'Only those whose `state`, or whose state for `parameter`, is one of these.',
    }),
    parameter: arg.string({
      required: false,
      description:
        'With `states`: judge by this parameter alone, for example one gate of several; a part without a value of it is MISSING.',
    }),
    first: arg.int({
      required: false,
      description: `At most so many of those that are left, 1 to ${MOST_PARTS}; omit it for all.`,
    }),
    after: arg.string({
      required: false,
      description:
        'Only those after this one in the list. Pages neither skip nor repeat a part whose state changes meanwhile.',
    }),
  }));

type Filter = {
  readonly states?: readonly PartState[] | null | undefined;
  readonly parameter?: string | null | undefined;
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
};

/** `complexity` of a field with these arguments, and perhaps with the names of those that are wanted. */
export const partFilterCost =
  (size: 'qubits' | 'couplings') =>
  (
    { first, qids }: Filter & { readonly qids?: readonly string[] | null | undefined },
    context: GraphQLContext,
  ) => {
    const all = qids?.length ?? sizesFor(context)[size];
    return { field: PAGE_READ, multiplier: Math.min(all, Math.max(1, first ?? all)) };
  };

/**
 * A page of the parts that are in one of the states.
 * @throws InvalidInputError for a page size out of bounds, an `after` that is not in the list, an unknown parameter, and
 * a parameter without states
 */
export async function filterParts<Part>(
  all: readonly Part[],
  { chip, kind, qidOf }: { chip: Chip; kind: MetricScope; qidOf: (part: Part) => string },
  { states, parameter, first, after }: Filter,
  context: GraphQLContext,
): Promise<Part[]> {
  if (first != null && (first < 1 || first > MOST_PARTS)) {
    throw InvalidInputError.at(['first'], `${first} is not between 1 and ${MOST_PARTS}`);
  }
  if (parameter != null && !states) {
    throw InvalidInputError.at(['parameter'], 'say which states of it are wanted: give `states`');
  }
  const start = after == null ? 0 : all.findIndex((part) => qidOf(part) === normaliseQid(after)) + 1;
  if (after != null && start === 0) {
    throw InvalidInputError.at(['after'], `${after} is not in this list: give the id of a part of it`);
  }
  const rest = all.slice(start);
  const stateOf = states ? await statesOf(chip, kind, parameter ?? null, context) : null;
  const found = stateOf ? rest.filter((part) => states?.includes(stateOf(qidOf(part)))) : rest;
  return found.slice(0, first ?? undefined);
}

/** The state of each part, or of each part for one parameter; a part without values is missing. */
async function statesOf(
  chip: Chip,
  kind: MetricScope,
  parameter: string | null,
  { loaders }: GraphQLContext,
): Promise<(qid: string) => PartState> {
  const summary = await loaders.chipSummary.load({
    chip,
    parameters: parameter === null ? null : [parameter],
  });
  const rows = (kind === 'QUBIT' ? summary?.rows : summary?.couplingRows) ?? [];
  const states = new Map(
    parameter === null
      ? summary?.parts.flatMap((part) => (part.kind === kind ? [[part.qid, part.state] as const] : []))
      : rows.flatMap(({ qid, parameters: [value] }) => (value ? [[qid, value.state] as const] : [])),
  );
  return (qid) => states.get(qid) ?? 'MISSING';
}
