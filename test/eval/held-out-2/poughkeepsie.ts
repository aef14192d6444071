/** One snapshot of an old device: cx gates, no anharmonicity, u gates instead of sx, nothing disabled. */
import {
  count,
  day,
  error,
  expects,
  ghz,
  inOrder,
  inUnit,
  naming,
  nothing,
  only,
  says,
  us,
} from '../scoring/expectation.ts';
import {
  ask,
  falling,
  leaving,
  meanBy,
  medianBy,
  otherEnd,
  pair,
  pairsOf,
  qubit,
  type HeldOut,
} from '../held-out/held-out.ts';

const HISTORY =
  /only one|one (?:snapshot|value|measurement|day)|single|no (?:earlier|previous|other|older|second)|nothing (?:earlier|older|to compare)|no .*(?:measured|data|values)|not measured|2019/iu;

export const POUGHKEEPSIE: readonly HeldOut[] = [
  ask('two-qubit gates', 'error of the CX gate 0-5', ({ now }) =>
    expects(error('0-5', pair(now, '0-5').error)),
  ),
  ask('two-qubit gates', 'Name the three worst CX gates with their errors', ({ now }) => {
    const worst = falling(now.pairs, (row) => row.error).slice(0, 3);
    return expects(inOrder(worst), ...worst.map((row) => error(row.id, row.error)));
  }),
  ask('two-qubit gates', 'Q12のCXゲートをエラー付きで全部見せて', ({ now }) => {
    const own = pairsOf(now, 12);
    return naming(expects(only(own), ...own.map((row) => error(row.id, row.error))), '12');
  }),
  ask('thresholds', 'CX error > 5 %', ({ now }) =>
    expects(only(now.pairs.filter((row) => row.error > 0.05))),
  ),
  ask('thresholds', 'Who has a readout error of at least 7 percent?', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.readout >= 0.07))),
  ),
  ask('thresholds', 'T2が50μs以下の量子ビットはどれ？', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t2 <= 50))),
  ),
  ask('several conditions', 'qubits with T1 > 70 and T2 > 100 us', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t1 > 70 && row.t2 > 100))),
  ),
  ask(
    'several conditions',
    'Readout error below 3.5 % together with a T1 of more than 60 us, which qubits qualify?',
    ({ now }) => expects(only(now.qubits.filter((row) => row.readout < 0.035 && row.t1 > 60))),
  ),
  ask('several conditions', 'whose T2 is shorter than its T1?', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t2 < row.t1))),
  ),
  ask('disabled parts', 'any dead two-qubit gates on this one?', () =>
    expects(
      says(
        /\bno(?:ne)?\b[^.]{0,60}(?:disabled|dead|switched off|out of service|out of use)|(?:disabled|dead)\b[^.]{0,30}\b(?:none|0)\b|\b0 (?:of \d+ )?[^.]{0,40}(?:disabled|dead)|(?:not|nothing) [^.]{0,40}(?:disabled|dead)|all \d* ?[^.]{0,40}(?:enabled|usable|work)/iu,
        'no',
      ),
    ),
  ),
  ask('periods', 'How does T1 in October 2019 compare with February 2020?', () => nothing(HISTORY)),
  ask('what changed', 'what is different since the last calibration run before this one?', () =>
    nothing(HISTORY),
  ),
  ask('plausibility', 'Can the T2 of Q13 (6 us) be right although T1 is ten times longer?', ({ now }) =>
    expects(
      us('13', qubit(now, 13).t2),
      us('13', qubit(now, 13).t1),
      says(/possible|plausible|below|within|allowed|can be|under (?:2|twice)/iu, 'that it is possible'),
    ),
  ),
  ask('plausibility', 'Q7の読み出しエラー17%って本当ですか？', ({ now }) =>
    expects(error('7', qubit(now, 7).readout), says(/外れ|高|悪|最|はい|大き|記録|測定/u, 'a judgement')),
  ),
  ask('counts', 'number of couplings?', ({ now }) => expects(count(now.pairs.length, 2 * now.pairs.length))),
  ask('counts', 'How many of the qubits live longer than 70 us in T1?', ({ now }) =>
    expects(count(now.qubits.filter((row) => row.t1 > 70).length)),
  ),
  ask('counts', 'CXエラーが2%未満のペアは何組ありますか', ({ now }) => {
    const good = now.pairs.filter((row) => row.error < 0.02).length;
    return expects(count(good, 2 * good));
  }),
  ask('units', 'T2 of Q9 in ms', ({ now }) => expects(inUnit('ms', '9', qubit(now, 9).t2 / 1000))),
  ask('units', 'Tell me the frequency of qubit 0 in MHz, not GHz.', ({ now }) =>
    expects(inUnit('MHz', '0', 1000 * (qubit(now, 0).frequency ?? 0))),
  ),
  ask('units', '6-7のCXエラーを千分率じゃなくて小数で', ({ now }) =>
    expects(inUnit('fraction', '6-7', pair(now, '6-7').error)),
  ),
  ask('typos', 'hgihest freqency qubit', ({ now }) => {
    const top = falling(now.qubits, (row) => row.frequency ?? 0).slice(0, 1);
    return expects(inOrder(top), ...top.map((row) => ghz(row.id, row.frequency ?? 0)));
  }),
  ask('typos', 'raed out error on qbit 12 plz', ({ now }) => expects(error('12', qubit(now, 12).readout))),
  ask('typos', 'avg cx eror of all pairz', ({ now }) =>
    expects(
      error(
        null,
        meanBy(now.pairs, (row) => row.error),
      ),
    ),
  ),
  ask('exclusions', 'average T2, but leave Q10, Q12 and Q13 out of it', ({ now }) =>
    naming(
      expects(
        us(
          null,
          meanBy(leaving(now.qubits, 10, 12, 13), (row) => row.t2),
        ),
      ),
      '10',
      '12',
      '13',
    ),
  ),
  ask('exclusions', 'mean readout error excluding Q7', ({ now }) =>
    naming(
      expects(
        error(
          null,
          meanBy(leaving(now.qubits, 7), (row) => row.readout),
        ),
      ),
      '7',
    ),
  ),
  ask('exclusions', 'median CX error without the pairs of Q7', ({ now }) => {
    const rest = now.pairs.filter((row) => !row.id.split('-').includes('7'));
    return naming(
      expects(
        error(
          null,
          medianBy(rest, (row) => row.error),
        ),
      ),
      '7',
      ...pairsOf(now, 7).map(({ id }) => id),
    );
  }),
  ask('negations', "which ones aren't above 50 us in T1", ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t1 <= 50))),
  ),
  ask('negations', 'Q10の隣ではない量子ビットのうち、T1が50μs未満なのは？', ({ now }) => {
    const near = pairsOf(now, 10).map((row) => otherEnd(row, 10));
    return naming(expects(only(leaving(now.qubits, 10, ...near).filter((row) => row.t1 < 50))), '10');
  }),
  ask('change or level', 'Which qubit has dropped most since last week?', () => nothing(HISTORY)),
  ask('comparisons', 'T1 of Q3 compared to Q17 — which one lasts longer?', ({ now }) => {
    const both = falling([qubit(now, 3), qubit(now, 17)], (row) => row.t1);
    return expects(inOrder(both.slice(0, 1)), ...both.map((row) => us(row.id, row.t1)));
  }),
  ask('comparisons', 'Q10とQ12のT1とT2を比べて', ({ now }) =>
    expects(...[10, 12].map((id) => qubit(now, id)).flatMap(({ id, t1, t2 }) => [us(id, t1), us(id, t2)])),
  ),
  ask('not there', 'T1 of Q20?', () => nothing(/\bQ?20\b/u)),
  ask('not there', 'CZゲートのエラーは？', () => nothing(/cz/iu)),
  ask('past or current', 'Is the T1 of Q12 recent, and when was it taken?', ({ now }) =>
    expects(
      day(qubit(now, 12).t1At),
      says(/old|stale|days|recent|hours|years|newest/iu, 'whether it is recent'),
    ),
  ),
  ask('past or current', 'How old is the newest T1 value on this machine?', ({ now }) => {
    const [newest] = falling(now.qubits, (row) => row.t1At.getTime());
    return expects(...(newest ? [day(newest.t1At)] : []));
  }),
];
