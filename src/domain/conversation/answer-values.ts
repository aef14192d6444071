/**
 * The measured values behind an answer, read back from the stored results of its tool calls, so that a dispute can name
 * their origin and compare them. Knows how results name qubits, parameters and records, but no tool by name.
 */
import { normaliseQid } from '../qid.ts';
import { readDate } from '../values/stored-values.ts';
import type { ToolCall } from './session.ts';

/** One parameter of one qubit or coupling, and where it came from. */
export type AnswerValue = {
  readonly chipId: string | null;
  readonly qid: string;
  readonly parameter: string;
  readonly record: ValueRecord;
};

/**
 * The one row that a value came from, as far as the result names it; never pieced together from two. A live value has
 * no stored record.
 */
export type ValueRecord =
  | {
      readonly source: 'LIVE';
      readonly taskId: null;
      readonly executionId: null;
      readonly measuredAt: Date | null;
    }
  | {
      readonly source: 'STORED';
      readonly taskId: string | null;
      readonly executionId: string | null;
      readonly measuredAt: Date | null;
    };

type Place = Pick<AnswerValue, 'chipId' | 'record'> & {
  readonly qid: string | null;
  readonly parameter: string | null;
};

type JsonObject = Readonly<Record<string, unknown>>;

/** Keys under which results hold a number that was measured, and when. */
const VALUE_KEYS = ['value', 'v', 'latest', 'current'];
const TIME_KEYS = ['calibrated_at', 'measured_at', 't', 'at'];
/** What a run measured, by the names of the parameters. */
const OUTPUTS = 'output_parameters';
/** The stored side of a comparison with live values. */
const STORED_SIDE = 'stored';
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
    const { data, source, records } = JSON.parse(resultJson) as Record<
      'data' | 'source' | 'records',
      unknown
    >;
    const start = { ...NOWHERE, record: source === 'LIVE' ? LIVE : STORED };
    for (const read of walk(data, start, isObject(data) ? columnsOf(data) : [])) {
      const value = withRecord(read, records);
      const key = JSON.stringify([value.chipId, value.qid, value.parameter]);
      const earlier = found.get(key);
      found.set(key, earlier === undefined ? value : newerOf(earlier, value));
    }
  }
  return [...found.values()];
}

const NO_RECORD = { taskId: null, executionId: null, measuredAt: null };
const STORED: ValueRecord = { source: 'STORED', ...NO_RECORD };
const LIVE: ValueRecord = { source: 'LIVE', ...NO_RECORD };
const NOWHERE = { chipId: null, qid: null, parameter: null };

/** Of two readings of a value the newer one; at the same time the one whose record is named. */
function newerOf(a: AnswerValue, b: AnswerValue): AnswerValue {
  const [left, right] = [a, b].map(({ record }) => record.measuredAt?.getTime() ?? Number.NEGATIVE_INFINITY);
  if (left !== right) return (left ?? 0) > (right ?? 0) ? a : b;
  return a.record.taskId === null && b.record.taskId !== null ? b : a;
}

/** A row that names no record of its own has that of `records`: `{parameter: {qid: [task id, time]}}`. */
function withRecord(value: AnswerValue, records: unknown): AnswerValue {
  const { qid, parameter, record } = value;
  if (record.source === 'LIVE' || record.taskId !== null || record.measuredAt !== null) return value;
  const ofParameter = isObject(records) ? records[parameter] : null;
  const listed = isObject(ofParameter) ? ofParameter[qid] : null;
  if (!Array.isArray(listed)) return value;
  const [taskId, measuredAt] = listed as readonly unknown[];
  const named = { taskId: wordOf(taskId), executionId: null, measuredAt: timeOf(measuredAt) };
  return { ...value, record: { source: 'STORED', ...named } };
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
    } else if (key === STORED_SIDE && isObject(part) && place.record.source === 'LIVE') {
      yield* walk(part, { ...place, record: recordOf(node, STORED) }, columns);
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
    record: recordOf(node, around.record),
  };
}

/**
 * The record of a node within another. What both state differently makes it another row, which takes nothing from the
 * outer one.
 */
function recordOf(node: JsonObject, around: ValueRecord): ValueRecord {
  const measuredAt = timeOf(textOf(node, TIME_KEYS));
  if (around.source === 'LIVE') return { ...around, measuredAt: measuredAt ?? around.measuredAt };
  const own = {
    taskId: textOf(node, ['task_id']),
    executionId: textOf(node, ['execution_id']),
    measuredAt,
  };
  const differs = (a: string | number | undefined | null, b: string | number | undefined | null): boolean =>
    a !== null && a !== undefined && b !== null && b !== undefined && a !== b;
  const isOther =
    differs(own.taskId, around.taskId) || differs(own.measuredAt?.getTime(), around.measuredAt?.getTime());
  const base = isOther ? STORED : around;
  return {
    source: 'STORED',
    taskId: own.taskId ?? base.taskId,
    executionId: own.executionId ?? base.executionId,
    measuredAt: own.measuredAt ?? base.measuredAt,
  };
}

/** Whole times only: `05-19 23:21 UTC`, which models read, names no year. */
function timeOf(raw: unknown): Date | null {
  return typeof raw === 'string' && /^\d{4}-\d{2}-\d{2}T/u.test(raw) ? readDate(raw) : null;
}

const wordOf = (raw: unknown): string | null => (typeof raw === 'string' && raw !== '' ? raw : null);

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
    const text = wordOf(node[key]);
    if (text !== null) return text;
  }
  return null;
}

const isObject = (node: unknown): node is JsonObject =>
  typeof node === 'object' && node !== null && !Array.isArray(node);
