/** What is measured now, and how it compares. */
import { healthOf, middle, newestOf, standingApart, type LabRecord, type Reading } from './lab-record.ts';
import { byTool, ofChip, ofQubit, type Question } from './question.ts';

type Statistics = {
  count: number;
  missing: number;
  median: number | null;
  mean: number | null;
  scale: number;
};
type Metric = { values: { qubit: { qid: string }; value: number | null }[] };
type Ranked = { rows: { qid: string; value: number }[]; scale: number; measured: number };
type Values = { parameters: { name: string; displayValue: number | null }[] };

const METRIC_VALUES = 'values { qubit { qid } value }';
const measured = ({ metric: { values } }: { metric: Metric }) =>
  values.flatMap(({ qubit: { qid }, value }) => (value === null ? [] : [{ qid, value }]));
const valueOf = ({ parameters }: Values, name: string): number | null =>
  parameters.find((each) => each.name === name)?.displayValue ?? null;
const lowest = <Row extends { readonly value: number }>(
  rows: readonly Row[],
  count: number,
): readonly Row[] => rows.toSorted((a, b) => a.value - b.value).slice(0, count);

/** Gates of these couplings: one for both directions of a pair that have the same value. */
const countGates = (all: readonly { readonly qid: string; readonly value: number }[]): number =>
  new Set(all.map(({ qid, value }) => `${qid.split('-').toSorted().join('-')} ${value}`)).size;

/** A coupling that has a fidelity, asked for against its direction where that one has none. */
function askedCoupling(lab: LabRecord): { readonly asked: string; readonly stored: Reading } {
  const all = newestOf(lab, 'zx90_gate_fidelity');
  const stored = all[0]!;
  const reversed = stored.qid.split('-').toReversed().join('-');
  return { asked: all.some(({ qid }) => qid === reversed) ? stored.qid : reversed, stored };
}

export const QUESTIONS_ABOUT_VALUES: readonly Question[] = [
  {
    asked: 'What is the latest T1 of this qubit, and when was it measured?',
    expected: (lab) => {
      const newest = newestOf(lab, 't1').find(({ qid }) => qid === lab.subject)!;
      return [newest.value, newest.at.toISOString()];
    },
    overGraphql: ({ subject }) =>
      ofQubit<{ parameter: { displayValue: number; calibratedAt: string } }>(
        subject,
        'parameter(name: "t1") { displayValue calibratedAt }',
        ({ parameter: { displayValue, calibratedAt } }) => [displayValue, calibratedAt],
      ),
    byTool: ({ subject }) =>
      byTool<{ parameters: { name: string; value: number; scale: number; calibrated_at: string }[] }>(
        'get_qubit_params',
        { qid: `Q${subject}` },
        ({ data: { parameters } }) =>
          parameters
            .filter(({ name }) => name === 't1')
            .flatMap(({ value, scale, calibrated_at }) => [value * scale, calibrated_at]),
      ),
  },
  {
    asked: 'What is the median T1 of the chip, over how many qubits, and how old is it?',
    expected: (lab) => {
      const newest = newestOf(lab, 't1');
      const times = newest.map(({ at }) => at.toISOString()).toSorted();
      return [middle(newest.map(({ value }) => value)), newest.length, times.at(0), times.at(-1)];
    },
    overGraphql: () =>
      ofChip<{
        summary: { parameters: Statistics[]; freshness: { oldestAt: string; newestAt: string } };
      }>(
        'summary(parameters: ["t1"]) { parameters { median count } freshness { oldestAt newestAt } }',
        ({ summary: { parameters, freshness } }) => [
          parameters[0]!.median,
          parameters[0]!.count,
          freshness.oldestAt,
          freshness.newestAt,
        ],
      ),
    byTool: () =>
      byTool<{ statistics: { t1: Statistics } }>(
        'get_chip_summary',
        { param_names: ['t1'] },
        ({ data: { statistics }, freshness }) => [
          statistics.t1.median,
          statistics.t1.count,
          freshness.oldestAt,
          freshness.newestAt,
        ],
      ),
  },
  {
    asked: 'Which five qubits have the shortest T1?',
    expected: (lab) => lowest(newestOf(lab, 't1'), 5).map(({ qid, value }) => [qid, value]),
    overGraphql: () =>
      ofChip<{ metric: Metric }>(`metric(name: "t1") { ${METRIC_VALUES} }`, (chip) =>
        lowest(measured(chip), 5).map(({ qid, value }) => [qid, value]),
      ),
    byTool: () =>
      byTool<Ranked>('rank_qubits', { metric_name: 't1', order: 'lowest', count: 5 }, ({ data }) =>
        data.rows.map(({ qid, value }) => [qid, value * data.scale]),
      ),
  },
  {
    asked: 'How many qubits have an echo T2, and how many are missing?',
    expected: (lab) => {
      const { length } = newestOf(lab, 't2_echo');
      return [length, lab.qids.length - length];
    },
    overGraphql: () =>
      ofChip<{ metric: { statistics: Statistics } }>(
        'metric(name: "t2_echo") { statistics { count missing } }',
        ({ metric: { statistics } }) => [statistics.count, statistics.missing],
      ),
    byTool: () =>
      byTool<{ statistics: Statistics }>(
        'generate_chip_heatmap',
        { metric_name: 't2_echo' },
        ({ data: { statistics } }) => [statistics.count, statistics.missing],
      ),
  },
  {
    asked: 'Which qubits stand apart in anharmonicity?',
    expected: (lab) => standingApart(newestOf(lab, 'anharmonicity')),
    overGraphql: () =>
      ofChip<{ metric: Metric }>(`metric(name: "anharmonicity") { ${METRIC_VALUES} }`, (chip) =>
        standingApart(measured(chip)),
      ),
    byTool: () =>
      byTool<{ outliers: { qid: string }[] }>(
        'find_outliers',
        { metric_name: 'anharmonicity' },
        ({ data: { outliers } }) => outliers.map(({ qid }) => qid).toSorted((a, b) => Number(a) - Number(b)),
      ),
  },
  {
    asked: 'What is the fidelity of this coupling, and in which direction is it stored?',
    expected: (lab) => {
      const { qid, value } = askedCoupling(lab).stored;
      return [qid, value];
    },
    overGraphql: (lab) => ({
      query: `query ($chip: String!) {
        coupling(chipId: $chip, couplingId: "${askedCoupling(lab).asked}") {
          couplingId parameters(names: ["zx90_gate_fidelity"]) { name displayValue }
        }
      }`,
      answer: (data) => {
        const { coupling } = data as { coupling: Values & { couplingId: string } };
        return [coupling.couplingId, valueOf(coupling, 'zx90_gate_fidelity')];
      },
    }),
    byTool: (lab) =>
      byTool<{ couplings: { coupling_id: string; parameters: { value: number; scale: number }[] }[] }>(
        'get_coupling_params',
        { coupling_id: askedCoupling(lab).asked, param_names: ['zx90_gate_fidelity'] },
        ({ data: { couplings } }) =>
          couplings.flatMap(({ coupling_id, parameters: [fidelity] }) => [
            coupling_id,
            fidelity!.value * fidelity!.scale,
          ]),
      ),
  },
  {
    asked: 'What is the worst fidelity of a two-qubit gate, among how many?',
    expected: (lab) => {
      const all = newestOf(lab, 'zx90_gate_fidelity');
      return [lowest(all, 1)[0]!.value, countGates(all)];
    },
    overGraphql: () =>
      ofChip<{ couplings: (Values & { couplingId: string })[] }>(
        'couplings { couplingId parameters(names: ["zx90_gate_fidelity"]) { name displayValue } }',
        ({ couplings }) => {
          const all = couplings.flatMap((each) => {
            const value = valueOf(each, 'zx90_gate_fidelity');
            return value === null ? [] : [{ qid: each.couplingId, value }];
          });
          return [Math.min(...all.map(({ value }) => value)), countGates(all)];
        },
      ),
    byTool: () =>
      byTool<Ranked>(
        'rank_qubits',
        { metric_name: 'zx90_gate_fidelity', order: 'worst', count: 1 },
        ({ data: { rows, scale, measured: count } }) => [rows[0]!.value * scale, count],
      ),
  },
  {
    asked: 'Which qubits have a T2 that is longer than twice their T1?',
    expected: (lab) => {
      const t1 = new Map(newestOf(lab, 't1').map(({ qid, value }) => [qid, value]));
      return newestOf(lab, 't2_echo')
        .filter(({ qid, value }) => value > 2 * (t1.get(qid) ?? Number.POSITIVE_INFINITY))
        .map(({ qid }) => qid);
    },
    overGraphql: () =>
      ofChip<{ qubits: (Values & { qid: string })[] }>(
        'qubits { qid parameters(names: ["t1", "t2_echo"]) { name displayValue } }',
        ({ qubits }) =>
          qubits
            .filter((qubit) => {
              const [t1, t2] = [valueOf(qubit, 't1'), valueOf(qubit, 't2_echo')];
              return t1 !== null && t2 !== null && t2 > 2 * t1;
            })
            .map(({ qid }) => qid),
      ),
    byTool: () =>
      byTool<unknown, { qubits: { qid: string; t1: number | null; t2_echo?: number | null }[] }>(
        'get_chip_summary',
        {},
        // As Python in the sandbox reads the rows that were kept for it.
        ({ kept: { qubits } }) =>
          qubits
            .filter(({ t1, t2_echo }) => t1 !== null && typeof t2_echo === 'number' && t2_echo > 2 * t1)
            .map(({ qid }) => qid),
      ),
  },
  {
    asked: 'What are the three best readout fidelities?',
    expected: (lab) =>
      newestOf(lab, 'average_readout_fidelity')
        .map(({ value }) => value)
        .toSorted((a, b) => b - a)
        .slice(0, 3),
    overGraphql: () =>
      ofChip<{ metric: Metric }>(`metric(name: "average_readout_fidelity") { ${METRIC_VALUES} }`, (chip) =>
        measured(chip)
          .map(({ value }) => value)
          .toSorted((a, b) => b - a)
          .slice(0, 3),
      ),
    byTool: () =>
      byTool<Ranked>(
        'rank_qubits',
        { metric_name: 'average_readout_fidelity', order: 'best', count: 3 },
        ({ data: { rows, scale } }) => rows.map(({ value }) => value * scale),
      ),
  },
  {
    asked: 'How healthy is the chip by its T1?',
    expected: healthOf,
    overGraphql: () =>
      ofChip<{ summary: { health: object } }>(
        'summary(parameters: ["t1"]) { health { score excellent good poor } }',
        ({ summary: { health } }) => health,
      ),
    byTool: () =>
      byTool<{ health: Record<'score' | 'excellent' | 'good' | 'poor', number> }>(
        'get_chip_summary',
        { param_names: ['t1'] },
        ({ data: { health } }) => {
          const { score, excellent, good, poor } = health;
          return { score, excellent, good, poor };
        },
      ),
  },
];
