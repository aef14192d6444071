/**
 * Assembles the calls of a Chat Completions stream from fragments. Servers differ: the index is missing or
 * always 0, the id is missing, repeated in every fragment or the same for two calls, arguments come in one piece or in
 * many, as text or as an object.
 */
import { randomUUID } from 'node:crypto';
import type { ModelCall } from '../../model.ts';
import { isWholeObject } from '../shared/call-arguments.ts';

/** A fragment as it came; `extra` is opaque and goes back to the server with the call. */
export type CallFragment = {
  readonly index: number | null;
  readonly id: string | null;
  readonly name: string | null;
  readonly arguments: string;
  readonly extra: Readonly<Record<string, unknown>>;
};

/** A call and what goes back with it. */
export type AssembledCall = ModelCall & { readonly extra: CallFragment['extra'] };

/** The calls of one response. */
export type CallAssembly = {
  /** The calls that this fragment made complete: each once all before it are, so that calls come in their order. */
  add(fragment: CallFragment): readonly ModelCall[];
  /** The calls that only the end of the response completes. */
  close(): readonly ModelCall[];
  /** All calls, in the order in which they began. */
  readonly calls: readonly AssembledCall[];
};

type Entry = {
  readonly index: number | null;
  readonly givenId: string | null;
  readonly callId: string;
  name: string;
  arguments: string;
  /** Takes the next piece of the arguments; true for the one that closes their outermost bracket. */
  endsWith: (piece: string) => boolean;
  extra: CallFragment['extra'];
  /** Whether its arguments are complete. */
  isWhole: boolean;
  isEmitted: boolean;
};

/** An assembly without calls. */
export function createCallAssembly(newCallId: () => string = () => `call_${randomUUID()}`): CallAssembly {
  const entries: Entry[] = [];

  function begin({ index, id, name, extra }: CallFragment): Entry {
    const isTaken = entries.some((entry) => entry.callId === id);
    const callId = id === null || isTaken ? newCallId() : id;
    const entry: Entry = {
      index,
      givenId: id,
      callId,
      name: name ?? '',
      arguments: '',
      endsWith: createObjectEnd(),
      extra,
      isWhole: false,
      isEmitted: false,
    };
    entries.push(entry);
    return entry;
  }

  return {
    add(fragment) {
      const known = entryOf(entries, fragment);
      const entry = known === undefined || isAnother(known, fragment) ? begin(fragment) : known;
      if (entry.isWhole) return [];
      if (entry.name === '') entry.name = fragment.name ?? '';
      entry.extra = { ...entry.extra, ...fragment.extra };
      // Gateways begin with an empty object and then send the arguments.
      const isPrefix = entry.arguments === '{}' && fragment.arguments.trimStart().startsWith('{');
      if (isPrefix) entry.endsWith = createObjectEnd();
      entry.arguments = isPrefix ? fragment.arguments : entry.arguments + fragment.arguments;
      // Parsed once, where the brackets close: text that is not an object there never becomes one.
      const isOver = entry.endsWith(fragment.arguments);
      entry.isWhole ||= isOver && entry.arguments !== '{}' && isWholeObject(entry.arguments);
      const open = entries.findIndex((each) => !each.isWhole);
      return entries.slice(0, open === -1 ? entries.length : open).flatMap(emit);
    },
    close: () => entries.flatMap(emit),
    get calls() {
      return entries.map((entry) => ({ ...callOf(entry), extra: entry.extra }));
    },
  };
}

/** The call that a fragment seems to continue. */
function entryOf(entries: readonly Entry[], { index, id }: CallFragment): Entry | undefined {
  if (index !== null) return entries.findLast((entry) => entry.index === index);
  if (id !== null) return entries.findLast((entry) => entry.givenId === id);
  return entries.at(-1);
}

/** Whether a fragment under the same index or id begins another call, rather than continuing or repeating this one. */
function isAnother(entry: Entry, { index, id, name, arguments: args }: CallFragment): boolean {
  if (id !== null && entry.givenId !== null && id !== entry.givenId) return true;
  if (name === null || name === '') return false;
  if (index === null && id === null && name !== entry.name) return true;
  return entry.isWhole && args !== '' && (name !== entry.name || args !== entry.arguments);
}

/** Models call tools without arguments with no text at all; every API wants an object back. */
const callOf = ({ callId, name, arguments: args }: Entry): ModelCall => ({
  callId,
  name,
  arguments: args.trim() === '' ? '{}' : args,
});

function emit(entry: Entry): readonly ModelCall[] {
  if (entry.isEmitted) return [];
  entry.isEmitted = true;
  return [callOf(entry)];
}

/** Finds the end of a JSON object that comes in pieces; what is inside the brackets is not checked. */
function createObjectEnd(): (piece: string) => boolean {
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let isOver = false;

  function read(character: string): void {
    if (isEscaped) isEscaped = false;
    else if (isText) {
      if (character === '\\') isEscaped = true;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      isOver = depth <= 0;
    }
  }

  return (piece) => {
    if (isOver) return false;
    for (const character of piece) {
      read(character);
      if (isOver) return true;
    }
    return false;
  };
}
