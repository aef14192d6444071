/**
 * How people call calibration parameters, in English and Japanese. Patterns are tried in order: the special before
 * the general.
 */

/** Parameter names by how people call them. */
export const METRIC_WORDS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['t2_star', /t2\s*\*|\bt2[\s_-]*star\b|\bramsey\b/giu],
  [
    't1',
    /(?<![a-z0-9])t1(?![a-z0-9_])|\b(?:energy )?relaxation(?: times?)?\b|\brelax(?:es|ed|ing)?\b|\blifetimes?\b|緩和時間?/giu,
  ],
  [
    't2_echo',
    /(?<![a-z0-9])t2(?:[\s_-]*echo|e)?(?![a-z0-9_*])|\bhahn(?:[\s-]echo)?\b|\becho(?: times?)?\b|\bcoherence(?: times?)?\b|\bdephasing(?: times?)?\b|コヒーレンス(?:時間)?/giu,
  ],
  ['readout_frequency', /\bread-?out frequenc(?:y|ies)\b|読み出し周波数/giu],
  [
    'average_readout_fidelity',
    /\b(?:average )?(?:read-?out|assignment)(?: (?:fidelit(?:y|ies)|errors?))?\b|\b(?:ro|measurement) (?:fidelit(?:y|ies)|errors?)\b|読み?出し(?:忠実度|フィデリティ|エラー)?/giu,
  ],
  ['bell_state_fidelity', /\bbell(?:[\s-](?:states?|pairs?))?(?: fidelit(?:y|ies))?\b|ベル状態/giu],
  ['zx90_gate_time', /\bzx90 gate times?\b/giu],
  [
    'zx90_gate_fidelity',
    /\b(?:zx90|two[\s-]qubit|2q|2-qubit|cnot|cx|ecr|cross[\s-]resonance|coupling)(?: gates?)?(?: (?:fidelit(?:y|ies)|errors?))\b|\b(?:zx90|ecr|cnot)\b|2量子ビットゲート/giu,
  ],
  ['x180_gate_fidelity', /\bx180(?: gates?)?(?: (?:fidelit(?:y|ies)|errors?))?/giu],
  [
    'x90_gate_fidelity',
    /\b(?:x90|sx|single[\s-]qubit|one[\s-]qubit|1-qubit|1q)(?: gates?)?(?: (?:fidelit(?:y|ies)|errors?))?\b|\bgate (?:fidelit(?:y|ies)|errors?)\b|ゲート(?:忠実度|フィデリティ|エラー)/giu,
  ],
  ['anharmonicity', /\banharmonicit(?:y|ies)\b|非調和性?/giu],
  ['maximum_rabi_frequency', /\bmax(?:imum)? rabi frequenc(?:y|ies)\b/giu],
  ['rabi_frequency', /\brabi(?: frequenc(?:y|ies))?\b|ラビ周波数/giu],
  ['qubit_frequency', /\b(?:(?:qubit|drive) )?(?:frequenc(?:y|ies)|freqs?)\b|\bf01\b|周波数/giu],
];
