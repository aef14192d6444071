/** One snapshot of 127 qubits: one dead ECR gate, two T2 above twice T1, two gates of another length. */
import { ask, pair, pairsOf, otherEnd, qubit, rising, type HeldOut } from '../held-out/held-out.ts';
import type { Snapshot } from '../held-out/device.ts';
import { DISABLED, ns } from '../held-out-3/facts.ts';
import {
  count,
  either,
  error,
  expects,
  ghz,
  inOrder,
  inUnit,
  naming,
  only,
  us,
  without,
} from '../scoring/expectation.ts';
import { EXCEEDS, saysYes, SUSPECT } from './facts.ts';

const sx = (now: Snapshot) => now.qubits.map(({ id }) => ({ id, error: now.record(id, 'gate_error', 'sx') }));

export const BRISBANE: readonly HeldOut[] = [
  ask('two-qubit gates', 'Smallest ECR error on the chip - where and how much?', ({ now }) => {
    const best = rising(now.working, (row) => row.error).slice(0, 1);
    return naming(
      expects(inOrder(best), ...best.map((row) => error(row.id, row.error))),
      ...best.flatMap(({ id }) => id.split('-')),
    );
  }),
  ask('two-qubit gates', 'two-qubit errors along the path 12-17-30', ({ now }) =>
    naming(expects(...['12-17', '17-30'].map((id) => error(id, pair(now, id).error))), '12', '17', '30'),
  ),
  ask('two-qubit gates', 'how long does the ecr 93-87 take', ({ now }) =>
    naming(expects(ns('87-93', now.record('93-87', 'gate_length', 'ecr'))), '87', '93'),
  ),
  ask('thresholds', 'Readout errors of 13 % or worse: who?', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.readout >= 0.13))),
  ),
  ask('thresholds', 'ECRエラーが4%以上のペアを教えてください（無効なものは除く）', ({ now }) =>
    naming(expects(only(now.working.filter((row) => row.error >= 0.04))), '24-25'),
  ),
  ask('thresholds', 'sx worse than 0.1 % - list the offenders', ({ now }) =>
    expects(only(sx(now).filter((row) => row.error > 0.001))),
  ),
  ask('several conditions', 'qubits sitting below 4.75 GHz that also keep T1 over 230 us', ({ now }) =>
    expects(only(now.qubits.filter((row) => (row.frequency ?? 0) < 4.75 && row.t1 > 230))),
  ),
  ask('several conditions', 'RO error under 1.2 %, T2 above 220 us: which qualify', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.readout < 0.012 && row.t2 > 220))),
  ),
  ask('several conditions', 'ECRs touching Q20 or Q87 with more than 3 % error', ({ now }) =>
    naming(
      expects(
        only(
          now.working.filter(
            (row) => row.error > 0.03 && row.id.split('-').some((end) => ['20', '87'].includes(end)),
          ),
        ),
      ),
      '20',
      '87',
      ...[20, 87].flatMap((id) => pairsOf(now, id).map((row) => otherEnd(row, id))),
    ),
  ),
  ask('disabled parts', 'which ecr is flagged as faulty right now?', ({ now }) =>
    naming(expects(only(now.disabled)), '24', '25'),
  ),
  ask('disabled parts', 'Can a circuit go 23-24-25-26, or is a gate in the way?', () =>
    without(naming(expects(DISABLED), '23-24', '24-25', '25-26', '23', '24', '25', '26'), saysYes),
  ),
  ask('named months', 'T2 results from Jan 2025, which qubits?', ({ now }) =>
    expects(only(now.qubits.filter(({ t2At }) => t2At < new Date('2025-02-01T00:00:00Z')))),
  ),
  ask('plausibility', 'Q102: does its T2 fit with its T1?', ({ now }) =>
    without(expects(us('102', qubit(now, 102).t1), us('102', qubit(now, 102).t2), EXCEEDS), saysYes),
  ),
  ask('plausibility', "Q45's anharmonicity sticks out, or am I wrong?", ({ now }) =>
    expects(ghz('45', qubit(now, 45).anharmonicity ?? 0), SUSPECT),
  ),
  ask('plausibility', 'a readout error of 24 % at Q95. normal for this chip?', ({ now }) =>
    without(expects(error('95', qubit(now, 95).readout), SUSPECT), saysYes),
  ),
  ask('counts', 'T1 past 300 us - how many make it?', ({ now }) =>
    expects(count(now.qubits.filter((row) => row.t1 > 300).length)),
  ),
  ask('counts', '結合が1本しかない量子ビットはいくつありますか', ({ now }) => {
    const ends = now.qubits.filter(({ id }) => pairsOf(now, id).length === 1);
    return naming(expects(count(ends.length)), ...ends.map(({ id }) => id));
  }),
  ask('counts', 'ECR gates: total, and how many of them usable?', ({ now }) =>
    naming(expects(count(now.pairs.length), count(now.working.length)), '24', '25'),
  ),
  ask('units', 'f01 of Q2 in MHz', ({ now }) =>
    expects(inUnit('MHz', '2', 1000 * (qubit(now, 2).frequency ?? 0))),
  ),
  ask('units', 'alpha of Q119, MHz please', ({ now }) =>
    expects(
      either(
        [inUnit('MHz', '119', 1000 * (qubit(now, 119).anharmonicity ?? 0))],
        [inUnit('MHz', '119', -1000 * (qubit(now, 119).anharmonicity ?? 0))],
      ),
    ),
  ),
  ask('units', 'What is the ECR duration of 77-78 in us?', ({ now }) =>
    naming(expects(inUnit('μs', '77-78', now.record('77-78', 'gate_length', 'ecr') / 1000)), '77', '78'),
  ),
  ask('typos', 'qbuit freqency of Q77', ({ now }) => expects(ghz('77', qubit(now, 77).frequency ?? 0))),
  ask('typos', 'ERC eror on 11-12 adn 63-64', ({ now }) =>
    naming(
      expects(...['11-12', '63-64'].map((id) => error(id, pair(now, id).error))),
      '11',
      '12',
      '63',
      '64',
    ),
  ),
];
