/** Facts that many questions of this set ask for. */
import { either, error, misleading, says, type Fact, type Forbidden } from '../scoring/expectation.ts';

/** No gate is disabled. */
export const NONE_DISABLED = says(
  /\bno(?:ne)?\b[^.]{0,60}(?:disabled|dead|switched off|offline|out of (?:service|use))|(?:disabled|dead|offline)\b[^.]{0,30}\b(?:none|no|0)\b|\b0 (?:of \d+ )?[^.]{0,40}(?:disabled|dead|offline)|(?:not|nothing) [^.]{0,40}(?:disabled|dead|offline)|all \d* ?[^.]{0,40}(?:enabled|usable|online|work)|いいえ|ありません|(?:無効|使えない)[^。]{0,20}(?:ない|なし|0個)|すべて[^。]{0,20}使え/iu,
  'that none is',
);

/** That a value can be true. */
export const POSSIBLE = says(
  /possible|plausible|believable|below|within|under (?:2|twice)|does not (?:exceed|violate|contradict)|not (?:exceed|violate|contradict)|consistent|allowed|\byes\b|≤|矛盾し(?:ない|ません)|矛盾は(?:ない|ありません)|以内|範囲内|下回|あり得|ありえ|可能|妥当/iu,
  'that it is possible',
);

/** That T2 is above what T1 allows. */
export const EXCEEDS = says(
  /implausib|not (?:plausible|believable|possible|physical)|unphysical|impossib|exceed|above|more than (?:twice|2)|doubt|violat|beyond|longer than|超え|あり得な|ありえな|不可能|疑|妥当でな|上回/iu,
  'that T2 exceeds 2·T1',
);

/** A value that nobody should take as it is, or one that stands far from its like. */
export const SUSPECT = says(
  /implausib|doubt|suspicious|outlier|stands? out|sticks? out|stands? apart|unusual|extreme|far (?:above|below|from|beyond)|exceed|beyond|not (?:plausible|physical|believable|typical|sane)|impossib|broken|defect|σ|sigma|robust|worst|highest|lowest|largest|median|外れ|疑|異常|妥当(?:で|とは|では)な|飛び抜け|突出|最も|最大|中央値|悪/iu,
  'a judgement',
);

/** Yes or no where the question has one answer. */
export const saysYes = misleading(/\byes\b|はい/iu, 'yes');
export const saysNo = misleading(/^\W*no\b|いいえ/imu, 'no');

/** A part of a pair, in any of the ways that people write it. */
const partOf = (id: string): string => {
  const [a = '', b] = id.split('-');
  const one = (end: string): string => String.raw`\bQ?0*${end}`;
  return b === undefined
    ? String.raw`\bQ0*${a}\b`
    : String.raw`(?:${one(a)}\s?[-–↔]\s?Q?0*${b}|${one(b)}\s?[-–↔]\s?Q?0*${a})\b`;
};

/** That `better` is the better one of two, or `worse` the worse. */
export const prefers = (better: string, worse: string): Fact => {
  const good = 'better|best|lower|smaller|lowest|prefer|rather|wins|良|低|小さ|優';
  const bad = 'worse|worst|higher|larger|高|大き|悪|劣';
  const gap = String.raw`(?:[^.\n]|\.\d){0,45}`;
  const near = (id: string, words: string): string =>
    `${partOf(id)}${gap}(?:${words})|(?:${words})${gap}${partOf(id)}`;
  return says(
    new RegExp(`${near(better, good)}|${near(worse, bad)}`, 'iu'),
    `that ${better} is the better one`,
  );
};

/** A fidelity, rounded to three digits or more; or the error that is left. */
export const fidelity = (of: string, value: number): Fact =>
  either(
    [error(of, 1 - value)],
    [
      says(
        new RegExp(String.raw`\b${(value * 100).toFixed(1).replace('.', String.raw`\.`)}\s?[%％]`, 'u'),
        `${(value * 100).toFixed(1)} %`,
      ),
    ],
  );

const literal = (form: string): string => form.replace('.', String.raw`\.`);
const line = (forms: readonly string[], excuse: string): RegExp =>
  new RegExp(
    String.raw`^(?!.*(?:${excuse}))[^\n]*(?<![\d.])(?:${forms.map(literal).join('|')})(?!\.?\d{4})`,
    'imu',
  );

/** Times in μs of another day or qubit, in a line that does not say so. */
export const strayTimes = (what: string, excuse: string, ...values: readonly number[]): Forbidden =>
  misleading(
    line(
      values.map((value) => value.toFixed(1)),
      excuse,
    ),
    what,
  );

/** Errors of another day, or of a gate that is disabled by now, in a line that does not say so. */
export const strayErrors = (what: string, excuse: string, ...values: readonly number[]): Forbidden =>
  misleading(
    line(
      values.flatMap((value) => [
        (100 * value).toFixed(2),
        (100 - 100 * value).toFixed(2),
        value.toFixed(4),
        (1 - value).toFixed(4),
      ]),
      excuse,
    ),
    what,
  );
