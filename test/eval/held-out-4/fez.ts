/** Three snapshots: pairs that were disabled between the last two, readout errors of 100 % in the first. */
import { ask, changes, falling, meanBy, medianBy, pair, qubit, type HeldOut } from '../held-out/held-out.ts';
import { deviations, NO, UNCHANGED } from '../held-out-3/facts.ts';
import {
  at as of,
  count,
  day,
  either,
  error,
  expects,
  inOrder,
  misleading,
  naming,
  nothing,
  only,
  says,
  us,
  without,
} from '../scoring/expectation.ts';

const [FIRST, SECOND, THIRD] = ['2025-01-22', '2025-01-23', '2025-02-26'] as const;
const WORSE = says(/worse|rose|higher|up\b|increas|grew|\bno\b|\bnot\b|悪化|上が|増/iu, 'that it got worse');

export const FEZ: readonly HeldOut[] = [
  ask('past or current', 'CZ error on 71-72 in the snapshot of 23 January 2025', ({ at }) =>
    expects(error('71-72', pair(at(SECOND), '71-72').error)),
  ),
  ask('past or current', '2025年1月22日のQ13のT1は？', ({ at }) =>
    expects(us('13', qubit(at(FIRST), 13).t1)),
  ),
  ask(
    'what changed',
    'Which CZ gates were taken out of use between 23 January and 26 February 2025?',
    ({ at, now }) => expects(only(now.disabled.filter(({ id }) => !pair(at(SECOND), id).isDisabled))),
  ),
  ask(
    'what changed',
    'What became of the T1 of Q87 between 22 January and 26 February 2025?',
    ({ at, now }) => expects(us('87', qubit(at(FIRST), 87).t1), us('87', qubit(now, 87).t1)),
  ),
  ask('what changed', '2025年1月23日に無効だったCZで、2月26日に復活したものはありますか', () =>
    naming(expects(either([NO], [UNCHANGED])), '32-33'),
  ),
  ask('what changed', 'three biggest T2 losses from 23 Jan 2025 to 26 Feb 2025', ({ at, now }) => {
    const most = falling(changes(at(SECOND).qubits, now.qubits), ({ from, to }) => from.t2 - to.t2).slice(
      0,
      3,
    );
    return expects(
      inOrder(most),
      ...most.map(({ id, from, to }) =>
        either([us(id, from.t2 - to.t2)], [us(id, to.t2 - from.t2)], [us(id, from.t2), us(id, to.t2)]),
      ),
    );
  }),
  ask('what changed', 'Did readout on Q113 improve from January 23 to February 26, 2025?', ({ at, now }) =>
    without(
      expects(error('113', qubit(at(SECOND), 113).readout), error('113', qubit(now, 113).readout), WORSE),
      misleading(/\byes\b/iu, 'yes'),
    ),
  ),
  ask('periods and trends', 'chip median of T2 for each of the snapshots we have', ({ snapshots }) =>
    expects(
      ...snapshots.map((snapshot) =>
        of(
          snapshot.day,
          us(
            null,
            medianBy(snapshot.qubits, (row) => row.t2),
          ),
        ),
      ),
    ),
  ),
  ask('periods and trends', 'Show how the T1 of Q15 went over time.', ({ snapshots }) => {
    const all = snapshots.map((snapshot) => us('15', qubit(snapshot, 15).t1));
    // The chart has what stands between.
    return expects(either(all, [...all.slice(1), says(/\bchart\b/iu, 'a chart')]));
  }),
  ask('operational state', 'Q101のT1が最後に実際に測定されたのはいつですか', ({ now }) =>
    expects(day(qubit(now, 101).t1At)),
  ),
  ask(
    'operational state',
    'Which T1 values have not been refreshed since before 10 February 2025?',
    ({ now }) => expects(only(now.qubits.filter((row) => row.t1At < new Date('2025-02-10T00:00:00Z')))),
  ),
  ask('disabled parts', 'CZ gates that Q32 can still take part in', () =>
    naming(expects(NO), '32', '31', '33', '31-32', '32-33'),
  ),
  ask('comparisons', 'T1 of Q5 and Q13 on 22 January 2025 and again a day later', ({ at }) =>
    expects(
      ...[FIRST, SECOND].flatMap((name) =>
        [5, 13].map((id) => of(name, us(String(id), qubit(at(name), id).t1))),
      ),
    ),
  ),
  ask('comparisons', '2025年1月23日と2月26日では、平均読み出しエラーはどちらが小さい？', ({ at, now }) =>
    expects(
      of(
        SECOND,
        error(
          null,
          meanBy(at(SECOND).qubits, (row) => row.readout),
        ),
      ),
      of(
        THIRD,
        error(
          null,
          meanBy(now.qubits, (row) => row.readout),
        ),
      ),
    ),
  ),
  ask('two-qubit gates', 'worst CZ that is still in service', ({ now }) => {
    const worst = falling(now.working, (row) => row.error).slice(0, 1);
    return naming(
      expects(inOrder(worst), ...worst.map((row) => error(row.id, row.error))),
      ...now.disabled.map(({ id }) => id),
    );
  }),
  ask('past or current', '2025年1月23日時点でT1が最も長かった量子ビットは？', ({ at }) => {
    const best = falling(at(SECOND).qubits, (row) => row.t1).slice(0, 1);
    return expects(inOrder(best), ...best.map((row) => us(row.id, row.t1)));
  }),
  ask('conditions', 'usable CZs with more than 2.5 % error', ({ now }) =>
    naming(
      expects(only(now.working.filter((row) => row.error > 0.025))),
      ...now.disabled.map(({ id }) => id),
    ),
  ),
  ask('conditions', 'T1が50μs未満の量子ビットを値付きで', ({ now }) => {
    const low = now.qubits.filter((row) => row.t1 < 50);
    return expects(only(low), ...low.map((row) => us(row.id, row.t1)));
  }),
  ask('counts', 'Disabled CZ gates now versus 22 January 2025: how many each?', ({ at, now }) =>
    naming(
      expects(
        either(
          [count(now.disabled.length), count(at(FIRST).disabled.length)],
          [count(2 * now.disabled.length), count(2 * at(FIRST).disabled.length)],
        ),
      ),
      ...at(FIRST).disabled.map(({ id }) => id),
    ),
  ),
  ask('counts', 'number of qubits with a readout error of 100 % on 22 January 2025', ({ at }) =>
    expects(count(at(FIRST).qubits.filter((row) => row.readout >= 1).length)),
  ),
  ask('statistics', '最新のT1の標準偏差はいくつですか', ({ now }) =>
    expects(either(...deviations(now.qubits.map((row) => row.t1)).map((value) => [us(null, value)]))),
  ),
  ask('false premises', 'Since when is the CZ on 71-72 disabled?', () =>
    without(
      expects(
        says(
          /(?:71\D{1,6}72|\bit\b)[^.]*\bnot (?:\w+ )?(?:disabled|switched off)|never|enabled|usable|in (?:use|service)|is working|\bworks\b/iu,
          'that it is not',
        ),
      ),
      // Seven others are.
      { pattern: /no coupling (?:of \w+ )?is disabled/iu, as: 'wrong', what: 'that no coupling is disabled' },
    ),
  ),
  ask('false premises', 'Why did the T1 of Q1 collapse in February 2025?', ({ now }) =>
    expects(
      us('1', qubit(now, 1).t1),
      says(
        /\brose\b|risen|higher|longer|did not|has not|\bup\b|no (?:\w+ )?(?:drop|fall|collapse)|increase/iu,
        'that it did not',
      ),
    ),
  ),
  ask('two parts', 'Top T1 and top T2 in the newest snapshot, one qubit each', ({ now }) => {
    const [t1] = falling(now.qubits, (row) => row.t1);
    const [t2] = falling(now.qubits, (row) => row.t2);
    return expects(us(t1?.id ?? '', t1?.t1 ?? 0), us(t2?.id ?? '', t2?.t2 ?? 0));
  }),
  ask('not in the data', 'Q87にコメントを書いた人はいますか', () =>
    nothing(/メモ|注|コメント|ノート|記録|誰も/u),
  ),
];
