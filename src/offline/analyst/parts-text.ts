/** Sentences on single parts: their states, places, ratios, and whether their values can be true. */
import { z } from 'zod';
import type { Ask } from '../../domain/questions/query.ts';
import { qidLabel, twinOf } from '../../domain/qid.ts';
import { formatQuantity, formatTime } from '../../domain/text/display-text.ts';
import { isCoupling } from '../../domain/questions/vocabulary.ts';
import { headedList } from '../shared/text.ts';
import type { AnswerWords } from './messages.ts';
import { partValues } from './values-text.ts';

const entities = z.object({
  kind: z.string(),
  where: z.string(),
  chip_size: z.number().default(0),
  titles: z.record(z.string(), z.string()).default({}),
  entities: z.array(
    z.object({
      name: z.string(),
      qid: z.string(),
      of: z.string(),
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
  const ids = new Set(read.entities.map(({ qid }) => qid));
  const isNamed = ({ qid }: Entity): boolean =>
    qids.length === 0 ||
    qids.some((each) => each === qid || each === twinOf(qid) || qid.split('-').includes(each));
  const isOnce = ({ qid }: Entity): boolean => !ids.has(twinOf(qid)) || ordered(qid);
  const own = read.entities.filter((each) => isNamed(each) && isOnce(each));
  const isIn = (title: string): boolean => own.some(({ of }) => of.includes(title));
  const isOfGate = metrics.some((name) => name.includes('_gate'));
  const names = isOfGate ? metrics : Object.keys(read.titles);
  const asked = names.flatMap((name) => read.titles[name] ?? []).filter(isIn);
  const whole = own.filter(({ of }) => !isOfGate && !asked.some((title) => of.includes(title)));
  const titles = [...asked, ...new Set(whole.map(({ of }) => of))];
  const lines = titles.map((title) => {
    const parts = own.filter(({ of }) => of.includes(title));
    const names = parts.map(({ name, last_good: last }) =>
      last === undefined || parts.length > FEW_PARTS
        ? `${name}${said.when === undefined ? '' : ` ${t('noLastGood')}`}`
        : `${name} ${t('lastGood', { value: formatQuantity(last.value, last.unit), at: formatTime(new Date(last.measured_at)), isSince: said.when !== undefined })}`,
    );
    return t('inState', { title, count: parts.length, names });
  });
  const labels = qids.map((qid) => qidLabel(qid, read.chip_size));
  const what = {
    state: state ?? 'Disabled',
    where: read.where,
    noun: read.kind,
    labels,
    isOfQubit: read.kind === 'coupling' && !qids.every(isCoupling),
  };
  return lines.length === 0 ? t('noneInState', what) : headedList([t('inStateHead', what), ...lines]);
}

const ordered = (qid: string): boolean => {
  const [a, b] = qid.split('-').map(Number);
  return (a ?? 0) < (b ?? 0);
};

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
