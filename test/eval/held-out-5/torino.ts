/** One snapshot of 133 qubits: eleven disabled pairs, five T2 above twice T1, values of three months. */
import { ask, falling, otherEnd, pair, pairsOf, qubit, type HeldOut } from '../held-out/held-out.ts';
import type { Snapshot } from '../held-out/device.ts';
import { DISABLED, NO, ns } from '../held-out-3/facts.ts';
import {
  at as of,
  count,
  either,
  error,
  expects,
  inOrder,
  inUnit,
  naming,
  only,
  says,
  us,
  without,
} from '../scoring/expectation.ts';
import { EXCEEDS, prefers, saysNo, saysYes, SUSPECT } from './facts.ts';

const dead = ({ disabled }: Snapshot): readonly string[] => disabled.map(({ id }) => id);
const month = (at: Date): string => at.toISOString().slice(0, 7);

export const TORINO: readonly HeldOut[] = [
  ask('two-qubit gates', '2Q error of 60-61 and of 98-99? which would you rather use', ({ now }) =>
    naming(
      expects(
        error('60-61', pair(now, '60-61').error),
        error('98-99', pair(now, '98-99').error),
        prefers('98-99', '60-61'),
      ),
      '60-61',
      '98-99',
    ),
  ),
  ask('two-qubit gates', 'gate time of the cz on 16/23 - is that the slowest cz we have?', ({ now }) =>
    without(
      naming(
        expects(
          ns('16-23', now.record('16-23', 'gate_length', 'cz')),
          says(/\byes\b|slowest|longest|maximum|largest/iu, 'yes'),
        ),
        '16',
        '23',
      ),
      saysNo,
    ),
  ),
  ask('thresholds', 'CZ error from 2 up to 4 %, working gates only', ({ now }) =>
    naming(expects(only(now.working.filter((row) => row.error >= 0.02 && row.error <= 0.04))), ...dead(now)),
  ),
  ask('thresholds', 'Assignment error greater than 17 %: give me the qubit numbers', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.readout > 0.17))),
  ),
  ask('thresholds', 'CZの忠実度が99.8%より高いペアを挙げてください', ({ now }) =>
    naming(expects(only(now.working.filter((row) => row.error < 0.002))), ...dead(now)),
  ),
  ask('several conditions', 'T1 > 200us AND ro err < 0.8% - candidates?', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t1 > 200 && row.readout < 0.008))),
  ),
  ask('several conditions', 'which ones have T2 above T1 even though T1 is already over 250 us', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t2 > row.t1 && row.t1 > 250))),
  ),
  ask('several conditions', 'T1が60μs未満で、しかも読み出しエラーが3%を超えているのは？', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t1 < 60 && row.readout > 0.03))),
  ),
  ask('disabled parts', 'Qubits that sit on at least one switched-off CZ', ({ now }) =>
    naming(
      expects(only(now.qubits.filter(({ id }) => pairsOf(now, id).some(({ isDisabled }) => isDisabled)))),
      ...dead(now),
    ),
  ),
  ask('disabled parts', 'is 21-34 down? what about 20-21?', ({ now }) =>
    without(
      naming(expects(DISABLED, error('20-21', pair(now, '20-21').error)), '21-34', ...dead(now)),
      {
        pattern:
          /(?<!not )\b20\D{1,4}21\b[^.\n]{0,30}\b(?:is|are) (?:also )?(?:disabled|down|switched off)/iu,
        as: 'wrong',
        what: 'that 20-21 is disabled',
      },
      {
        pattern: /\b21\D{1,4}34\b[^.\n]{0,20}\bis (?:working|enabled|usable|not disabled|up)\b/iu,
        as: 'wrong',
        what: 'that 21-34 works',
      },
    ),
  ),
  ask('disabled parts', 'Q58でまだ使えるCZは残っていますか', ({ now }) =>
    without(
      naming(expects(NO), '58', ...pairsOf(now, 58).flatMap((row) => [row.id, otherEnd(row, 58)])),
      saysYes,
    ),
  ),
  ask('disabled parts', 'what fraction of our CZs is currently switched off', ({ now }) => {
    const [off, all] = [now.disabled.length, now.pairs.length];
    return naming(
      expects(
        either(
          [count(off), count(all)],
          [count(2 * off), count(2 * all)],
          [{ type: 'figure', of: null, value: (100 * off) / all, unit: '%', isExact: false }],
        ),
      ),
      ...dead(now),
    );
  }),
  ask('disabled parts', 'Q21: CZs that are still alive + their errors', ({ now }) => {
    const alive = pairsOf(now, 21).filter(({ isDisabled }) => !isDisabled);
    return naming(expects(only(alive), ...alive.map((row) => error(row.id, row.error))), '21', '21-34', '34');
  }),
  ask(
    'periods',
    'T1 timestamps: how many fall in January 2025, and how many in February 2025?',
    ({ now }) => {
      const taken = (name: string): number => now.qubits.filter(({ t1At }) => month(t1At) === name).length;
      return expects(of('2025-01', count(taken('2025-01'))), of('2025-02', count(taken('2025-02'))));
    },
  ),
  ask('named months', 'Which T2 numbers go back to January 2025?', ({ now }) =>
    expects(only(now.qubits.filter(({ t2At }) => month(t2At) === '2025-01'))),
  ),
  ask('plausibility', 'T2 on Q44 reads 281 us. Can that be, given its T1?', ({ now }) =>
    without(expects(us('44', qubit(now, 44).t2), us('44', qubit(now, 44).t1), EXCEEDS), saysYes),
  ),
  ask('plausibility', 'sx error on Q86: does it stand out from the other qubits?', ({ now }) =>
    without(expects(error('86', now.record('86', 'gate_error', 'sx')), SUSPECT), saysNo),
  ),
  ask('counts', 'How many CZs come in below 0.4 % error?', ({ now }) => {
    const good = now.working.filter((row) => row.error < 0.004).length;
    return expects(count(good, 2 * good));
  }),
  ask('counts', 'no. of qubits w/ readout error worse than 10 %', ({ now }) =>
    expects(count(now.qubits.filter((row) => row.readout > 0.1).length)),
  ),
  ask('counts', 'T2がT1の2倍を超えている量子ビットの数は？', ({ now }) => {
    const over = now.qubits.filter((row) => row.t2 > 2 * row.t1);
    return naming(expects(count(over.length)), ...over.map(({ id }) => id));
  }),
  ask('units', 'T2 Q130 -> ms', ({ now }) => expects(inUnit('ms', '130', qubit(now, 130).t2 / 1000))),
  ask('units', 'cz 62-63 duration, please in microseconds', ({ now }) =>
    naming(expects(inUnit('μs', '62-63', now.record('62-63', 'gate_length', 'cz') / 1000)), '62', '63'),
  ),
  ask('units', 'Q51の読み出しエラーを、％ではなく小数で', ({ now }) =>
    expects(inUnit('fraction', '51', qubit(now, 51).readout)),
  ),
  ask('typos', 'hihgest T2, wich qbit is it?', ({ now }) => {
    const best = falling(now.qubits, (row) => row.t2).slice(0, 1);
    return expects(inOrder(best), ...best.map((row) => us(row.id, row.t2)));
  }),
  ask('typos', 'raed-out errro for Q19', ({ now }) => expects(error('19', qubit(now, 19).readout))),
  ask('typos', 'lsit the disbaled CZs plz', ({ now }) => expects(only(now.disabled))),
];
