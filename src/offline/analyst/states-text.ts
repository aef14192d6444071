/** Which parts are disabled, missing or doubtful, all of them by name. */
import { z } from 'zod';
import { qidLabel } from '../../domain/qid.ts';
import { isOnlyOld, PART_STATES } from '../../domain/values/current.ts';
import type { Ask } from '../../domain/questions/query.ts';
import { headedList } from '../shared/text.ts';
import type { AnswerWords } from './messages.ts';

/** What of the data of a chip summary names parts by state. */
const summary = z.object({
  num_qubits: z.number(),
  not_enabled: z.array(
    z.object({
      qid: z.string(),
      parameter: z.string(),
      title: z.string(),
      state: z.enum(PART_STATES),
      state_reason: z.string().nullable(),
    }),
  ),
});

/** More names than this are only counted by the line that they belong to. */
const MOST_NAMES = 120;

const STATE_LINE = /^(?:Disabled|Enabled|Missing|Doubtful|New|No longer)\b/u;

/** The lines of a summary that name parts by their states, and of a comparison of two days all that it says. */
export function statesText(ask: Ask, lines: readonly string[], data: unknown, words: AnswerWords): string {
  const { state } = ask;
  const { t, toolLine } = words;
  const named = lines.filter((line) => (state === null ? STATE_LINE.test(line) : line.startsWith(state)));
  if (named.length === 0) return t('statesUnknown', { state });
  const all = named.some((line) => CUT.test(line)) ? namesOf(ask, data) : [];
  const names = all.map(([name, labels]) => t('stateNames', { name, labels: labels.join(', ') }));
  return headedList([...[lines[0] ?? '', ...named].map(toolLine), ...names]);
}

/** A line that only counts some of its parts. */
const CUT = / and \d+ more\)/u;

/** Of each parameter the parts in the state that was asked for, however many the line of the summary names. */
function namesOf({ state, metrics }: Ask, data: unknown): readonly (readonly [string, readonly string[]])[] {
  const read = summary.safeParse(data);
  if (!read.success || state === null) return [];
  const { num_qubits: size, not_enabled: parts } = read.data;
  const wanted = parts.filter(
    (part) =>
      part.state === state.toUpperCase() &&
      !isOnlyOld({ state: part.state, stateReason: part.state_reason }) &&
      (metrics.length === 0 || metrics.includes(part.parameter)),
  );
  return [...Map.groupBy(wanted, ({ title }) => title)].flatMap(([title, each]) =>
    each.length > MOST_NAMES ? [] : [[title, each.map(({ qid }) => qidLabel(qid, size))] as const],
  );
}
