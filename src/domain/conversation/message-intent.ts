/**
 * What a user's message asks for besides its subject: doubt about numbers just given, or live values. English and
 * Japanese.
 */

import { readable } from '../questions/lexicon.ts';

const THING = String.raw`(?:numbers?|values?|figures?|results?|data|answers?|measurements?|readings?)`;
const THAT = String.raw`(?:this|that|these|those|it|they)`;
const LOOKS = String.raw`(?:looks?|seems?|sounds?|feels?|appears?|(?:is|are)(?: (?:definitely|clearly|surely|certainly|obviously))?|must be|(?:'s|'re))`;
const BAD = String.raw`(?:(?:all|very|quite|so|a bit|a little|way|totally|completely|just|too|to be) )*(?:wrong|off|incorrect|inaccurate|implausible|suspicious|fishy|strange|odd|impossible|mistaken|nonsense|outdated)`;
const RIGHT = String.raw`(?:right|correct|true|accurate|possible|plausible|real|serious)`;
const NOT = String.raw`(?:can ?not|can't|cannot|could ?n[o']t|doesn't|does not|do not|don't|isn't|is not|are not|aren't|'s not|'re not)`;

/** Said of what was given before. */
const DOUBTS: readonly RegExp[] = [
  new RegExp(String.raw`\b(?:${THAT}|${THING})(?: of [^.?!,;]{1,40})? ?${LOOKS} ${BAD}\b`, 'iu'),
  new RegExp(
    String.raw`\b(?:${THAT}|${THING}|[tT][12]\S*)(?: of [^.?!,;]{1,40})? ?${NOT} (?:(?:be|look|seem|sound|quite|really|at all) )*${RIGHT}\b`,
    'iu',
  ),
  new RegExp(String.raw`\b(?:looks?|seems?) ${BAD}\b`, 'iu'),
  /\bare you (?:really |quite |absolutely )?(?:sure|certain)\b/iu,
  new RegExp(
    String.raw`\b(?:is|are) (?:${THAT}|(?:these|those|the|your) ${THING}) (?:really )?${RIGHT}\b`,
    'iu',
  ),
  new RegExp(
    String.raw`\bi (?:do not|don't|can't|cannot|can not) (?:really )?(?:believe|trust) (?:${THAT}|the|your|any of)\b`,
    'iu',
  ),
  new RegExp(String.raw`\bi (?:really )?doubt (?:${THAT}|the|your)\b`, 'iu'),
  new RegExp(
    String.raw`\b(?:double[\s-]?check|re-?check|verify|check again) (?:${THAT}|(?:these|those|the|your) (?:\w+ )?${THING})\b`,
    'iu',
  ),
  /(?:数値|数字|値|データ|結果|回答|答え|測定|それ|これ|T[12]\S{0,8}?)(?:は|が|も|って)[^。?!]{0,10}?(?:おかし|間違|まちが|違(?:う(?:[とよ気の。!]|ん|$)|って|います|うと)|変(?:だ|です|じゃ|な気|[。!]|$)|怪し|あやし|正しくな|誤)/u,
  /(?:あり得な|ありえな|有り得な|信じられな|そんなはず|本当(?:です|なの|に(?:合って|あって|正し|その)))/u,
  /(?:(?:数値|数字|値|データ|結果|それ|これ)を?(?:もう一度|再度)?(?:確認し直|再確認|検証|確かめ))/u,
];

/** A question about what is wrong; it does not dispute an answer. */
const QUESTION =
  /^(?:(?:and|but|so|ok(?:ay)?|please|can you|could you|tell me|show me)[\s,]+)*(?:which|what|where|who|why|how|when|if|whether|does|do|did|is there|are there|any|find|show|list)\b|どの|どれ|どこ|(?:何|なに)(?:が|か)|ある[?か]|あります/iu;

/** Whether the user's own words, English or Japanese, doubt numbers that were given before. */
export function doubtsNumbers(message: string): boolean {
  return readable(message)
    .text.replaceAll('’', "'")
    .split(/(?<=[.?!。])\s*|\n+/u)
    .map((sentence) => sentence.trim())
    .some((sentence) => !QUESTION.test(sentence) && DOUBTS.some((pattern) => pattern.test(sentence)));
}

/** Words that ask for values of this moment; `now` counts only where it means the time and not "next". */
const LIVE: readonly RegExp[] = [
  /\blive\b(?!\s+(?:in|at|on|with|without|together)\b)/iu,
  /\breal[\s-]?time\b/iu,
  /\bnow\b(?!\s+that\b)|\bat (?:this|the) (?:very )?moment\b/iu,
  /ライブ(?!ラリ)|リアルタイム|現在|現時点|たった今|今すぐ|いまの|今(?=[、。のはもどいで]|$)/u,
];

/** Openings in which `now` means "next", and times that are over or to come. */
const OTHER_NOWS =
  /(?:^|[.!?;:,]\s*)(?:(?:and|but|so|ok(?:ay)?|then|well|please|from|until|till|by|up to)\s+)*now\b(?=,?\s+\p{L})|\b(?:from|until|till|by|up to|before) now\b/giu;

/** A user who does not want live values. */
const REFUSING =
  /\b(?:not|no|non|without|don't (?:want|need|ask|use|show)|do not (?:want|need|ask|use|show))[\s-]+(?:the |any )?(?:live|real[\s-]?time)\b|(?:ライブ|リアルタイム)(?:では|じゃ)な/iu;

/** Whether the user's own words, English or Japanese, ask for live values: live, now, real-time. */
export function asksForLive(question: string): boolean {
  const text = question.normalize('NFKC');
  if (REFUSING.test(text)) return false;
  const rest = text.replaceAll(OTHER_NOWS, ' ');
  return LIVE.some((pattern) => pattern.test(rest));
}
