/** Grounds an answer: every number, date and time of its text with its source. */
import { explainNumbers, type Explanation } from './explain.ts';
import { createFactBook, type Evidence } from './fact-book.ts';
import type { TextNumber } from './find-numbers.ts';
import type { GroundedNumber } from './grounded-number.ts';
import type { PlacedNumber } from './match.ts';
import { placeNumbers } from './place-numbers.ts';
import type { ToolEvidence } from './read-facts.ts';
import { readText } from './reading.ts';
import { groundTime } from './times.ts';

/** A number, and whether the text names its subject. */
type Found = { readonly number: GroundedNumber; readonly isNamed: boolean };

/**
 * Numbers of `text` in order. The calls of its own turn count first; `earlierCalls`, of the turns before,
 * only for what these do not explain, and only where the text names a subject: a bare number is not searched
 * for in everything ever fetched. Runs in time proportional to the evidence, and to the numbers times the
 * facts in it.
 */
export function groundNumbers(
  text: string,
  evidence: Evidence & { readonly earlierCalls?: readonly ToolEvidence[] },
): readonly GroundedNumber[] {
  // Most answers that are not about data have no digit at all.
  if (!/[\d０-９]/u.test(text)) return [];
  const { calls, earlierCalls = [] } = evidence;
  const found = groundWith(text, evidence);
  const isOpen = ({ status }: GroundedNumber): boolean => status === 'UNSOURCED' || status === 'FROM_USER';
  if (earlierCalls.length === 0 || !found.some(({ number }) => isOpen(number))) {
    return found.map(({ number }) => number);
  }
  const earlier = groundWith(text, { ...evidence, calls: [...calls, ...earlierCalls] });
  const byOffset = new Map(earlier.map((each) => [each.number.offset, each]));
  return found.map(({ number }) => {
    const again = byOffset.get(number.offset);
    const isMeant = again !== undefined && (again.isNamed || calls.length === 0);
    return isOpen(number) && isMeant ? again.number : number;
  });
}

function groundWith(text: string, evidence: Evidence): readonly Found[] {
  const book = createFactBook(evidence);
  const reading = readText(text, book.vocabulary);
  const placed = placeNumbers(text, reading, book);
  const explained = explainNumbers(placed, reading, book);
  const numbers = placed.flatMap((each, index) => {
    const explanation = explained[index];
    return explanation === undefined
      ? []
      : [{ number: grounded(text, each.number, explanation), isNamed: isNamed(each) }];
  });
  const times = reading.sentences.flatMap((sentence) =>
    sentence.times.map((time) => ({
      number: groundTime(time, { text, reading, sentence, book }),
      isNamed: true,
    })),
  );
  return [...numbers, ...times].toSorted((a, b) => a.number.offset - b.number.offset);
}

const isNamed = ({ binding, noun }: PlacedNumber): boolean =>
  binding.subjects !== null || binding.parameters !== null || noun !== null;

function grounded(
  text: string,
  { start, end, unit }: TextNumber,
  { status, facts }: Explanation,
): GroundedNumber {
  const times = facts.flatMap(({ measuredAtMs }) => measuredAtMs ?? []);
  const callIds = new Set(facts.map(({ callId }) => callId));
  const [only] = facts.length === 1 ? facts : [];
  return {
    text: text.slice(start, end),
    offset: start,
    status,
    callId: callIds.size === 1 ? (facts[0]?.callId ?? null) : null,
    recordId: only?.recordId ?? null,
    unit: unit === null || unit.symbol === '' ? null : unit.symbol,
    measuredAt: times.length === 0 ? null : new Date(Math.min(...times)),
  };
}
