/** Which parameter of a refused request its model does not know, where the request can do without it. */
import type { ProviderFault } from './provider-errors.ts';

/** What can be left out of a request. */
export type OptionalParameters = {
  /** Keys of the body. */
  readonly ofBody: readonly string[];
  /** Fields deeper in it, as those of a tool or a message. */
  readonly within: readonly string[];
};

const REFUSAL = /unsupported|not support|unknown|unrecogni[sz]ed|not permitted|not allowed|extra_forbidden/i;

/** A schema with a keyword that strict mode does not know, in the words of OpenAI and of Groq. */
const STRICT_SCHEMA = /invalid (?:json )?schema for (?:function|tool)|for function .{0,80}is not permitted/i;

/**
 * The optional parameter that the model refused: named by the error's `param` (`text.format`, `tools[0].strict`)
 * or, failing that, first in its message. A name that is also a word, such as `text`, counts only
 * where the message means the parameter.
 */
export function unsupportedParameter(
  { status, param, detail }: ProviderFault,
  { ofBody, within }: OptionalParameters,
): string | null {
  if (status !== 400 && status !== 422) return null;
  if (within.includes('strict') && STRICT_SCHEMA.test(detail)) return 'strict';
  const path = param?.split(/[.[\]]+/) ?? [];
  const named = within.find((name) => path.includes(name)) ?? ofBody.find((name) => name === path[0]);
  if (named !== undefined) return named;
  if (!REFUSAL.test(detail)) return null;
  const found = [
    ...ofBody.map((name) => ({ name, at: detail.search(nameOf(name, bodyKey)) })),
    ...within.map((name) => ({ name, at: detail.search(nameOf(name, innerField)) })),
  ];
  return found.filter(({ at }) => at >= 0).toSorted((a, b) => a.at - b.at)[0]?.name ?? null;
}

/** A name with an underscore is no English word; any other one is recognised by its surroundings. */
const nameOf = (name: string, inWords: (name: string) => string): RegExp =>
  new RegExp(name.includes('_') ? `\\b${name}\\b` : inWords(name));

/** `Unknown parameter: 'tools[0].`, `request argument supplied: `, "unknown field `" */
const INTRODUCED = String.raw`(?:parameter|argument|field|property)s?(?: supplied)?:?[\s'"\`\[(]*`;

/**
 * Introduced, as the place that a validator reports (`["body","text"]`, `body.text`, `text: ` at the beginning), or as
 * the subject: "adaptive thinking is not supported".
 */
const bodyKey = (name: string): string =>
  String.raw`${INTRODUCED}${name}\b|\bbody\b['"., >-]+${name}\b|^${name}: |^(?:\w+ )?${name} is not supported`;

/** Introduced, with or without the path to it; or the end of such a path. */
const innerField = (name: string): string =>
  String.raw`${INTRODUCED}(?:[\w[\]]+\.)*${name}\b|[\w\]]\.${name}\b|[,[] ?['"]${name}['"]\]`;
