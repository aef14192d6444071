import { utf8Bytes } from '../text/utf8.ts';
import { ARTIFACT_LIMITS, refused, withLineFeeds, type Edited } from './artifacts.ts';

/** A text that may not be there yet. */
type Text = string | null;

/** Replaces the whole text. An empty one is allowed, with a note. */
export function replaceText(before: Text, content: string): Edited<Text> {
  const note = content.trim() === '' ? 'The instructions are empty now.' : null;
  return changed(before, withLineFeeds(content), 'APPLIED', note);
}

/** Replaces the first exact occurrence of `oldText`; neither text is a pattern. */
export function editText(before: Text, oldText: string, newText: string, strict: boolean): Edited<Text> {
  const searched = withLineFeeds(oldText);
  if (searched === '') {
    const hint =
      'old_text is empty; use insert_instructions to add text, or update_instructions to replace all';
    return refused(before, 'INVALID_ARGS', hint);
  }
  const text = before ?? '';
  const at = text.indexOf(searched);
  if (at < 0)
    return refused(
      before,
      'NO_MATCH',
      `old_text does not occur in the instructions${hintFor(text, searched)}`,
    );
  const count = countOf(text, searched);
  // Overlapping occurrences count as one, but are ambiguous as well.
  if (strict && text.includes(searched, at + 1)) {
    const times = count > 1 ? `${count} times` : 'more than once, overlapping,';
    const note = `old_text occurs ${times} in the instructions; send more of what is around the one you mean`;
    return refused(before, 'AMBIGUOUS', note);
  }
  const after = text.slice(0, at) + withLineFeeds(newText) + text.slice(at + searched.length);
  const note =
    count > 1
      ? `old_text occurs ${count} times; the first one, in line ${lineOf(text, at)}, was changed`
      : null;
  return changed(before, after, count > 1 ? 'APPLIED_FIRST' : 'APPLIED', note);
}

/** Inserts before a 1-based line, or appends in a line of its own where `line` is null or past the end. */
export function insertText(before: Text, content: string, line: number | null): Edited<Text> {
  if (line !== null && (!Number.isInteger(line) || line < 1)) {
    return refused(
      before,
      'INVALID_ARGS',
      `line is ${line}; it must be a whole number from 1 on, or null to append`,
    );
  }
  const inserted = withLineFeeds(content);
  if (inserted === '') return refused(before, 'INVALID_ARGS', 'content is empty; send the text to insert');
  if (before === null || before === '') return changed(before, inserted, ...clampedTo(1, line));
  const lines = before.split('\n');
  if (line === null || line > lines.length) {
    return changed(before, `${before}\n${inserted}`, ...clampedTo(lines.length + 1, line));
  }
  return changed(before, lines.toSpliced(line - 1, 0, inserted).join('\n'), 'APPLIED', null);
}

/** The description: one line, trimmed. */
export function replaceDescription(before: Text, content: string): Edited<Text> {
  const oneLine = content.replaceAll(/\s+/gu, ' ').trim();
  if (oneLine === '')
    return refused(before, 'INVALID_ARGS', 'content is empty; send one line that names the job');
  const { length } = oneLine;
  const most = ARTIFACT_LIMITS.descriptionCharacters;
  if (length > most) {
    const note = `the description would have ${length.toLocaleString('en')} characters; at most ${most.toLocaleString('en')} are allowed`;
    return refused(before, 'INVALID_ARGS', note);
  }
  if (oneLine === before) return refused(before, 'NO_CHANGE', 'The description is that already.');
  const note = /[\r\n]/u.test(content.trim()) ? 'Line breaks became spaces.' : null;
  return { outcome: 'APPLIED', value: oneLine, note };
}

function changed(
  before: Text,
  after: string,
  outcome: 'APPLIED' | 'APPLIED_FIRST' | 'APPLIED_CLAMPED',
  note: string | null,
): Edited<Text> {
  if (after === before) return refused(before, 'NO_CHANGE', 'The instructions say exactly that already.');
  const bytes = utf8Bytes(after);
  const most = ARTIFACT_LIMITS.instructionsBytes;
  if (bytes > most) {
    const note = `the instructions would have ${bytes.toLocaleString('en')} bytes; at most ${most.toLocaleString('en')} are allowed`;
    return refused(before, 'INVALID_ARGS', note);
  }
  return { outcome, value: after, note };
}

function clampedTo(actual: number, asked: number | null): ['APPLIED' | 'APPLIED_CLAMPED', string | null] {
  if (asked === null || asked <= actual) return ['APPLIED', null];
  return ['APPLIED_CLAMPED', `line ${asked} is beyond the end; the text is in line ${actual}`];
}

function countOf(text: string, searched: string): number {
  let count = 0;
  for (let at = text.indexOf(searched); at >= 0; at = text.indexOf(searched, at + searched.length))
    count += 1;
  return count;
}

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** Longest piece of a line that a hint repeats. */
const HINT_LENGTH = 160;

/** The line that is most like the first line that was looked for, so that the model can correct itself. */
function hintFor(text: string, searched: string): string {
  if (text.normalize('NFC').includes(searched.normalize('NFC'))) {
    return ' in these code points: accents are composed there and not here, or the other way round; repeat the text as it was sent to you';
  }
  const wanted = pairsOf(searched.split('\n').find((line) => line.trim() !== '') ?? '');
  const scored = text
    .split('\n')
    .map((line, index) => ({ line, index, score: likeness(wanted, pairsOf(line)) }));
  const best = scored.reduce<(typeof scored)[number] | null>(
    (top, each) => (each.score > (top?.score ?? 0) ? each : top),
    null,
  );
  if (best === null || best.score < 0.4) return '; it must be repeated letter by letter';
  return `; the line most like it is ${best.index + 1}: ${best.line.trim().slice(0, HINT_LENGTH)}`;
}

function pairsOf(line: string): ReadonlySet<string> {
  const letters = line.toLowerCase().replaceAll(/\s+/gu, ' ').trim();
  return new Set(
    Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2)),
  );
}

/** Sørensen–Dice coefficient of two sets of letter pairs, 0 to 1. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const size = one.size + other.size;
  const shared = [...one].filter((pair) => other.has(pair)).length;
  return size === 0 ? 0 : (2 * shared) / size;
}
