/** What of MongoDB's query language a model may use: an allow-list of stages, and no operator that runs code. Pure. */
import { BSON } from 'mongodb';
import { InvalidInputError } from '../../base/errors.ts';
import { isWithinDepth } from '../../base/json-depth.ts';

/** Stages that only read, and only the database that was attached. */
export const ALLOWED_STAGES = [
  '$match',
  '$project',
  '$group',
  '$sort',
  '$limit',
  '$skip',
  '$unwind',
  '$count',
  '$addFields',
  '$set',
  '$unset',
  '$bucket',
  '$bucketAuto',
  '$sortByCount',
  '$facet',
  '$lookup',
  '$replaceRoot',
  '$replaceWith',
  '$sample',
  '$setWindowFields',
] as const;

/** Operators that run JavaScript on the server. */
const CODE_OPERATORS: ReadonlySet<string> = new Set(['$where', '$function', '$accumulator', '$code']);
const MAX_CHARACTERS = 20_000;
const MAX_DEPTH = 20;

/**
 * @throws InvalidInputError for text that is not an object in extended JSON, and for operators that run code.
 */
export function readFilter(text: string, path: string): BSON.Document {
  const value = readJson(text, path);
  if (!isObject(value)) throw invalid(path, 'must be a JSON object such as {"qid": "7"}, or {} for all');
  return value;
}

/** @throws InvalidInputError naming a stage that is not allowed, and those that are. */
export function readPipeline(text: string): readonly BSON.Document[] {
  const value = readJson(text, 'pipeline');
  assertStages(value, 'pipeline');
  return value;
}

function assertStages(value: unknown, where: string): asserts value is readonly BSON.Document[] {
  if (!Array.isArray(value)) throw invalid(where, 'must be a JSON list of stages');
  for (const [at, stage] of (value as readonly unknown[]).entries()) {
    const [name, ...others] = isObject(stage) ? Object.keys(stage) : [];
    const isAllowed = (ALLOWED_STAGES as readonly string[]).includes(name ?? '');
    if (!isAllowed || name === undefined || others.length > 0 || !isObject(stage)) {
      const shown = name === undefined ? 'no stage' : [name, ...others].join(' and ');
      throw invalid(`${where}.${at}`, `is ${shown}; a stage is one of ${ALLOWED_STAGES.join(', ')}`);
    }
    assertNestedStages(name, stage[name], `${where}.${at}.${name}`);
  }
}

/** Pipelines within stages are held to the same list. */
function assertNestedStages(stage: string, body: unknown, where: string): void {
  if (!isObject(body)) return;
  if (stage === '$facet')
    for (const [name, part] of Object.entries(body)) assertStages(part, `${where}.${name}`);
  if (stage !== '$lookup') return;
  if (typeof body['from'] !== 'string')
    throw invalid(where, 'must name a collection of the same database in from');
  if (body['pipeline'] !== undefined) assertStages(body['pipeline'], `${where}.pipeline`);
}

function readJson(text: string, path: string): unknown {
  if (text.length > MAX_CHARACTERS) {
    throw invalid(path, `has ${text.length} characters; at most ${MAX_CHARACTERS} are taken`);
  }
  const value = parsed(text, path);
  if (!isWithinDepth(value, MAX_DEPTH)) throw invalid(path, `is nested more than ${MAX_DEPTH} deep`);
  assertNoCode(value, path);
  return value;
}

/** As plain JSON first: what extended JSON makes of a `$code` could not be seen in its keys any more. */
function parsed(text: string, path: string): unknown {
  try {
    const plain: unknown = JSON.parse(text);
    if (!isWithinDepth(plain, MAX_DEPTH)) throw invalid(path, `is nested more than ${MAX_DEPTH} deep`);
    assertNoCode(plain, path);
    return BSON.EJSON.parse(text, { relaxed: true });
  } catch (error) {
    if (error instanceof InvalidInputError) throw error;
    if (error instanceof SyntaxError || error instanceof BSON.BSONError) {
      throw invalid(path, `is not JSON: ${error.message}`);
    }
    throw error;
  }
}

function assertNoCode(value: unknown, path: string): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (CODE_OPERATORS.has(key)) throw invalid(path, `uses ${key}, which runs code; use expressions instead`);
    assertNoCode(inner, path);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const invalid = (path: string, message: string): InvalidInputError => InvalidInputError.at([path], message);
