/** Questions about the demo chip: what stands in the newest runs, and what stood in April and May. */
import { meanOf } from '../data/arithmetic.ts';
import { ask, falling, type HeldOut } from '../held-out/held-out.ts';
import { at, count, expects, inOrder, naming, only, us, without } from '../scoring/expectation.ts';
import type { DemoChip } from './demo-chip.ts';
import { fidelity, strayTimes, SUSPECT } from './facts.ts';

const during = ({ series }: DemoChip, parameter: string, id: string, month: string): readonly number[] =>
  series(parameter, id)
    .filter(({ day }) => day.startsWith(month))
    .map(({ value }) => value);
const valueOf = ({ now }: DemoChip, parameter: string, id: string): number =>
  now(parameter).find((row) => row.id === id)?.value ?? Number.NaN;

export const DEMO: readonly HeldOut<DemoChip>[] = [
  ask('two-qubit gates', 'ZX90の忠実度が一番高い結合はどれですか', ({ now }) => {
    const best = falling(now('zx90_gate_fidelity'), ({ value }) => value).slice(0, 1);
    return naming(
      expects(inOrder(best), ...best.map((row) => fidelity(row.id, row.value))),
      ...best.flatMap(({ id }) => id.split('-')),
    );
  }),
  ask('thresholds', 'ZX90 fid under 96.1 %, which couplings', ({ now }) =>
    expects(only(now('zx90_gate_fidelity').filter(({ value }) => value < 0.961))),
  ),
  ask('several conditions', 'T1 > 90 us, T2 echo > 120 us, RO fid > 97.5 %', (chip) =>
    expects(
      only(
        chip
          .now('t1')
          .filter(
            ({ id, value }) =>
              value > 90 &&
              valueOf(chip, 't2_echo', id) > 120 &&
              valueOf(chip, 'average_readout_fidelity', id) > 0.975,
          ),
      ),
    ),
  ),
  ask('disabled parts', "which qubit hasn't got any readout fidelity", ({ now }) => {
    const there = new Set(now('average_readout_fidelity').map(({ id }) => id));
    return expects(only(now('t1').filter(({ id }) => !there.has(id))));
  }),
  ask('periods', 'average T1 of Q27 for April 2026, then for May 2026', (chip) =>
    expects(
      at('2026-04', us('27', meanOf(during(chip, 't1', '27', '2026-04')))),
      at('2026-05', us('27', meanOf(during(chip, 't1', '27', '2026-05')))),
    ),
  ),
  ask('named months', 'mean T2 echo on Q31 throughout April 2026', (chip) =>
    without(
      expects(us('31', meanOf(during(chip, 't2_echo', '31', '2026-04')))),
      strayTimes(
        'the newest value',
        String.raw`may\b|2026-05|now\b|current|latest|newest`,
        valueOf(chip, 't2_echo', '31'),
      ),
    ),
  ),
  ask('named months', '2026年4月のQ45のT1の最大値を教えてください', (chip) =>
    expects(us('45', Math.max(...during(chip, 't1', '45', '2026-04')))),
  ),
  ask('plausibility', 'Q45 T1 below 10us: outlier against the rest of the chip?', (chip) =>
    expects(us('45', valueOf(chip, 't1', '45')), SUSPECT),
  ),
  ask('counts', 'T1 92 us or longer: number of qubits', ({ now }) =>
    expects(count(now('t1').filter(({ value }) => value >= 92).length)),
  ),
  ask('typos', 'raed-out fidleity Q15', (chip) =>
    expects(fidelity('15', valueOf(chip, 'average_readout_fidelity', '15'))),
  ),
];
