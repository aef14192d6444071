/** The phrases around the preflight calls of a dispute, in the languages that QPilot writes. */
import type { Verdict } from '../../domain/live/verification.ts';
import { countOf, formatMeasured, formatTime, joinWords } from '../../domain/text/display-text.ts';
import type { WrittenLanguage } from '../../domain/text/language.ts';

/** Each verdict of one value, and of several. */
type VerdictWords = Readonly<Record<Verdict, readonly [ofOne: string, ofMany: string]>>;

/** What happened to a value's result since the answer, so that it is not what is compared. */
export type Since = 'REPLACED' | 'EXCLUDED';

export type DisputeTexts = {
  readonly nothingToCompare: string;
  readonly comparing: string;
  readonly cut: (compared: number, of: number) => string;
  readonly origins: string;
  readonly moreRecords: (values: number) => string;
  readonly moreLabels: (labels: number) => string;
  readonly join: (words: readonly string[]) => string;
  readonly task: (name: string | null) => string;
  readonly result: (id: string) => string;
  readonly execution: (id: string | null) => string;
  readonly live: string;
  readonly measured: (oldestAt: Date | null, newestAt: Date | null) => string;
  readonly record: (title: string, labels: string, facts: readonly string[], since: Since | null) => string;
  readonly notLive: (reason: string) => string;
  readonly failed: (reason: string) => string;
  readonly verdicts: VerdictWords;
  readonly counted: (count: number, verdict: string) => string;
  readonly outcome: (compared: number, parts: readonly string[]) => string;
  readonly measureAgain: (tasks: readonly string[], labels: string) => string;
  readonly until: string;
  /** Between sentences. */
  readonly space: string;
};

const SINCE_EN: Readonly<Record<Since, string>> = {
  REPLACED: '. A newer value is stored since, and that one is compared',
  EXCLUDED: '. That result is excluded by now, and it is not compared',
};

const SINCE_JA: Readonly<Record<Since, string>> = {
  REPLACED: '。その後、新しい値が保存されたため、新しい値を比較します',
  EXCLUDED: '。この結果は除外されているため、比較には使いません',
};

const en: DisputeTexts = {
  nothingToCompare:
    'Thank you for pointing this out. That answer holds no measured values that could be compared.',
  comparing:
    'Thank you for pointing this out. The values of that answer are compared with what the control system says now.',
  cut: (compared, of) =>
    `${compared} of ${countOf(of, 'value')} are compared; name qubits or parameters to compare others.`,
  origins: 'Where they came from:',
  moreRecords: (values) => `and ${countOf(values, 'more value')} of other records`,
  moreLabels: (labels) => `${labels} more`,
  join: joinWords,
  task: (name) => (name === null ? 'task unknown' : `task ${name}`),
  result: (id) => `result ${id}`,
  execution: (id) => (id === null ? 'execution unknown' : `execution ${id}`),
  live: 'a live value of the control system',
  measured: formatMeasured,
  record: (title, labels, facts, since) =>
    `${title} of ${labels}: ${facts.join(', ')}${since === null ? '' : SINCE_EN[since]}.`,
  notLive: (reason) => `The live source was not used: ${reason}. The stored values remain unconfirmed.`,
  failed: (reason) => `Not everything could be compared: ${reason}.`,
  verdicts: {
    MATCH: [
      'agrees with the live one within three standard deviations',
      'agree with the live ones within three standard deviations',
    ],
    DRIFT: [
      'differs from the live one by more than three standard deviations',
      'differ from the live ones by more than three standard deviations',
    ],
    STORED_STALE: [
      'differs from the live one and is older than it may be',
      'differ from the live ones and are older than they may be',
    ],
    LIVE_STALE: ['is newer than what the control system has', 'are newer than what the control system has'],
    LIVE_UNAVAILABLE: ['has no live value beside it', 'have no live values beside them'],
    NOT_COMPARABLE: ['cannot be compared', 'cannot be compared'],
  },
  counted: (count, verdict) => `${count} ${verdict}`,
  outcome: (compared, parts) =>
    compared === 1
      ? `The stored value ${parts.join('')}.`
      : `Of ${compared} stored values ${joinWords(parts)}.`,
  measureAgain: (tasks, labels) =>
    `${tasks.length === 0 ? 'Measure' : `Run ${joinWords(tasks)}`} again on ${labels} to settle it.`,
  until: 'Until then both values remain, each with its own time.',
  space: ' ',
};

const same = (words: string): readonly [string, string] => [words, words];
const list = (words: readonly string[]): string => words.join('、');

const ja: DisputeTexts = {
  nothingToCompare: 'ご指摘ありがとうございます。その回答には、比較できる測定値が含まれていません。',
  comparing: 'ご指摘ありがとうございます。その回答の値を、制御システムの現在の値と比較します。',
  cut: (compared, of) =>
    `${of}個の値のうち${compared}個を比較します。ほかの値を比較するには、量子ビットまたはパラメータを指定してください。`,
  origins: '値の出典:',
  moreRecords: (values) => `ほかの記録の値 ${values}個`,
  moreLabels: (labels) => `ほか${labels}個`,
  join: list,
  task: (name) => `タスク ${name ?? '不明'}`,
  result: (id) => `結果 ${id}`,
  execution: (id) => `実行 ${id ?? '不明'}`,
  live: '制御システムのライブ値',
  measured: (oldestAt, newestAt) => {
    if (oldestAt === null || newestAt === null) return '測定時刻不明';
    const [from, to] = [formatTime(oldestAt), formatTime(newestAt)];
    return from === to ? `測定 ${to}` : `測定 ${from.slice(0, -4)} から ${to}`;
  },
  record: (title, labels, facts, since) =>
    `${labels}の${title}: ${list(facts)}${since === null ? '' : SINCE_JA[since]}。`,
  notLive: (reason) =>
    `ライブソースは使えませんでした（理由: ${reason}）。保存されている値は未確認のままです。`,
  failed: (reason) => `比較できないものがありました（理由: ${reason}）。`,
  verdicts: {
    MATCH: same('ライブ値と標準偏差の3倍以内で一致しています'),
    DRIFT: same('ライブ値と標準偏差の3倍を超えて異なります'),
    STORED_STALE: same('ライブ値と異なり、期限より古い値です'),
    LIVE_STALE: same('制御システムの値より新しい値です'),
    LIVE_UNAVAILABLE: same('比較するライブ値がありません'),
    NOT_COMPARABLE: same('比較できません'),
  },
  counted: (count, verdict) => `${count}個は${verdict}`,
  outcome: (compared, parts) =>
    compared === 1
      ? `保存されている値は${parts.join('')}。`
      : `保存されている値${compared}個のうち、${list(parts)}。`,
  measureAgain: (tasks, labels) =>
    tasks.length === 0
      ? `確認するには、${labels}をもう一度測定してください。`
      : `確認するには、${labels}で${list(tasks)}をもう一度実行してください。`,
  until: 'それまでは、両方の値をそれぞれの測定時刻とともに残します。',
  space: '',
};

export const DISPUTE_TEXTS: Readonly<Record<WrittenLanguage, DisputeTexts>> = { en, ja };
