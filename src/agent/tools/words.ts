/** Sentences and words that several tools share. */
import { presentOf, type Chip } from '../../domain/chip/chip.ts';
import type { TwinAnswer } from '../../domain/qid.ts';
import { formatQuantity, formatTime, joinWords } from '../../domain/text/display-text.ts';
import type { StateOf } from '../../domain/values/current.ts';
import type { ParameterValue, PastValue } from '../../domain/values/parameter-value.ts';
import type { ToolContext } from '../tool.ts';

/** Labels that a sentence names before it only counts. */
const NAMED_LABELS = 10;

/** `Q01, Q02 and 5 more`. */
export function someOf(labels: readonly string[]): string {
  const more = labels.length - NAMED_LABELS;
  return more > 0 ? `${labels.slice(0, NAMED_LABELS).join(', ')} and ${more} more` : labels.join(', ');
}

/** A value for people: `45.23 μs`, what is stored instead of a number, or that the part is disabled. */
export function valueWords({
  displayValue,
  displayUnit,
  text,
  state,
  lastGood,
}: Pick<ParameterValue, 'displayValue' | 'displayUnit' | 'text' | 'state' | 'lastGood'>): string {
  if (state === 'DISABLED') return `disabled${lastGoodWords(lastGood)}`;
  if (state === 'MISSING') return `without a current value${lastGoodWords(lastGood)}`;
  return displayValue === null ? (text ?? '–') : formatQuantity(displayValue, displayUnit);
}

const lastGoodWords = (lastGood: PastValue | null): string =>
  lastGood === null
    ? ''
    : // no claim: the newest before the mark, chosen in values/current.ts
      `, last good ${formatQuantity(lastGood.displayValue, lastGood.displayUnit)} at ${formatTime(lastGood.measuredAt)}`;

type LabelledState = Pick<StateOf, 'state'> & {
  readonly label: string;
  readonly lastGood: PastValue | null;
};

/** Names the parts that are left out because they are disabled. */
export function disabledSentences(values: readonly LabelledState[]): readonly string[] {
  const words = values.flatMap(({ label, state, lastGood }) =>
    state === 'DISABLED' ? [`${label}${lastGoodWords(lastGood).replace(/^, (.+)$/u, ' ($1)')}`] : [],
  );
  return words.length === 0 ? [] : [`Disabled, so without a current value: ${someOf(words)}.`];
}

/** Names the parts without a value, past couplings apart. */
export function absentSentences(
  values: readonly (LabelledState & { readonly lastSeenAt: Date | null })[],
): readonly string[] {
  const missing = presentOf(values).flatMap(({ label, state }) => (state === 'MISSING' ? [label] : []));
  return [...(missing.length > 0 ? [`Without a result: ${someOf(missing)}.`] : []), ...pastSentences(values)];
}

/** Names couplings that the newest snapshot of their chip lacks. */
export function pastSentences(
  parts: readonly { readonly label: string; readonly lastSeenAt: Date | null }[],
): readonly string[] {
  const words = parts.flatMap(({ label, lastSeenAt }) =>
    // no claim: compared by services/calibration/couplings.ts
    lastSeenAt === null ? [] : [`${label} (last seen ${formatTime(lastSeenAt)})`],
  );
  // no claim: likewise
  return words.length === 0 ? [] : [`Past couplings, not in the newest snapshot: ${someOf(words)}.`];
}

/** The state of a value in data, unless it is simply good. */
export const stateData = ({
  state,
  stateReason,
  lastGood,
}: Pick<ParameterValue, 'state' | 'stateReason' | 'lastGood'>) =>
  state === 'ENABLED'
    ? {}
    : {
        state,
        state_reason: stateReason,
        ...(lastGood === null
          ? {}
          : {
              last_good: {
                value: lastGood.value,
                unit: lastGood.unit,
                measured_at: lastGood.measuredAt.toISOString(),
                task_id: lastGood.taskId,
              },
            }),
      };

/** For couplings that were named in the direction that has no values: the two are not interchangeable. */
export const twinSentences = (twins: readonly Omit<TwinAnswer, 'couplingId'>[]): readonly string[] =>
  twins.map(
    ({ asked, label }) =>
      `Values are stored for ${label}; the direction that was asked for, ${asked}, has none.`,
  );

/** After a name that found nothing: which tasks the chip has results of. */
export async function knownTasks({ services }: ToolContext, chip: Chip): Promise<string> {
  const names = await services.taskResults.names(chip);
  return names.length === 0
    ? `No task was ever run on ${chip.chipId}.`
    : `Tasks that were run on ${chip.chipId}: ${joinWords(names)}.`;
}

/** The task and cool-down of a value, as far as they are recorded. */
type Origin = { readonly taskName: string | null; readonly cooldownId: string | null };
type LabelledOrigin = Origin & { readonly label: string };

/** Warns of a history that mixes cool-downs or tasks; `results` is oldest first. */
export function historySentences(results: readonly Origin[]): readonly string[] {
  const [cooldowns, tasks] = [distinct(results, 'cooldownId'), distinct(results, 'taskName')];
  return [
    ...(cooldowns.length > 1 ? [`It spans cool-downs ${cooldowns.join(', ')}.`] : []),
    ...(tasks.length > 1 ? [`Its results are of several tasks: ${joinWords(tasks)}.`] : []),
  ];
}

/** Names the values that are of another task or cool-down than most. */
export const originSentences = (values: readonly LabelledOrigin[]): readonly string[] => [
  ...minorities(values, 'cooldownId').map(([id, labels]) => `From cool-down ${id}: ${someOf(labels)}.`),
  ...minorities(values, 'taskName').map(([name, labels]) => `From task ${name}: ${someOf(labels)}.`),
];

const distinct = (results: readonly Origin[], field: keyof Origin): readonly string[] => [
  ...new Set(results.flatMap((result) => result[field] ?? [])),
];

/** Labels by origin, without those of the commonest one; ties are broken by name. */
function minorities(
  values: readonly LabelledOrigin[],
  field: keyof Origin,
): readonly (readonly [origin: string, labels: readonly string[]])[] {
  const known = values.flatMap(({ [field]: origin, label }) => (origin === null ? [] : [{ origin, label }]));
  return [...Map.groupBy(known, ({ origin }) => origin)]
    .toSorted(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1))
    .slice(1)
    .map(([origin, rows]) => [origin, rows.map(({ label }) => label)] as const);
}
