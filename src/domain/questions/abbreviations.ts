/** Writes out what people in a laboratory shorten, so that everything after it reads one spelling. */

/** Short forms that mean one thing in questions about calibration. */
const SHORT_FORMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    abt: 'about',
    alpha: 'anharmonicity',
    anharm: 'anharmonicity',
    avg: 'average',
    btw: 'between',
    btwn: 'between',
    calib: 'calibration',
    coh: 'coherence',
    comp: 'compare',
    corr: 'correlation',
    cr: 'cross resonance',
    dist: 'distribution',
    err: 'error',
    errs: 'errors',
    exec: 'execution',
    execs: 'executions',
    fid: 'fidelity',
    fids: 'fidelities',
    hist: 'histogram',
    max: 'maximum',
    meas: 'measured',
    med: 'median',
    min: 'minimum',
    nbr: 'neighbour',
    nbrs: 'neighbours',
    neighbs: 'neighbours',
    param: 'parameter',
    params: 'parameters',
    pls: 'please',
    plz: 'please',
    pctl: 'percentile',
    prev: 'previous',
    pt: 'point',
    pts: 'points',
    qb: 'qubit',
    qbs: 'qubits',
    recal: 'recalibrate',
    rel: 'relaxation',
    res: 'results',
    rn: 'right now',
    ro: 'readout',
    sigma: 'standard deviation',
    temp: 'temperature',
    tmrw: 'tomorrow',
    topo: 'topology',
    whats: 'what is',
    wk: 'week',
    wks: 'weeks',
    yday: 'yesterday',
  }),
);

/** Short forms that hang on what stands beside them. */
const IN_PLACE: readonly (readonly [form: RegExp, full: string])[] = [
  // T_1, T_2: a subscript, not the name of a parameter.
  [/(?<![\w])t_([12])(?!\w)/giu, 'T$1'],
  [/\bf_(?:ro|r)\b/giu, 'readout fidelity'],
  [/\bf_(?:q|01)\b/giu, 'qubit frequency'],
  [/\bbell f\b/giu, 'bell fidelity'],
  [/α/gu, 'anharmonicity'],
  [/\bw\/(?=\s|\w)/giu, 'with '],
  [/#\s*(?=[a-z]{3})/giu, 'number of '],
  [/%ile\b/giu, ' percentile'],
  [/\bv(?:s\.?|ersus)\s+time\b/giu, 'over time'],
  [/\b(last|past|previous|prev)\s+(\d+)\s*d\b/giu, '$1 $2 days'],
  [/\b(last|past|previous|prev)\s+(\d+)\s*w\b/giu, '$1 $2 weeks'],
  [/\bw\/w\b|\bwow\b/giu, 'week over week'],
  [/(?<=^|\s)n(?=\s)/giu, 'and'],
];

/** `text` with its short forms written out. */
export const writtenOut = (text: string): string =>
  IN_PLACE.reduce((each, [form, full]) => each.replaceAll(form, full), text).replaceAll(
    /(?<![\w-])[a-z]{2,}(?![a-z0-9_-])/giu,
    (word) => SHORT_FORMS.get(word.toLowerCase()) ?? word,
  );
