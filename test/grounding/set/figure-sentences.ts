/**
 * Sentences about more than one record: differences, shares, counts, statistics, times, thresholds, the user's
 * numbers.
 */
import { ASKED_AT, type ChipData, type Measured } from './chip-data.ts';
import { computed, digits, family, from, said, say, told, wrong, type Family } from './labelled.ts';

const TWO = ['params12', 'params13'] as const;

const pair = (d: ChipData, name: string): readonly [Measured, Measured, string, string] => {
  const [a, b] = [d.value('12', name), d.value('13', name)];
  return [a, b, d.label('12'), d.label('13')];
};
const at = (record: Measured, decimals: number) => from(record, digits(record.value, decimals));

const differences: Family = (d) => {
  const [a, b, qa, qb] = pair(d, 't1');
  const [fa, fb] = pair(d, 'qubit_frequency');
  const [ra, rb] = pair(d, 'average_readout_fidelity');
  const gap = Math.abs(a.value - b.value);
  const [long, short] = a.value > b.value ? [qa, qb] : [qb, qa];
  return family('differences', TWO, [
    say`The T1 of ${long} is ${computed(digits(gap, 2))} μs longer than that of ${short}.`,
    say`${qa} (${at(a, 2)} μs) and ${qb} (${at(b, 2)} μs) differ by ${computed(digits(gap, 2))} μs in T1.`,
    say`${qa} and ${qb} are detuned by ${computed(digits(Math.abs(fa.value - fb.value) * 1000, 1))} MHz in qubit frequency.`,
    say`The T1 of ${long} is ${wrong(digits(gap * 1.31 + 0.7, 2))} μs longer than that of ${short}.`,
    say`The readout fidelities of ${qa} and ${qb} are ${computed(digits(Math.abs(ra.value - rb.value), 2))} percentage points apart.`,
    say`${qa}のT1は${at(a, 1)} μs、${qb}のT1は${at(b, 1)} μsで、差は${computed(digits(gap, 1))} μsです。`,
    say`T1 fell on ${short}, which is now ${wrong(digits(gap + 9.3, 1))} μs below ${long}.`,
  ]);
};

const ratios: Family = (d) => {
  const [a, b, qa, qb] = pair(d, 't1');
  const t2 = d.value('12', 't2_echo');
  const [long, short, high, low] =
    a.value > b.value ? [qa, qb, a.value, b.value] : [qb, qa, b.value, a.value];
  return family('ratios and percentages', TWO, [
    say`The T1 of ${long} is ${computed(digits(high / low, 2))} times that of ${short}.`,
    say`The T1 of ${short} is ${computed(digits((1 - low / high) * 100, 1))} % shorter than that of ${long}.`,
    say`${long} has a T1 that is ${computed(digits((high / low - 1) * 100, 0))} % longer than that of ${short}.`,
    say`T2 echo of ${qa} is ${at(t2, 1)} μs, a factor of ${computed(digits(t2.value / a.value, 2))} above its T1 of ${at(a, 1)} μs.`,
    say`The T1 of ${short} is ${wrong(digits((1 - low / high) * 100 + 11.7, 1))} % shorter than that of ${long}.`,
    say`The T1 of ${long} is ${wrong(digits((high / low) * 1.37, 2))} times that of ${short}.`,
  ]);
};

const complements: Family = (d) => {
  const [a, b, qa, qb] = pair(d, 'average_readout_fidelity');
  const x90 = d.value('12', 'x90_gate_fidelity');
  return family('errors of fidelities', TWO, [
    say`The readout error of ${qa} is ${computed(digits(100 - a.value, 2))} %.`,
    say`The readout infidelity of ${qb} is ${computed(digits(100 - b.value, 2))} %.`,
    say`${qa} has an X90 gate error of ${computed(digits(100 - x90.value, 3))} %.`,
    say`The readout error of ${qb} is ${wrong(digits((100 - b.value) * 2.4, 2))} %.`,
  ]);
};

const counts: Family = (d) => {
  const above = (limit: number) => String(d.t1.filter((value) => value > limit).length);
  const size = String(d.size);
  return [
    ...family(
      'counts',
      ['summary'],
      [
        say`${d.chipId} has ${told(size)} qubits.`,
        say`${computed(above(80))} of ${told(size)} qubits have a T1 above ${wrong('80')} μs.`,
        say`T1 was measured on ${told(String(d.figures('t1').count))} qubits.`,
        say`${wrong(String(d.size + 9))} qubits were measured.`,
        say`${wrong(String(Number(above(80)) + 4))} of ${told(size)} qubits exceed a T1 of ${wrong('80')} μs.`,
        say`${computed('2')} qubits stand out: ${d.label('12')} and ${d.label('45')}.`,
        say`There are 3 things to check before the next run.`,
        say`${d.chipId}には${told(size)}個の量子ビットがあります。`,
      ],
    ),
    ...family(
      'counts',
      ['topology'],
      [say`The chip has ${told(size)} qubits in its layout.`, say`It has ${wrong('917')} couplings.`],
    ),
    ...family(
      'counts',
      ['couplings12'],
      [
        say`${d.label('12')} takes part in ${told(String(d.couplings.length))} couplings.`,
        say`${d.label('12')} has ${wrong(String(d.couplings.length + 2))} couplings.`,
      ],
    ),
    ...family(
      'counts',
      ['worstT1'],
      [
        say`The ${told('5')} worst qubits by T1 of ${told(size)} are shown.`,
        say`Of ${told(size)} qubits, these ${told('5')} qubits have the shortest T1.`,
      ],
    ),
  ];
};

const statistics: Family = (d) => {
  const [t1, ro] = [d.figures('t1'), d.figures('average_readout_fidelity')];
  const series = d.series.map(({ value }) => value);
  const mean = series.reduce((sum, value) => sum + value, 0) / series.length;
  const [a, b] = [d.value('12', 't1'), d.value('13', 't1')];
  return [
    ...family(
      'mean and median',
      ['summary'],
      [
        say`The median T1 is ${told(digits(t1.median, 2))} μs.`,
        say`T1: median ${told(digits(t1.median, 2))} μs, mean ${told(digits(t1.mean, 2))} μs.`,
        say`The average T1 over the chip is ${told(digits(t1.mean, 1))} μs.`,
        say`T1 ranges from ${told(digits(t1.min, 2))} to ${told(digits(t1.max, 1))} μs.`,
        say`The median readout fidelity is ${told(digits(ro.median, 2))} %.`,
        say`T1 scatters with a standard deviation of ${told(digits(t1.stdev, 1))} μs.`,
        say`The mean T1 is ${wrong(digits(t1.median, 2))} μs.`,
        say`The median T1 is ${wrong(digits(t1.mean, 2))} μs.`,
        say`The median T1 is ${wrong(digits(t1.median * 1.06, 2))} μs.`,
        say`The median readout fidelity is ${wrong(digits(ro.median - 2.3, 2))} %.`,
        say`T1の中央値は${told(digits(t1.median, 1))} μs、平均は${told(digits(t1.mean, 1))} μsです。`,
      ],
    ),
    ...family(
      'mean and median',
      ['series12'],
      // The mean of a single result is that result.
      series.length < 2
        ? []
        : [
            say`The mean T1 of ${d.label('12')} over these results is ${computed(digits(mean, 2))} μs.`,
            say`Averaged, the T1 of ${d.label('12')} is ${wrong(digits(mean * 1.09, 2))} μs.`,
          ],
    ),
    ...family('mean and median', TWO, [
      say`${d.label('12')} and ${d.label('13')} have a mean T1 of ${computed(digits((a.value + b.value) / 2, 2))} μs.`,
    ]),
  ];
};

const times: Family = (d) => {
  const a = d.value('12', 't1');
  const iso = a.at.toISOString();
  const [day, clock] = [iso.slice(0, 10), iso.slice(11, 16)];
  const [year, month, date] = day.split('-') as [string, string, string];
  return family(
    'dates and times',
    ['params12'],
    [
      say`The T1 of ${d.label('12')} was measured on ${from(a, day)}.`,
      say`The T1 of ${d.label('12')} is ${at(a, 2)} μs (measured ${from(a, `${day} ${clock} UTC`)}).`,
      say`Its T1 is from ${from(a, `${year}年${Number(month)}月${Number(date)}日`)}.`,
      say`${d.label('12')} was last measured on ${wrong('2024-11-05')}.`,
      say`T1 of ${d.label('12')}: ${at(a, 1)} μs, ${from(a, `${month}-${date} ${clock} UTC`)}.`,
      say`Its T1 of ${at(a, 1)} μs was taken at ${wrong('2023-03-04 05:06 UTC')}.`,
    ],
  );
};

const thresholds: Family = (d) => {
  const a = d.value('12', 't1');
  return family(
    'thresholds',
    ['params12'],
    [
      say`With ${at(a, 1)} μs, the T1 of ${d.label('12')} is above the threshold of ${told('50')} μs.`,
      say`A T1 is excellent from ${told('100')} μs and bad below ${told('20')} μs.`,
      say`The readout fidelity is good at ${told('95')} % or more.`,
      say`A T1 counts as good from ${wrong('63')} μs.`,
      say`The goal for the X90 gate fidelity is ${told('99.5')} %.`,
    ],
  );
};

const users: Family = (d) => {
  const a = d.value('12', 't1');
  const { label } = a;
  return [
    ...family(
      'numbers of the user',
      TWO,
      [
        say`You expected ${said('123.4')} μs, but the T1 of ${label} is ${at(a, 2)} μs.`,
        say`${label} does not reach the ${said('123.4')} μs that you named.`,
        say`With your limit of ${said('123.4')} μs, ${label} fails at ${at(a, 1)} μs.`,
        say`${label}のT1は${at(a, 1)} μsで、ご指定の${said('123.4')} μsに届きません。`,
        say`The fridge is at ${wrong('17.9')} mK, not at the ${said('12.5')} mK you wrote.`,
      ],
      [`Is the T1 of ${label} really 123.4 us? The fridge shows 12.5 mK.`],
    ),
  ];
};

const ages: Family = (d) => {
  const a = d.value('12', 't1');
  return family(
    'ages',
    ['params12'],
    [
      say`The T1 of ${d.label('12')}, ${at(a, 1)} μs, was stored ${computed(String(ageHours(a)))} hours ago.`,
      say`These values are ${wrong('7')} weeks and ${wrong('4321')} days old.`,
    ],
  );
};

const ageHours = ({ at: measuredAt }: Measured): number =>
  Math.round((ASKED_AT.getTime() - measuredAt.getTime()) / 3_600_000);

/** All families of this file. */
export const FIGURE_SENTENCES: readonly Family[] = [
  differences,
  ratios,
  complements,
  counts,
  statistics,
  times,
  thresholds,
  users,
  ages,
];
