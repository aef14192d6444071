/**
 * Puts the calls of a Chat Completions stream together from their fragments. Servers differ: the index is missing or
 * always 0, the id is missing, repeated in every fragment or the same for two calls, arguments come in one piece or in
 * many, as text or as an object.
 */
import { randomUUID } from 'node:crypto';
import type { ModelCall } from '../model.ts';
import { isWholeObject } from './call-arguments.ts';
import { createObjectEnd, type ObjectEnd } from './object-end.ts';

/** A fragment as it came; `extra` is what a server wants back with the call and nobody else understands. */
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
  /** The calls that this fragment made complete. */
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
  /** Of the arguments. */
  end: ObjectEnd;
  extra: CallFragment['extra'];
  told: boolean;
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
      end: createObjectEnd(),
      extra,
      told: false,
    };
    entries.push(entry);
    return entry;
  }

  return {
    add(fragment) {
      const known = entryOf(entries, fragment);
      const entry = known === undefined || isAnother(known, fragment) ? begin(fragment) : known;
      if (entry.told) return [];
      if (entry.name === '') entry.name = fragment.name ?? '';
      entry.extra = { ...entry.extra, ...fragment.extra };
      // Gateways begin with an empty object and then send the arguments.
      const isPrefix = entry.arguments === '{}' && fragment.arguments.trimStart().startsWith('{');
      if (isPrefix) entry.end = createObjectEnd();
      entry.arguments = isPrefix ? fragment.arguments : entry.arguments + fragment.arguments;
      // Parsed once and not with every piece: what is no object where its brackets close never becomes one.
      const isOver = entry.end.add(fragment.arguments);
      return isOver && entry.arguments !== '{}' && isWholeObject(entry.arguments) ? tell(entry) : [];
    },
    close: () => entries.flatMap(tell),
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
  return entry.told && args !== '' && (name !== entry.name || args !== entry.arguments);
}

/** Models call tools without arguments with no text at all; every API wants an object back. */
const callOf = ({ callId, name, arguments: args }: Entry): ModelCall => ({
  callId,
  name,
  arguments: args.trim() === '' ? '{}' : args,
});

function tell(entry: Entry): readonly ModelCall[] {
  if (entry.told) return [];
  entry.told = true;
  return [callOf(entry)];
}
