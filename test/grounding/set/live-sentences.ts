/** Answers about live values, and about stored ones beside them. */
import type { Compared } from './live-data.ts';
import { liveDataOf } from './live-data.ts';
import { computed, digits, family, from, offByOne, said, say, told, wrong, type Family } from './labelled.ts';

const minute = (at: Date): string => `${at.toISOString().slice(0, 10)} ${at.toISOString().slice(11, 16)} UTC`;
const stored = ({ stored: value, storedAt: at, recordId }: Compared, decimals: number) =>
  from({ label: '', value, unit: '', stored: value, error: null, recordId, at }, digits(value, decimals));

const live: Family = (d) => {
  const data = liveDataOf(d.calls.live, d.calls.verified);
  const [a, c] = [data.live('12', 't1'), data.live('45', 't1')];
  const [ta, tc] = [data.live('12', 't2_echo'), data.live('45', 't2_echo')];
  const f = data.live('12', 'qubit_frequency');
  const [qa, qc] = [d.label('12'), d.label('45')];
  return family(
    'live',
    ['live'],
    [
      say`Right now, ${qa} has a live T1 of ${told(digits(a.value, 1))} μs and a T2 echo of ${told(digits(ta.value, 1))} μs.`,
      say`The control system says ${told(digits(a.value, 2))} ± ${told(digits(a.error, 2))} μs for the T1 of ${qa}.`,
      say`Live T1: ${qa} ${told(digits(a.value, 1))} μs, ${qc} ${told(digits(c.value, 1))} μs.`,
      say`${qa}のライブ値はT1 ${told(digits(a.value, 1))} μs、T2エコー ${told(digits(ta.value, 1))} μsです。`,
      say`現在の${qc}のT1は${told(digits(c.value, 1))} μs（${told(minute(c.at))}）です。`,
      say`${qc} was read ${told(minute(c.at))} with T1 = ${told(digits(c.value, 1))} μs.`,
      say`The live qubit frequency of ${qa} is ${told(digits(f.value, 4))} GHz.`,
      say`Live, ${qa} and ${qc} differ by ${computed(digits(Math.abs(a.value - c.value), 1))} μs in T1.`,
      say`Right now, ${qa} has a live T1 of ${wrong(digits(c.value, 1))} μs.`,
      say`Live T1: ${qa} ${wrong(digits(c.value, 1))} μs, ${qc} ${wrong(digits(a.value, 1))} μs.`,
      say`${qc}の現在のT2エコーは${wrong(digits(tc.value * 1.19, 1))} μsです。`,
      say`The live T1 of ${qa} is ${wrong(offByOne(a.value, 2))} μs.`,
      say`The queue holds ${wrong('14')} jobs and the fridge is at ${wrong('10.2')} mK.`,
    ],
  );
};

const verified: Family = (d) => {
  const data = liveDataOf(d.calls.live, d.calls.verified);
  const [a, b] = [data.compared('12', 't1'), data.compared('21', 't1')];
  const rb = data.compared('21', 'average_readout_fidelity');
  const [qa, qb] = [d.label('12'), d.label('21')];
  const [da, db] = [digits(Math.abs(a.difference), 2), digits(Math.abs(b.difference), 1)];
  const percent = (Math.abs(b.difference) / b.stored) * 100;
  return family(
    'verification',
    ['verified'],
    [
      say`For ${qb}, the stored T1 is ${stored(b, 1)} μs and the live one ${told(digits(b.live.value, 1))} μs.`,
      say`${qb}: stored ${stored(b, 1)} μs, live ${told(digits(b.live.value, 1))} μs (T1), a difference of ${told(digits(b.difference, 1))} μs.`,
      say`| Qubit | stored T1 | live T1 |\n|---|---|---|\n| ${qa} | ${stored(a, 1)} μs | ${told(digits(a.live.value, 1))} μs |\n| ${qb} | ${stored(b, 1)} μs | ${told(digits(b.live.value, 1))} μs |`,
      say`T1 of ${qb} dropped by ${told(db)} μs since it was stored.`,
      say`The T1 of ${qb} is ${told(digits(Math.abs(b.sigma), 1))} standard deviations below the stored value.`,
      say`The T1 of ${qb} fell from ${stored(b, 1)} to ${told(digits(b.live.value, 1))} μs, ${computed(digits(percent, 0))} % less.`,
      say`T1 of ${qa} matches: the two values are only ${told(da)} μs apart (${told(digits(Math.abs(a.sigma), 1))}σ).`,
      say`The live readout fidelity of ${qb} is ${told(digits(rb.live.value, 2))} %, the stored one ${stored(rb, 2)} %.`,
      say`${qb}のT1は、保存値が${stored(b, 1)} μs、ライブ値が${told(digits(b.live.value, 1))} μsで、差は${told(digits(b.difference, 1))} μsです。`,
      say`${qb}の保存値は${from({ label: '', value: b.stored, unit: 'μs', stored: b.stored, error: null, recordId: b.recordId, at: b.storedAt }, minute(b.storedAt))}、ライブ値は${told(minute(b.live.at))}のものです（T1）。`,
      say`I compared ${told(String(data.comparisons))} values with the control system.`,
      say`You were right to doubt the ${said('300')} μs: live, ${qb} has ${told(digits(b.live.value, 1))} μs of T1.`,
      say`For ${qb}, the stored T1 is ${wrong(digits(a.stored, 1))} μs and the live one ${wrong(digits(a.live.value, 1))} μs.`,
      say`T1 of ${qb} dropped by ${wrong(digits(Math.abs(b.difference) * 1.4, 1))} μs since it was stored.`,
      say`The T1 of ${qb} is ${wrong(digits(Math.abs(b.sigma) + 2.7, 1))} standard deviations below the stored value.`,
      say`The live readout fidelity of ${qb} is ${wrong(digits(rb.live.value - 1.9, 2))} %.`,
      say`${qb}のT1は、保存値が${wrong(digits(b.stored * 1.09, 1))} μsです。`,
      say`Live minus stored, the T1 of ${qa} moved by ${wrong(digits(Math.abs(a.difference) + 3.1, 1))} μs.`,
    ],
    [`Q21 300us T1? looks wrong`],
  );
};

const freshened: Family = (d) => {
  const data = liveDataOf(d.calls.live, d.calls.verified);
  const [a, c] = [d.value('12', 't1'), d.value('45', 't1')];
  const [ta, fa] = [d.value('12', 't2_echo'), d.value('12', 'qubit_frequency')];
  const now = data.live('45', 't1');
  const [top, low] = a.value > c.value ? [a, c] : [c, a];
  const gap = top.value - low.value;
  return family(
    'stored with live beside',
    ['freshened12', 'freshened45'],
    [
      say`The stored T1 of ${a.label} is ${from(a, digits(a.value, 1))} μs, its T2 echo ${from(ta, digits(ta.value, 1))} μs.`,
      say`${a.label} was set to ${from(fa, digits(fa.value, 4))} GHz.`,
      say`In the stored values, ${top.label} has ${computed(digits(gap, 1))} μs more T1 than ${low.label}.`,
      say`Stored T1 is ${from(c, digits(c.value, 1))} μs on ${c.label} and ${from(a, digits(a.value, 1))} μs on ${a.label}.`,
      say`${c.label}のT1は${wrong(digits(c.value * 1.33 + 0.4, 1))} μsです。`,
      say`${top.label} has ${wrong(digits(gap * 1.27 + 0.9, 1))} μs more T1 than ${low.label}.`,
      say`The live T1 of ${c.label} is ${wrong(digits(now.value * 1.11, 1))} μs.`,
    ],
  );
};

/** All families of this file. */
export const LIVE_SENTENCES: readonly Family[] = [live, verified, freshened];
