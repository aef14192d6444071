/**
 * The same things said in other words: how people and models phrase what `record-sentences` and `figure-sentences`
 * say plainly.
 */
import type { Measured } from './chip-data.ts';
import { computed, digits, family, from, offByOne, said, say, told, wrong, type Family } from './labelled.ts';

const THREE = ['params12', 'params21', 'params45'] as const;
const at = (record: Measured, decimals: number) => from(record, digits(record.value, decimals));
const as = (record: Measured, decimals: number) => wrong(digits(record.value, decimals));

const values: Family = (d) => {
  const [a, b, c] = [d.value('12', 't1'), d.value('21', 't1'), d.value('45', 't1')];
  const [ra, rc] = [d.value('12', 'average_readout_fidelity'), d.value('45', 'average_readout_fidelity')];
  const [fb, xb] = [d.value('21', 'qubit_frequency'), d.value('21', 'x90_gate_fidelity')];
  const [ta, tb] = [d.value('12', 't2_echo'), d.value('21', 't2_echo')];
  const [qa, qb, qc] = [a.label, b.label, c.label];
  return family('phrasing: values', THREE, [
    say`Looking at relaxation, ${qc} stands at ${at(c, 2)} μs, while ${qa} manages ${at(a, 2)} μs.`,
    say`Coherence on ${qb} is decent: an echo of ${at(tb, 1)} μs against a relaxation time of ${at(b, 1)} μs.`,
    say`I found these T1 values: ${at(a, 1)} μs (${qa}), ${at(b, 1)} μs (${qb}) and ${at(c, 1)} μs (${qc}).`,
    say`For ${qb} the record says f01 = ${at(fb, 4)} GHz, X90 fidelity = ${at(xb, 3)} %.`,
    say`${qc} reads out at only ${at(rc, 1)} %; ${qa} does better with ${at(ra, 1)} %.`,
    say`Between ${qa} with ${at(a, 1)} μs and ${qc} with ${at(c, 1)} μs of T1 lies ${qb} with ${at(b, 1)} μs.`,
    say`Readout: ${from(rc, digits(rc.stored, 3))} for ${qc}, ${from(ra, digits(ra.stored, 3))} for ${qa}.`,
    say`Unlike ${qb}, ${qa} has a T1 of ${at(a, 2)} μs.`,
    say`Compared to ${qc}, ${qb} is at ${at(b, 2)} μs in T1.`,
    say`### ${qc}\n- relaxation: ${at(c, 2)} μs\n- readout: ${at(rc, 2)} %\n\n### ${qa}\n- relaxation: ${at(a, 2)} μs\n- readout: ${at(ra, 2)} %`,
    say`T1/T2 of ${qb}: ${at(b, 1)}/${at(tb, 1)} μs.`,
    say`${qa}は緩和時間が${at(a, 1)} μs、コヒーレンス時間が${at(ta, 1)} μsです。`,
    say`緩和時間が最も短いのは${qc}で、${at(c, 2)} μsしかありません。`,
    say`It takes ${from(b, digits(b.value * 1000, 0))} ns for ${qb} to relax (its T1).`,
  ]);
};

const mistakes: Family = (d) => {
  const [a, b, c] = [d.value('12', 't1'), d.value('21', 't1'), d.value('45', 't1')];
  const [ra, rc] = [d.value('12', 'average_readout_fidelity'), d.value('45', 'average_readout_fidelity')];
  const [fa, fb] = [d.value('12', 'qubit_frequency'), d.value('21', 'qubit_frequency')];
  const [ta, tb] = [d.value('12', 't2_echo'), d.value('21', 't2_echo')];
  const [qa, qb, qc] = [a.label, b.label, c.label];
  return family('phrasing: mistakes', THREE, [
    say`Looking at relaxation, ${qc} stands at ${as(a, 2)} μs, while ${qa} manages ${as(c, 2)} μs.`,
    say`I found these T1 values: ${as(b, 1)} μs (${qa}), ${as(a, 1)} μs (${qb}) and ${at(c, 1)} μs (${qc}).`,
    say`Coherence on ${qb} is decent: an echo of ${as(b, 1)} μs.`,
    say`${qc} reads out at ${as(ra, 1)} %.`,
    say`For ${qb} the record says f01 = ${as(fa, 4)} GHz.`,
    say`${qa} relaxes within ${wrong(offByOne(a.value, 1))} μs (T1).`,
    say`The qubit frequency of ${qb} is ${wrong(offByOne(fb.value, 4))} GHz.`,
    say`The T2 echo of ${qa} went up to ${wrong(digits(ta.value * 1.117, 1))} μs.`,
    say`${qb}の緩和時間は${as(a, 1)} μsです。`,
    say`${qc}の読み出し忠実度は${wrong(digits(rc.value - 3.1, 1))}%です。`,
    say`The echo of ${qb} lasts ${wrong(digits(tb.value, 1))} ms.`,
    say`| | T1 | readout |\n|---|---|---|\n| ${qa} | ${at(a, 1)} μs | ${as(rc, 2)} % |\n| ${qc} | ${as(a, 1)} μs | ${at(rc, 2)} % |`,
    say`A quasiparticle rate of ${wrong('0.37')} kHz would explain the T1 of ${qc}.`,
    say`The qubit ${qa} heats to ${wrong('48')} mK.`,
    say`Typical leakage of such gates on ${qb} is ${wrong('0.12')} %.`,
  ]);
};

const arithmetic: Family = (d) => {
  const [a, b, c] = [d.value('12', 't1'), d.value('21', 't1'), d.value('45', 't1')];
  const [ra, rc] = [d.value('12', 'average_readout_fidelity'), d.value('45', 'average_readout_fidelity')];
  const [qa, qb, qc] = [a.label, b.label, c.label];
  const [top, low] = a.value > c.value ? [a, c] : [c, a];
  const mean = (a.value + b.value + c.value) / 3;
  return [
    ...family('phrasing: arithmetic', THREE, [
      say`${top.label} outlives ${low.label} by ${computed(digits(top.value - low.value, 1))} μs of T1, a lead that is larger than expected.`,
      say`The gap in T1 between ${qa} and ${qc} is ${computed(digits(top.value - low.value, 2))} μs.`,
      say`On average, ${qa}, ${qb} and ${qc} have a T1 of ${computed(digits(mean, 1))} μs.`,
      say`${low.label} reaches ${computed(digits((low.value / top.value) * 100, 0))} % of the T1 of ${top.label}.`,
      say`The assignment error of ${qc} is ${computed(digits(100 - rc.value, 1))} %, that of ${qa} ${computed(digits(100 - ra.value, 1))} %.`,
      say`The T1 of ${top.label} is ${computed(digits(top.value / low.value, 1))}× that of ${low.label}.`,
      say`${qc}のT1は${at(c, 1)} μsで、${qa}の${at(a, 1)} μsより${computed(digits(top.value - low.value, 1))} μs${top === c ? '長い' : '短い'}です。`,
      say`The gap in T1 between ${qa} and ${qc} is ${wrong(digits((top.value - low.value) * 1.23 + 0.9, 2))} μs.`,
      say`${low.label} reaches ${wrong(digits((low.value / top.value) * 100 + 13.4, 1))} % of the T1 of ${top.label}.`,
      say`On average, ${qa}, ${qb} and ${qc} have a T1 of ${wrong(digits(mean * 1.14, 1))} μs.`,
    ]),
    ...family(
      'phrasing: arithmetic',
      ['seriesBoth'],
      [say`${told('2')} qubits are compared here: ${qa} and ${d.label('13')}.`],
    ),
  ];
};

const chip: Family = (d) => {
  const [t1, t2, f] = [d.figures('t1'), d.figures('t2_echo'), d.figures('qubit_frequency')];
  const above = d.t1.filter((value) => value > 100).length;
  const size = String(d.size);
  return [
    ...family(
      'phrasing: chip',
      ['summary', 'heatmapT1'],
      [
        say`Half of the qubits relax within ${told(digits(t1.median, 1))} μs (median T1).`,
        say`On ${d.chipId}, T1 goes from ${told(digits(t1.min, 2))} μs up to ${told(digits(t1.max, 1))} μs, with a mean of ${told(digits(t1.mean, 1))} μs.`,
        say`The echo times have a median of ${told(digits(t2.median, 1))} μs over ${told(size)} qubits.`,
        say`Qubit frequencies spread over ${computed(digits((f.max - f.min) * 1000, 0))} MHz, from ${told(digits(f.min, 3))} to ${told(digits(f.max, 3))} GHz.`,
        say`All ${told(size)} qubits have a T1.`,
        say`The mean qubit frequency is ${wrong(digits(f.mean * 1.009, 3))} GHz.`,
        say`The median echo time is ${wrong(digits(t2.median * 0.91, 1))} μs.`,
        say`The longest T1 is ${wrong(digits(t1.max * 1.27, 1))} μs.`,
        say`The shortest T1 is ${told(digits(t1.min, 2))} μs, the longest ${told(digits(t1.max, 1))} μs.`,
        say`全${told(size)}量子ビットのT1の中央値は${told(digits(t1.median, 1))} μsです。`,
      ],
    ),
    ...family(
      'phrasing: chip',
      ['summary'],
      [
        say`${computed(String(above))} qubits exceed your limit of ${said('100')} μs in T1.`,
        say`${wrong(String(above + 3))} qubits exceed your limit of ${said('100')} μs in T1.`,
        say`${computed(String(above))} of ${told(size)} qubits (${computed(digits((above / d.size) * 100, 0))} %) have a T1 above ${said('100')} μs.`,
      ],
      ['How many qubits have T1 > 100 μs?'],
    ),
    ...family(
      'phrasing: chip',
      ['worstT1'],
      [
        say`Weakest in T1: ${d.worst.map(({ label }) => label).join(', ')}, from ${from(d.worst[0] as Measured, digits(d.worst[0]?.value ?? 0, 1))} to ${from(d.worst[4] as Measured, digits(d.worst[4]?.value ?? 0, 1))} μs.`,
        say`${d.worst[1]?.label ?? ''} has the second shortest T1 (${from(d.worst[1] as Measured, digits(d.worst[1]?.value ?? 0, 2))} μs), right after ${d.worst[0]?.label ?? ''}.`,
        say`After ${d.worst[0]?.label ?? ''} (${from(d.worst[0] as Measured, digits(d.worst[0]?.value ?? 0, 1))} μs) come ${d.worst[1]?.label ?? ''} (${from(d.worst[1] as Measured, digits(d.worst[1]?.value ?? 0, 1))} μs) and ${d.worst[2]?.label ?? ''} (${from(d.worst[2] as Measured, digits(d.worst[2]?.value ?? 0, 1))} μs) in T1.`,
      ],
    ),
  ];
};

const rest: Family = (d) => {
  const a = d.value('12', 't1');
  const day = a.at.toISOString().slice(0, 10);
  const clock = a.at.toISOString().slice(11, 16);
  const [first] = d.couplings;
  return [
    ...family(
      'phrasing: times and names',
      ['params12'],
      [
        say`As of ${from(a, `${day}, ${clock} UTC`)}, ${a.label} shows a T1 of ${at(a, 1)} μs.`,
        say`1) ${a.label}: T1 ${at(a, 1)} μs\n2) Repeat the measurement, see section 3.2 of the manual.`,
        say`${a.label} is fine, with T1 = ${at(a, 1)} μs; the next step is CheckT2Echo on MUX 3.`,
        say`This T1 was stored ${from(a, day)}; a value from ${wrong('2022-02-17')} is not here.`,
        say`Version v2.4.1 of the analysis by claude-haiku-4-5 gave ${at(a, 2)} μs for the T1 of ${a.label}.`,
        say`With ${at(a, 1)} μs, ${a.label} passes the “good” limit for T1 (${told('50')} μs).`,
        say`The T1 limit for “bad” is ${wrong('35')} μs, so ${a.label} is fine.`,
      ],
    ),
    ...(first === undefined
      ? []
      : family(
          'phrasing: times and names',
          ['couplings12'],
          [
            say`On the pair ${first.label}, the two-qubit gate works with ${at(first, 2)} % fidelity.`,
            say`On the pair ${first.label}, the two-qubit gate works with ${wrong(digits(first.value - 1.37, 2))} % fidelity.`,
            say`The ZX90 error of ${first.label} is ${computed(digits(100 - first.value, 2))} %.`,
          ],
        )),
  ];
};

/** All families of this file. */
export const PHRASING_SENTENCES: readonly Family[] = [values, mistakes, arithmetic, chip, rest];
