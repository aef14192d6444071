/** Words that ask for values of this moment; `now` counts only where it means the time and not "next". */
const ASKING: readonly RegExp[] = [
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
  return ASKING.some((pattern) => pattern.test(rest));
}
