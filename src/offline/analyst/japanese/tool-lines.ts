/**
 * What tools say, in Japanese. A summary holds more than the data that a model is sent, so its lines are the source: each form of
 * them has a Japanese one here, in which numbers, units, names and quotations stay as they are. A line of another form
 * stays in the tool's own words.
 */

import { CHIP_LINES, QUBIT_LINES } from './chip-lines.ts';
import { FIGURE_LINES } from './figure-lines.ts';
import { OVER_TIME_LINES, RECORD_LINES } from './history-lines.ts';
import { LIVE_LINES } from './live-lines.ts';
import { RESULT_LINES } from './result-lines.ts';
import { details, phrase, said, type Phrase } from './phrase.ts';

/** `T1: 59.50 μs (± 1.9 μs, good, 2026-05-18 23:22 UTC).`, `T1: Q12 59.50 μs, Q13 78.14 μs.` */
const VALUES: Phrase = phrase('([^:]+): (.*\\d.*)', ([title, words = '']) => `${title}: ${details(words)}。`);

/** The special before the general. */
const PHRASES: readonly Phrase[] = [
  ...FIGURE_LINES,
  ...LIVE_LINES,
  ...CHIP_LINES,
  ...QUBIT_LINES,
  ...OVER_TIME_LINES,
  ...RECORD_LINES,
  VALUES,
];

/** A line of a tool's summary in Japanese. */
export const toolLineInJapanese = (line: string): string => said(line, PHRASES) ?? line;

/** A line about a task result; what the lab wrote about tasks stays in its own words. */
export const resultLineInJapanese = (line: string): string =>
  said(line, [...RESULT_LINES, ...(/^\S+: .*\(\S+\) -?\d/u.test(line) ? [VALUES] : [])]) ?? line;

const ERRORS: readonly Phrase[] = [
  phrase(
    'there is no qubit (\\S+) on chip (\\S+); its qubits: (.+)',
    ([qid, chip, known = '']) => `${chip}に量子ビット${qid}はありません。あるのは${details(known)}です。`,
  ),
  phrase(
    'there is no coupling (\\S+) on chip (\\S+); .*?: (.+)',
    ([qid, chip, known = '']) => `${chip}にカップリング${qid}はありません。あるのは${details(known)}です。`,
  ),
  phrase(
    'there is no chip (\\S+) in project (\\S+); chips here: (.+)',
    ([chip, project, known = '']) =>
      `プロジェクト${project}にチップ${chip}はありません。あるのは${details(known)}です。`,
  ),
  phrase(
    '(?:\\w+: )?there is no (?:metric|parameter) (.+?)(?: on chip (\\S+))?; [^:]+: (.+)',
    ([name, chip = '', known = '']) =>
      `${chip}${chip === '' ? '' : 'に'}パラメータ${name}はありません。あるのは${details(known)}です。`,
  ),
  phrase(
    'param_names: none of these qubits has (.+?); they have (.+)',
    ([name, known = '']) => `これらの量子ビットに${name}はありません。あるのは${details(known)}です。`,
  ),
];

/** Why a call failed, in Japanese; a reason of another form is quoted. */
export const reasonInJapanese = (reason: string): string => said(reason, ERRORS) ?? `理由: ${reason}`;
