/** Answers as models write them when they talk rather than report: by class of what may be wrong, in two languages. */
import { ASKED_AT, type Measured } from './chip-data.ts';
import { computed, digits, family, from, offByOne, said, say, told, wrong, type Family } from './labelled.ts';

const CALLS = ['params12', 'params13', 'params45'] as const;
const at = (record: Measured, decimals: number) => from(record, digits(record.value, decimals));
const as = (record: Measured, decimals: number) => wrong(digits(record.value, decimals));

const values: Family = (d) => {
  const [a, b, c] = [d.value('12', 't1'), d.value('13', 't1'), d.value('45', 't1')];
  const [ta, tb] = [d.value('12', 't2_echo'), d.value('13', 't2_echo')];
  const [rb, rc] = [d.value('13', 'average_readout_fidelity'), d.value('45', 'average_readout_fidelity')];
  const [fa, xc] = [d.value('12', 'qubit_frequency'), d.value('45', 'x90_gate_fidelity')];
  const [qa, qb, qc] = [a.label, b.label, c.label];
  return [
    ...family('value', CALLS, [
      say`Sure! T1 on ${qa} currently sits at ${at(a, 1)} μs, and its echo is ${at(ta, 1)} μs.`,
      say`${qb}? ${at(b, 1)} μs for T1.`,
      say`tl;dr: ${qc} has T1 ${at(c, 1)} μs, readout ${at(rc, 1)} %, X90 ${at(xc, 2)} %.`,
      say`Among these, only ${qb} (T1 of ${at(b, 1)} μs, readout ${at(rb, 1)} %) would pass.`,
      say`The drive tone of ${qa} is at ${at(fa, 4)} GHz.`,
      say`T1 = ${at(a, 1)} μs [${qa}], ${at(b, 1)} μs [${qb}], ${at(c, 1)} μs [${qc}].`,
      say`${qa}はT1が${at(a, 1)}μs、T2エコーが${at(ta, 1)}μsで、どちらも問題ありません。`,
      say`${qb}については、T1は${at(b, 1)} μs、T2エコーは${at(tb, 1)} μs、読み出し忠実度は${at(rb, 2)} %です。`,
      say`- ${qa}：T1 ${at(a, 1)} μs\n- ${qb}：T1 ${at(b, 1)} μs\n- ${qc}：T1 ${at(c, 1)} μs`,
      say`The good news first: readout on ${qc} works in ${at(rc, 1)} % of all shots.`,
    ]),
    ...family('rounding', CALLS, [
      say`${qa} lives for just about ${at(a, 0)} μs (T1).`,
      say`T1 of ${qb} is ≈${at(b, 0)} μs, its T2 echo ≈${at(tb, 0)} μs.`,
      say`${qc}のT1はおよそ${at(c, 0)} μsです。`,
      say`${qa} lives for ${wrong(offByOne(a.value, 1))} μs (T1).`,
      say`T1 of ${qb} is ${wrong(offByOne(b.value, 0))} μs, to be exact.`,
      say`${qc}のT1は${wrong(offByOne(c.value, 1))} μsです。`,
    ]),
    ...family('unit', CALLS, [
      say`In milliseconds, ${qa} has a T1 of ${from(a, digits(a.value / 1000, 5))} ms.`,
      say`Readout of ${qb} succeeds with probability ${from(rb, digits(rb.stored, 3))}.`,
      say`${qa}は${from(fa, digits(fa.value * 1000, 1))} MHzで駆動されます（量子ビット周波数）。`,
      say`${qa} has a T1 of ${as(a, 1)} ns only.`,
      say`${qb} has a T1 of ${as(b, 2)} s.`,
      say`${qa}は${as(fa, 3)} MHzで駆動されます（量子ビット周波数）。`,
    ]),
    ...family('swapped', CALLS, [
      say`${qa}? ${as(b, 1)} μs for T1.`,
      say`T1 = ${as(b, 1)} μs [${qa}], ${as(a, 1)} μs [${qb}].`,
      say`tl;dr: ${qb} has T1 ${as(c, 1)} μs, readout ${as(rc, 1)} %.`,
      say`${qa}のT1は${as(c, 1)} μs、${qc}のT1は${as(a, 1)} μsです。`,
      say`${qa}はT1が${as(ta, 1)}μs、T2エコーが${as(a, 1)}μsです。`,
      say`The echo of ${qb} (${as(b, 1)} μs) is what limits it.`,
    ]),
    ...family('invented', CALLS, [
      say`The Purcell decay through the resonator of ${qb} limits it to ${wrong('431')} μs.`,
      say`${qa} was ${wrong(digits(a.value * 1.31, 1))} μs in T1 before the cooldown.`,
      say`At a bath temperature of ${wrong('23.5')} mK, ${qc} should do better.`,
      say`${qb}のT1は先月${wrong(digits(b.value * 0.77, 1))} μsでした。`,
      say`Dispersive shift of ${qa}: ${wrong('1.27')} MHz.`,
      say`${qc} has a π-pulse of ${wrong('32.4')} ns.`,
      say`The two-level systems near ${qa} sit at ${wrong(digits(fa.value + 0.034, 3))} GHz.`,
    ]),
  ];
};

const figures: Family = (d) => {
  const [a, b, c] = [d.value('12', 't1'), d.value('13', 't1'), d.value('45', 't1')];
  const ta = d.value('12', 't2_echo');
  const rb = d.value('13', 'average_readout_fidelity');
  const [qa, qb] = [a.label, b.label];
  const [top, low] = a.value > c.value ? [a, c] : [c, a];
  const gap = top.value - low.value;
  return [
    ...family('difference', CALLS, [
      say`${top.label} beats ${low.label} by ${computed(digits(gap, 1))} μs in T1.`,
      say`There are ${computed(digits(gap, 1))} μs of T1 between ${qa} and ${c.label}.`,
      say`T1: ${qa} ${at(a, 1)} μs, ${c.label} ${at(c, 1)} μs (Δ = ${computed(digits(gap, 1))} μs).`,
      say`${top.label}のT1は${low.label}より${computed(digits(gap, 1))} μs長いです。`,
      say`${top.label} beats ${low.label} by ${wrong(digits(gap * 1.17 + 1.1, 1))} μs in T1.`,
      say`T1: ${qa} ${at(a, 1)} μs, ${c.label} ${at(c, 1)} μs (Δ = ${wrong(digits(gap * 0.7, 2))} μs).`,
      say`${top.label}のT1は${low.label}より${wrong(digits(gap * 0.86 + 0.7, 1))} μs長いです。`,
    ]),
    ...family('percentage', CALLS, [
      say`${low.label} has only ${computed(digits((low.value / top.value) * 100, 0))} % of ${top.label}'s T1.`,
      say`${low.label} is ${computed(digits((1 - low.value / top.value) * 100, 0))} % worse than ${top.label} in T1.`,
      say`The T2/T1 ratio of ${qa} is ${computed(digits(ta.value / a.value, 2))}.`,
      say`About ${computed(digits(100 - rb.value, 1))} % of the shots on ${qb} are assigned wrongly (readout).`,
      say`${low.label}のT1は${top.label}より${computed(digits((1 - low.value / top.value) * 100, 0))} %短いです。`,
      say`${low.label} has only ${wrong(digits((low.value / top.value) * 100 + 11.3, 1))} % of ${top.label}'s T1.`,
      say`About ${wrong(digits((100 - rb.value) * 2.7, 1))} % of the shots on ${qb} are assigned wrongly (readout).`,
      say`The T2/T1 ratio of ${qa} is ${wrong(digits((ta.value / a.value) * 1.41, 2))}.`,
    ]),
  ];
};

const chip: Family = (d) => {
  const [t1, t2, ro] = [d.figures('t1'), d.figures('t2_echo'), d.figures('average_readout_fidelity')];
  const size = String(d.size);
  const above = d.t1.filter((value) => value > 75).length;
  const share = (count: number): string => digits((count / d.size) * 100, 0);
  return [
    ...family(
      'count',
      ['summary'],
      [
        say`${computed(String(above))} out of ${told(size)} have T1 above ${said('75')} μs, i.e. ${computed(share(above))} %.`,
        say`The remaining ${computed(String(d.size - above))} qubits are at or below ${said('75')} μs of T1.`,
        say`T1が${said('75')} μsを超える量子ビットは${computed(String(above))}個です。`,
        say`${told(size)}量子ビット中${computed(String(above))}個がT1 ${said('75')} μsを超えています。`,
        say`${wrong(String(above + 7))} out of ${told(size)} have T1 above ${said('75')} μs.`,
        say`T1が${said('75')} μsを超える量子ビットは${wrong(String(above - 5))}個です。`,
        say`I went through all ${told(size)} qubits of ${d.chipId}.`,
      ],
      ['how many have T1 > 75us'],
    ),
    ...family(
      'statistics',
      ['summary'],
      [
        say`Typical T1 is ${told(digits(t1.median, 1))} μs (median), T2 echo ${told(digits(t2.median, 1))} μs.`,
        say`T1 scatters around ${told(digits(t1.mean, 1))} μs with σ = ${told(digits(t1.stdev, 1))} μs.`,
        say`Best/worst T1: ${told(digits(t1.max, 1))} / ${told(digits(t1.min, 1))} μs.`,
        say`読み出し忠実度は中央値${told(digits(ro.median, 2))} %、最小${told(digits(ro.min, 2))} %です。`,
        say`Typical T1 is ${wrong(digits(t1.median * 1.12, 1))} μs (median).`,
        say`T1の平均は${wrong(digits(t1.mean * 0.93, 1))} μsです。`,
        say`Best/worst T1: ${wrong(digits(t1.max * 1.21, 1))} / ${told(digits(t1.min, 1))} μs.`,
      ],
    ),
  ];
};

const times: Family = (d) => {
  const a = d.value('12', 't1');
  const iso = a.at.toISOString();
  const [day, clock] = [iso.slice(0, 10), iso.slice(11, 16)];
  const [, month = '', date = ''] = day.split('-');
  const hours = Math.round((ASKED_AT.getTime() - a.at.getTime()) / 3_600_000);
  const wrongDay = new Date(a.at.getTime() - 400 * 86_400_000).toISOString().slice(0, 10);
  return family(
    'date',
    ['params12'],
    [
      say`T1 of ${a.label}: ${at(a, 1)} μs (as of ${from(a, `${day} ${clock} UTC`)}).`,
      say`Last measured ${from(a, day)}, the T1 of ${a.label} reads ${at(a, 1)} μs.`,
      say`${a.label}のT1は${at(a, 1)} μsです（${from(a, `${day} ${clock} UTC`)}に測定）。`,
      say`${a.label}のT1は${from(a, `${Number(month)}月${Number(date)}日`)}に測定されました。`,
      say`The T1 of ${a.label} is ${computed(String(hours))} hours old.`,
      say`T1 of ${a.label}: ${at(a, 1)} μs (as of ${wrong(wrongDay)}).`,
      say`${a.label}のT1は${wrong('2021年4月3日')}に測定されました。`,
    ],
  );
};

const names: Family = (d) => {
  const [a, b] = [d.value('12', 't1'), d.value('13', 't1')];
  return family('name', CALLS, [
    say`Qubits 12 and 13 are next to each other; T1 is ${at(a, 1)} and ${at(b, 1)} μs.`,
    say`12番のT1は${at(a, 1)} μs、13番は${at(b, 1)} μsです。`,
    say`Step 1: rerun CheckT1 on q12. Step 2: compare with ${at(a, 1)} μs.`,
    say`${a.label} (mux 3, T1 ${at(a, 1)} μs) shares its line with ${b.label}.`,
    say`For the X90 and ZX90 gates on ${a.label}, see note #4.`,
    say`Option A keeps ${a.label}; option B takes qubit #13 with ${at(b, 1)} μs of T1.`,
  ]);
};

const users: Family = (d) => {
  const a = d.value('12', 't1');
  return family(
    'user',
    CALLS,
    [
      say`No, ${a.label} does not have ${said('141.5')} μs; I find ${at(a, 1)} μs (T1).`,
      say`${said('141.5')} μsではなく、${a.label}のT1は${at(a, 1)} μsです。`,
      say`Against the ${said('141.5')} μs of the paper, ${a.label} is ${computed(digits(Math.abs(141.5 - a.value), 1))} μs off in T1.`,
      say`The paper's ${wrong('152.5')} μs is not reached by ${a.label}.`,
    ],
    [`paper says ${a.label} T1 = 141.5us, true?`],
  );
};

/** All families of this file. */
export const LOOSE_SENTENCES: readonly Family[] = [values, figures, chip, times, names, users];
