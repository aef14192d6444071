/** A five-qubit star in versions over fourteen months. */
import { ask, type HeldOut } from '../held-out/held-out.ts';
import { newest, on, type PlatinumMetric, type Series } from '../held-out-3/series.ts';
import { at, expects, ghz, inUnit, us } from '../scoring/expectation.ts';

export const PLATINUM: readonly HeldOut<Series<PlatinumMetric>>[] = [
  ask('periods', 'T1 of Q0 as of 10 March 2025 and as of 18 May 2026', ({ of }) =>
    expects(
      at('2025-03-10', us('0', on(of('t1', 0), '2025-03-10'))),
      at('2026-05-18', us('0', on(of('t1', 0), '2026-05-18'))),
    ),
  ),
  ask('periods', 'Where was f01 of Q1 in March 2025, where in May 2026?', ({ of }) =>
    expects(
      at('2025-03', ghz('1', on(of('f01', 1), '2025-03-24'))),
      at('2026-05', ghz('1', on(of('f01', 1), '2026-05-18'))),
    ),
  ),
  ask('named months', 'T1 Q3: first and last value of March 2025', ({ of }) =>
    expects(us('3', on(of('t1', 3), '2025-03-10')), us('3', on(of('t1', 3), '2025-03-24'))),
  ),
  ask('units', 'newest T2 echo on Q4, in nanoseconds', ({ of }) =>
    expects(inUnit('ns', '4', newest(of('t2 echo', 4)) * 1000)),
  ),
];
