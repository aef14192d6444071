/** Two snapshots, two and a half years apart; no pair is disabled, one qubit reads out much worse than before. */
import {
  at as of,
  count,
  either,
  error,
  expects,
  inOrder,
  inUnit,
  misleading,
  naming,
  nothing,
  only,
  says,
  us,
  without,
} from '../scoring/expectation.ts';
import type { Device, PairRow, QubitRow } from '../held-out/device.ts';
import {
  ask,
  changes,
  falling,
  leaving,
  meanBy,
  medianBy,
  otherEnd,
  pair,
  pairsOf,
  qubit,
  rising,
  type Change,
  type HeldOut,
} from '../held-out/held-out.ts';

const OLD = '2021-12-09';
const qubitChanges = ({ at, now }: Device): readonly Change<QubitRow>[] =>
  changes(at(OLD).qubits, now.qubits);
const pairChanges = ({ at, now }: Device): readonly Change<PairRow>[] => changes(at(OLD).pairs, now.pairs);
const not = (id: string) => misleading(new RegExp(String.raw`\bQ0*${id}\b`, 'u'), `Q${id}`);

export const NAIROBI: readonly HeldOut[] = [
  ask('two-qubit gates', 'Order all six CX gates from the smallest error to the biggest.', ({ now }) => {
    const all = rising(now.pairs, (row) => row.error);
    return expects(inOrder(all), ...all.map((row) => error(row.id, row.error)));
  }),
  ask('thresholds', 'which CNOTs are above 0.8 % error', ({ now }) =>
    expects(only(now.pairs.filter((row) => row.error > 0.008))),
  ),
  ask('thresholds', '周波数が5.2 GHzより高い量子ビットは？', ({ now }) =>
    expects(only(now.qubits.filter((row) => (row.frequency ?? 0) > 5.2))),
  ),
  ask('several conditions', 'T1 over 75 us but T2 below 50 us: who is that?', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t1 > 75 && row.t2 < 50))),
  ),
  ask('several conditions', 'T2がT1より長い量子ビットはどれですか', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t2 > row.t1))),
  ),
  ask('disabled parts', 'Are any of the gates disabled?', () =>
    expects(
      says(
        /\bno(?:ne)?\b[^.]{0,60}(?:disabled|dead|switched off|out of service|out of use)|(?:disabled|dead)\b[^.]{0,30}\b(?:none|0)\b|\b0 (?:of \d+ )?[^.]{0,40}(?:disabled|dead)|(?:not|nothing) [^.]{0,40}(?:disabled|dead)|all \d* ?[^.]{0,40}(?:enabled|usable|work)/iu,
        'no',
      ),
    ),
  ),
  ask('periods', "Q0's T1 in December 2021 and in May 2024, please", ({ at, now }) =>
    expects(of('2021-12', us('0', qubit(at(OLD), 0).t1)), of('2024-05', us('0', qubit(now, 0).t1))),
  ),
  ask('periods', 'mean readout error back in 2021 vs in 2024', ({ at, now }) =>
    expects(
      of(
        '2021',
        error(
          null,
          meanBy(at(OLD).qubits, (row) => row.readout),
        ),
      ),
      of(
        '2024',
        error(
          null,
          meanBy(now.qubits, (row) => row.readout),
        ),
      ),
    ),
  ),
  ask('periods', '2021年12月のQ5のT2を教えてください', ({ at }) => expects(us('5', qubit(at(OLD), 5).t2))),
  ask('periods', 'What was the median CX error in Dec 2021, and what was it in May 2024?', ({ at, now }) =>
    expects(
      of(
        '2021-12',
        error(
          null,
          medianBy(at(OLD).pairs, (row) => row.error),
        ),
      ),
      of(
        '2024-05',
        error(
          null,
          medianBy(now.pairs, (row) => row.error),
        ),
      ),
    ),
  ),
  ask(
    'what changed',
    'How did T1 of every qubit move between the 2021 snapshot and the 2024 one?',
    (device) =>
      expects(...qubitChanges(device).flatMap(({ id, from, to }) => [us(id, from.t1), us(id, to.t1)])),
  ),
  ask('what changed', 'Has the anharmonicity of any qubit changed since December 2021?', () =>
    expects(
      says(
        /unchanged|the same|not (?:change|move|measured again|re-?measured)|no (?:qubit|change|anharm)[^.]*chang|none (?:of them )?chang|no change|nothing (?:has )?changed/iu,
        'no',
      ),
    ),
  ),
  ask('what changed', 'Which qubits got a better T2 between 2021-12-09 and 2024-05-27?', (device) =>
    expects(only(qubitChanges(device).filter(({ from, to }) => to.t2 > from.t2))),
  ),
  ask('plausibility', 'T2 of 12 µs on Q5 looks odd next to its T1. Physically possible?', ({ now }) =>
    expects(
      us('5', qubit(now, 5).t1),
      us('5', qubit(now, 5).t2),
      says(/possible|plausible|below|within|allowed|under (?:2|twice)/iu, 'that it is possible'),
    ),
  ),
  ask('plausibility', 'Q0の読み出しエラー5.8%は他と比べておかしくない？', ({ now }) =>
    expects(error('0', qubit(now, 0).readout), says(/外れ|高|悪|大き|おかし|異常/u, 'that it is high')),
  ),
  ask('counts', 'How many neighbours does Q1 have?', ({ now }) =>
    naming(
      expects(
        either(
          [count(pairsOf(now, 1).length)],
          [only([...pairsOf(now, 1).map((row) => ({ id: otherEnd(row, 1) })), { id: '1' }])],
        ),
      ),
      '1',
      ...pairsOf(now, 1).flatMap((row) => [row.id, otherEnd(row, 1)]),
    ),
  ),
  ask('counts', 'count the qubits that have less T1 in the 2024 snapshot than in the 2021 one', (device) =>
    naming(
      expects(count(qubitChanges(device).filter(({ from, to }) => to.t1 < from.t1).length)),
      ...device.now.qubits.map(({ id }) => id),
    ),
  ),
  ask('units', 'frequency of Q2 in MHz', ({ now }) =>
    expects(inUnit('MHz', '2', 1000 * (qubit(now, 2).frequency ?? 0))),
  ),
  ask('units', "express Q4's anharmonicity in GHz", ({ now }) =>
    expects(inUnit('GHz', '4', qubit(now, 4).anharmonicity ?? 0)),
  ),
  ask('units', 'Q6のT1は何秒？', ({ now }) => expects(inUnit('s', '6', qubit(now, 6).t1 / 1e6))),
  ask('typos', 'T1 adn T2 of qbuit 6', ({ now }) =>
    expects(us('6', qubit(now, 6).t1), us('6', qubit(now, 6).t2)),
  ),
  ask('typos', 'avrage raedout eror', ({ now }) =>
    expects(
      error(
        null,
        meanBy(now.qubits, (row) => row.readout),
      ),
    ),
  ),
  ask('exclusions', 'Mean T2 when Q0 and Q5 are not counted', ({ now }) =>
    naming(
      expects(
        us(
          null,
          meanBy(leaving(now.qubits, 0, 5), (row) => row.t2),
        ),
      ),
      '0',
      '5',
    ),
  ),
  ask('exclusions', 'Q0を除いた読み出しエラーの平均', ({ now }) =>
    naming(
      expects(
        error(
          null,
          meanBy(leaving(now.qubits, 0), (row) => row.readout),
        ),
      ),
      '0',
    ),
  ),
  ask('negations', 'Which qubits have no coupling to Q5?', ({ now }) => {
    const coupled = pairsOf(now, 5).map((row) => otherEnd(row, 5));
    return naming(expects(only(leaving(now.qubits, 5, ...coupled))), '5');
  }),
  ask('negations', 'readout fidelity not below 98 % — list them', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.readout <= 0.02))),
  ),
  ask(
    'change or level',
    'Which qubit shows the largest drop in T1 since 2021, not the lowest T1?',
    (device) => {
      const [most] = falling(qubitChanges(device), ({ from, to }) => from.t1 - to.t1);
      const [lowest] = rising(device.now.qubits, (row) => row.t1);
      return without(
        expects(...(most ? [inOrder([most]), us(most.id, most.from.t1), us(most.id, most.to.t1)] : [])),
        not(lowest?.id ?? ''),
      );
    },
  ),
  ask(
    'change or level',
    'where did readout degrade the most, in percentage points, from 2021 to 2024',
    (device) => {
      const [most] = falling(qubitChanges(device), ({ from, to }) => to.readout - from.readout);
      return expects(
        ...(most ? [inOrder([most]), inUnit('%', most.id, 100 * (most.to.readout - most.from.readout))] : []),
      );
    },
  ),
  ask('change or level', 'CXエラーが一番悪化したペアは？（今一番悪いペアではなくて）', (device) => {
    const [most] = falling(pairChanges(device), ({ from, to }) => to.error - from.error);
    return expects(...(most ? [inOrder([most])] : []));
  }),
  ask('comparisons', 'Q4 vs Q5, all coherence times', ({ now }) =>
    expects(...[4, 5].map((id) => qubit(now, id)).flatMap(({ id, t1, t2 }) => [us(id, t1), us(id, t2)])),
  ),
  ask('comparisons', 'Who reads out better now, Q0 or Q3, and by how much?', ({ now }) => {
    const [zero, three] = [qubit(now, 0), qubit(now, 3)];
    return expects(
      inOrder([three]),
      error('0', zero.readout),
      error('3', three.readout),
      inUnit('%', null, 100 * (zero.readout - three.readout)),
    );
  }),
  ask('comparisons', 'Is 0-1 or 5-6 the better gate?', ({ now }) => {
    const both = rising([pair(now, '0-1'), pair(now, '5-6')], (row) => row.error);
    return expects(
      inOrder(both.slice(0, 1)),
      ...both.map((row) => error(row.id, row.error)),
      says(/better|best|lower|higher|smaller|wins/iu, 'which is better'),
    );
  }),
  ask('not there', 'what is T1 of Q7', () => nothing(/\bQ?7\b/u)),
  ask('not there', 'CX error between Q0 and Q2', () => nothing(/0.{0,4}2/u)),
  ask('not there', '2022年のT1の平均は？', () => nothing(/2022/u)),
  ask('past or current', 'What is T1 of Q3 now, and was it ever better?', ({ at, now }) =>
    expects(us('3', qubit(now, 3).t1), us('3', qubit(at(OLD), 3).t1)),
  ),
  ask('past or current', 'Does Q0 still have its T2 of 51 us?', ({ now }) =>
    expects(us('0', qubit(now, 0).t2), says(/\bno\b|\bnot\b|now|dropped|fell|was/iu, 'no')),
  ),
];
