/** `list_entities`: the names of what there is, to be used as arguments of other tools. */
import { z } from 'zod';
import { presentOf } from '../../domain/chip/chip.ts';
import { qidLabel } from '../../domain/qid.ts';
import { countOf, joinWords } from '../../domain/text/display-text.ts';
import type { PastValue } from '../../domain/values/parameter-value.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { InvalidInputError } from '../../base/errors.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { chipIdArg, chipOf } from './chip-argument.ts';
import { fieldsOf } from './row-data.ts';
import { pastSentences } from './words.ts';

/** Names that the summary spells out. */
const SHOWN_NAMES = 12;

const KINDS = ['chip', 'qubit', 'coupling', 'task', 'metric'] as const;
type Kind = (typeof KINDS)[number];
const STATES = ['disabled', 'missing', 'doubtful'] as const;

export const listEntities = defineTool({
  name: 'list_entities',
  category: 'calibration',
  rule: 'viewer: project',
  reads: 'DIRECT',
  label: 'Listing entities',
  title: { en: 'Chips, qubits, tasks and metrics', ja: 'チップ・量子ビット・タスク・指標の一覧' },
  example: { kind: 'metric', name_contains: 'fidelity' },
  description: "Names of chips, of a chip's qubits, couplings and tasks, or of metrics.",
  args: z.object({
    chip_id: chipIdArg,
    kind: z.enum(KINDS),
    name_contains: z.string().nullable(),
    state: z.enum(STATES).nullable(),
  }),
  describe: ({ chip_id, kind, name_contains, state }) =>
    `every ${state ? `${state} ` : ''}${kind}${chip_id ? ` of ${chip_id}` : ''}${name_contains ? ` with ${name_contains}` : ''}`,
  run: async ({ chip_id, kind, name_contains, state }, context) => {
    const wanted = (name_contains ?? '').toLowerCase();
    const {
      entities,
      where,
      remarks = [],
      ...titles
    } = await (state ? entitiesIn(state, kind, chip_id, context) : entitiesOf(kind, chip_id, context));
    const found = entities.filter(({ name }) => name.toLowerCase().includes(wanted));
    const names = found.map(({ name, of }) => (typeof of === 'string' ? `${name} (${of})` : name));
    const what = `${state ? `${state} ` : ''}${kind}`;
    const more = names.length - SHOWN_NAMES;
    const listed = more > 0 ? `${names.slice(0, SHOWN_NAMES).join(', ')} and ${more} more` : joinWords(names);
    const narrowed = wanted === '' ? '' : ` with “${name_contains ?? ''}” in the name`;
    return {
      data: { kind, where, ...titles, entities: found.map(({ name, ...rest }) => ({ name, ...rest })) },
      formattedSummary: [
        names.length === 0
          ? `${where} has no ${what}${narrowed}.`
          : `${where}: ${countOf(names.length, what)}${narrowed}: ${listed}.`,
        ...remarks,
      ].join('\n'),
      preview: countOf(names.length, what),
      freshness: null,
      source: kind === 'metric' ? 'CONFIG' : 'SNAPSHOT',
      visuals: [],
    };
  },
});

type Entity = JsonObject & { readonly name: string };
type Listing = {
  readonly where: string;
  readonly entities: readonly Entity[];
  readonly remarks?: readonly string[];
  /** Of the parameters that `of` gives by their titles. */
  readonly titles?: Readonly<Record<string, string>>;
  /** Of the chip whose parts are in a state. */
  readonly chip_size?: number;
};

async function entitiesOf(kind: Kind, chipId: string | null, context: ToolContext): Promise<Listing> {
  const { services, loaders, viewer } = context;
  if (kind === 'chip') {
    const chips = await services.chips.list(viewer);
    const entities = chips.map(({ chipId, size, isActive }) => ({ name: chipId, size, active: isActive }));
    return { where: `Project ${viewer.projectId}`, entities };
  }
  if (kind === 'metric') return { where: 'The metrics catalogue', entities: metricEntities(context) };
  const chip = await chipOf(context, chipId);
  const where = chip.chipId;
  switch (kind) {
    case 'qubit': {
      const qubits = await loaders.qubitsOfChip.load(chip);
      return { where, entities: qubits.map(({ qid, label }) => ({ name: label, qid })) };
    }
    case 'coupling': {
      const couplings = await loaders.couplingsOfChip.load(chip);
      const labelled = couplings.map((each) => ({ ...each, label: qidLabel(each.couplingId, chip.size) }));
      const entities = presentOf(labelled).map(({ couplingId, label }) => ({
        name: label,
        coupling_id: couplingId,
      }));
      return { where, entities, remarks: pastSentences(labelled) };
    }
    case 'task': {
      const names = await services.taskResults.names(chip);
      return { where, entities: names.map((name) => ({ name })) };
    }
    default:
      return kind satisfies never;
  }
}

/** Parts in a state, or with a gate or another parameter in it; `of` names these. */
async function entitiesIn(
  state: (typeof STATES)[number],
  kind: Kind,
  chipId: string | null,
  context: ToolContext,
): Promise<Listing> {
  if (kind !== 'qubit' && kind !== 'coupling') {
    throw InvalidInputError.at(['state'], `only qubits and couplings have a state, not a ${kind}`);
  }
  const chip = await chipOf(context, chipId);
  const summary = await context.loaders.chipSummary.load({ chip, parameters: null });
  const wanted = state.toUpperCase();
  const titles: Record<string, string> = {};
  const entities = (summary?.parts ?? []).flatMap((part): Entity[] => {
    const values = part.parameters.filter((value) => value.state === wanted);
    if (part.kind.toLowerCase() !== kind || (part.state !== wanted && values.length === 0)) return [];
    for (const { name, title } of values) titles[name] = title;
    return [
      {
        name: qidLabel(part.qid, chip.size),
        qid: part.qid,
        of: joinWords(values.map(({ title }) => title)) || 'the whole',
        reason: values[0]?.stateReason ?? part.stateReason,
        ...(values[0]?.lastGood ? { last_good: lastGoodData(values[0].lastGood) } : {}),
      },
    ];
  });
  return { where: chip.chipId, titles, chip_size: chip.size, entities };
}

const lastGoodData = ({ displayValue, displayUnit, measuredAt }: PastValue): JsonObject => ({
  value: displayValue,
  unit: displayUnit,
  measured_at: measuredAt.toISOString(),
});

const metricEntities = ({ services }: ToolContext): readonly Entity[] =>
  services.metrics.metrics.map((metric) => ({
    name: metric.name,
    title: metric.title,
    display_unit: metric.unit,
    scale: metric.scale,
    direction: metric.direction.toLowerCase(),
    of: metric.scope.toLowerCase(),
    ...fieldsOf(metric, 'good', 'excellent', 'bad'),
  }));
