/**
 * What a model can do, from the best source there is: the settings, requests that it refused, the server that serves it,
 * the shipped table, and only then what is assumed of an unknown one. Null in a flag means that nobody knows: then it
 * is tried, and a refusal is learned.
 */
import { LRUCache } from 'lru-cache';
import type { Effort, ModelPrice, ModelTable, PictureRule, TableFacts } from '../../config/model-table.ts';
import { EFFORTS } from '../../config/model-table.ts';
import { PROVIDER_IDS, type ProviderId } from '../../config/providers.ts';

/** Who said it; `newer` and `assumed` are guesses. */
export type CapabilitySource = 'settings' | 'server' | 'learned' | 'table' | 'newer' | 'assumed';

export type Capabilities = {
  readonly contextTokens: number;
  /** Bound on one response; null if unknown. */
  readonly outputTokens: number | null;
  readonly price: ModelPrice | null;
  readonly images: boolean | null;
  readonly tools: boolean | null;
  /** Whether tools may have `strict` schemas. */
  readonly strict: boolean | null;
  readonly temperature: boolean | null;
  /** Whether it thinks before it answers. */
  readonly reasons: boolean | null;
  /** Accepted efforts; empty: none may be named. */
  readonly efforts: readonly Effort[] | null;
  /** How thoughts are asked for, where the API has several ways. */
  readonly thinking: 'adaptive' | 'budget' | 'level' | null;
  readonly pictures: PictureRule | null;
  /** Where the context window comes from. */
  readonly source: CapabilitySource;
};

/** What one of those who know something says; absent is unknown to it. */
export type Facts = {
  readonly [Key in keyof Omit<Capabilities, 'source'>]?: Capabilities[Key] | null | undefined;
};

/** Nobody knows anything, so everything is tried. */
export const UNKNOWN: Omit<Capabilities, 'contextTokens' | 'source'> = {
  outputTokens: null,
  price: null,
  images: null,
  tools: null,
  strict: null,
  temperature: null,
  reasons: null,
  efforts: null,
  thinking: null,
  pictures: null,
};

/** What the table says of a name. */
export type TableEntry = {
  readonly facts: Facts;
  readonly source: 'table' | 'newer';
  /** The maker's own provider; null for makers that are reached over a compatible server. */
  readonly provider: ProviderId | null;
  /** Whether the name is the maker's own, rather than one behind a path or a region. */
  readonly isBare: boolean;
};

/** A name's date or version of service: it changes nothing that is published. */
const DATED = /^(?:[-@](?:\d{4}-\d{2}-\d{2}|\d{8}|\d{4}|latest|\d{3}))?(?:-v\d+)?(?:-\d)?$/;

/** What was found of the names asked last, since each message asks for some of them several times. */
const lookups = new WeakMap<ModelTable, LRUCache<string, { readonly entry: TableEntry | null }>>();

/** The longest entry that the name begins with, else the facts of newer models of its maker; null for neither. */
export function inTable(table: ModelTable, name: string, host: string | null = null): TableEntry | null {
  const known = lookups.get(table) ?? new LRUCache({ max: 1_000 });
  lookups.set(table, known);
  const key = JSON.stringify([name, host]);
  const { entry } = known.get(key) ?? { entry: search(table, name, host) };
  known.set(key, { entry });
  return entry;
}

function search(table: ModelTable, name: string, host: string | null): TableEntry | null {
  const found = Object.entries(table.makers).flatMap(([id, maker]) => {
    const provider = PROVIDER_IDS.find((each) => each === id) ?? null;
    const hasPrices = maker.hosts === null || (host !== null && maker.hosts.includes(host));
    return namesIn(name).flatMap(({ text, isBare }) => {
      const entries = Object.entries(maker.models).flatMap(([key, facts]) => {
        const rest = restAfter(key, text);
        if (rest === null || OTHER_VERSION.test(rest)) return [];
        const price = hasPrices && DATED.test(rest) ? facts.price : undefined;
        const merged = factsOf({ ...maker.all, ...facts, price });
        return [{ length: key.length, facts: merged, source: 'table' as const, provider, isBare }];
      });
      const prefix = maker.begins.find((each) => restAfter(each, text) !== null);
      if (prefix === undefined) return entries;
      const facts = factsOf({ ...maker.all, ...maker.newer, price: undefined });
      // Any entry goes before any guess.
      const length = prefix.length - 1_000;
      return [...entries, { length, facts, source: 'newer' as const, provider, isBare }];
    });
  });
  return found.toSorted((a, b) => b.length - a.length)[0] ?? null;
}

/** The name, and what is left of it behind a path, a region or a maker (`openai/`, `us.anthropic.`). */
function namesIn(name: string): readonly { readonly text: string; readonly isBare: boolean }[] {
  const plain = name.toLowerCase().replace(/^models\//, '');
  const cuts = [...plain.matchAll(/[/.]/g)].map(({ index }) => plain.slice(index + 1));
  return [plain, ...cuts].map((each) => ({ text: each.replaceAll(/[.:]/g, '-'), isBare: each === plain }));
}

/** What follows the key in the name, or null: a key ends where a word does. */
function restAfter(key: string, name: string): string | null {
  const plain = key.toLowerCase().replaceAll(/[.:]/g, '-');
  if (!name.startsWith(plain)) return null;
  const rest = name.slice(plain.length);
  return plain.endsWith('-') || rest === '' || /^[^a-z0-9]/.test(rest) ? rest : null;
}

/** The rest of `gpt-5.9` behind `gpt-5`: another version, of which the entry says nothing. */
const OTHER_VERSION = /^-\d{1,2}(?![a-z0-9])/;

/** Efforts of models that are given a budget of tokens to think with: each is a share of the output. */
export const BUDGETED_EFFORTS: readonly Effort[] = ['low', 'medium', 'high'];

const factsOf = ({ window, output, ...same }: TableFacts): Facts => ({
  ...same,
  ...(window !== undefined && { contextTokens: window }),
  ...(output !== undefined && { outputTokens: output }),
  // A budget is given for any effort; otherwise none may be named of which the table has nothing.
  ...(same.efforts === undefined &&
    same.reasons !== undefined && { efforts: same.thinking === 'budget' ? BUDGETED_EFFORTS : [] }),
});

/** One picture out of several, the best informed first; later ones fill in what earlier ones do not know. */
export function mergeFacts(
  sources: readonly (readonly [CapabilitySource, Facts | null])[],
  unknownContextTokens: number,
): Capabilities {
  const merged: Record<string, unknown> = {};
  let source: CapabilitySource = 'assumed';
  for (const [from, facts] of sources.toReversed()) {
    for (const [name, value] of Object.entries(facts ?? {})) if (value != null) merged[name] = value;
    if (facts?.contextTokens != null) source = from;
  }
  return { ...UNKNOWN, contextTokens: unknownContextTokens, ...(merged as Facts as object), source };
}

/** The accepted effort nearest to the one asked for, the higher one of two; null where none may be named. */
export function effortFor(asked: Effort | null, accepted: readonly Effort[] | null): Effort | null {
  if (asked === null || accepted === null) return asked;
  const rank = (effort: Effort) => EFFORTS.indexOf(effort);
  const thinking = accepted.filter((effort) => effort !== 'none');
  const nearest = thinking.toSorted(
    (a, b) => Math.abs(rank(a) - rank(asked)) - Math.abs(rank(b) - rank(asked)) || rank(b) - rank(a),
  );
  return nearest[0] ?? null;
}

/** Bound on one response: what the request asks for, else the adapter's own, and no more than the model can write. */
export function outputBound(
  { outputTokens }: Pick<Capabilities, 'outputTokens'>,
  asked: number | undefined,
  own: number,
): number {
  const bound = asked ?? own;
  return Math.min(bound, outputTokens ?? bound);
}

/** Share of a response that may be thoughts, for models that take a budget of tokens in place of an effort. */
const BUDGET_SHARE = { low: 1 / 8, medium: 1 / 4, high: 1 / 2 } as const;

/** Tokens to think with out of those of a response; at least `least`, which is the API's own bound. */
export const thinkingBudget = (effort: keyof typeof BUDGET_SHARE, outputTokens: number, least: number) =>
  Math.max(least, Math.floor(outputTokens * BUDGET_SHARE[effort]));
