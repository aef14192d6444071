/** Sentences about values of single records: right ones in every form, and wrong ones that look like them. */
import type { ChipData, Measured } from './chip-data.ts';
import { digits, family, from, offByOne, say, told, wrong, type Family } from './labelled.ts';

const TWO = ['params12', 'params13'] as const;
type Qid = '12' | '13' | '21' | '45';

/** The values that most sentences are about. */
const valuesOf = (d: ChipData, qid: Qid) => ({
  t1: d.value(qid, 't1'),
  t2: d.value(qid, 't2_echo'),
  f: d.value(qid, 'qubit_frequency'),
  an: d.value(qid, 'anharmonicity'),
  ro: d.value(qid, 'average_readout_fidelity'),
  x90: d.value(qid, 'x90_gate_fidelity'),
});

/** A value with its display decimals. */
const at = (record: Measured, decimals: number) => from(record, digits(record.value, decimals));

const right: Family = (d) => {
  const [a, b] = [valuesOf(d, '12'), valuesOf(d, '13')];
  const [qa, qb] = [d.label('12'), d.label('13')];
  return family('right', TWO, [
    say`The T1 of ${qa} is ${at(a.t1, 2)} μs.`,
    say`${qa} has a T1 of ${at(a.t1, 2)} μs and ${qb} one of ${at(b.t1, 2)} μs.`,
    say`${qb} runs at ${at(b.f, 4)} GHz.`,
    say`${qa}: T1 ${at(a.t1, 2)} μs, T2 echo ${at(a.t2, 2)} μs, readout fidelity ${at(a.ro, 2)} %.`,
    say`At ${at(b.t2, 1)} μs, the echo time of ${qb} is good.`,
    say`**${qa}** reaches **${at(a.ro, 2)}%** readout fidelity.`,
    say`Qubit 12 shows ${at(a.t1, 1)} μs of T1; qubit 13 shows ${at(b.t1, 1)} μs.`,
    say`T1: ${qa} ${at(a.t1, 2)} μs, ${qb} ${at(b.t1, 2)} μs.`,
    say`${qa} and ${qb} have T1 times of ${at(a.t1, 1)} and ${at(b.t1, 1)} μs, respectively.`,
    say`We see ${at(a.t1, 1)} μs for ${qa} and ${at(b.t1, 1)} μs for ${qb} in T1.`,
    say`${qa}'s X90 gate fidelity is ${at(a.x90, 3)} %.`,
    say`Its neighbour ${qb} (T1 = ${at(b.t1, 2)} μs, T2 = ${at(b.t2, 2)} μs) is healthy.`,
  ]);
};

const units: Family = (d) => {
  const [a, b] = [valuesOf(d, '12'), valuesOf(d, '13')];
  const [qa, qb] = [d.label('12'), d.label('13')];
  return family('right in another unit', TWO, [
    say`${qa} has a T1 of ${from(a.t1, digits(a.t1.value / 1000, 4))} ms.`,
    say`The T1 of ${qb} is ${from(b.t1, digits(b.t1.value * 1000, 0))} ns.`,
    say`${qa} sits at ${from(a.f, digits(a.f.value * 1000, 1))} MHz.`,
    say`Readout fidelity of ${qb}: ${from(b.ro, digits(b.ro.stored, 4))}.`,
    say`The anharmonicity of ${qa} is ${from(a.an, digits(a.an.stored, 4))} GHz.`,
    say`T1 of ${qa}: ${from(a.t1, `${digits(a.t1.value / 10, 2)}e-5`)} s.`,
    say`T1 of ${qa}: ${from(a.t1, `${digits(a.t1.value / 10, 2)} × 10⁻⁵`)} s.`,
    say`The qubit frequency of ${qb} is $${from(b.f, digits(b.f.value, 3))}\\,\\mathrm{GHz}$.`,
    say`T1 of ${qb} is ${from(b.t1, digits(b.t1.value, 2))} us.`,
  ]);
};

const rounded: Family = (d) => {
  const [a, b] = [valuesOf(d, '12'), valuesOf(d, '13')];
  const [qa, qb] = [d.label('12'), d.label('13')];
  const tens = (value: number): string => String(Math.round(value / 10) * 10);
  return family('right rounding', TWO, [
    say`${qa} has a T1 of about ${at(a.t1, 0)} μs.`,
    say`The T1 of ${qb} is roughly ${from(b.t1, tens(b.t1.value))} μs.`,
    say`${qb} is read out with ${at(b.ro, 0)} % fidelity.`,
    say`${qa} resonates near ${at(a.f, 1)} GHz.`,
    say`The echo time of ${qa} is ~${from(a.t2, tens(a.t2.value))} μs.`,
    say`The T2 echo of ${qb} was measured at ${at(b.t2, 3)} μs.`,
    say`Qubit Anharmonicity of ${qb}: ${at(b.an, 1)} MHz.`,
  ]);
};

const negative: Family = (d) => {
  const [a, b] = [valuesOf(d, '12').an, valuesOf(d, '13').an];
  const [qa, qb] = [d.label('12'), d.label('13')];
  return family('negative values', TWO, [
    say`The anharmonicity of ${qa} is ${from(a, `−${digits(-a.value, 1)}`)} MHz.`,
    say`${qb} has an anharmonicity of ${at(b, 0)} MHz.`,
    say`Anharmonicity: ${qa} ${at(a, 1)} MHz, ${qb} ${at(b, 1)} MHz.`,
    say`The anharmonicity of ${qa} is ${wrong(digits(-a.value, 1))} MHz above zero.`,
  ]);
};

const misrounded: Family = (d) => {
  const [a, b] = [valuesOf(d, '12'), valuesOf(d, '13')];
  const [qa, qb] = [d.label('12'), d.label('13')];
  return family('wrong by rounding', TWO, [
    say`The T1 of ${qa} is ${wrong(offByOne(a.t1.value, 2))} μs.`,
    say`${qb} has a T1 of ${wrong(offByOne(b.t1.value, 1))} μs.`,
    say`Readout fidelity of ${qa}: ${wrong(offByOne(a.ro.value, 1))} %.`,
    say`${qb} runs at ${wrong(offByOne(b.f.value, 3))} GHz.`,
    say`${qa}: T1 ${at(a.t1, 2)} μs, T2 echo ${wrong(offByOne(a.t2.value, 1))} μs.`,
    say`The echo time of ${qb} is ${wrong(offByOne(b.t2.value, 0))} μs.`,
  ]);
};

const wrongUnits: Family = (d) => {
  const [a, b] = [valuesOf(d, '12'), valuesOf(d, '13')];
  const [qa, qb] = [d.label('12'), d.label('13')];
  return family('wrong unit', TWO, [
    say`The T1 of ${qa} is ${wrong(digits(a.t1.value, 2))} ns.`,
    say`${qb} runs at ${wrong(digits(b.f.value, 4))} MHz.`,
    say`The T1 of ${qb} is ${wrong(digits(b.t1.value, 1))} ms.`,
    say`Readout fidelity of ${qa}: ${wrong(digits(a.ro.stored, 4))} %.`,
    say`The anharmonicity of ${qa} is ${wrong(digits(a.an.value, 1))} GHz.`,
    say`The T2 echo of ${qb} is ${wrong(digits(b.t2.value, 1))} s.`,
  ]);
};

const swapped: Family = (d) => {
  const [a, b] = [valuesOf(d, '12'), valuesOf(d, '13')];
  const [qa, qb] = [d.label('12'), d.label('13')];
  const as = (record: Measured, decimals: number) => wrong(digits(record.value, decimals));
  return family('swapped qubit', TWO, [
    say`The T1 of ${qa} is ${as(b.t1, 2)} μs.`,
    say`${qa} has ${as(b.t1, 1)} μs and ${qb} has ${as(a.t1, 1)} μs of T1.`,
    say`${qb} runs at ${as(a.f, 4)} GHz.`,
    say`${qb}: T1 ${as(a.t1, 2)} μs, T2 echo ${as(a.t2, 2)} μs.`,
    say`${qa} and ${qb} have T1 times of ${as(b.t1, 1)} and ${as(a.t1, 1)} μs, respectively.`,
    say`Readout of ${qa} works with ${as(b.ro, 2)} %, that of ${qb} with ${as(a.ro, 2)} %.`,
    say`T1 is ${as(b.t1, 2)} μs on ${qa}.`,
    say`${qa} is a solid qubit. Its T1 is ${as(b.t1, 2)} μs.`,
    say`| Qubit | T1 (μs) |\n| --- | --- |\n| ${qa} | ${as(b.t1, 2)} |\n| ${qb} | ${as(a.t1, 2)} |`,
  ]);
};

const swappedParameter: Family = (d) => {
  const [a, b] = [valuesOf(d, '12'), valuesOf(d, '13')];
  const [qa, qb] = [d.label('12'), d.label('13')];
  const as = (record: Measured, decimals: number) => wrong(digits(record.value, decimals));
  return family('swapped parameter', TWO, [
    say`The T1 of ${qa} is ${as(a.t2, 2)} μs.`,
    say`${qb}: T1 ${as(b.t2, 2)} μs, T2 echo ${as(b.t1, 2)} μs.`,
    say`The readout fidelity of ${qa} is ${as(a.x90, 2)} %.`,
    say`T2 echo of ${qa}: ${as(a.t1, 1)} μs.`,
    say`${qb} has an X90 gate fidelity of ${as(b.ro, 2)} %.`,
  ]);
};

const tables: Family = (d) => {
  const [a, b] = [valuesOf(d, '12'), valuesOf(d, '13')];
  const [qa, qb] = [d.label('12'), d.label('13')];
  return family('tables and lists', TWO, [
    say`| Qubit | T1 (μs) | T2 echo (μs) |\n|---|---|---|\n| ${qa} | ${at(a.t1, 2)} | ${at(a.t2, 2)} |\n| ${qb} | ${at(b.t1, 2)} | ${at(b.t2, 2)} |`,
    say`| Parameter | ${qa} | ${qb} |\n|:--|--:|--:|\n| T1 | ${at(a.t1, 1)} μs | ${at(b.t1, 1)} μs |\n| Readout fidelity | ${at(a.ro, 2)} % | ${at(b.ro, 2)} % |`,
    say`${qa} on ${d.chipId}:\n\n- T1: ${at(a.t1, 2)} μs\n- T2 echo: ${at(a.t2, 2)} μs\n- Frequency: ${at(a.f, 4)} GHz`,
    say`T1 values:\n\n1. ${qb}: ${at(b.t1, 2)} μs\n2. ${qa}: ${at(a.t1, 2)} μs`,
    say`## 1. ${qb}\n\nT1 is ${at(b.t1, 1)} μs. The readout fidelity is ${at(b.ro, 2)} %.`,
    say`* **${qa}** – ${at(a.t1, 1)} μs T1, ${at(a.t2, 1)} μs T2 echo\n* **${qb}** – ${at(b.t1, 1)} μs T1, ${at(b.t2, 1)} μs T2 echo`,
  ]);
};

const japanese: Family = (d) => {
  const [a, b] = [valuesOf(d, '12'), valuesOf(d, '13')];
  const [qa, qb] = [d.label('12'), d.label('13')];
  return family('Japanese', TWO, [
    say`${qa}のT1は${at(a.t1, 2)} μsです。`,
    say`${qa}のT1は${at(a.t1, 1)}μs、${qb}のT1は${at(b.t1, 1)}μsです。`,
    say`${qb}の周波数は${at(b.f, 4)}GHz、読み出し忠実度は${at(b.ro, 2)}%です。`,
    say`量子ビット12のT2エコーは約${at(a.t2, 0)}マイクロ秒です。`,
    say`${qa}のT1は${wrong(digits(b.t1.value, 2))} μsです。`,
    say`${qb}の非調和性は${at(b.an, 1)} MHzです。`,
    say`${qb}の読み出し忠実度は${wrong(digits(b.ro.value + 1.7, 2))}％です。`,
    say`${qa}のT1は${from(
      a.t1,
      digits(a.t1.value, 1)
        .replaceAll(/\d/gu, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
        .replace('.', '．'),
    )} μsです。`,
  ]);
};

const invented: Family = (d) => {
  const [a, b] = [valuesOf(d, '12'), valuesOf(d, '13')];
  const [qa, qb] = [d.label('12'), d.label('13')];
  const near = (record: Measured, factor: number, decimals: number) =>
    wrong(digits(record.value * factor, decimals));
  return family('invented', TWO, [
    say`The T1 of ${qa} is ${near(a.t1, 1.043, 2)} μs.`,
    say`${qb} has a T1 of ${near(b.t1, 3.7, 1)} μs.`,
    say`${qa}: T1 ${at(a.t1, 2)} μs, T2 echo ${near(a.t2, 0.93, 2)} μs.`,
    say`${qb} runs at ${near(b.f, 1.0137, 4)} GHz.`,
    say`Readout fidelity of ${qa} is ${near(a.ro, 0.9871, 2)} %.`,
    say`The fridge was at ${wrong('11.4')} mK during this run.`,
    say`The gate takes ${wrong('35.6')} ns on ${qa}.`,
    say`The thermal population of ${qb} is ${wrong('1.83')} %.`,
    say`T1 of ${qa} is ${near(a.t1, 1.6, 0)} μs, T1 of ${qb} is ${near(b.t1, 0.61, 0)} μs.`,
    say`The expected coherence limit of ${qa} is ${wrong('99.9731')} %.`,
  ]);
};

const errors: Family = (d) => {
  const a = d.value('12', 't1');
  if (a.error === null) return [];
  const [b, f] = [d.value('13', 't1'), d.value('12', 'qubit_frequency')];
  const [qa, qb] = [d.label('12'), d.label('13')];
  const error = (record: Measured, decimals: number) => from(record, digits(record.error ?? 0, decimals));
  return family('± error', TWO, [
    say`T1 of ${qa}: ${at(a, 2)} ± ${error(a, 2)} μs.`,
    say`${qb} has a T1 of ${at(b, 1)} μs ± ${error(b, 1)} μs.`,
    say`T1 of ${qa} is ${at(a, 1)} μs with an uncertainty of ${error(a, 1)} μs.`,
    say`T1 of ${qa}: ${at(a, 2)} ± ${wrong(digits((b.error ?? 1) * 1.4, 2))} μs.`,
    say`T1 of ${qb}: (${at(b, 1)} ± ${error(b, 1)}) μs.`,
    say`The frequency error of ${qa} is ${error(f, 6)} GHz.`,
    say`T1 of ${qa}: ${at(a, 1)}(${from(a, String(Math.round((a.error ?? 0) * 10)))}) μs.`,
  ]);
};

const couplings: Family = (d) => {
  const [first, second] = d.couplings;
  if (first === undefined || second === undefined) return [];
  return family(
    'couplings',
    ['couplings12'],
    [
      say`${first.label} has a ZX90 fidelity of ${at(first, 2)} %.`,
      say`The coupling ${first.couplingId} reaches ${at(first, 2)} %, ${second.couplingId} reaches ${at(second, 2)} %.`,
      say`ZX90 gate fidelity: ${first.label} ${at(first, 2)} %, ${second.label} ${at(second, 2)} %.`,
      say`${first.label} has a ZX90 fidelity of ${wrong(digits(second.value, 2))} %.`,
      say`The two-qubit gate fidelity of ${second.label.replace('-', '–')} is ${at(second, 1)} %.`,
    ],
  );
};

const code: Family = (d) => {
  const [a, f] = [d.value('12', 't1'), d.value('13', 'qubit_frequency')];
  const [qa, qb] = [d.label('12'), d.label('13')];
  return family('code and names', TWO, [
    say`T1 of ${qa}: \`${at(a, 2)} μs\`.`,
    say`\`\`\`\n${qa} T1 ${at(a, 2)} μs\n\`\`\``,
    say`Compute it with\n\n\`\`\`python\nlimit = 42.5\nprint(t1[:10] * 3.7)\n\`\`\`\n\nT1 of ${qa} is ${at(a, 1)} μs.`,
    say`CheckT1 gave ${at(a, 2)} μs on ${qa} of ${d.chipId}; the answer is by gpt-4.1.`,
    say`See https://example.org/a/2.5?x=17 for the S21 of ${qb}, which runs at ${at(f, 3)} GHz.`,
    say`I see 2 ways to go on: repeat CheckT1, or compare with T2.`,
    say`1. Repeat CheckRamsey on ${qa}.\n2. Then look at T2* again.`,
  ]);
};

const elsewhere: Family = (d) => [
  ...family(
    'other results',
    ['worstT1', 'heatmapT1'],
    [
      say`The worst T1 is that of ${d.worst[0]?.label ?? ''}, ${from(d.worst[0] as Measured, digits(d.worst[0]?.value ?? 0, 2))} μs.`,
      say`${d.worst[1]?.label ?? ''} follows with a T1 of ${from(d.worst[1] as Measured, digits(d.worst[1]?.value ?? 0, 1))} μs.`,
      say`The shortest T1 are ${d.worst
        .slice(0, 2)
        .map(({ label }) => label)
        .join(' and ')}.`,
      say`${d.worst[2]?.label ?? ''} (T1 ${wrong(digits(d.worst[3]?.value ?? 0, 1))} μs) is among the worst.`,
    ],
  ),
  ...family(
    'other results',
    ['series12'],
    [
      say`The newest T1 of ${d.label('12')} is ${from(d.series.at(-1) as Measured, digits(d.series.at(-1)?.value ?? 0, 2))} μs.`,
      say`Over ${told(String(d.series.length))} results, the T1 of ${d.label('12')} lay at ${from(d.series[0] as Measured, digits(d.series[0]?.value ?? 0, 1))} μs first.`,
    ],
  ),
];

/** All families of this file. */
export const RECORD_SENTENCES: readonly Family[] = [
  right,
  units,
  rounded,
  negative,
  misrounded,
  wrongUnits,
  swapped,
  swappedParameter,
  tables,
  japanese,
  invented,
  errors,
  couplings,
  code,
  elsewhere,
];
