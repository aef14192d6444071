/** One snapshot of 27 qubits and 28 pairs, all of one day, two years before it is asked about; nothing is disabled. */
import { meanOf } from '../data/arithmetic.ts';
import {
  ask,
  falling,
  leaving,
  meanBy,
  medianBy,
  neighbours,
  pair,
  pairsOf,
  qubit,
  rising,
  type HeldOut,
} from '../held-out/held-out.ts';
import {
  beyond,
  count,
  either,
  error,
  expects,
  ghz,
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
import { BELOW, deviations, NO, ns, OLD, percentiles, YES } from './facts.ts';

export const AUCKLAND: readonly HeldOut[] = [
  ask('one value', 'tee two for cubit twelve', ({ now }) => expects(us('12', qubit(now, 12).t2))),
  ask('one value', 'how long is the cnot from 24 to 23', ({ now }) =>
    expects(ns('23-24', now.record('24-23', 'gate_length', 'cx'))),
  ),
  ask('several values', 'tee one tee two frequency and read out error of qubit eight', ({ now }) => {
    const { id, t1, t2, frequency, readout } = qubit(now, 8);
    return expects(us(id, t1), us(id, t2), ghz(id, frequency ?? 0), error(id, readout));
  }),
  ask('several values', '12-13と12-15のCXエラーは？', ({ now }) =>
    expects(...['12-13', '12-15'].map((id) => error(id, pair(now, id).error))),
  ),
  ask('several values', 'ZZ coupling of 0-1 and of 12-13?', ({ now }) =>
    expects(ghz('0-1', now.record('', 'zz_01')), ghz('12-13', now.record('', 'zz_1213'))),
  ),
  ask('rankings', 'best 3 cx', ({ now }) => {
    const best = rising(now.pairs, (row) => row.error).slice(0, 3);
    return expects(inOrder(best), ...best.map((row) => error(row.id, row.error)));
  }),
  ask('rankings', 'Please sort qubits 0, 1, 2, 3, 4 and 5 by T1, the longest first.', ({ now }) => {
    const all = falling(
      [0, 1, 2, 3, 4, 5].map((id) => qubit(now, id)),
      (row) => row.t1,
    );
    return expects(inOrder(all), ...all.map((row) => us(row.id, row.t1)));
  }),
  ask('rankings', 'wich 3 qubits have the wrost sx error', ({ now }) => {
    const all = now.qubits.map(({ id }) => ({ id, error: now.record(id, 'gate_error', 'sx') }));
    const worst = falling(all, (row) => row.error).slice(0, 3);
    return expects(inOrder(worst), ...worst.map((row) => error(row.id, row.error)));
  }),
  ask('rankings', 'CXエラーが大きいカップリングを上から3つ', ({ now }) => {
    const worst = falling(now.pairs, (row) => row.error).slice(0, 3);
    return expects(inOrder(worst), ...worst.map((row) => error(row.id, row.error)));
  }),
  ask('statistics', '全量子ビットのT1の平均と標準偏差', ({ now }) => {
    const all = now.qubits.map((row) => row.t1);
    return expects(us(null, meanOf(all)), either(...deviations(all).map((value) => [us(null, value)])));
  }),
  ask('statistics', 'interquartile range of T2, please', ({ now }) => {
    const all = now.qubits.map((row) => row.t2);
    const [low, high] = [percentiles(all, 25), percentiles(all, 75)];
    return expects(
      either(
        ...low.flatMap((value, index) => [
          [us(null, value), us(null, high[index] ?? 0)],
          [us(null, (high[index] ?? 0) - value)],
        ]),
      ),
    );
  }),
  ask('conditions', 'T1>150 and T2>150 who', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t1 > 150 && row.t2 > 150))),
  ),
  ask('conditions', 'CNOTs with an error between 0.9 % and 1 %', ({ now }) =>
    expects(only(now.pairs.filter((row) => row.error >= 0.009 && row.error <= 0.01))),
  ),
  ask('conditions', "which ones don't reach a T2 of fifty microseconds", ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t2 < 50))),
  ),
  ask('conditions', '周波数が4.75〜4.85GHzの量子ビットはどれ', ({ now }) =>
    expects(only(now.qubits.filter(({ frequency }) => (frequency ?? 0) >= 4.75 && (frequency ?? 0) <= 4.85))),
  ),
  ask('operational state', 'Are all of the CNOTs operational?', () =>
    without(
      expects(
        says(
          /\byes\b|\ball\b|\bnone\b[^.]{0,40}(?:disabled|missing)|\bno\b[^.]{0,40}(?:disabled|dead|missing)|0 [^.]{0,30}disabled/iu,
          'that all are',
        ),
      ),
      misleading(/(?:is|are) disabled: Q?\d/iu, 'a disabled gate'),
    ),
  ),
  ask('operational state', 'any qubit without a T2 value?', () =>
    expects(says(/\bno\b|\bnone\b|\ball\b|\bevery\b|27 of 27|\b0\b/iu, 'that there is none')),
  ),
  ask('health', 'short health report of this device please, and be honest', () =>
    without(
      expects(OLD, says(/21[^\n\d]{0,6}23|\bQ0*(?:19|20|23|26|13|24|10)\b/u, 'a weak part')),
      misleading(/(?<!not )\b(?:is|in) (?:very )?(?:healthy|excellent)\b/iu, 'that it is healthy'),
    ),
  ),
  ask('health', 'このチップの一番の弱点はどこですか', () =>
    expects(says(/21[^\n\d]{0,6}23|23[^\n\d]{0,6}21|\bQ0*(?:19|20|23|26|13|24|10)(?!\d)/u, 'a weak part')),
  ),
  ask('comparisons', 'Does Q20 have a below average T1?', ({ now }) =>
    expects(
      us('20', qubit(now, 20).t1),
      either(
        [
          us(
            null,
            meanBy(now.qubits, (row) => row.t1),
          ),
        ],
        [
          us(
            null,
            medianBy(now.qubits, (row) => row.t1),
          ),
        ],
      ),
      either([YES], [BELOW]),
    ),
  ),
  ask('comparisons', 'which one has the lower readout error, 11 or 24?', ({ now }) => {
    const both = rising([qubit(now, 11), qubit(now, 24)], (row) => row.readout);
    return expects(inOrder(both.slice(0, 1)), ...both.map((row) => error(row.id, row.readout)));
  }),
  ask('topology', 'qubits that have exactly three neighbors', ({ now }) =>
    expects(only(now.qubits.filter(({ id }) => pairsOf(now, id).length === 3))),
  ),
  ask('topology', 'Q25の隣の量子ビットのT2を教えて', ({ now }) =>
    naming(expects(...neighbours(now, 25).map(({ id }) => us(id, qubit(now, Number(id)).t2))), '25'),
  ),
  ask('plausibility', 'Is T2 longer than twice T1 on any qubit here?', () => expects(NO)),
  ask('plausibility', 'Q19: T1 156 us but T2 only 20. possible?', ({ now }) =>
    expects(
      us('19', qubit(now, 19).t2),
      says(
        /possible|plausib|allowed|physical|consistent|below 2|less than (?:2|twice)|not exceed|within/iu,
        'a judgement',
      ),
    ),
  ),
  ask('notes and exclusions', '21-23と17-18を除いたCXエラーの平均値', ({ now }) =>
    naming(
      expects(
        error(
          null,
          meanBy(leaving(now.pairs, '21-23', '17-18'), (row) => row.error),
        ),
      ),
      '21-23',
      '17-18',
    ),
  ),
  ask('notes and exclusions', 'are there any notes for this chip?', () =>
    nothing(/\bnote|remark|comment|nobody|wrote/iu),
  ),
  ask('units', 'T2 of Q12 in ns', ({ now }) => expects(inUnit('ns', '12', qubit(now, 12).t2 * 1000))),
  ask('not in the data', 'Bell state fidelity of 0-1?', () => nothing(/bell/iu)),
  ask('outside the field', 'write me a haiku about liquid helium', beyond),
  ask('outside the field', 'Please book the seminar room for tomorrow at ten.', beyond),
  ask('two parts', 'Best qubit by T1 and worst qubit by readout?', ({ now }) => {
    const [best] = falling(now.qubits, (row) => row.t1);
    const [worst] = falling(now.qubits, (row) => row.readout);
    return expects(us(best?.id ?? '', best?.t1 ?? 0), error(worst?.id ?? '', worst?.readout ?? 0));
  }),
  ask('two parts', 'How many CNOTs are worse than 1 % and which one is the very worst?', ({ now }) => {
    const over = falling(
      now.pairs.filter((row) => row.error > 0.01),
      (row) => row.error,
    );
    return naming(
      expects(count(over.length), error(over[0]?.id ?? '', over[0]?.error ?? 0)),
      ...over.map(({ id }) => id),
    );
  }),
  ask('two parts', "What's Q15's T1, and is that the longest on the chip?", ({ now }) =>
    expects(
      us('15', qubit(now, 15).t1),
      says(/\byes\b|longest|highest|best|\b1(?:st)? of 27|first|maximum/iu, 'that it is'),
    ),
  ),
  ask('follow-ups', ['Which qubit has the highest T1?', 'and its T2?'], ({ now }) => {
    const [best] = falling(now.qubits, (row) => row.t1);
    return expects(us(best?.id ?? '', best?.t2 ?? 0));
  }),
  ask('follow-ups', ['cx error 2-3', 'and 5-8?'], ({ now }) =>
    naming(expects(error('5-8', pair(now, '5-8').error)), '2-3'),
  ),
];
