/** `list_entities`: the names of what there is, to be used as arguments of other tools. */
import { z } from 'zod';
import { presentOf, type Chip } from '../../domain/chip/chip.ts';
import type { ChipSummary } from '../../domain/chip/chip-summary.ts';
import type { PartStatus } from '../../domain/chip/part-state.ts';
import { oncePerPair, qidLabel, twinOf } from '../../domain/qid.ts';
import { countOf, joinWords } from '../../domain/text/display-text.ts';
import { isOnlyOld } from '../../domain/values/current.ts';
import type { ParameterValue, PastValue } from '../../domain/values/parameter-value.ts';
import { IMPORT_DOUBT_TAG } from '../../domain/values/task-result.ts';
import { tellingOf } from '../../domain/values/switches.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { InvalidInputError } from '../../base/errors.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { chipIdArg, chipOf } from './chip-argument.ts';
import { fieldsOf } from './row-data.ts';
import { pastSentences } from './words.ts';

/** Names that the summary spells out. */
const SHOWN_NAMES = 12;

/** Results that an importer excluded, newest first. */
const MOST_EXCLUDED = 100;
/** Of parts in one state. */
const NAMED_IN_STATE = 60;

const KINDS = ['chip', 'qubit', 'coupling', 'task', 'metric'] as const;
type Kind = (typeof KINDS)[number];
const STATES = ['disabled', 'missing', 'doubtful'] as const;
type State = (typeof STATES)[number];

export const listEntities = defineTool({
  name: 'list_entities',
  category: 'calibration',
  rule: 'viewer: project',
  reads: 'DIRECT',
  label: 'Listing entities',
  title: { en: 'Chips, qubits, tasks and metrics', ja: 'チップ・量子ビット・タスク・指標の一覧' },
  example: { kind: 'metric', name_contains: 'fidelity' },
  description: 'Names of chips, their qubits, couplings and tasks, or metrics; with `state` the parts in it.',
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
    const isWanted = ({ name }: Entity): boolean => name.toLowerCase().includes(wanted);
    const narrowed = wanted === '' ? '' : ` with “${name_contains ?? ''}” in the name`;
    const listing = await (state
      ? entitiesIn(state, kind, chip_id, context)
      : entitiesOf(kind, chip_id, context));
    const { entities, where, sentences, remarks = [], ...more } = listing;
    const found = entities.filter(isWanted);
    const what = `${state ? `${state} ` : ''}${kind}`;
    return {
      data: { kind, where, ...more, entities: found },
      formattedSummary: [sentences(found, narrowed), ...remarks].join('\n'),
      preview: countOf(found.length, what),
      freshness: null,
      source: kind === 'metric' ? 'CONFIG' : 'SNAPSHOT',
      visuals: [],
    };
  },
});

type Entity = JsonObject & { readonly name: string };
const textOf = (json: unknown): string => (typeof json === 'string' ? json : '');
type Listing = {
  readonly where: string;
  readonly entities: readonly Entity[];
  /** Names what was found; `narrowed` says by which part of the name. */
  readonly sentences: (found: readonly Entity[], narrowed: string) => string;
  readonly remarks?: readonly string[];
  /** Of the parameters that `of` gives by their titles. */
  readonly titles?: Readonly<Record<string, string>>;
  /** Of the chip whose parts are in a state. */
  readonly chip_size?: number;
  /** How many parts of the kind the chip has; pairs count once. */
  readonly looked_at?: number;
  /** Couplings that are not disabled themselves, with a qubit that is. */
  readonly touching?: readonly JsonObject[];
  /** Parts that are in doubt for the age of their values alone; they are not listed. */
  readonly only_old?: number;
};

/** Names of one kind, in a sentence. */
const listed =
  (where: string, kind: Kind): Listing['sentences'] =>
  (found, narrowed) => {
    const names = found.map(({ name, of }) => (typeof of === 'string' ? `${name} (${of})` : name));
    const more = names.length - SHOWN_NAMES;
    const words = more > 0 ? `${names.slice(0, SHOWN_NAMES).join(', ')} and ${more} more` : joinWords(names);
    return names.length === 0
      ? `${where} has no ${kind}${narrowed}.`
      : `${where}: ${countOf(names.length, kind)}${narrowed}: ${words}.`;
  };

async function entitiesOf(kind: Kind, chipId: string | null, context: ToolContext): Promise<Listing> {
  const { services, loaders, viewer } = context;
  if (kind === 'chip') {
    const chips = await services.chips.list(viewer);
    const entities = chips.map(({ chipId, size, isActive }) => ({ name: chipId, size, active: isActive }));
    const where = `Project ${viewer.projectId}`;
    return { where, entities, sentences: listed(where, kind) };
  }
  if (kind === 'metric') {
    const where = 'The metrics catalogue';
    return { where, entities: metricEntities(context), sentences: listed(where, kind) };
  }
  const chip = await chipOf(context, chipId);
  const where = chip.chipId;
  const sentences = listed(where, kind);
  switch (kind) {
    case 'qubit': {
      const qubits = await loaders.qubitsOfChip.load(chip);
      return { where, sentences, entities: qubits.map(({ qid, label }) => ({ name: label, qid })) };
    }
    case 'coupling': {
      const couplings = await loaders.couplingsOfChip.load(chip);
      const labelled = couplings.map((each) => ({ ...each, label: qidLabel(each.couplingId, chip.size) }));
      const entities = presentOf(labelled).map(({ couplingId, label }) => ({
        name: label,
        coupling_id: couplingId,
      }));
      return { where, sentences, entities, remarks: pastSentences(labelled) };
    }
    case 'task': {
      const names = await services.taskResults.names(chip);
      return { where, sentences, entities: names.map((name) => ({ name })) };
    }
    default:
      return kind satisfies never;
  }
}

/** Parts in a state, or with a gate or another parameter in it; `of` names these. */
async function entitiesIn(
  state: State,
  kind: Kind,
  chipId: string | null,
  context: ToolContext,
): Promise<Listing> {
  if (kind !== 'qubit' && kind !== 'coupling') {
    throw InvalidInputError.at(['state'], `only qubits and couplings have a state, not a ${kind}`);
  }
  const chip = await chipOf(context, chipId);
  const [summary, excluded] = await Promise.all([
    context.loaders.chipSummary.load({ chip, parameters: null }),
    state === 'doubtful' ? excludedByImport(chip, context) : null,
  ]);
  const { parts = [] } = summary ?? {};
  const ofKind = parts.filter((part) => part.kind.toLowerCase() === kind);
  const titles: Record<string, string> = {};
  const entities = ofKind.flatMap((part) => {
    const found = entityIn(state, part, chip, excluded?.of(part.qid, summary) ?? []);
    if (found === null) return [];
    for (const { name, title } of found.values) titles[name] = title;
    return [found.entity];
  });
  const lookedAt = new Set(presentOf(ofKind).map(({ qid }) => [qid, twinOf(qid)].toSorted().join(' '))).size;
  const names = new Set(entities.map(({ name }) => name));
  const touching =
    kind === 'coupling' && state === 'disabled'
      ? touchingDisabled(parts, chip).filter(({ name }) => !names.has(name))
      : [];
  const onlyOld =
    state === 'doubtful'
      ? ofKind.filter(
          ({ qid, parameters }) => !names.has(qidLabel(qid, chip.size)) && parameters.some(isOnlyOld),
        ).length
      : 0;
  return {
    where: chip.chipId,
    titles,
    chip_size: chip.size,
    looked_at: lookedAt,
    entities,
    sentences: (found, narrowed) =>
      stateSentence({ where: chip.chipId, kind, state, lookedAt }, found, narrowed),
    remarks: [
      ...(excluded?.isCut
        ? [`Of values that an importer excluded, only ${MOST_EXCLUDED} results were looked at.`]
        : []),
      ...(touching.length === 0
        ? []
        : [`Not disabled themselves, but with a disabled qubit: ${onceNamed(touching).join(', ')}.`]),
      ...(onlyOld === 0
        ? []
        : [
            `Values of ${countOf(onlyOld, kind)} are older than their limit; for that alone none is listed here.`,
          ]),
    ],
    ...(touching.length === 0 ? {} : { touching }),
    ...(onlyOld === 0 ? {} : { only_old: onlyOld }),
  };
}

/** A part as it is listed, with its values in the state; null for one that is not. Age alone is no doubt. */
function entityIn(
  state: State,
  part: PartStatus,
  { size }: Pick<Chip, 'size'>,
  excluded: readonly ParameterValue[],
) {
  const wanted = state.toUpperCase();
  const own = tellingOf(part.parameters).filter((value) => value.state === wanted && !isOnlyOld(value));
  const values = [...own, ...excluded];
  const isWhole = part.state === wanted && state !== 'doubtful';
  if (!isWhole && values.length === 0) return null;
  const [first] = values;
  const entity = {
    name: qidLabel(part.qid, size),
    qid: part.qid,
    of: joinWords(values.map(({ title }) => title)) || 'Everything',
    is_whole: isWhole,
    reason: first?.stateReason ?? part.stateReason,
    ...(first?.lastGood ? { last_good: lastGoodData(first.lastGood) } : {}),
  };
  return { entity, values };
}

/** Values that an importer excluded as impossible, as long as no newer one is current in their place. */
async function excludedByImport(chip: Chip, { services }: ToolContext) {
  const filter = { qid: null, tags: [IMPORT_DOUBT_TAG] };
  const { items } = await services.taskResults.page(chip, { first: MOST_EXCLUDED, filter });
  const results = items
    .map(({ item }) => item)
    .filter((result) => result.excluded && result.importDoubt !== null);
  return {
    isCut: items.length === MOST_EXCLUDED,
    of: (qid: string, summary: ChipSummary | null): readonly ParameterValue[] => {
      const rows = [...(summary?.rows ?? []), ...(summary?.couplingRows ?? [])];
      const current = new Map(
        rows.find((row) => row.qid === qid)?.parameters.map((value) => [value.name, value.calibratedAt]),
      );
      const values = results.flatMap(({ qid: of, outputParameters, importDoubt, endAt }) =>
        outputParameters.flatMap((value) => {
          const at = current.get(value.name) ?? null;
          const isPassed = at !== null && endAt !== null && at > endAt;
          return of !== qid || isPassed ? [] : [{ ...value, stateReason: `excluded: ${importDoubt}` }];
        }),
      );
      return [...new Map(values.map((value) => [value.name, value])).values()];
    },
  };
}

function touchingDisabled(parts: readonly PartStatus[], { size }: Pick<Chip, 'size'>): readonly Entity[] {
  const off = new Set(
    parts.flatMap(({ kind, qid, state }) => (kind === 'QUBIT' && state === 'DISABLED' ? [qid] : [])),
  );
  return presentOf(parts).flatMap(({ kind, qid }) => {
    const ends = kind === 'COUPLING' ? qid.split('-').filter((end) => off.has(end)) : [];
    return ends.length === 0
      ? []
      : [{ name: qidLabel(qid, size), qid, disabled_qubits: ends.map((end) => qidLabel(end, size)) }];
  });
}

/** Names, each pair once. */
const onceNamed = (entities: readonly Entity[]): readonly string[] =>
  oncePerPair(
    entities.map(({ name, qid, of }) => ({ name, qid: textOf(qid), of })),
    (a, b) => a.of === b.of,
  ).map(({ name }) => name);

type Looked = {
  readonly where: string;
  readonly kind: string;
  readonly state: string;
  readonly lookedAt: number;
};

/** `X: 3 disabled of its 27 qubits: Q05, Q09 (the whole); Q21 (X180 Gate Fidelity).`; of none, how many were looked at. */
function stateSentence(
  { where, kind, state, lookedAt }: Looked,
  found: readonly Entity[],
  narrowed: string,
): string {
  if (lookedAt === 0) return `${where} lists no ${kind}s, so nothing is known of their states.`;
  const all = `its ${countOf(lookedAt, kind)}`;
  const count = onceNamed(found).length;
  if (count === 0) return `${where}: none of ${all}${narrowed} is ${state}, by the current values.`;
  const groups = Map.groupBy(found, ({ of }) => of);
  const words = [...groups].map(([of, same]) => {
    const names = onceNamed(same);
    const more = names.length - NAMED_IN_STATE;
    return `${names.slice(0, NAMED_IN_STATE).join(', ')}${more > 0 ? ` and ${more} more` : ''} (${textOf(of)})`;
  });
  return `${where}: ${count} of ${all}${narrowed} ${state}: ${words.join('; ')}.`;
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
