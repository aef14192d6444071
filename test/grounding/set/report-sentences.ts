/** Sentences as they stand in reports: in context, in lists, one continuing another. */
import type { Measured } from './chip-data.ts';
import { computed, digits, family, from, offByOne, said, say, told, wrong, type Family } from './labelled.ts';

const at = (record: Measured, decimals: number) => from(record, digits(record.value, decimals));
const as = (record: Measured, decimals: number) => wrong(digits(record.value, decimals));

const reports: Family = (d) => {
  const [a, b, c] = [d.value('12', 't1'), d.value('13', 't1'), d.value('45', 't1')];
  const [ta, tc] = [d.value('12', 't2_echo'), d.value('45', 't2_echo')];
  const [fa, fc] = [d.value('12', 'qubit_frequency'), d.value('45', 'qubit_frequency')];
  const [ra, rb, rc] = [
    d.value('12', 'average_readout_fidelity'),
    d.value('13', 'average_readout_fidelity'),
    d.value('45', 'average_readout_fidelity'),
  ];
  const [qa, qb, qc] = [a.label, b.label, c.label];
  return family(
    'in context: reports',
    ['params12', 'params13', 'params45'],
    [
      say`Short answer: ${qc}. Its T1 is just ${at(c, 1)} μs, whereas ${qa} has ${at(a, 1)} μs.`,
      say`Here is what is stored. ${qa} relaxes in ${at(a, 1)} μs and keeps its phase for ${at(ta, 1)} μs (T2 echo). ${qb} relaxes in ${at(b, 1)} μs.`,
      say`The frequencies are ${at(fa, 3)} GHz (${qa}) and ${at(fc, 3)} GHz (${qc}).`,
      say`${qc} is the problem: readout ${at(rc, 1)} %, T1 ${at(c, 1)} μs, T2 echo ${at(tc, 1)} μs.`,
      say`Of the three, ${qb} has the best readout at ${at(rb, 2)} %, followed by ${qa} at ${at(ra, 2)} %.`,
      say`- ${qa}\n  - T1: ${at(a, 2)} μs\n  - readout: ${at(ra, 2)} %\n- ${qc}\n  - T1: ${at(c, 2)} μs\n  - readout: ${at(rc, 2)} %`,
      say`> ${qa}: T1 = ${at(a, 2)} μs; T2 = ${at(ta, 2)} μs`,
      say`The relaxation rate looks normal, T1(${qa}) = ${at(a, 1)} μs and T1(${qb}) = ${at(b, 1)} μs.`,
      say`${qa}の読み出し忠実度は${at(ra, 1)}％、${qc}は${at(rc, 1)}％です。`,
      say`${qc}のT1（${at(c, 1)} μs）は${qa}のT1（${at(a, 1)} μs）とは違います。`,
      say`If you need a long T1, take ${qb}; it has ${at(b, 1)} μs.`,
      say`Short answer: ${qc}. Its T1 is just ${as(b, 1)} μs, whereas ${qa} has ${at(a, 1)} μs.`,
      say`Here is what is stored. ${qa} relaxes in ${as(b, 1)} μs (T1).`,
      say`Of the three, ${qb} has the best readout at ${as(rc, 2)} %.`,
      say`- ${qa}\n  - T1: ${as(c, 2)} μs\n- ${qc}\n  - T1: ${as(a, 2)} μs`,
      say`The frequencies are ${as(fc, 3)} GHz (${qa}) and ${as(fa, 3)} GHz (${qc}).`,
      say`> ${qa}: T1 = ${wrong(offByOne(a.value, 2))} μs`,
      say`${qb} needs ${wrong('4.2')} dB more drive power than ${qa}.`,
      say`Its junction resistance of ${wrong('7.31')} kΩ hints at ageing of ${qc}.`,
      say`${qc}のT1は${wrong(digits(c.value * 1.4, 1))} μsです。`,
      say`T1 of ${qa} is around ${wrong(digits(a.value * 0.7, 0))} μs, I think.`,
    ],
  );
};

const overview: Family = (d) => {
  const [t1, ro, x90] = [
    d.figures('t1'),
    d.figures('average_readout_fidelity'),
    d.figures('x90_gate_fidelity'),
  ];
  const below = d.t1.filter((value) => value < 70).length;
  const size = String(d.size);
  return [
    ...family(
      'in context: overview',
      ['summary'],
      [
        say`${d.chipId} is a chip of ${told(size)} qubits; its T1 has a median of ${told(digits(t1.median, 1))} μs.`,
        say`Readout works with ${told(digits(ro.median, 1))} % in the median, gates (X90) with ${told(digits(x90.median, 2))} %.`,
        say`T1: lowest ${told(digits(t1.min, 1))} μs, highest ${told(digits(t1.max, 1))} μs, mean ${told(digits(t1.mean, 1))} μs.`,
        say`The spread of T1 is ${computed(digits(t1.max - t1.min, 1))} μs (${told(digits(t1.min, 1))} to ${told(digits(t1.max, 1))} μs).`,
        say`The mean T1, ${told(digits(t1.mean, 1))} μs, differs from the median, ${told(digits(t1.median, 1))} μs, by ${computed(digits(Math.abs(t1.mean - t1.median), 1))} μs.`,
        say`The typical readout error is ${computed(digits(100 - ro.median, 1))} % (median).`,
        say`The mean T1, ${wrong(digits(t1.median, 1))} μs, is unremarkable.`,
        say`Readout works with ${wrong(digits(ro.median - 4.4, 1))} % in the median.`,
        say`${d.chipId} is a chip of ${wrong(String(d.size * 2))} qubits.`,
        say`The median X90 gate error is ${wrong(digits((100 - x90.median) * 3.3, 3))} %.`,
        say`チップ全体の平均T1は${told(digits(t1.mean, 1))} μs、最大は${told(digits(t1.max, 1))} μsです。`,
      ],
    ),
    ...family(
      'in context: overview',
      ['summary'],
      [
        say`${computed(String(below))} of the ${told(size)} qubits are below ${said('70')} μs in T1, that is ${computed(digits((below / d.size) * 100, 1))} %.`,
        say`${wrong(String(below + 6))} of the ${told(size)} qubits are below ${said('70')} μs in T1.`,
        say`Your target of ${said('70')} μs is below the median T1 of ${told(digits(t1.median, 1))} μs.`,
      ],
      ['which qubits are below 70 us in T1?'],
    ),
  ];
};

const course: Family = (d) => {
  const [oldest, newest] = [d.series.at(0), d.series.at(-1)];
  if (oldest === undefined || newest === undefined || d.series.length < 3) return [];
  const drop = oldest.value - newest.value;
  const [low, high] = [
    Math.min(...d.series.map(({ value }) => value)),
    Math.max(...d.series.map(({ value }) => value)),
  ];
  const day = ({ at: time }: Measured): string => time.toISOString().slice(0, 10);
  return family(
    'in context: course',
    ['series12'],
    [
      say`The T1 of ${newest.label} went from ${at(oldest, 1)} μs on ${from(oldest, day(oldest))} to ${at(newest, 1)} μs on ${from(newest, day(newest))}.`,
      say`${newest.label} changed by ${computed(digits(Math.abs(drop), 1))} μs in T1 over these ${told(String(d.series.length))} results.`,
      say`Since ${from(oldest, day(oldest))} the T1 of ${newest.label} changed by ${computed(digits((Math.abs(drop) / oldest.value) * 100, 1))} %.`,
      say`Over this time the T1 of ${newest.label} lay between ${told(digits(low, 1))} and ${told(digits(high, 1))} μs.`,
      say`${newest.label} changed by ${wrong(digits(Math.abs(drop) + 6.6, 1))} μs in T1.`,
      say`On ${from(oldest, day(oldest))} the T1 of ${newest.label} was ${wrong(digits(oldest.value * 1.21, 1))} μs.`,
      say`${wrong(String(d.series.length + 7))} results of ${newest.label} were used.`,
    ],
  );
};

const links: Family = (d) => {
  const [first, second] = d.couplings;
  if (first === undefined || second === undefined) return [];
  return family(
    'in context: couplings',
    ['couplings12'],
    [
      say`${d.label('12')} is coupled by two-qubit gates of ${at(first, 2)} % (${first.label}) and ${at(second, 2)} % (${second.label}).`,
      say`| Coupling | ZX90 fidelity (%) |\n|---|---|\n| ${first.label} | ${at(first, 2)} |\n| ${second.label} | ${at(second, 2)} |`,
      say`${first.label} and ${second.label} differ by ${computed(digits(Math.abs(first.value - second.value), 2))} percentage points in ZX90 fidelity.`,
      say`| Coupling | ZX90 fidelity (%) |\n|---|---|\n| ${first.label} | ${as(second, 2)} |\n| ${second.label} | ${as(first, 2)} |`,
      say`${d.label('12')} is coupled by two-qubit gates of ${as(second, 2)} % (${first.label}) and ${as(first, 2)} % (${second.label}).`,
    ],
  );
};

/** All families of this file. */
export const REPORT_SENTENCES: readonly Family[] = [reports, overview, course, links];
