/**
 * The measured values behind an answer, read back from the stored results of its tool calls, so that a dispute can name
 * their origin and compare them. Knows how results name qubits, parameters and records, but no tool by name.
 */
import { normaliseQid } from '../qid.ts';
import type { ToolCall } from './session.ts';

/** One parameter of one qubit or coupling, with its record as far as the result names it. */
export type AnswerValue = {
  readonly chipId: string | null;
  readonly qid: string;
  readonly parameter: string;
  readonly taskId: string | null;
  readonly executionId: string | null;
  /** ISO text. */
  readonly measuredAt: string | null;
};

type Place = Omit<AnswerValue, 'qid' | 'parameter'> & {
  readonly qid: string | null;
  readonly parameter: string | null;
};

type JsonObject = Readonly<Record<string, unknown>>;

/** Keys under which results hold a number that was measured, and when. */
const VALUE_KEYS = ['value', 'v', 'latest', 'current'];
const TIME_KEYS = ['calibrated_at', 'measured_at', 't', 'at'];
/** What a run measured, by the names of the parameters. */
const OUTPUTS = 'output_parameters';
/** Parts of results that hold no stored values. */
const OTHER_PARTS: ReadonlySet<string> = new Set([
  'live',
  'statistics',
  'health',
  'problems',
  'input_parameters',
]);

/** The values of successful calls, each once, in the order in which they come; of a series its newest point. */
export function valuesOfCalls(
  calls: readonly Pick<ToolCall, 'status' | 'resultJson'>[],
): readonly AnswerValue[] {
  const found = new Map<string, AnswerValue>();
  for (const { status, resultJson } of calls) {
    if (status !== 'OK' || resultJson === null) continue;
    const { data } = JSON.parse(resultJson) as { readonly data: unknown };
    for (const value of walk(data, NOWHERE, isObject(data) ? columnsOf(data) : [])) {
      const key = JSON.stringify([value.chipId, value.qid, value.parameter]);
      const earlier = found.get(key);
      found.set(key, earlier === undefined ? value : newerOf(earlier, value));
    }
  }
  return [...found.values()];
}

const NOWHERE: Place = {
  chipId: null,
  qid: null,
  parameter: null,
  taskId: null,
  executionId: null,
  measuredAt: null,
};

/** Of two readings of a value the newer one; at the same time the one that knows more of its record. */
function newerOf(a: AnswerValue, b: AnswerValue): AnswerValue {
  const [left, right] = [a.measuredAt ?? '', b.measuredAt ?? ''];
  if (left !== right) return left > right ? a : b;
  return {
    ...a,
    taskId: a.taskId ?? b.taskId,
    executionId: a.executionId ?? b.executionId,
  };
}

function* walk(node: unknown, around: Place, columns: readonly string[]): Generator<AnswerValue> {
  if (Array.isArray(node)) {
    for (const item of node as readonly unknown[]) yield* walk(item, around, columns);
    return;
  }
  if (!isObject(node)) return;
  const place = placeOf(node, around);
  const { qid, parameter } = place;
  if (qid !== null) {
    if (parameter !== null && VALUE_KEYS.some((key) => typeof node[key] === 'number')) {
      yield { ...place, qid, parameter };
    }
    for (const column of columns) {
      if (typeof node[column] === 'number') yield { ...place, qid, parameter: column };
    }
  }
  for (const [key, part] of Object.entries(node)) {
    if (key === OUTPUTS && isObject(part)) {
      for (const [name, output] of Object.entries(part)) {
        yield* walk(output, { ...place, parameter: name }, columns);
      }
    } else if (typeof part === 'object' && !OTHER_PARTS.has(key)) {
      yield* walk(part, place, columns);
    }
  }
}

/** The context that an object adds for its values; the rest is inherited. */
function placeOf(node: JsonObject, around: Place): Place {
  const qid = textOf(node, ['qid', 'coupling_id']) ?? qidOfEntity(node['entity']);
  const isParameter = 'value' in node && 'unit' in node;
  return {
    chipId: textOf(node, ['chip_id']) ?? around.chipId,
    qid: qid ?? around.qid,
    parameter:
      textOf(node, ['parameter', 'parameter_name', 'metric_name']) ??
      (isParameter ? textOf(node, ['name']) : null) ??
      around.parameter,
    taskId: textOf(node, ['task_id']) ?? around.taskId,
    executionId: textOf(node, ['execution_id']) ?? around.executionId,
    measuredAt: textOf(node, TIME_KEYS) ?? around.measuredAt,
  };
}

/** Comparisons name what they compare by its label; units and whole chips are not qubits. */
function qidOfEntity(entity: unknown): string | null {
  const qid = typeof entity === 'string' ? normaliseQid(entity) : '';
  return /^\d+(?:-\d+)?$/u.test(qid) ? qid : null;
}

/** Parameters used as keys of rows; results list them once, with unit and scale. */
function columnsOf(data: JsonObject): readonly string[] {
  const { parameters, statistics } = data;
  const listed = Array.isArray(parameters) ? (parameters as readonly unknown[]) : [];
  return [
    ...listed.flatMap((each) => (isObject(each) ? (textOf(each, ['name']) ?? []) : [])),
    ...(isObject(statistics) ? Object.keys(statistics) : []),
  ];
}

function textOf(node: JsonObject, keys: readonly string[]): string | null {
  for (const key of keys) {
    const text = node[key];
    if (typeof text === 'string' && text !== '') return text;
  }
  return null;
}

const isObject = (node: unknown): node is JsonObject =>
  typeof node === 'object' && node !== null && !Array.isArray(node);
