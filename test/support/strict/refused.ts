/** What the strict provider's rules share: how a request is refused, and the rules that all APIs have in common. */

/** Anything that came as JSON. */
export type Json = Record<string, unknown>;

/** A request that the API refuses; the rule that finds it throws it. */
export class Refused extends Error {
  readonly param: string | null;
  readonly code: string | null;
  readonly status: number;
  constructor(
    message: string,
    { param = null as string | null, code = null as string | null, status = 400 } = {},
  ) {
    super(message);
    this.param = param;
    this.code = code;
    this.status = status;
  }
}

export function refuse(message: string, more: ConstructorParameters<typeof Refused>[1] = {}): never {
  throw new Refused(message, more);
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands where a text should. */
export const said = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');

export function objectAt(value: unknown, at: string): Json {
  return isObject(value) ? value : refuse(`Invalid type for '${at}': expected an object.`, { param: at });
}

export function listAt(value: unknown, at: string): readonly unknown[] {
  return Array.isArray(value) ? value : refuse(`Invalid type for '${at}': expected an array.`, { param: at });
}

export function textAt(value: unknown, at: string): string {
  return typeof value === 'string'
    ? value
    : refuse(`Invalid type for '${at}': expected a string.`, { param: at });
}

/** No API takes a field that it does not document. */
export function knownFields(value: Json, known: readonly string[], at = ''): void {
  for (const key of Object.keys(value)) {
    const param = at === '' ? key : `${at}.${key}`;
    if (!known.includes(key)) refuse(`Unknown parameter: '${param}'.`, { param, code: 'unknown_parameter' });
  }
}

/** Of a name or an id. */
export function matching(value: unknown, pattern: RegExp, most: number, at: string): string {
  const text = textAt(value, at);
  if (text.length > most) {
    refuse(
      `Invalid '${at}': string too long. Expected a string with maximum length ${most}, but got a string with length ${text.length} instead.`,
      { param: at, code: 'string_above_max_length' },
    );
  }
  if (!pattern.test(text)) {
    refuse(
      `Invalid '${at}': string does not match pattern. Expected a string that matches the pattern '${pattern.source}'.`,
      { param: at, code: 'invalid_value' },
    );
  }
  return text;
}

/** A part of a conversation, as far as pairs and their order are concerned. */
export type Step =
  | { readonly is: 'words'; readonly at: string }
  /** An id of null: the API has none, so that outputs are known by place and name. */
  | { readonly is: 'call'; readonly id: string | null; readonly name: string; readonly at: string }
  | { readonly is: 'output'; readonly id: string | null; readonly name?: string; readonly at: string };

/**
 * Every call has exactly one output, and outputs follow their calls at once and in order. An id is used once in a request.
 * That is what each provider's guide on function calling shows; where one of them takes more, the others do not.
 */
export function paired(steps: readonly Step[]): void {
  const used = new Set<string>();
  let open: Extract<Step, { is: 'call' }>[] = [];
  let isAnswering = false;
  for (const step of steps) {
    if (step.is === 'output') {
      isAnswering = true;
      const call = open.shift();
      if (call === undefined)
        refuse(`No tool call found for function call output with call_id ${step.id} (${step.at}).`);
      if (call.id !== step.id || (step.name !== undefined && step.name !== call.name)) {
        refuse(
          `The output at ${step.at} is of ${step.id ?? step.name}; the next call is ${call.id ?? call.name}.`,
        );
      }
      continue;
    }
    if (open.length > 0 && (step.is === 'words' || isAnswering)) {
      // Words beside the calls of the same message come before them.
      refuse(
        `No tool output found for function call ${open[0]!.id ?? open[0]!.name}: ${step.at} comes before it.`,
      );
    }
    isAnswering = false;
    if (step.is !== 'call') continue;
    if (step.id !== null && used.has(step.id))
      refuse(`Duplicate value for 'call_id': ${step.id} (${step.at}).`);
    if (step.id !== null) used.add(step.id);
    open = [...open, step];
  }
  if (open.length > 0) refuse(`No tool output found for function call ${open[0]!.id ?? open[0]!.name}.`);
}

/**
 * The parsers behind these APIs refuse NUL ("unsupported Unicode escape sequence") and halves of surrogate pairs ("no
 * low surrogate in string"), in any text and in the JSON inside of a text.
 */
export function storable(value: unknown, at = 'body'): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed())
      refuse(`${at} holds NUL or half of a character.`, { param: at });
    return;
  }
  if (Array.isArray(value)) value.forEach((each, index) => storable(each, `${at}[${index}]`));
  else if (isObject(value)) {
    for (const [key, each] of Object.entries(value)) {
      storable(key, at);
      storable(each, `${at}.${key}`);
    }
  }
}

/** Google's protobuf parser ends at a hundred levels; the others take more. */
const MOST_LEVELS = 100;

/** Arguments that go back as text: vLLM, Mistral and llama.cpp parse them for their templates and want an object. */
export function argumentsText(value: unknown, at: string): void {
  const text = textAt(value, at);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    refuse(`Invalid '${at}': the function arguments are not valid JSON.`, { param: at });
  }
  argumentsObject(parsed, at);
}

/** Arguments that go back as an object. */
export function argumentsObject(value: unknown, at: string): void {
  const given = objectAt(value, at);
  if (levelsOf(given) > MOST_LEVELS) refuse(`'${at}' is nested too deep.`, { param: at });
  if (JSON.stringify(given).length > 100_000) refuse(`'${at}' is too long.`, { param: at });
  storable(given, at);
}

function levelsOf(value: unknown): number {
  let levels = 0;
  let layer: readonly unknown[] = [value];
  while (layer.length > 0) {
    levels += 1;
    layer = layer.flatMap((each) =>
      typeof each === 'object' && each !== null
        ? Object.values(each).filter((it) => typeof it === 'object')
        : [],
    );
  }
  return levels;
}

/** Names of tools of a request are told apart. */
export function distinct(names: readonly string[], at: string): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    refuse(`${at}: tool names must be unique; ${twice} is there twice.`, { param: at });
}
