/** Facts that many questions of this set ask for. */
import { percentileOf } from '../data/arithmetic.ts';
import { either, error, misleading, says, type Fact } from '../scoring/expectation.ts';

/** A judgement in words, English or Japanese. */
export const YES = says(/\b(?:yes|correct|indeed|it (?:is|does))\b|はい/iu, 'yes');
export const NO = says(
  /\b(?:no|not|none|neither|nothing|never|isn't|doesn't|0 (?:of|qubits|couplings|values))\b|いいえ|ありません|ない/iu,
  'no',
);
export const BELOW = says(/below|worse|lower|shorter|under|less than|低|下回|短|悪/iu, 'that it is worse');
export const DISABLED = says(
  /disabled|switched off|not (?:be )?us(?:e|able)|cannot be used|out of service|dead|broken|無効|使え/iu,
  'that it is disabled',
);
export const DOUBT = says(
  /implausib|doubt|suspicious|outlier|stands? out|stands? apart|unusual|extreme|far (?:above|below|from|beyond)|exceed|beyond|not (?:plausible|physical|believable|typical)|impossib|broken|σ|sigma|robust|worst|外れ|疑|異常|妥当でない/iu,
  'a judgement',
);
/** A value that was not asked for in comparison with another is not denied by this. */
export const WINDOWS = misleading(/both windows|両方の期間/iu, 'a comparison of periods');
export const UNCHANGED = says(
  /nothing (?:\w+ )?(?:changed|differs|is different|new)|no (?:\w+ )?(?:change|difference)|unchanged|not? (?:\w+ )?(?:changed|differ)|\b0 (?:of|values?|parts?)[^.]*(?:differ|changed)|the same|変化(?:は|が)?(?:な|あり)/iu,
  'that nothing changed',
);
export const NO_TREND = says(
  /no (?:\w+ ){0,3}(?:trend|change|drift)|not (?:\w+ ){0,3}(?:significant|trend|ris|fall|improv|degrad|better|worse|get)|up and down|flat|stable|insignificant|within (?:the )?(?:scatter|noise)|傾向(?:は|が)?(?:な|あり|見)|有意(?:で|な)|横ばい|上下|劣化していません/iu,
  'that there is no trend',
);
export const OLD = says(
  /\bold\b|stale|out of date|outdated|\bdays\b|202[45]|古い|日前/iu,
  'how old the data are',
);

/** A readout fidelity of the platform: as the file has it, or as an assignment fidelity. */
export const readout = (of: string, value: number): Fact =>
  either([error(of, value)], [error(of, (1 + value) / 2)]);

/** A percentile by the definitions that people use: interpolated, and the nearest value above. */
export function percentiles(values: readonly number[], percent: number): readonly number[] {
  const sorted = values.toSorted((a, b) => a - b);
  const nearest = sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? Number.NaN;
  // The exclusive definition: (n + 1) p.
  const place = ((sorted.length + 1) * percent) / 100 - 1;
  const [low = 0, high = low] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return [percentileOf(values, percent), nearest, low + (high - low) * (place - Math.floor(place))];
}

/** Standard deviations of a sample and of a whole. */
export function deviations(values: readonly number[]): readonly number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return [Math.sqrt(squares / (values.length - 1)), Math.sqrt(squares / values.length)];
}

/** A figure without a unit. */
export const plain = (of: string | null, value: number): Fact => ({
  type: 'figure',
  of,
  value,
  unit: 'fraction',
  isExact: false,
});

/** A duration in ns. */
export const ns = (of: string | null, value: number): Fact => ({
  type: 'figure',
  of,
  value,
  unit: 'ns',
  isExact: false,
});
