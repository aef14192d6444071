/** Words of a sentence that allow a source or a step of arithmetic, in English and Japanese. */

const CUES = {
  /** The number may be a limit. */
  threshold:
    /\b(?:thresholds?|limits?|targets?|goals?|criteri\w+|above|below|over|under|at least|at most|more than|less than|exceed\w*|excellent|good|bad|fair|rated|rating|requirement|spec\w*|class\w*|boundary|cut-?off|minimum|maximum)\b|[<>≤≥]|以上|以下|未満|超|閾値|基準|目標|しきい値/iu,
  /** The number may be an uncertainty without `±`. */
  error: /\b(?:errors?|uncertaint\w+|error bars?|standard error|plus or minus|std)\b|誤差|不確か/iu,
  /** What is missing to one: an infidelity, an error rate. */
  complement:
    /\berrors?\b|\binfidelit\w+|\bloss\w*\b|\bwrong(?:ly)?\b|\bincorrect(?:ly)?\b|\bmis[a-z]*(?:assign|classif|read)\w*|エラー|誤り|誤って/iu,
  difference:
    /\b(?:differ\w*|gaps?|spread|range|span\w*|higher|lower|more|less|longer|shorter|larger|smaller|greater|above|below|over|under|drop\w*|f[ea]ll\w*|lost|los(?:es|ing)|declin\w*|ris\w+|rose|gain\w*|increas\w*|decreas\w*|chang\w*|better|worse|margin|delta|drift\w*|shift\w*|exceed\w*|apart|improv\w*|degrad\w*|minus|offset|detun\w*|grew|shr[aiu]nk|wider|narrower|remov\w*|away|short of|off|between|beats?|ahead|behind|lead\w*|trail\w*)\b|Δ|差|高[いくか]|低[いくか]|長[いくか]|短[いくか]|大き|小さ|上回|下回|減|増|変化|離れ|下が|上が|改善|悪化|劣化|ずれ/iu,
  ratio: /\b(?:times|factor|ratio|fold|twice|double|half|per|of)\b|×|倍|比|\/|割/iu,
  change:
    /\b(?:since|over time|trend|history|series|last|first|from|fell|f[ea]ll\w*|drop\w*|rose|ris\w+|declin\w*|drift\w*|degrad\w*|improv\w*|chang\w*|increas\w*|decreas\w*|range|spread|newest|oldest|earlier|previous\w*|before)\b|推移|変化|以前|前回|から|減|増|低下|上昇|劣化|改善/iu,
  share: /\b(?:of|percent|share|fraction|portion|yield|only|about|\/)\b|%|割合|のうち|中/iu,
  rest: /\b(?:without|missing|remaining|remainder|others?|rest|no|not|unmeasured|excluded|lack\w*)\b|残り|なし|ない|欠/iu,
  sum: /\b(?:sum|total|altogether|together|combined)\b|合計|計/iu,
} as const;

export type Cue = keyof typeof CUES;

const PATTERNS = Object.entries(CUES) as readonly (readonly [Cue, RegExp])[];

/** What a sentence has words for. */
export const cuesIn = (sentence: string): ReadonlySet<Cue> =>
  new Set(PATTERNS.flatMap(([cue, pattern]) => (pattern.test(sentence) ? cue : [])));
