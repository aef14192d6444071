/** Steps of an analysis: a script that anybody can read and run again, its tables and its result. */
import { z } from 'zod';
import { planned, type Answers, type PlannedCall } from '../offline-analyst/answers.ts';
import { chipSummary, citation } from './calls.ts';
import { foundIn, type Step, type Subject } from './step.ts';

/** Where the script stands in the workspace. */
const SCRIPT = 'scripts/chip_statistics.py';

/** A line of the script about a value far from the rest. */
const FAR_OFF = /^Far off: (\S+) of qid (\S+),/gmu;
const CITED = 3;
/** Lines of the tool that tell a model what became of its charts and tables. */
const FOR_MODELS = /^Kept for later analysis|shown to the user/iu;

const summary = z.object({
  data_key: z.string(),
  statistics: z.record(z.string(), z.object({ scale: z.number(), display_unit: z.string() })),
});

/** Fetches what the script reads. */
export const dataset: Step = {
  id: '01-data',
  todo: 'Fetch the current values of all qubits and keep them for the analysis.',
  title: 'Data',
  needs: ['get_chip_summary'],
  calls: ({ chipId }) => [chipSummary(chipId)],
};

/** Writes and runs the script. */
export const analysis: Step = {
  id: '02-analysis',
  todo: `Write ${SCRIPT}, run it, and keep its tables and its chart.`,
  title: 'Analysis',
  needs: ['get_chip_summary', 'run_python'],
  reads: ({ chipId }) => [chipSummary(chipId)],
  calls(subject, answers) {
    const program = programOf(subject, answers);
    if (program === null) return [];
    const ran = planned('run_python', { code: program });
    const text = foundIn(answers, ran)?.formattedSummary ?? '';
    const far = [...text.matchAll(FAR_OFF)].slice(0, CITED);
    return [
      planned('write_file', { path: SCRIPT, content: program }),
      ran,
      ...far.map(([, parameter = '', qid = '']) => citation(subject.chipId, qid, parameter)),
    ];
  },
  note(subject, answers) {
    const program = programOf(subject, answers);
    const ran = program === null ? null : foundIn(answers, planned('run_python', { code: program }));
    return ran === null
      ? { headline: 'The analysis could not be run.' }
      : {
          headline: ran.formattedSummary.split('\n', 1)[0] ?? null,
          remarks: [
            `The script is ${SCRIPT}; run it again by run_python after fetching the chip summary.`,
            'Robust score: distance from the median in units of 1.4826 times the median absolute deviation; 3.5 and more counts as far off (Iglewicz and Hoaglin, 1993).',
            ...ran.formattedSummary
              .split('\n')
              .slice(1)
              .filter((line) => !FOR_MODELS.test(line)),
          ],
          withLines: false,
        };
  },
};

function programOf({ chipId }: Subject, answers: Answers): string | null {
  const call: PlannedCall = chipSummary(chipId);
  const fetched = summary.safeParse(foundIn(answers, call)?.data);
  if (!fetched.success) return null;
  const columns = Object.entries(fetched.data.statistics).map(([name, { scale, display_unit: unit }]) => [
    name,
    scale,
    unit,
  ]);
  return PROGRAM.replace('ROWS', () => `data[${JSON.stringify(fetched.data.data_key)}]["qubits"]`).replace(
    'COLUMNS',
    () => JSON.stringify(columns),
  );
}

/** Standard library only, so that it runs on every engine. */
const PROGRAM = `
import statistics

rows = ROWS
# Name of the parameter, factor from stored to shown values, shown unit.
columns = COLUMNS

def values_of(name, scale):
    return {r["qid"]: r[name] * scale for r in rows if isinstance(r.get(name), (int, float))}

table, far, lines = [], [], []
shown = {}
for name, scale, unit in columns:
    by_qid = values_of(name, scale)
    if len(by_qid) < 4:
        continue
    shown[name] = by_qid
    values = sorted(by_qid.values())
    q1, median, q3 = statistics.quantiles(values, n=4, method="inclusive")
    mad = statistics.median(abs(v - median) for v in values)
    table.append({"parameter": name, "unit": unit, "qubits": len(values), "mean": statistics.mean(values),
                  "stdev": statistics.stdev(values), "minimum": values[0], "q1": q1, "median": median,
                  "q3": q3, "maximum": values[-1]})
    lines.append(f"{name}: median {median:.4g} {unit}, middle half {q1:.4g} to {q3:.4g} {unit}, {len(values)} of {len(rows)} qubits")
    if mad > 0:
        for qid, value in by_qid.items():
            score = (value - median) / (1.4826 * mad)
            if abs(score) >= 3.5:
                far.append({"qid": qid, "parameter": name, "value": value, "unit": unit, "score": score})

pairs = []
names = list(shown)
for i, a in enumerate(names):
    for b in names[i + 1:]:
        both = [q for q in shown[a] if q in shown[b]]
        x, y = [shown[a][q] for q in both], [shown[b][q] for q in both]
        if len(both) >= 8 and len(set(x)) > 1 and len(set(y)) > 1:
            pairs.append({"first": a, "second": b, "qubits": len(both), "r": statistics.correlation(x, y)})
pairs.sort(key=lambda pair: -abs(pair["r"]))
far.sort(key=lambda each: -abs(each["score"]))

strongest = next((p for p in pairs if abs(p["r"]) < 0.98), None)
head = f"{len(table)} parameters of {len(rows)} qubits: {len(far)} values lie far from the rest"
if strongest:
    head += f"; the strongest relation is {strongest['first']} with {strongest['second']}, r = {strongest['r']:.2f} over {strongest['qubits']} qubits"
for each in far[:8]:
    lines.append(f"Far off: {each['parameter']} of qid {each['qid']}, {each['value']:.4g} {each['unit']}, score {each['score']:.1f}")

first = next((c for c in columns if c[0] == "t1" and "t1" in shown), next((c for c in columns if c[0] in shown), None))
result = {"output": "\\n".join([head + "."] + lines),
          "tables": {"statistics": table, "far_off": far, "correlations": pairs[:20]}}
if first:
    result["chart"] = {"data": [{"type": "histogram", "x": list(shown[first[0]].values())}],
                       "layout": {"title": {"text": f"Distribution of {first[0]}"},
                                  "xaxis": {"title": {"text": f"{first[0]} ({first[2]})"}},
                                  "yaxis": {"title": {"text": "Qubits"}}}}
`.trimStart();
