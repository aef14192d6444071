/** The parameters that questions ask about: how they are shown and how people call them. */

/** A parameter as a question names it. */
export type AskedParameter = {
  readonly name: string;
  /** Unit in which values are shown, and what a stored value is multiplied by for it. */
  readonly unit: string;
  readonly times: number;
  /** Null where neither way is better. */
  readonly better: 'higher' | 'lower' | null;
  readonly words: readonly string[];
  /** Words that nobody has tuned anything to. */
  readonly heldOutWords: readonly string[];
  /** As people type it in haste. */
  readonly shorthandWords: readonly string[];
  readonly japanese: string;
  readonly isOfCouplings?: boolean;
};

/** Parameters of qubits. */
export const QUBIT_PARAMETERS: readonly AskedParameter[] = [
  {
    name: 't1',
    unit: 'μs',
    times: 1,
    better: 'higher',
    words: ['T1', 't1', 'relaxation time'],
    heldOutWords: ['T1', 'T1 time', 'energy relaxation time'],
    shorthandWords: ['t1', 'T_1', 'relaxation'],
    japanese: 'T1',
  },
  {
    name: 't2_echo',
    unit: 'μs',
    times: 1,
    better: 'higher',
    words: ['T2', 'T2 echo', 'echo coherence time'],
    heldOutWords: ['T2', 'Hahn echo time', 'T2E'],
    shorthandWords: ['t2e', 'T2echo', 'echo T2'],
    japanese: 'T2',
  },
  {
    name: 'average_readout_fidelity',
    unit: '%',
    times: 100,
    better: 'higher',
    words: ['readout fidelity', 'average readout fidelity', 'assignment fidelity'],
    heldOutWords: ['readout fidelity', 'RO fidelity', 'measurement fidelity'],
    shorthandWords: ['ro fid', 'readout', 'F_ro'],
    japanese: '読み出し忠実度',
  },
  {
    name: 'x90_gate_fidelity',
    unit: '%',
    times: 100,
    better: 'higher',
    words: ['X90 gate fidelity', 'single-qubit gate fidelity', '1q gate fidelity'],
    heldOutWords: ['X90 fidelity', '1-qubit gate fidelity', 'SX gate fidelity'],
    shorthandWords: ['1q fid', 'x90 fid', '1q gate fid'],
    japanese: 'X90ゲート忠実度',
  },
  {
    name: 'qubit_frequency',
    unit: 'GHz',
    times: 1,
    better: null,
    words: ['frequency', 'qubit frequency'],
    heldOutWords: ['qubit frequency', 'drive frequency', 'freq'],
    shorthandWords: ['f01', 'freq', 'qb freq'],
    japanese: '周波数',
  },
  {
    name: 'anharmonicity',
    unit: 'MHz',
    times: 1000,
    better: 'lower',
    words: ['anharmonicity'],
    heldOutWords: ['anharmonicity', 'qubit anharmonicity'],
    shorthandWords: ['anharm', 'alpha'],
    japanese: '非調和性',
  },
];

/** Parameters of couplings. */
export const COUPLING_PARAMETERS: readonly AskedParameter[] = [
  {
    name: 'zx90_gate_fidelity',
    unit: '%',
    times: 100,
    better: 'higher',
    words: ['ZX90 fidelity', 'two-qubit gate fidelity', 'zx90 gate fidelity'],
    heldOutWords: ['ZX90 gate fidelity', '2-qubit gate fidelity', '2Q fidelity'],
    shorthandWords: ['2q fid', 'zx90', 'CR fid'],
    japanese: 'ZX90忠実度',
    isOfCouplings: true,
  },
  {
    name: 'bell_state_fidelity',
    unit: '%',
    times: 100,
    better: 'higher',
    words: ['Bell state fidelity', 'bell fidelity'],
    heldOutWords: ['Bell-state fidelity', 'Bell pair fidelity'],
    shorthandWords: ['bell fid', 'bell F'],
    japanese: 'ベル状態忠実度',
    isOfCouplings: true,
  },
];

/** Both. */
export const ASKED_PARAMETERS: readonly AskedParameter[] = [...QUBIT_PARAMETERS, ...COUPLING_PARAMETERS];

/** A stored value as it is shown. */
export const shownValue = (parameter: string, stored: number): number =>
  stored * (ASKED_PARAMETERS.find(({ name }) => name === parameter)?.times ?? 1);
