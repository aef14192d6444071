/**
 * What a model meant where it did not write the name of a tool as it is: models put namespaces of their training before
 * it, wrap several calls into one, and get its letters wrong. Pure.
 */
import { jsonIn } from '../../base/json.ts';
import { shorten } from '../../domain/text/stored-text.ts';
import type { ModelCall } from '../model.ts';
import type { ToolRegistry } from '../tool-registry.ts';

/** Longest name that is looked at, and the most calls in one. */
const MAX_NAME = 200;
const MAX_WRAPPED = 100;

/** The calls that a call stands for: itself under the name of its tool, or those that are wrapped into it. */
export function callsMeant(call: ModelCall, registry: ToolRegistry): readonly ModelCall[] {
  const calls = wrappedCalls(call, registry) ?? [call];
  return calls.map((each) => ({ ...each, name: toolMeant(each.name, registry) ?? each.name }));
}

const WRAPPER = /^(?:multi_tool_use[._:]*)?(?:parallel|multi_tool_use)$/;

/** OpenAI's models know a tool of this name that calls others: `{"tool_uses":[{"recipient_name":…,"parameters":…}]}`. */
function wrappedCalls({ callId, name, arguments: text }: ModelCall, registry: ToolRegistry) {
  if (name.length > MAX_NAME || registry.get(name) !== null || !WRAPPER.test(lastOf(name.trim())))
    return null;
  const uses = fieldOf(jsonIn(text), 'tool_uses');
  if (!Array.isArray(uses) || uses.length === 0 || uses.length > MAX_WRAPPED) return null;
  const calls = uses.map((use: unknown, at): ModelCall | null => {
    const recipient = fieldOf(use, 'recipient_name');
    const parameters = fieldOf(use, 'parameters') ?? {};
    if (typeof recipient !== 'string') return null;
    const args = typeof parameters === 'string' ? parameters : JSON.stringify(parameters);
    return { callId: `${callId}_${at + 1}`, name: recipient, arguments: args };
  });
  return calls.every((each) => each !== null) ? calls : null;
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** Behind these, in Kimi's and Harmony's templates, the name is over: `get_notes:0`, `get_notes<|channel|>json`. */
const TAIL = /(?:<\|.*|:\d+|\(\))$/s;

/** The name of the tool that is clearly meant; null where none is, or where there are several. */
function toolMeant(name: string, registry: ToolRegistry): string | null {
  if (registry.get(name) !== null) return name;
  if (name.length > MAX_NAME) return null;
  const plain = name
    .trim()
    .replace(TAIL, '')
    .replaceAll(/["'`\s]+/g, '');
  const candidates = [plain, lastOf(plain), ...behindPrefixes(lastOf(plain))];
  const exact = candidates.find((each) => registry.get(each) !== null);
  if (exact !== undefined) return exact;
  for (const candidate of candidates) {
    const same = registry.names.filter((each) => lettersOf(each) === lettersOf(candidate));
    if (same.length === 1) return same[0] ?? null;
  }
  return null;
}

/** No name of a tool has one of these characters, so what stands before the last one is a namespace. */
const lastOf = (name: string): string => name.split(/[.:/]/).at(-1) ?? name;

/** What our tools' names may hold themselves is a prefix only where it is one that models know. */
const PREFIXES = /^(?:functions?|tools?|default_api|api|mcp|multi_tool_use)(?:_+|-+)/i;

/** `mcp__lab__find` may be `lab__find` or `find`. */
function behindPrefixes(name: string): readonly string[] {
  const behind = name.replace(PREFIXES, '');
  if (behind === name) return [];
  const places = behind.split('__');
  return places.map((_part, at) => places.slice(at).join('__'));
}

/** `getChipSummary`, `Get-Chip-Summary` and `get_chip_summary` are the same. */
const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[_-]+/g, '');

/** What a model reads of a name that is no tool's: those that are near it first. */
export function noSuchTool(name: string, { names }: ToolRegistry): string {
  const said = name === '' ? 'without a name' : shorten(name, 80);
  const near = names.length > MOST_NEAR ? nearest(name, names) : [];
  const meant = near.length > 0 ? `; the nearest are ${near.join(', ')}` : '';
  return `there is no tool ${said}${meant}; there are ${names.join(', ')}`;
}

const MOST_NEAR = 3;
/** Least share of pairs of letters in common. */
const LEAST_NEAR = 0.4;

/** By the pairs of letters that two names have in common, which takes linear time (Dice's coefficient). */
function nearest(name: string, names: readonly string[]): readonly string[] {
  const given = pairsOf(lettersOf(lastOf(name.slice(0, MAX_NAME))));
  return names
    .map((each) => ({ each, near: sharedPairs(given, pairsOf(lettersOf(each))) }))
    .filter(({ near }) => near >= LEAST_NEAR)
    .toSorted((a, b) => b.near - a.near)
    .slice(0, MOST_NEAR)
    .map(({ each }) => each);
}

const pairsOf = (text: string): ReadonlySet<string> =>
  new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));

const sharedPairs = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  a.size === 0 ? 0 : (2 * [...a].filter((pair) => b.has(pair)).length) / (a.size + b.size);
