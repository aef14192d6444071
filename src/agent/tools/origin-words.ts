/** Results of other tasks, or of other cool-downs, stand side by side only where that is said. */
import { joinWords } from '../../domain/text/display-text.ts';
import { someOf } from './metric-values.ts';

/** Where a value is from, as far as it says so. */
type Origin = { readonly taskName: string | null; readonly cooldownId: string | null };

/** Names what a history is made of where it is more than one thing; `results` is oldest first. */
export function historySentences(results: readonly Origin[]): readonly string[] {
  const [cooldowns, tasks] = [distinct(results, 'cooldownId'), distinct(results, 'taskName')];
  return [
    ...(cooldowns.length > 1 ? [`It spans cool-downs ${cooldowns.join(', ')}.`] : []),
    ...(tasks.length > 1 ? [`Its results are of several tasks: ${joinWords(tasks)}.`] : []),
  ];
}

/** Names the values that are from elsewhere than most. */
export function originSentences(values: readonly (Origin & { readonly label: string })[]): readonly string[] {
  return [
    ...minorities(values, 'cooldownId').map(([id, labels]) => `From cool-down ${id}: ${someOf(labels)}.`),
    ...minorities(values, 'taskName').map(([name, labels]) => `From task ${name}: ${someOf(labels)}.`),
  ];
}

const distinct = (results: readonly Origin[], field: keyof Origin): readonly string[] => [
  ...new Set(results.flatMap((result) => result[field] ?? [])),
];

/** Labels by origin without those of the commonest one; of equals the first in order of text is commonest. */
function minorities(
  values: readonly (Origin & { readonly label: string })[],
  field: keyof Origin,
): readonly (readonly [origin: string, labels: readonly string[]])[] {
  const told = values.flatMap((value) => {
    const origin = value[field];
    return origin === null ? [] : [{ origin, label: value.label }];
  });
  return [...Map.groupBy(told, ({ origin }) => origin)]
    .toSorted(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1))
    .slice(1)
    .map(([origin, rows]) => [origin, rows.map(({ label }) => label)] as const);
}
