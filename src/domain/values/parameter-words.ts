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
    /(?<![a-z0-9])t2(?:[\s_-]*(?:echo|エコー)|e)?(?![a-z0-9_*])|\bhahn(?:[\s-]echo)?\b|\becho(?: times?)?\b|\bcoherence(?: times?)?\b|\bdephasing(?: times?)?\b|コヒーレンス(?:時間)?/giu,
  ],
  ['readout_frequency', /\bread-?out frequenc(?:y|ies)\b|読み出し周波数/giu],
  [
    'average_readout_fidelity',
    /\b(?:average )?(?:read-?out|assignment)(?: (?:fidelit(?:y|ies)|errors?))?\b|\b(?:ro|measurement) (?:fidelit(?:y|ies)|errors?)\b|読み?出し(?:忠実度|フィデリティ|エラー)?/giu,
  ],
  ['readout_length', /\bread-?out (?:lengths?|times?|durations?)\b/giu],
  ['bell_state_fidelity', /\bbell(?:[\s-](?:states?|pairs?))?(?: fidelit(?:y|ies))?\b|ベル状態/giu],
  ['zx90_gate_time', /\bzx90 gate (?:times?|lengths?|durations?)\b/giu],
  ['zx90_gate_time', /\b(?:ecr|cnot|cx|two[\s-]qubit|2q)(?: gates?)? (?:times?|lengths?|durations?)\b/giu],
  ['x90_gate_time', /\b(?:sx|x90|single[\s-]qubit|1q)(?: gates?)? (?:times?|lengths?|durations?)\b/giu],
  ['cz_gate_time', /\bcz(?: gates?)? (?:times?|lengths?|durations?)\b/giu],
  [
    'cz_gate_fidelity',
    /(?<![\w-])cz(?: gates?)?(?: (?:fidelit(?:y|ies)|errors?|infidelit(?:y|ies)))?(?![\w-])/giu,
  ],
  ['rzz_gate_fidelity', /\brzz(?: gates?)?(?: (?:fidelit(?:y|ies)|errors?|infidelit(?:y|ies)))?\b/giu],
  [
    'zx90_gate_fidelity',
    /\b(?:zx90|two[\s-]qubit|2q|2-qubit|cnot|cx|ecr|cross[\s-]resonance|coupling)(?: gates?)?(?: (?:fidelit(?:y|ies)|errors?|infidelit(?:y|ies)))\b|\b(?:zx90|ecr|cnot|cx)(?: gates?)?\b|\b(?:two|2)-?[\s-]?qubit gates?\b|2量子ビットゲート/giu,
  ],
  ['static_zz_interaction', /\b(?:static )?zz(?:[\s-](?:interactions?|couplings?|crosstalk|rates?))?\b/giu],
  [
    'x180_gate_fidelity',
    /\bx180(?: gates?)?(?: (?:fidelit(?:y|ies)|errors?))?|\bx(?: gates?)? (?:fidelit(?:y|ies)|errors?|infidelit(?:y|ies))\b|\bx gates?\b/giu,
  ],
  [
    'x90_gate_fidelity',
    /\b(?:x90|sx|single[\s-]qubit|one[\s-]qubit|1-qubit|1q)(?: gates?)?(?: (?:fidelit(?:y|ies)|errors?|infidelit(?:y|ies)))?\b|\bgate (?:fidelit(?:y|ies)|errors?)\b|ゲート(?:忠実度|フィデリティ|エラー)/giu,
  ],
  ['anharmonicity', /\banharmonicit(?:y|ies)\b|非調和性?/giu],
  ['maximum_rabi_frequency', /\bmax(?:imum)? rabi frequenc(?:y|ies)\b/giu],
  ['rabi_frequency', /\brabi(?: frequenc(?:y|ies))?\b|ラビ周波数/giu],
  ['qubit_frequency', /\b(?:(?:qubit|drive) )?(?:frequenc(?:y|ies)|freqs?)\b|\bf01\b|周波数/giu],
];
