/**
 * Sentences that were written after the rules were settled and for which nothing was changed: what to expect of new
 * answers.
 */
import type { Measured } from './chip-data.ts';
import { computed, digits, family, from, offByOne, said, say, told, wrong, type Family } from './labelled.ts';

const at = (record: Measured, decimals: number) => from(record, digits(record.value, decimals));
const as = (record: Measured, decimals: number) => wrong(digits(record.value, decimals));

const answers: Family = (d) => {
  const [a, b, c] = [d.value('13', 't1'), d.value('21', 't1'), d.value('45', 't1')];
  const [ta, tb] = [d.value('13', 't2_echo'), d.value('21', 't2_echo')];
  const [ra, rb] = [d.value('13', 'average_readout_fidelity'), d.value('21', 'average_readout_fidelity')];
  const [fa, fb] = [d.value('13', 'qubit_frequency'), d.value('21', 'qubit_frequency')];
  const [xa, xb] = [d.value('13', 'x90_gate_fidelity'), d.value('21', 'x90_gate_fidelity')];
  const [qa, qb, qc] = [a.label, b.label, c.label];
  const gap = Math.abs(a.value - b.value);
  const [long, short] = a.value > b.value ? [qa, qb] : [qb, qa];
  return family(
    'held out: answers',
    ['params13', 'params21', 'params45'],
    [
      say`${qa} is the better choice for a memory experiment: it holds energy for ${at(a, 1)} μs (T1) and phase for ${at(ta, 1)} μs (T2 echo).`,
      say`According to the stored calibration, ${qb} has T1 = ${at(b, 2)} μs, T2 echo = ${at(tb, 2)} μs and a readout fidelity of ${at(rb, 2)} %.`,
      say`T1 is ${at(c, 1)} μs for ${qc}. For ${qa} it is ${at(a, 1)} μs.`,
      say`The two drive frequencies, ${at(fa, 4)} GHz for ${qa} and ${at(fb, 4)} GHz for ${qb}, do not collide.`,
      say`Readout: ${qa} at ${at(ra, 1)} %, ${qb} at ${at(rb, 1)} %. Gates (X90): ${at(xa, 3)} % and ${at(xb, 3)} %.`,
      say`Summary for ${qb}\n\n- **T1**: ${at(b, 1)} μs\n- **T2 echo**: ${at(tb, 1)} μs\n- **Qubit frequency**: ${at(fb, 4)} GHz`,
      say`That makes ${qc} (T1 of ${at(c, 1)} μs) the weak spot, not ${qa} (T1 of ${at(a, 1)} μs).`,
      say`In T1, ${qa} shows ${at(a, 1)} μs; the value of ${qb}, ${at(b, 1)} μs, is close to it.`,
      say`${qa}と${qb}のT1はそれぞれ${at(a, 1)} μsと${at(b, 1)} μsです。`,
      say`読み出し忠実度: ${qa} ${at(ra, 2)}%、${qb} ${at(rb, 2)}%`,
      say`${long} keeps its energy ${computed(digits(gap, 1))} μs longer than ${short} (T1).`,
      say`The T1 difference is ${computed(digits(gap, 2))} μs between ${qa} and ${qb}.`,
      say`The readout error rates are ${computed(digits(100 - ra.value, 2))} % (${qa}) and ${computed(digits(100 - rb.value, 2))} % (${qb}).`,
      say`${qa} is the better choice: it holds energy for ${as(b, 1)} μs (T1) and phase for ${as(tb, 1)} μs (T2 echo).`,
      say`T1 is ${as(a, 1)} μs for ${qc}. For ${qa} it is ${as(c, 1)} μs.`,
      say`Summary for ${qb}\n\n- **T1**: ${as(a, 1)} μs\n- **T2 echo**: ${as(ta, 1)} μs`,
      say`${qa}と${qb}のT1はそれぞれ${as(b, 1)} μsと${as(a, 1)} μsです。`,
      say`According to the stored calibration, ${qb} has T1 = ${wrong(offByOne(b.value, 2))} μs.`,
      say`${qb} idles at ${wrong(digits(fb.value - 0.217, 3))} GHz.`,
      say`The measured ZZ shift to ${qa} is ${wrong('63.2')} kHz.`,
      say`We would need ${wrong('2048')} shots per point and ${wrong('17')} minutes to improve on that.`,
      say`The T1 difference is ${wrong(digits(gap * 0.71 + 0.3, 2))} μs between ${qa} and ${qb}.`,
      say`${qc} was better once, with a T1 of ${wrong(digits(c.value * 1.77, 1))} μs.`,
    ],
  );
};

const chip: Family = (d) => {
  const [t1, t2, x90] = [d.figures('t1'), d.figures('t2_echo'), d.figures('x90_gate_fidelity')];
  const size = String(d.size);
  const below = d.t1.filter((value) => value < 60).length;
  const [first, , third] = d.worst as [Measured, Measured, Measured];
  return [
    ...family(
      'held out: chip',
      ['summary'],
      [
        say`On the whole, ${d.chipId} is in good shape: the median T1 is ${told(digits(t1.median, 1))} μs and the median T2 echo ${told(digits(t2.median, 1))} μs.`,
        say`${computed(String(below))} qubits fall below ${said('60')} μs in T1, out of ${told(size)} qubits.`,
        say`X90 gates reach ${told(digits(x90.mean, 2))} % on average; the best one has ${told(digits(x90.max, 2))} %.`,
        say`T1 values lie between ${told(digits(t1.min, 1))} μs and ${told(digits(t1.max, 1))} μs.`,
        say`On the whole, the median T1 is ${wrong(digits(t1.median * 1.21, 1))} μs.`,
        say`${wrong(String(below + 8))} qubits fall below ${said('60')} μs in T1.`,
        say`X90 gates reach ${wrong(digits(x90.mean - 1.3, 2))} % on average.`,
      ],
      ['Are there qubits with T1 < 60 us?'],
    ),
    ...family(
      'held out: chip',
      ['worstT1'],
      [
        say`The three shortest T1 are those of ${d.worst
          .slice(0, 3)
          .map(({ label }) => label)
          .join(', ')}; they go from ${at(first, 1)} μs to ${at(third, 1)} μs.`,
        say`Start with ${first.label}: at ${at(first, 2)} μs its T1 is far below the ${told('50')} μs that count as good.`,
        say`${third.label} has a T1 of ${wrong(digits(third.value * 0.9, 1))} μs.`,
      ],
    ),
  ];
};

/** All held-out families. */
export const HELD_OUT_SENTENCES: readonly Family[] = [answers, chip];
