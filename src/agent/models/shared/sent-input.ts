/**
 * A conversation in a form that every provider takes. Models invent names, numbers their calls as they like, and write
 * arguments that are none; turns are cancelled and go on with another model. Sent back as it came, any of that would have
 * a provider refuse this conversation for ever. Pure.
 */
import { createHash } from 'node:crypto';
import { mapStrings, toStoredText } from '../../../domain/text/stored-text.ts';
import type { ModelCall, ModelInput } from '../../model.ts';
import { sentArguments } from './call-arguments.ts';

type Round = Extract<ModelInput, { type: 'round' }>;
type Output = Extract<ModelInput, { type: 'tool-output' }>;

/**
 * Puts calls in place of those in a provider's items, one for one and in their order. `callOf` is given the id that is in
 * the item; null where there is none.
 */
export type WithCalls = (
  items: readonly unknown[],
  callOf: (id: string | null) => ModelCall,
) => readonly unknown[];

export type SentForm = {
  /** The provider whose items go back as they are, but for their calls. */
  readonly self: string;
  readonly withCalls: WithCalls;
  /** Ids that the API takes back where it gave them itself; Kimi's models count on theirs (`functions.add:0`). */
  readonly ownIds: RegExp;
  /** Names of the tools that are offered: the provider takes them. */
  readonly tools: ReadonlySet<string>;
  /** Whether ids have to be nine letters and figures. */
  readonly hasShortIds: boolean;
};

/** Learned of servers that take no other ids than Mistral's. */
export const SHORT_IDS = 'ids of calls that are not nine letters and figures';
export const wantsShortIds = (detail: string): boolean =>
  /must be a-z, A-Z, 0-9,? (?:with|and) a length of 9/i.test(detail);

/** What OpenAI (64 characters), Anthropic (64) and Google (63, no figure first) all take for the name of a tool. */
const NAME = /^[a-z_][\w-]{0,62}$/i;
/** What all but Mistral take for an id that another provider gave: OpenAI takes no more than 40 characters. */
const ID = /^[\w-]{1,40}$/;
const SHORT_ID = /^[a-z\d]{9}$/i;

const LOST = JSON.stringify({ error: 'this call did not come to its end; its result is not known' });

/** The input with names, ids, arguments, pairs and characters that no provider refuses. */
export function sentInput(input: readonly ModelInput[], form: SentForm): readonly ModelInput[] {
  const ids = createIds();
  const sent: ModelInput[] = [];
  let rest = input.map(storable);
  while (rest.length > 0) {
    const next = rest.findIndex(({ type }, at) => at > 0 && type === 'round');
    const part = next === -1 ? rest : rest.slice(0, next);
    rest = next === -1 ? [] : rest.slice(next);
    const outputs = part.filter((entry) => entry.type === 'tool-output');
    for (const entry of part) {
      if (entry.type === 'round') sent.push(...sentRound(entry, outputs, form, ids));
      // An output that no call asked for stays behind.
      else if (entry.type !== 'tool-output') sent.push(entry);
    }
  }
  return sent;
}

/** NUL and halves of characters, in any text of ours or of a model. */
function storable(entry: ModelInput): ModelInput {
  if (entry.type === 'user') return { ...entry, text: toStoredText(entry.text) };
  // Escapes inside of arguments are found too, and then for nothing.
  return /\\u(?:0000|d[89a-f])/.test(JSON.stringify(entry))
    ? (mapStrings(entry, toStoredText) as ModelInput)
    : entry;
}

/** A call as it goes back, and the output that answers it. */
type Pair = { readonly sent: ModelCall; readonly output: string };

function sentRound(
  round: Round,
  outputs: readonly Output[],
  form: SentForm,
  ids: ReturnType<typeof createIds>,
): readonly ModelInput[] {
  const isOwn = round.provider === form.self;
  const pattern = form.hasShortIds ? SHORT_ID : isOwn ? form.ownIds : ID;
  const outputOf = takenInTurn(outputs.map(({ callId, output }) => [callId, output] as const));
  const pairs = round.calls.map(({ callId, name, arguments: text }): Pair => ({
    sent: { callId: ids.of(callId, pattern), name: sentName(name, form), arguments: sentArguments(text) },
    output: outputOf(callId) ?? LOST,
  }));
  const own = isOwn ? ownRound(round, pairs, form) : null;
  const inOrder = own?.pairs ?? pairs;
  if (own === null && pairs.length === 0 && round.text.trim() === '') return [];
  return [
    {
      ...round,
      ...(own === null ? { provider: '', items: [] } : { items: own.items }),
      calls: inOrder.map(({ sent }) => sent),
    },
    ...inOrder.map(({ sent: { callId }, output }): Output => ({ type: 'tool-output', callId, output })),
  ];
}

/** The items with these calls, and the calls in the order of the items; null where they are not the same calls. */
function ownRound({ items, calls }: Round, pairs: readonly Pair[], { withCalls }: SentForm) {
  const placeOf = takenInTurn(calls.map(({ callId }, at) => [callId, at] as const));
  const taken: number[] = [];
  let isSame = true;
  const changed = withCalls(items, (id) => {
    const at = id === null ? taken.length : placeOf(id);
    const pair = at === null ? undefined : pairs[at];
    if (pair === undefined || at === null) {
      isSame = false;
      return { callId: '', name: '', arguments: '{}' };
    }
    taken.push(at);
    return pair.sent;
  });
  if (!isSame || new Set(taken).size !== pairs.length) return null;
  return { items: changed, pairs: taken.flatMap((at) => pairs[at] ?? []) };
}

/** Gives the values of a key one after the other, in their order; null where there are no more. */
function takenInTurn<Value>(entries: readonly (readonly [string, Value])[]): (key: string) => Value | null {
  const queues = Map.groupBy(entries, ([key]) => key);
  const taken = new Map<string, number>();
  return (key) => {
    const at = taken.get(key) ?? 0;
    taken.set(key, at + 1);
    return queues.get(key)?.[at]?.[1] ?? null;
  };
}

/** A name that is not known stays readable: the model sees what it called. */
function sentName(name: string, { tools }: SentForm): string {
  if (tools.has(name) || NAME.test(name)) return name;
  const plain = name.replaceAll(/[^\w-]+/g, '_').replace(/^_+(?=[a-z])/i, '');
  if (!/[a-z\d]/i.test(plain)) return 'unnamed_tool';
  return (/^[a-z_]/i.test(plain) ? plain : `_${plain}`).slice(0, 63);
}

/**
 * Ids of a request, each of them once: as it was given, with its odd characters replaced, or one of our own. That depends on
 * no more than what came before, so that the next request begins as this one did and the provider's cache holds it.
 */
function createIds() {
  const used = new Set<string>();
  const times = new Map<string, number>();
  return {
    of(id: string, pattern: RegExp): string {
      const asGiven = [id, id.replaceAll(/[^\w-]/g, '_')];
      for (let time = times.get(id) ?? 0; ; time += 1) {
        const own = createHash('sha256').update(`${time} ${id}`).digest('hex').slice(0, 9);
        const given = (time === 0 ? [...asGiven, own] : [own]).find(
          (each) => pattern.test(each) && !used.has(each),
        );
        if (given === undefined) continue;
        used.add(given);
        times.set(id, time + 1);
        return given;
      }
    },
  };
}
