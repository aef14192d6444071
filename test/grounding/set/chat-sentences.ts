/** Sentences as a chat has them, with asides and in two languages. */
import type { Measured } from './chip-data.ts';
import { computed, digits, family, from, offByOne, said, say, told, wrong, type Family } from './labelled.ts';

const at = (record: Measured, decimals: number) => from(record, digits(record.value, decimals));
const as = (record: Measured, decimals: number) => wrong(digits(record.value, decimals));

const chat: Family = (d) => {
  const [a, b, c] = [d.value('12', 't1'), d.value('21', 't1'), d.value('45', 't1')];
  const [ta, tb, tc] = [d.value('12', 't2_echo'), d.value('21', 't2_echo'), d.value('45', 't2_echo')];
  const [ra, rc] = [d.value('12', 'average_readout_fidelity'), d.value('45', 'average_readout_fidelity')];
  const [ga, gb] = [d.value('12', 'x90_gate_fidelity'), d.value('21', 'x90_gate_fidelity')];
  const [na, nb] = [d.value('12', 'anharmonicity'), d.value('21', 'anharmonicity')];
  const [fa, fb] = [d.value('12', 'qubit_frequency'), d.value('21', 'qubit_frequency')];
  const [qa, qb, qc] = [a.label, b.label, c.label];
  return family(
    'chat: values',
    ['params12', 'params21', 'params45'],
    [
      say`Yes. ${qa} is usable: its energy relaxation time is ${at(a, 1)} μs and its readout succeeds in ${at(ra, 1)} % of the cases.`,
      say`The longest-lived of the two is clear when you see ${at(a, 1)} μs on ${qa} next to ${at(c, 1)} μs on ${qc} (T1).`,
      say`Gate quality is fine on both, ${at(ga, 2)} % on ${qa} and ${at(gb, 2)} % on ${qb} for X90.`,
      say`I would avoid ${qc}, because T1 (${at(c, 2)} μs) and T2 (${at(tc, 2)} μs) are both poor there.`,
      say`${qa} was calibrated to f = ${at(fa, 4)} GHz with α = ${at(na, 1)} MHz (anharmonicity).`,
      say`Anharmonicities are ${at(na, 0)} MHz for ${qa} and ${at(nb, 0)} MHz for ${qb}.`,
      say`Here are the numbers:\n\n* T1 of ${qa} – ${at(a, 1)} μs\n* T1 of ${qb} – ${at(b, 1)} μs\n* T1 of ${qc} – ${at(c, 1)} μs`,
      say`With its ${at(c, 1)} μs, ${qc} has the shortest T1.`,
      say`On ${qb} we have T1 ≈ ${at(b, 0)} μs and T2 ≈ ${at(tb, 0)} μs.`,
      say`Frequencies: ${at(fa, 3)} GHz / ${at(fb, 3)} GHz (${qa} / ${qb}).`,
      say`${qa}のコヒーレンスは良好です。T1は${at(a, 1)} μs、T2エコーは${at(ta, 1)} μsでした。`,
      say`T1は${qa}が${at(a, 1)} μs、${qb}が${at(b, 1)} μs、${qc}が${at(c, 1)} μsです。`,
      say`The readout of ${qc}, at ${at(rc, 2)} %, needs attention; ${qa} is at ${at(ra, 2)} %.`,
      say`| Qubit | T1 | T2 echo | Readout |\n|:-:|:-:|:-:|:-:|\n| **${qa}** | ${at(a, 1)} μs | ${at(ta, 1)} μs | ${at(ra, 1)} % |\n| **${qc}** | ${at(c, 1)} μs | ${at(tc, 1)} μs | ${at(rc, 1)} % |`,
      say`Measured in seconds, the T1 of ${qb} is ${from(b, `${digits(b.value / 10, 1)}e-5`)} s.`,
      say`Gate quality is fine on both, ${as(gb, 3)} % on ${qa} and ${as(ga, 3)} % on ${qb} for X90.`,
      say`I would avoid ${qc}, because T1 (${as(a, 2)} μs) is poor there.`,
      say`With its ${as(c, 1)} μs, ${qa} has the shortest T1.`,
      say`T1は${qa}が${as(c, 1)} μs、${qc}が${as(a, 1)} μsです。`,
      say`| Qubit | T1 | T2 echo |\n|:-:|:-:|:-:|\n| ${qa} | ${as(ta, 1)} μs | ${as(a, 1)} μs |`,
      say`On ${qb} we have T1 = ${wrong(offByOne(b.value, 0))} μs.`,
      say`${qa} was calibrated to f = ${wrong(digits(fa.value + 0.0123, 4))} GHz.`,
      say`A Purcell limit of ${wrong('212.7')} μs caps the T1 of ${qa}.`,
      say`The T1 of ${qc} used to be ${wrong(digits(c.value * 2.3, 1))} μs.`,
      say`The drive amplitude of ${qa} was set to ${wrong('0.7312')}.`,
      say`Such qubits dephase at ${wrong('3.14')} kHz, which fits the T2 of ${qb}.`,
    ],
  );
};

const numbers: Family = (d) => {
  const [a, b, c] = [d.value('12', 't1'), d.value('21', 't1'), d.value('45', 't1')];
  const [t1, ro] = [d.figures('t1'), d.figures('average_readout_fidelity')];
  const [qa, qb, qc] = [a.label, b.label, c.label];
  const [top, low] = a.value > c.value ? [a, c] : [c, a];
  const size = String(d.size);
  const above = d.t1.filter((value) => value >= 90).length;
  return [
    ...family(
      'chat: sums',
      ['params12', 'params21', 'params45'],
      [
        say`${top.label} has a T1 that is ${computed(digits(top.value / low.value, 1))} times longer than ${low.label}'s.`,
        say`Compared with ${top.label}, ${low.label} loses ${computed(digits(top.value - low.value, 1))} μs of T1.`,
        say`The average T1 of ${qa}, ${qb} and ${qc} is ${computed(digits((a.value + b.value + c.value) / 3, 2))} μs.`,
        say`${low.label} (${at(low, 1)} μs) is ${computed(digits((1 - low.value / top.value) * 100, 0))} % below ${top.label} (${at(top, 1)} μs) in T1.`,
        say`${top.label} has a T1 that is ${wrong(digits((top.value / low.value) * 1.6, 1))} times longer than ${low.label}'s.`,
        say`Compared with ${top.label}, ${low.label} loses ${wrong(digits((top.value - low.value) * 0.83, 1))} μs of T1.`,
      ],
    ),
    ...family(
      'chat: sums',
      ['summary'],
      [
        say`Of ${told(size)} qubits, ${computed(String(above))} qubits reach at least ${said('90')} μs of T1.`,
        say`Your ${said('90')} μs lie above the median T1 of ${told(digits(t1.median, 1))} μs.`,
        say`Half of all qubits read out better than ${told(digits(ro.median, 1))} % (the median).`,
        say`The best T1 on ${d.chipId} is ${told(digits(t1.max, 1))} μs, the worst ${told(digits(t1.min, 1))} μs.`,
        say`Mean and median of T1 are ${told(digits(t1.mean, 1))} and ${told(digits(t1.median, 1))} μs.`,
        say`The median T1 of the chip is ${wrong(digits(t1.median + 7.7, 1))} μs.`,
        say`Of ${told(size)} qubits, ${wrong(String(above + 5))} qubits reach at least ${said('90')} μs of T1.`,
        say`Half of all qubits read out better than ${wrong(digits(ro.median + 1.9, 1))} % (the median).`,
      ],
      ['Which qubits have a T1 of 90 us or more?'],
    ),
  ];
};

const records: Family = (d) => {
  const t1 = d.value('12', 't1');
  const [first, second] = [d.worst[0] as Measured, d.worst[1] as Measured];
  const [coupling] = d.couplings;
  // The history tells times to the minute.
  const run = { ...t1, at: new Date(Math.floor(t1.at.getTime() / 60_000) * 60_000) };
  const day = t1.at.toISOString().slice(0, 10);
  return [
    ...family(
      'chat: records',
      ['worstT1'],
      [
        say`Last in T1 comes ${first.label} with ${at(first, 2)} μs; ${second.label} is next with ${at(second, 2)} μs.`,
        say`${first.label} has only ${at(first, 1)} μs of T1, which is bad (limit: ${told('20')} μs).`,
        say`Last in T1 comes ${first.label} with ${as(second, 2)} μs.`,
      ],
    ),
    ...family(
      'chat: records',
      ['history12'],
      [
        say`The last CheckT1 of ${t1.label} gave ${at(run, 1)} μs on ${from(run, day)}.`,
        say`The last CheckT1 of ${t1.label} gave ${wrong(digits(t1.value * 0.88, 1))} μs.`,
      ],
    ),
    ...(coupling === undefined
      ? []
      : family(
          'chat: records',
          ['couplings12'],
          [
            say`Among its couplings, ${coupling.label} has a gate fidelity (ZX90) of ${at(coupling, 1)} %.`,
            say`The ZX90 infidelity of ${coupling.label} is ${computed(digits(100 - coupling.value, 1))} %.`,
          ],
        )),
  ];
};

/** All families of this file. */
export const CHAT_SENTENCES: readonly Family[] = [chat, numbers, records];
