/**
 * Reads the facts of a tool's recorded result by walking its JSON once. It knows the words that our tools use for
 * what a row is about and how it is shown, not the tools: a result of a new tool is read as far as it uses the same
 * words.
 */
import { normaliseQid } from '../qid.ts';
import type { DataSource } from '../values/freshness.ts';
import { isRecord, readDate, readNumber, readRecord, readText } from '../values/stored-values.ts';
import { countFacts, durationUnit, kindOfField } from './result-fields.ts';
import { fact, nounAt, unitOrNull, type Fact, type KnownParameter, type TimeFact } from './fact.ts';
import { describedParameters, parameterOf, shownValue, type DescribedParameter } from './parameter-units.ts';
import { unitInName, unitOf } from './text-units.ts';

/** A tool call with the result that is recorded of it: `{data, formattedSummary, freshness, source, records?}`. */
export type ToolEvidence = {
  readonly callId: string;
  readonly arguments: unknown;
  readonly result: unknown;
};

/** A sentence of a result, and what its row is about. */
export type EvidenceText = {
  readonly callId: string;
  readonly chipId: string | null;
  readonly text: string;
  readonly subject: string | null;
};

/** What was read of results. */
export type ReadFacts = {
  readonly facts: Fact[];
  readonly times: TimeFact[];
  readonly texts: EvidenceText[];
  readonly parameters: Map<string, KnownParameter>;
  readonly couplings: Set<string>;
  /** Chips that results name. */
  readonly chipIds: Set<string>;
  /** Calls whose results other programs gave: they stand behind what is stored, and are no records. */
  readonly outside: Set<string>;
};

/** Nothing yet. */
export const noFacts = (): ReadFacts => ({
  facts: [],
  times: [],
  texts: [],
  parameters: new Map(),
  couplings: new Set(),
  chipIds: new Set(),
  outside: new Set(),
});

type JsonNode = Readonly<Record<string, unknown>>;

/** What is the same for a whole result. */
type Walk = {
  readonly into: ReadFacts;
  readonly described: ReadonlyMap<string, DescribedParameter>;
  /** `{parameter: {qid: [task id, time]}}` for rows that name neither. */
  readonly records: JsonNode;
  /** Of times that are written without one. */
  readonly year: number;
  readonly isOutside: boolean;
};

/** The properties that the objects around a value give it. */
type About = Pick<Fact, 'callId' | 'chipId' | 'recordId' | 'measuredAtMs' | 'parameter' | 'subject'> & {
  readonly unit: string | null;
  readonly displayUnit: string | null;
  readonly scale: number | null;
  /** Whether the object is an entry of a catalogue, where `good` is a threshold. */
  readonly isCatalogue: boolean;
  /** Inside the reply of a live source or of another program, which no record contains. */
  readonly hasNoRecord: boolean;
};

/** Longest text of a result that is read for numbers. */
const MAX_TEXT = 20_000;

/**
 * Adds the facts of a call and its result to `into`; `now` is the time of the turn, which gives the year of
 * short times.
 */
export function readEvidence(
  { callId, arguments: args, result }: ToolEvidence,
  now: Date,
  into: ReadFacts,
): void {
  const { data, formattedSummary, freshness, records, source } = readRecord(result);
  const isOutside = source === ('MCP' satisfies DataSource);
  if (isOutside) into.outside.add(callId);
  const about: About = {
    callId,
    chipId: isOutside ? null : readText(readRecord(data)['chip_id']),
    recordId: null,
    hasNoRecord: isOutside,
    measuredAtMs: null,
    parameter: null,
    subject: null,
    unit: null,
    displayUnit: null,
    scale: null,
    isCatalogue: false,
  };
  const walk: Walk = {
    into,
    described: isOutside ? new Map() : describedParameters(data),
    records: readRecord(records),
    year: now.getUTCFullYear(),
    isOutside,
  };
  for (const [name, parameter] of walk.described)
    if (!into.parameters.has(name)) into.parameters.set(name, parameter);
  if (about.chipId !== null) into.chipIds.add(about.chipId);
  visit(walk, data, { key: null, outer: about });
  visit(walk, freshness, { key: 'freshness', outer: about });
  visit(walk, numbersAndTimes(args), { key: null, outer: about });
  if (typeof formattedSummary === 'string') {
    into.texts.push({
      callId,
      chipId: about.chipId,
      text: formattedSummary.slice(0, MAX_TEXT),
      subject: null,
    });
  }
}

/** Of arguments only counts and spans of time: what a model passes is not evidence for a measured value. */
function numbersAndTimes(args: unknown): JsonNode {
  const entries = Object.entries(readRecord(args));
  return Object.fromEntries(
    entries.flatMap(([name, value]) => {
      if (typeof value === 'number')
        return [[/hours|seconds|minutes|days/u.test(name) ? name : `n_${name}`, value]];
      return readDate(value) === null ? [] : [[name, value]];
    }),
  );
}

/** Where a node is: under `key` of what `outer` describes. */
type Inside = { readonly key: string | null; readonly outer: About };

function visit(walk: Walk, node: unknown, { key, outer }: Inside): void {
  if (Array.isArray(node)) {
    walk.into.facts.push(...countFacts(node, key, outer));
    for (const item of node) visit(walk, item, { key: null, outer });
    return;
  }
  if (!isRecord(node)) return;
  const about = aboutOf(node, { key, outer }, walk.year);
  if (about.subject?.includes('-')) walk.into.couplings.add(about.subject);
  for (const [name, value] of Object.entries(node)) {
    if (typeof value === 'number') {
      const found = numberFact(walk, { name, value }, about);
      if (found !== null) walk.into.facts.push(found);
    } else if (typeof value === 'string') addText(walk, { name, text: value }, about);
    else if (typeof value === 'object' && value !== null) visit(walk, value, { key: name, outer: about });
  }
}

function aboutOf(node: JsonNode, { key, outer }: Inside, year: number): About {
  const hasNoRecord = outer.hasNoRecord || key === 'live';
  return {
    callId: outer.callId,
    chipId: outer.chipId,
    hasNoRecord,
    recordId: hasNoRecord
      ? null
      : (readText(node['task_id']) ??
        readText(node['entity_id']) ??
        readText(node['execution_id']) ??
        outer.recordId),
    measuredAtMs: timeOf(node, year) ?? outer.measuredAtMs,
    parameter: parameterOf(node, key) ?? outer.parameter,
    subject: subjectOf(node) ?? outer.subject,
    unit: readText(node['unit']),
    displayUnit: readText(node['display_unit']),
    scale: readNumber(node['scale']),
    isCatalogue: 'direction' in node && 'display_unit' in node,
  };
}

const TIME_KEYS = [
  'calibrated_at',
  'measured_at',
  'measuredAt',
  't',
  'at',
  'valid_from',
  'end_at',
  'updated_at',
];

function timeOf(node: JsonNode, year: number): number | null {
  for (const key of TIME_KEYS) {
    const time = timeIn(node[key], year);
    if (time !== null) return time.getTime();
  }
  return null;
}

/**
 * `12`, `4-1`; another entity, such as a readout group, is a subject but not a qubit; a chip is not a
 * subject.
 */
function subjectOf(node: JsonNode): string | null {
  const given = ['coupling_id', 'qid', 'qubit_id', 'entity']
    .map((name) => readText(node[name]))
    .find((text) => text !== null);
  if (given === undefined) return null;
  const qid = normaliseQid(given);
  if (/^\d+(?:-\d+)?$/u.test(qid)) return qid;
  return /\s\d+$/u.test(given) ? given : null;
}

function numberFact(
  { described, records, isOutside }: Walk,
  { name, value }: { readonly name: string; readonly value: number },
  about: About,
): Fact | null {
  if (name === 'scale') return null;
  const isParameter = described.has(name);
  const kind = isParameter ? 'value' : kindOfField(name, value, about.isCatalogue);
  const { callId, chipId, recordId, measuredAtMs, subject, hasNoRecord } = about;
  const source = { callId, chipId, recordId, measuredAtMs, subject };
  if (kind === 'count')
    return fact({ ...source, kind, value, noun: nounAt(name.replace(/^(?:num|total|n)_/u, '')) });
  if (kind === 'duration') return fact({ ...source, kind, value, unit: unitOf(durationUnit(name)) });
  if (kind === 'sigma')
    return fact({ ...source, kind, value, unit: unitOf('σ'), parameter: about.parameter });
  if (kind === 'threshold') {
    // Thresholds are in display scale, also beside a scale for stored values.
    const unit = unitOrNull(about.displayUnit ?? about.unit);
    return fact({ ...source, kind, value, unit, parameter: about.parameter });
  }
  const isColumn = isParameter || kind === 'other';
  const parameter = isColumn ? name : about.parameter;
  const row = isColumn ? { unit: null, displayUnit: null, scale: null } : about;
  const shown = shownValue(value, row, parameter === null ? null : (described.get(parameter) ?? null));
  const record = recordId === null && !hasNoRecord ? recordOf(records, parameter, subject) : null;
  const unit = shown.unit ?? (isOutside ? unitInName(name) : null);
  return fact({ ...source, ...record, kind, parameter, ...shown, unit });
}

/** The task result and time of a value, where the result has them apart from its rows. */
function recordOf(
  records: JsonNode,
  parameter: string | null,
  subject: string | null,
): Pick<Fact, 'recordId' | 'measuredAtMs'> | null {
  const found = subject === null || parameter === null ? undefined : readRecord(records[parameter])[subject];
  if (!Array.isArray(found)) return null;
  const [taskId, at] = found as readonly unknown[];
  return { recordId: readText(taskId), measuredAtMs: readDate(at)?.getTime() ?? null };
}

/** Fields whose text is a name. */
const NAME_FIELD = /(?:^|_)(?:id|ids|name|key|unit|label|qid|title|author|tags|topology)$/u;

function addText(
  { into, year }: Walk,
  { name, text }: { readonly name: string; readonly text: string },
  about: About,
): void {
  const time = timeIn(text, year);
  const { callId, chipId, recordId, measuredAtMs, subject, parameter } = about;
  if (time !== null) {
    into.times.push({ callId, chipId, recordId, measuredAtMs, atMs: time.getTime(), subject, parameter });
  } else if (
    callId !== null &&
    !NAME_FIELD.test(name) &&
    text.length <= MAX_TEXT &&
    /\d/u.test(text) &&
    /\s/u.test(text)
  ) {
    into.texts.push({ callId, chipId, text, subject });
  }
}

/** A time as it is stored, or `05-18 23:22 UTC`, as models read times of this year. */
function timeIn(field: unknown, year: number): Date | null {
  if (typeof field !== 'string') return null;
  const written = /^(?:(\d{4})-)?(\d\d)-(\d\d) (\d\d):(\d\d) UTC$/u.exec(field);
  if (written === null) return readDate(field);
  const [, ownYear, month, day, hour, minute] = written.map(Number);
  return new Date(Date.UTC(ownYear || year, (month ?? 1) - 1, day, hour, minute));
}
