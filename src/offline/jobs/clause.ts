/** Reads one clause of a job's texts: what it names, and whether to look at that, add it or leave it out. */
import { readSlots } from '../../domain/questions/slots.ts';
import { NUMBER_PATTERN, readNumber } from '../../domain/questions/vocabulary.ts';
import { chipIn } from '../shared/chip-name.ts';
import type { StepKey } from './messages.ts';

/** What a clause requests; empty lists and nulls where it does not say. */
export type Clause = {
  readonly mode: 'set' | 'add' | 'without';
  /** Nothing but what it names. */
  readonly isFocus: boolean;
  readonly metrics: readonly string[];
  /** Qubits, and couplings as `0-1`. */
  readonly qids: readonly string[];
  readonly steps: readonly StepKey[];
  readonly count: number | null;
  readonly end: 'best' | 'worst' | null;
  readonly windowHours: number | null;
  readonly chipId: string | null;
  readonly wantsReview: boolean;
  /** Unknown words. */
  readonly unknown: readonly string[];
};

const WITHOUT =
  /\b(?:without|except(?: for)?|excluding|but not|leav(?:e|ing) out)\b|^(?:please )?(?:drop|remove|ignore|skip|omit|exclude)\b|除い|除く|なしで|は?不要|省い|省く|抜きで|以外/iu;
const ADD =
  /^(?:please )?(?:add|also|include|including|plus)\b|\b(?:as well|too)$|追加|加え|も(?:入れ|含め|載せ|見|調べ)/iu;
const FOCUS =
  /\b(?:only|just|solely|nothing but|exclusively)\b|\b(?:focus(?:sing|ing)?|concentrate) on\b|\b(?:restrict(?:ed)?|limit(?:ed)?) to\b|だけ|のみ|に(?:絞|しぼ|限定|注目|集中)/iu;
const REVIEW =
  /\b(?:let me|i(?:'d| would)? (?:like|want) to) (?:review|check|see|look at)\b|\b(?:for|before) (?:my |a )?review\b|\bask (?:me )?(?:first|before)\b|レビュー(?:したい|してから|待ち|を依頼)|確認(?:したい|してから|を待)/iu;

/** Names of steps; all that match count. */
const STEP_WORDS: readonly (readonly [key: StepKey, pattern: RegExp])[] = [
  ['state', /\b(?:states?|status|health|overview)\b|状態|健全|概要|全体像/iu],
  [
    'extremes',
    /\brank(?:ing|ed)?s?\b|\b(?:best|worst|top|bottom)\b.{0,12}\bqubits?\b|ランキング|順位|(?:悪い|良い|ワースト|ベスト).{0,8}量子ビット/iu,
  ],
  ['couplings', /\bcouplings?\b|\btwo-qubit\b|\b2q\b|カップリング|結合|2量子ビット/iu],
  ['outliers', /\boutliers?\b|\banomal|外れ値|異常値/iu],
  [
    'incidents',
    /\bfailed runs?\b|\bfailures?\b|\bincidents?\b|\bnotes of people\b|失敗(?:した)?(?:実行|測定)?|メモ/iu,
  ],
  ['analysis', /\bcorrelat|\bhistograms?\b|\bdistributions?\b|\bscripts?\b|相関|分布|スクリプト/iu],
  ['recommendations', /\brecommend|推奨|提言/iu],
  ['order', /\bplan of\b|\border of\b|\bschedule\b|測定(?:の)?(?:計画|順)/iu],
];

/** `worst five couplings`: so many of one kind are all that is asked for. */
const COUNTED = new RegExp(
  `(?:best|worst|top|bottom|ワースト|ベスト|上位|下位|悪い|良い)\\s*(${NUMBER_PATTERN})|(${NUMBER_PATTERN})\\s*(?:best|worst)|(?:悪い|良い).{0,10}?(${NUMBER_PATTERN})\\s*[つ個本]`,
  'iu',
);

/** Reads one clause, spelt out. */
export function readClause(clause: string): Clause {
  const { metrics, qids, excluded, unknown } = readSlots(clause);
  const counted = COUNTED.exec(clause);
  const count = readNumber(counted?.[1] ?? counted?.[2] ?? counted?.[3] ?? '');
  return {
    mode: WITHOUT.test(clause) ? 'without' : ADD.test(clause) ? 'add' : 'set',
    isFocus: FOCUS.test(clause) || (count !== null && !ADD.test(clause)),
    metrics,
    // A clause that leaves parts out names only those.
    qids: [...qids, ...excluded],
    steps: STEP_WORDS.flatMap(([key, pattern]) => (pattern.test(clause) ? [key] : [])),
    count,
    end: count === null ? null : /best|top|ベスト|上位|良い/iu.test(clause) ? 'best' : 'worst',
    windowHours: windowIn(clause),
    chipId: chipIn(clause),
    wantsReview: REVIEW.test(clause),
    unknown,
  };
}

const UNIT_HOURS: readonly (readonly [unit: RegExp, hours: number])[] = [
  [/^(?:hour|時間)/iu, 1],
  [/^(?:day|日)/iu, 24],
  [/^(?:week|週)/iu, 168],
  [/^(?:month|[かヶカ]?月)/iu, 720],
];
const WINDOW = new RegExp(
  `(?:\\b(?:last|past|previous|recent|this)|直近|過去|最近|ここ)(?:の)?\\s*(${NUMBER_PATTERN})?\\s*(hours?|days?|weeks?|months?|時間|日|週|[かヶカ]月)`,
  'iu',
);

/** `the last 14 days`, `先週`: the length of a window. */
function windowIn(clause: string): number | null {
  if (/先週|今週/u.test(clause)) return 168;
  if (/先月|今月/u.test(clause)) return 720;
  if (/\b(?:today|yesterday)\b|昨日|今日/iu.test(clause)) return 24;
  const [, number = '', unit = ''] = WINDOW.exec(clause) ?? [];
  const hours = UNIT_HOURS.find(([pattern]) => pattern.test(unit))?.[1];
  return hours === undefined ? null : hours * Math.max(1, readNumber(number) ?? 1);
}
