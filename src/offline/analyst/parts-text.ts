/** Sentences on single parts: their states, places, ratios, and whether their values can be true. */
import { z } from 'zod';
import type { Ask } from '../../domain/questions/query.ts';
import { oncePerPair, qidLabel, twinOf } from '../../domain/qid.ts';
import { formatQuantity, formatTime } from '../../domain/text/display-text.ts';
import { isCoupling } from '../../domain/questions/vocabulary.ts';
import { headedList } from '../shared/text.ts';
import type { AnswerWords } from './messages.ts';
import { partValues } from './values-text.ts';

const entities = z.object({
  kind: z.string(),
  where: z.string(),
  chip_size: z.number().default(0),
  looked_at: z.number(),
  titles: z.record(z.string(), z.string()),
  touching: z.array(z.object({ name: z.string(), qid: z.string() })).default([]),
  only_old: z.number().default(0),
  entities: z.array(
    z.object({
      name: z.string(),
      qid: z.string(),
      of: z.string(),
      is_whole: z.boolean(),
      last_good: z.object({ value: z.number(), unit: z.string(), measured_at: z.iso.datetime() }).optional(),
    }),
  ),
});
type Entity = z.infer<typeof entities>['entities'][number];

/** Up to so many parts are listed with their last good values. */
const FEW_PARTS = 8;

/** The parts in a state by what of them is in it, each pair once; null for data of another form. */
export function partsText(
  { state, qids, metrics, kind, said }: Ask,
  data: unknown,
  { t }: AnswerWords,
): string | null {
  const read = entities.safeParse(data).data;
  if (read === undefined || kind !== 'states') return null;
  const isNamed = ({ qid }: { readonly qid: string }): boolean =>
    qids.length === 0 ||
    qids.some((each) => each === qid || each === twinOf(qid) || qid.split('-').includes(each));
  const isOfQubits = read.kind === 'qubit';
  const asked = (metrics.length > 0 ? metrics : Object.keys(read.titles)).flatMap(
    (name) => read.titles[name] ?? [],
  );
  const isAsked = ({ of, is_whole: isWhole }: Entity): boolean =>
    metrics.length === 0 || (isOfQubits && isWhole) || asked.some((title) => of.includes(title));
  const own = oncePerPair(read.entities, (a, b) => a.of === b.of).filter(
    (each) => isNamed(each) && isAsked(each),
  );
  const whole = own.filter(({ is_whole: isWhole }) => isOfQubits && isWhole);
  const parted = own.filter((each) => !whole.includes(each));
  const others = parted.filter(({ of }) => !asked.some((title) => of.includes(title)));
  const groups: readonly (readonly [title: string, parts: readonly Entity[]])[] = [
    [t('asWhole'), whole],
    ...asked.map((title) => [title, parted.filter(({ of }) => of.includes(title))] as const),
    ...Map.groupBy(others, ({ of }) => of),
  ];
  const lines = groups.flatMap(([title, parts]) => {
    if (parts.length === 0) return [];
    const names = parts.map(({ name, last_good: last }) =>
      last === undefined || parts.length > FEW_PARTS || parts === whole
        ? `${name}${said.when === undefined ? '' : ` ${t('noLastGood')}`}`
        : `${name} ${t('lastGood', { value: formatQuantity(last.value, last.unit), at: formatTime(new Date(last.measured_at)), isSince: said.when !== undefined })}`,
    );
    return [t('inState', { title, count: parts.length, names })];
  });
  const touching = oncePerPair(read.touching, () => true).filter(isNamed);
  const what = {
    state: state ?? 'Disabled',
    where: read.where,
    noun: read.kind,
    looked: read.looked_at,
    labels: qids.map((qid) => qidLabel(qid, read.chip_size)),
    of: metrics.some((name) => name.includes('_gate'))
      ? []
      : metrics.map((name) => read.titles[name] ?? name),
    isOfQubit: !isOfQubits && !qids.every(isCoupling),
  };
  return [
    lines.length === 0 ? t('noneInState', what) : headedList([t('inStateHead', what), ...lines]),
    ...(touching.length === 0 ? [] : [t('touching', { names: touching.map(({ name }) => name) })]),
    ...(read.only_old === 0 || qids.length > 0
      ? []
      : [t('onlyOld', { count: read.only_old, noun: read.kind })]),
  ].join('\n\n');
}

const rows = z.object({ rows: z.array(z.object({ label: z.string() })) });

/** `third best`: the one part at that place of the order that follows. */
export function placeText({ place }: Ask, data: unknown, { t }: AnswerWords): readonly string[] {
  const label = place === null ? undefined : rows.safeParse(data).data?.rows[place - 1]?.label;
  return label === undefined || place === null ? [] : [t('place.of', { place, label })];
}

/** A parameter of a qubit in display scale; null where it has no number. */
function numberOf({ parameters }: z.infer<typeof partValues>, name: string | undefined) {
  const found = parameters.find((each) => each.name === name);
  return found === undefined || typeof found.value !== 'number'
    ? null
    : { title: found.title, value: found.value * found.scale, unit: found.display_unit };
}

/** `T2 Echo / T1 of Q10: 1.137`. */
export function ratioText({ metrics }: Ask, data: unknown, { t }: AnswerWords): string | null {
  const read = partValues.safeParse(data).data;
  if (read === undefined) return null;
  const [a, b] = metrics.map((name) => numberOf(read, name));
  if (a == null || b == null || b.value === 0 || a.unit !== b.unit) return null;
  return t('ratio', {
    label: read.label,
    chip: read.chip_id,
    a: `${a.title} ${formatQuantity(a.value, a.unit)}`,
    b: `${b.title} ${formatQuantity(b.value, b.unit)}`,
    ratio: (a.value / b.value).toPrecision(4),
  });
}

/** What physics says of a qubit's coherence and readout: T2 is at most 2·T1, and a coin reads out half of the time. */
export function plausibleText(data: unknown, { t }: AnswerWords): readonly string[] {
  const read = partValues.safeParse(data).data;
  if (read === undefined) return [];
  const { label } = read;
  const [t1, t2, readout] = ['t1', 't2_echo', 'average_readout_fidelity'].map((name) => numberOf(read, name));
  const times = {
    label,
    t1: formatQuantity(t1?.value ?? null, t1?.unit ?? ''),
    t2: formatQuantity(t2?.value ?? null, t2?.unit ?? ''),
  };
  return [
    ...(t1 == null || t2 == null ? [] : [t(t2.value > 2 * t1.value ? 'impossible' : 'possible', times)]),
    ...(readout != null && readout.value <= 50 && readout.unit === '%' ? [t('chance', { label })] : []),
  ];
}
