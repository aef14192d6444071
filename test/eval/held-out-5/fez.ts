/** Three snapshots: two of January on following days, one of February with seven disabled pairs. */
import {
  ask,
  changes,
  falling,
  meanBy,
  medianBy,
  pair,
  pairsOf,
  otherEnd,
  qubit,
  rising,
  type HeldOut,
} from '../held-out/held-out.ts';
import type { Snapshot } from '../held-out/device.ts';
import { DISABLED } from '../held-out-3/facts.ts';
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
  only,
  says,
  us,
  without,
} from '../scoring/expectation.ts';
import { EXCEEDS, saysYes, strayErrors, strayTimes, SUSPECT } from './facts.ts';

const [FIRST, SECOND, THIRD] = ['2025-01-22', '2025-01-23', '2025-02-26'] as const;
const dead = ({ disabled }: Snapshot): readonly string[] => disabled.map(({ id }) => id);
const sx = (now: Snapshot) => now.qubits.map(({ id }) => ({ id, error: now.record(id, 'gate_error', 'sx') }));
const JANUARY = String.raw`jan|2025-01|1月|before|earlier|was\b|前`;

export const FEZ: readonly HeldOut[] = [
  ask('two-qubit gates', 'Q71 and its CZs: what errors do they run at?', ({ now }) =>
    naming(
      expects(...pairsOf(now, 71).map((row) => error(row.id, row.error))),
      '71',
      ...pairsOf(now, 71).map((row) => otherEnd(row, 71)),
    ),
  ),
  ask('two-qubit gates', 'CZエラーが小さい方から3つ、値もお願いします', ({ now }) => {
    const best = rising(now.working, (row) => row.error).slice(0, 3);
    return naming(
      expects(inOrder(best), ...best.map((row) => error(row.id, row.error))),
      ...best.flatMap(({ id }) => id.split('-')),
    );
  }),
  ask('thresholds', 'who reads out with less than 0.25 % error', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.readout < 0.0025))),
  ),
  ask('thresholds', 'cz pairs above 1.7e-2, dead ones aside', ({ now }) =>
    naming(expects(only(now.working.filter((row) => row.error > 0.017))), ...dead(now)),
  ),
  ask('thresholds', '1Q gates: sx error exceeding 7e-4, where?', ({ now }) =>
    expects(only(sx(now).filter((row) => row.error > 7e-4))),
  ),
  ask('several conditions', 'need T1 >= 200 us, T2 >= 150 us and readout error no more than 1 %', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t1 >= 200 && row.t2 >= 150 && row.readout <= 0.01))),
  ),
  ask('several conditions', 'Good T1 (over 120 us), yet T2 stuck under 20 us - which?', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t1 > 120 && row.t2 < 20))),
  ),
  ask('several conditions', 'T2が15μs未満、またはT1が50μs未満の量子ビット', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t2 < 15 || row.t1 < 50))),
  ),
  ask('disabled parts', 'One of the three CZs on Q27 is off, which one?', ({ now }) =>
    naming(expects(only(pairsOf(now, 27).filter(({ isDisabled }) => isDisabled))), '27', '28'),
  ),
  ask('disabled parts', 'Had 80-81 been taken offline by 23 January 2025 already?', ({ at }) =>
    without(
      naming(
        expects(
          says(
            /\bno\b(?! current)|\bwas(?:n't| not)\b|\bnot (?:yet )?(?:been )?(?:disabled|offline|off|out|dead|taken|switched)|\benabled|\bwork(?:ed|ing|s)\b|in (?:use|service)|0\.2\d* ?%|99\.8/iu,
            'no',
          ),
        ),
        '80',
        '81',
        ...dead(at(SECOND)),
      ),
      saysYes,
      misleading(
        /^(?!.*(?:feb|2025-02|now\b|today|current|later|since|newest|latest|\bnot\b|n't|\bno\b|enabled|work))[^\n]*(?:disabled|offline|switched off)/imu,
        'the state of another day',
      ),
    ),
  ),
  ask('disabled parts', '106-107のCZは今つかえますか？', ({ at, now }) =>
    without(
      naming(expects(DISABLED), '106-107', '106', '107', ...dead(now)),
      saysYes,
      strayErrors(
        'a past value as current',
        String.raw`disabled|no current|last|past|until|before|was\b|無効|以前|過去|使え(?:ない|ません)`,
        pair(at(SECOND), '106-107').error,
      ),
    ),
  ),
  ask('disabled parts', 'Has any qubit been cut off entirely, i.e. all its CZs are down?', ({ now }) =>
    naming(
      expects(only(now.qubits.filter(({ id }) => pairsOf(now, id).every(({ isDisabled }) => isDisabled)))),
      ...dead(now),
    ),
  ),
  ask('disabled parts', 'State on 22 Jan 2025: which CZs were out of action then?', ({ at }) =>
    expects(only(at(FIRST).disabled)),
  ),
  ask(
    'periods',
    'Mean T1 over all qubits, snapshot of 23 January 2025 versus that of 26 February 2025',
    ({ at, now }) =>
      expects(
        of(
          SECOND,
          us(
            null,
            meanBy(at(SECOND).qubits, (row) => row.t1),
          ),
        ),
        of(
          THIRD,
          us(
            null,
            meanBy(now.qubits, (row) => row.t1),
          ),
        ),
      ),
  ),
  ask('periods', 'T1 Q1 on Jan 23 2025 / Feb 26 2025, up or down?', ({ at, now }) =>
    without(
      expects(
        of(SECOND, us('1', qubit(at(SECOND), 1).t1)),
        of(THIRD, us('1', qubit(now, 1).t1)),
        says(/\bup\b|rose|risen|higher|longer|increase|grew|gained|better|\+ ?\d/iu, 'up'),
      ),
      strayTimes('the value of 22 January', 'Jan(?:uary)? 22|22 Jan|2025-01-22', qubit(at(FIRST), 1).t1),
    ),
  ),
  ask('periods', 'cz 5-6, error in January 2025 and in February 2025', ({ at, now }) =>
    naming(
      expects(
        of('2025-01', error('5-6', pair(at(SECOND), '5-6').error)),
        of('2025-02', error('5-6', pair(now, '5-6').error)),
      ),
      '5',
      '6',
    ),
  ),
  ask(
    'periods',
    '2025年1月23日と2月26日のスナップショットで、T1が100μs未満の量子ビットはそれぞれ何個でしたか',
    ({ at, now }) => {
      const short = ({ qubits }: Snapshot) => qubits.filter((row) => row.t1 < 100);
      return naming(
        expects(of(SECOND, count(short(at(SECOND)).length)), of(THIRD, count(short(now).length))),
        ...[...short(at(SECOND)), ...short(now)].map(({ id }) => id),
      );
    },
  ),
  ask('named months', 'T1 of Q15 in Feb 2025?', ({ at, now }) =>
    without(
      expects(us('15', qubit(now, 15).t1)),
      strayTimes('a value of January', JANUARY, qubit(at(FIRST), 15).t1, qubit(at(SECOND), 15).t1),
    ),
  ),
  ask('named months', "Q5's T2 for January 2025", ({ at, now }) => {
    const [first, second] = [qubit(at(FIRST), 5).t2, qubit(at(SECOND), 5).t2];
    return without(
      expects(either([us('5', second)], [us('5', (first + second) / 2)], [us('5', first), us('5', second)])),
      strayTimes(
        'the value of February',
        String.raw`feb|2025-02|2月|now\b|current|latest|newest|since`,
        qubit(now, 5).t2,
      ),
    );
  }),
  ask('plausibility', 'Q87のT2は、T1を考えると物理的にあり得ますか', ({ now }) =>
    without(expects(us('87', qubit(now, 87).t1), us('87', qubit(now, 87).t2), EXCEEDS), saysYes),
  ),
  ask('plausibility', '22 January 2025 data: whose T2 breaks the 2 x T1 bound?', ({ at }) =>
    expects(only(at(FIRST).qubits.filter((row) => row.t2 > 2 * row.t1))),
  ),
  ask('plausibility', 'CZ 153-154 at ~5 % - fluke or really that far off the rest?', ({ now }) =>
    naming(expects(error('153-154', pair(now, '153-154').error), SUSPECT), '153', '154'),
  ),
  ask('counts', 'T1 between 150 and 200 us: how many are there now?', ({ now }) =>
    expects(count(now.qubits.filter((row) => row.t1 >= 150 && row.t1 <= 200).length)),
  ),
  ask('counts', 'Number of usable CZs with an error over 1 %', ({ now }) => {
    const bad = now.working.filter((row) => row.error > 0.01).length;
    return naming(expects(count(bad, 2 * bad)), ...dead(now));
  }),
  ask(
    'counts',
    'from the 23 Jan 2025 snapshot to the 26 Feb 2025 one, how many qubits ended up with a shorter T1',
    ({ at, now }) =>
      naming(
        expects(
          count(changes(at(SECOND).qubits, now.qubits).filter(({ from, to }) => to.t1 < from.t1).length),
        ),
        ...now.qubits.map(({ id }) => id),
      ),
  ),
  ask('units', "Convert Q1's T2 to seconds", ({ now }) => expects(inUnit('s', '1', qubit(now, 1).t2 * 1e-6))),
  ask('units', 'readout length of Q0, in us not ns', ({ now }) =>
    expects(inUnit('μs', '0', now.record('0', 'readout_length') / 1000)),
  ),
  ask('units', 'CZ 22-23のエラーを、忠実度(%)に直すといくつ？', ({ now }) =>
    naming(expects(inUnit('%', '22-23', 100 - 100 * pair(now, '22-23').error)), '22', '23'),
  ),
  ask('typos', 'meadian T1 of teh newset snapshto', ({ now }) =>
    expects(
      us(
        null,
        medianBy(now.qubits, (row) => row.t1),
      ),
    ),
  ),
  ask('typos', 'wrost 4 qubtis in redaout', ({ now }) => {
    const worst = falling(now.qubits, (row) => row.readout).slice(0, 4);
    return expects(inOrder(worst), ...worst.map((row) => error(row.id, row.readout)));
  }),
  ask('typos', 'Q3のよみだしエーラーを教えて', ({ now }) => expects(error('3', qubit(now, 3).readout))),
];
