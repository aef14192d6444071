/** Three snapshots: one bad day of readout, six pairs that were disabled between the second and the third. */
import {
  at as of,
  count,
  day,
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
  type Forbidden,
} from '../scoring/expectation.ts';
import type { Device, QubitRow, Snapshot } from '../held-out/device.ts';
import {
  ask,
  changes,
  falling,
  leaving,
  meanBy,
  medianBy,
  pair,
  pairsOf,
  qubit,
  rising,
  type Change,
  type HeldOut,
} from '../held-out/held-out.ts';

const FIRST = '2025-01-22';
const SECOND = '2025-01-23';
const THIRD = '2025-02-26';
const t1Loss = ({ from, to }: Change<QubitRow>): number => from.t1 - to.t1;
const t2Loss = ({ from, to }: Change<QubitRow>): number => from.t2 - to.t2;
const between = (device: Device, from: string, to: string): readonly Change<QubitRow>[] =>
  changes(device.at(from).qubits, device.at(to).qubits);
const newlyDisabled = (from: Snapshot, to: Snapshot) =>
  to.disabled.filter(({ id }) => !pair(from, id).isDisabled);
/** A value of an earlier snapshot in a line that does not say so. */
const pastAsCurrent = (error: number): Forbidden => {
  const forms = [(1 - error).toFixed(4), (100 - 100 * error).toFixed(1), (100 * error).toFixed(2)];
  const values = forms.map((form) => form.replace('.', String.raw`\.`)).join('|');
  return misleading(
    new RegExp(
      String.raw`^(?!.*(?:disabled|no current|last|past|until|before|\bwas\b))[^\n]*\b(?:${values})`,
      'imu',
    ),
    'a past value as current',
  );
};
const ids = (rows: readonly { readonly id: string }[]): readonly string[] => rows.map(({ id }) => id);

export const FEZ: readonly HeldOut[] = [
  ask('two-qubit gates', 'Which 4 CZ gates are the best ones today?', ({ now }) => {
    const best = rising(now.working, (row) => row.error).slice(0, 4);
    return expects(inOrder(best), ...best.map((row) => error(row.id, row.error)));
  }),
  ask(
    'two-qubit gates',
    'typical (median) two-qubit error of the newest data, dead gates not counted',
    ({ now }) =>
      expects(
        error(
          null,
          medianBy(now.working, (row) => row.error),
        ),
      ),
  ),
  ask('two-qubit gates', 'Q10につながっているCZゲートのエラーを全部教えて', ({ now }) => {
    const own = pairsOf(now, 10).filter((row) => !row.isDisabled);
    return naming(expects(only(own), ...own.map((row) => error(row.id, row.error))), '10');
  }),
  ask('thresholds', 'List CZ gates with an error larger than 1.5 percent', ({ now }) =>
    naming(expects(only(now.working.filter((row) => row.error > 0.015))), ...ids(now.disabled)),
  ),
  ask('thresholds', 'readout error over 5% - which qubits', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.readout > 0.05))),
  ),
  ask('several conditions', 'Show me everything with T1 under 70 us or T2 under 10 us', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t1 < 70 || row.t2 < 10))),
  ),
  ask('several conditions', 'T1が200μsより長くて、かつ読み出しエラーが0.5%未満のqubitは？', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t1 > 200 && row.readout < 0.005))),
  ),
  ask('disabled parts', 'give me all couplings whose cz is out of service at the moment', ({ now }) =>
    expects(only(now.disabled)),
  ),
  ask('disabled parts', 'How many CZ gates were disabled in each of the three snapshots?', ({ snapshots }) =>
    naming(
      expects(
        either(
          snapshots.map(({ day: name, disabled }) => of(name, count(disabled.length))),
          snapshots.map(({ day: name, disabled }) => of(name, count(2 * disabled.length))),
        ),
      ),
      ...snapshots.flatMap(({ disabled }) => ids(disabled)),
    ),
  ),
  ask('disabled parts', '32-33のCZが最後に動いていたのはいつ？', () =>
    nothing(/32|無効|記録|ありません|ない/u),
  ),
  ask(
    'periods',
    'median T1 in the snapshot of 22 January 2025 against the one of 26 February 2025',
    ({ at }) =>
      expects(
        of(
          FIRST,
          us(
            null,
            medianBy(at(FIRST).qubits, (row) => row.t1),
          ),
        ),
        of(
          THIRD,
          us(
            null,
            medianBy(at(THIRD).qubits, (row) => row.t1),
          ),
        ),
      ),
  ),
  ask('periods', 'I want T2 of Q87 twice: as of Jan 23 2025, and as of Feb 26 2025', ({ at }) =>
    without(
      expects(of(SECOND, us('87', qubit(at(SECOND), 87).t2)), of(THIRD, us('87', qubit(at(THIRD), 87).t2))),
      misleading(
        new RegExp(
          qubit(at(FIRST), 87)
            .t2.toFixed(1)
            .replace('.', String.raw`\.`),
          'u',
        ),
        'the value of 22 January',
      ),
    ),
  ),
  ask('periods', '2025年1月と2月で、Q46のT1はいくつだった？', ({ at }) => {
    const [first, second, third] = [FIRST, SECOND, THIRD].map((name) => qubit(at(name), 46).t1);
    return expects(
      either([us('46', second ?? 0)], [us('46', ((first ?? 0) + (second ?? 0)) / 2)]),
      us('46', third ?? 0),
    );
  }),
  ask('periods', 'Was the median CZ error better in January than in February 2025?', ({ at }) => {
    const median = (name: string) => medianBy(at(name).working, (row) => row.error);
    return expects(
      of('2025-01', error(null, median(SECOND))),
      of('2025-02', error(null, median(THIRD))),
      says(/\byes\b|better|lower/iu, 'yes'),
    );
  }),
  ask('what changed', 'Which couplings went out of service between 2025-01-23 and 2025-02-26?', ({ at }) =>
    expects(only(newlyDisabled(at(SECOND), at(THIRD)))),
  ),
  ask(
    'what changed',
    'Name the 3 qubits that lost the most T1 from the January 23 snapshot to the February 26 one',
    (device) => {
      const most = falling(between(device, SECOND, THIRD), t1Loss).slice(0, 3);
      return expects(inOrder(most));
    },
  ),
  ask(
    'what changed',
    '1月22日から1月23日のスナップショットで、T1が一番伸びた量子ビットはどれ？',
    (device) => {
      const [most] = rising(between(device, FIRST, SECOND), t1Loss);
      return expects(...(most ? [inOrder([most]), us(most.id, most.from.t1), us(most.id, most.to.t1)] : []));
    },
  ),
  ask('what changed', 'Did any CZ gate come back to life between 22 January and 26 February?', ({ at }) =>
    naming(
      expects(
        says(
          /\bno\b[^.]{0,40}(?:gate|coupling|pair|cz)|\bnone\b|nothing (?:came|appeared)|not (?:come|came|return|re-?enabled|repaired)|still disabled/iu,
          'no',
        ),
      ),
      ...ids(at(FIRST).disabled),
      ...ids(at(THIRD).disabled),
    ),
  ),
  ask('what changed', 'by how much did T1 of Q101 change from January to February', ({ now }) =>
    expects(
      says(
        /unchanged|not (?:been )?(?:re-?measured|measured again|change)|no (?:new|later|second|February)|did not|same|only one|one (?:value|measurement)|0(?:\.0+)? ?μs/iu,
        'that it was not measured again',
      ),
      us('101', qubit(now, 101).t1),
    ),
  ),
  ask(
    'plausibility',
    'On 22 January 2025 a lot of readout errors are exactly 1. Are they real, and how many are there?',
    ({ at }) =>
      expects(
        count(at(FIRST).qubits.filter((row) => row.readout >= 1).length),
        says(
          /not (?:real|plausible|measure|a measure)|implausib|mark|no measurement|failed|nonsense|doubt|impossib/iu,
          'that they are not real',
        ),
      ),
  ),
  ask('plausibility', 'does any qubit break the T2 <= 2 T1 limit in the newest snapshot?', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t2 > 2 * row.t1))),
  ),
  ask('counts', 'how many qubits and how many couplings has fez got', ({ now }) =>
    expects(count(now.qubits.length), count(now.pairs.length, 2 * now.pairs.length)),
  ),
  ask('counts', 'CZエラーが0.25%以下のゲートは何個？', ({ now }) => {
    const good = now.working.filter((row) => row.error <= 0.0025).length;
    return expects(count(good, 2 * good));
  }),
  ask('units', 'What would T1 of Q3 be in nanoseconds?', ({ now }) =>
    expects(inUnit('ns', '3', qubit(now, 3).t1 * 1000)),
  ),
  ask('units', 'CZ error of 153-154 as a fraction', ({ now }) =>
    expects(inUnit('fraction', '153-154', pair(now, '153-154').error)),
  ),
  ask('typos', 'lowset 5 T1 qubtis', ({ now }) => {
    const low = rising(now.qubits, (row) => row.t1).slice(0, 5);
    return expects(inOrder(low), ...low.map((row) => us(row.id, row.t1)));
  }),
  ask('exclusions', 'Average T1 of all qubits but 0, 87 and 101', ({ now }) =>
    naming(
      expects(
        us(
          null,
          meanBy(leaving(now.qubits, 0, 87, 101), (row) => row.t1),
        ),
      ),
      '0',
      '87',
      '101',
    ),
  ),
  ask('exclusions', '読み出しエラーが5%を超えるqubitを除いて、T1の平均を出して', ({ now }) =>
    naming(
      expects(
        us(
          null,
          meanBy(
            now.qubits.filter((row) => row.readout <= 0.05),
            (row) => row.t1,
          ),
        ),
      ),
      ...ids(now.qubits.filter((row) => row.readout > 0.05)),
    ),
  ),
  ask('negations', "Whose T1 wasn't measured again in February 2025?", ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t1At.toISOString() < '2025-02'))),
  ),
  ask('negations', 'How many gates are neither disabled nor above 0.3 % error?', ({ now }) => {
    const good = now.working.filter((row) => row.error <= 0.003).length;
    return expects(count(good, 2 * good));
  }),
  ask(
    'change or level',
    "I don't mean the lowest T2 but the one that fell most from Jan 23 to Feb 26 - which qubit?",
    (device) => {
      const [most] = falling(between(device, SECOND, THIRD), t2Loss);
      const [lowest] = rising(device.now.qubits, (row) => row.t2);
      return without(
        expects(...(most ? [inOrder([most])] : [])),
        misleading(new RegExp(String.raw`\bQ0*${lowest?.id ?? ''}\b`, 'u'), 'the lowest T2'),
      );
    },
  ),
  ask(
    'change or level',
    'worst deterioration of a cz error between the January 23 and February 26 snapshots, switched-off ones aside',
    ({ at }) => {
      const both = changes(at(SECOND).working, at(THIRD).working);
      const [most] = falling(both, ({ from, to }) => to.error - from.error);
      return expects(
        ...(most ? [inOrder([most]), error(most.id, most.from.error), error(most.id, most.to.error)] : []),
      );
    },
  ),
  ask('change or level', '1/23→2/26でT1の低下幅が大きい順に5つ（T1が低い順ではない）', (device) =>
    expects(inOrder(falling(between(device, SECOND, THIRD), t1Loss).slice(0, 5))),
  ),
  ask('comparisons', 'Is Q87 better or worse than Q88 in T1, T2 and readout?', ({ now }) =>
    expects(
      ...[87, 88]
        .map((id) => qubit(now, id))
        .flatMap(({ id, t1, t2, readout }) => [us(id, t1), us(id, t2), error(id, readout)]),
    ),
  ),
  ask('comparisons', 'cz error: 0-1 versus 68-69', ({ at, now }) =>
    without(
      naming(
        expects(
          error('0-1', pair(now, '0-1').error),
          says(/disabled|switched off|out of service|no current|not usable/iu, 'that 68-69 is disabled'),
        ),
        '68-69',
      ),
      pastAsCurrent(pair(at(SECOND), '68-69').error),
    ),
  ),
  ask('not there', 'T1 of Q10 in March 2025?', () => nothing(/march|2025-03|period|2025/iu)),
  ask('not there', 'anharmonicity of Q20', () => nothing(/anharmonicity/iu)),
  ask('past or current', "What's the current CZ error of 27-28?", ({ at }) =>
    without(
      naming(
        expects(says(/disabled|no current|switched off|out of service/iu, 'that it is disabled')),
        '27-28',
      ),
      pastAsCurrent(pair(at(SECOND), '27-28').error),
    ),
  ),
  ask('past or current', 'is the T1 value of Q101 up to date?', ({ now }) =>
    expects(day(qubit(now, 101).t1At), says(/\bno\b|\bnot\b|old|stale|days|out of date/iu, 'that it is old')),
  ),
];
