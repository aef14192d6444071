/**
 * Lines of tools in Japanese. A tool's summary holds more than the data that a model is sent, so its lines are the
 * source: `japanese-lines.yaml` has a Japanese form of each, in which numbers, units, names and quotations stay as
 * they are. A line of an unknown form stays in English.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { fill } from './messages.ts';

const GROUPS: Readonly<Record<string, string>> = { '': '\\S+', '#': '\\d+', '*': '.+', '~': '.+?' };

const lines = z.array(
  z.strictObject({ en: z.string(), ja: z.string() }).transform(({ en, ja }) => ({ form: formOf(en), ja })),
);
const file = z.strictObject({
  terms: z.record(z.string(), z.string()),
  tools: lines,
  values: lines,
  results: lines,
  errors: lines,
  obstacles: lines,
  jobs: lines,
  script: lines,
});
const { terms, ...forms } = file.parse(
  parse(readFileSync(new URL('japanese-lines.yaml', import.meta.url), 'utf8')),
);

/** `{name}`, `{name#}`, `{name*}` and `{name~}` as named groups of a pattern for a whole line. */
function formOf(source: string): RegExp {
  const groups = source.replaceAll(
    /\{([a-z]\w*)([#*~]?)\}/gu,
    (_, name: string, kind: string) => `(?<${name}>${GROUPS[kind] ?? ''})`,
  );
  return new RegExp(`^${groups}$`, 'u');
}

const term = (words: string): string => terms[words] ?? words;

/** Lists, brackets and known words; not for text that somebody wrote. */
const details = (text: string): string =>
  text
    .replaceAll(/(?:,)? and (\d+) more/gu, 'ほか$1')
    .replaceAll(
      /(\d+(?:\.\d+)?) deviations (below|above) the median/gu,
      (_, count: string, side: string) => `中央値より偏差${count}個分${side === 'below' ? '低い' : '高い'}`,
    )
    .replaceAll(/(\d+) (failed|completed|running|scheduled)\b/gu, '$2 $1件')
    .replaceAll('within its error', '誤差の範囲内')
    .replaceAll('time unknown', '時刻不明')
    .replaceAll('no measurement: ', '測定値ではない: ')
    .replaceAll(/last good (\S+(?: \S+)?) at /gu, '直前の良好な値 $1、')
    .replaceAll(/(\d+) (rising|falling|unchanged)((?: \((?:better|worse)\))?)/gu, '$2$3 $1個')
    .replaceAll(/(\d+) no clear trend/gu, '明確な傾向なし $1個')
    .replaceAll('no clear trend', '明確な傾向なし')
    .replaceAll(/from (\S+(?: \S+)?) to (\S+(?: \S+)?) \((\S+) standard errors\)/gu, '$1から$2へ（$3σ）')
    .replaceAll(', largest change first: ', '、変化の大きい順: ')
    .replaceAll(/\b[a-z]+\b/gu, term)
    .replaceAll(/ and |, /gu, '、')
    .replaceAll('; ', '；')
    .replaceAll(/ ?\(/gu, '（')
    .replaceAll(')', '）');

const times = (text: string): string => text.replace(' to ', ' から ');

const COMPARED: Readonly<Record<string, string>> = {
  above: 'を超える',
  'of at least': '以上の',
  below: 'を下回る',
  'of at most': '以下の',
  'equal to': 'に等しい',
  'other than': '以外の',
};

/** `T1 below 50 μs and T2 Echo above 2 times T1`. */
const conditions = (text: string): string =>
  text
    .replaceAll(
      /(.+?) (above|of at least|below|of at most|equal to|other than) (.+?)(?= and | or |$)/gu,
      (_, name: string, is: string, limit: string) =>
        `${name}が${limit.replace(/^(\S+) times (.+)$/u, '$2の$1倍')}${COMPARED[is] ?? is}`,
    )
    .replaceAll(' and ', '、かつ')
    .replaceAll(' or ', '、または');

const FILTERS: Readonly<Record<string, (text: string) => string>> = {
  details,
  conditions,
  term,
  times,
  /** Singular or plural. */
  noun: (noun) => term(noun.replace(/s$/u, '')),
  /** `CZ Gate Fidelity on 22 of 300 couplings (Q001-Q002 and 3 more)`. */
  parts: (text) =>
    details(
      text
        .replaceAll(
          /(?:on )?(\d+) of (\d+) (qubit|coupling)s?/gu,
          (_, some: string, all: string, noun: string) => `${term(noun)}${all}個中${some}個`,
        )
        .replaceAll(
          /^(\d+) (qubit|coupling)s?$/gu,
          (_, all: string, noun: string) => `${term(noun)}${all}個`,
        ),
    ),
  /** `+1.05 532 values of qubits; −0.10 22 disabled gates`. */
  score: (text) =>
    details(
      text
        .replaceAll(/(\d+) values? of qubits/gu, '量子ビットの値$1件')
        .replaceAll(/(\d+) values? of two-qubit gates/gu, '2量子ビットゲートの値$1件')
        .replaceAll(/(\d+) disabled gates?/gu, '無効なゲート$1個')
        .replaceAll(/(\d+) missing values?/gu, '欠けた値$1件')
        .replaceAll(
          /(\d+) values? older than allowed, up to (\d+) (day|hour)s?/gu,
          (_, count: string, age: string, unit: string) =>
            `許容より古い値${count}件（最大${age}${unit === 'day' ? '日' : '時間'}）`,
        ),
    ),
  /** `27 on demo-64`, `demo-64`. */
  place: (where) => where.replace(/^(\S+) on (\S+)$/u, '$2の量子ビット$1'),
  over: (over) =>
    over
      .replace(/^(\d+) other valid runs?(?: of this cool-down)?$/u, '有効な他の$1回')
      .replace(/^chip as set now \((\d+) have it, (\d+) do not\)$/u, 'チップ全体の現在値、$1個'),
  chips: (words) =>
    details(words.replaceAll(/(\d+) qubits/gu, '$1量子ビット').replaceAll('cool-down', 'クールダウン')),
  /** Known expressions with or without a number: `notes, 500 issues and AI reviews`. */
  sources: (words) =>
    words
      .split(/, | and /u)
      .map((item) =>
        item.replace(
          /^(\d+ )?(.+)$/u,
          (_, count: string = '', name: string = '') => `${term(name)}${count && `${count.trim()}件`}`,
        ),
      )
      .join('、'),
  stored: (text) => text.replace('none stored', 'なし'),
  run: (text) => details(times(text.replace('this result', 'この結果'))),
  cause: (reason) => translated(reason, ['obstacles']) ?? reason,
};

/** The line in Japanese by the first form that fits; null where none does. */
function translated(line: string, lists: readonly (keyof typeof forms)[]): string | null {
  const words = line.replace(/\.$/u, '');
  for (const { form, ja } of lists.flatMap((list) => forms[list])) {
    const groups = form.exec(words)?.groups ?? (form.test(words) ? {} : null);
    if (groups === null) continue;
    const values = Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, text ?? '']));
    return fill(ja, values, { filters: FILTERS, join: String });
  }
  return null;
}

/** A line of a tool's summary. */
export const toolLineInJapanese = (line: string): string => translated(line, ['tools', 'values']) ?? line;

/** A line of a summary in a job, whose tools print some lines of their own. */
export const jobLineInJapanese = (line: string): string =>
  translated(line, ['jobs', 'tools', 'values']) ?? line;

/** A line about a task result; what the lab wrote about tasks stays as it is. */
export const resultLineInJapanese = (line: string): string =>
  translated(line, ['results', ...(/^\S+: .*\(\S+\) -?\d/u.test(line) ? (['values'] as const) : [])]) ?? line;

/** Why a call failed; a reason of an unknown form is quoted. */
export const reasonInJapanese = (reason: string): string =>
  translated(reason, ['errors']) ?? `理由: ${reason}`;

/** A line that the script of an analysis printed. */
export const scriptLineInJapanese = (line: string): string => translated(line, ['script']) ?? line;
