/**
 * The largest requests that a server takes: every operation of the API, every tool of MCP and every other door, with texts as long as
 * its limit lets in. Made from the schemas, so that whatever is added is tried too.
 */
import {
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  isInterfaceType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';
import { z } from 'zod';

/** A request, and how it is called in a table. */
export type LargeRequest = { readonly what: string; readonly send: (url: string) => Promise<unknown> };

/** Just below the limit of a body of JSON. */
const TEXT = 900_000;
/** Kinds of text that are slow to read where anything backtracks, splits or compares. */
const TEXTS: Readonly<Record<string, (length: number) => string>> = {
  letters: (length) => 'A'.repeat(length),
  words: (length) => 'Q1, '.repeat(length / 4),
  brackets: (length) => '('.repeat(length),
  Japanese: (length) => '量子'.repeat(length / 6),
};

/** Some answers are streams of what follows. */
const PATIENCE_MS = 20_000;

const post = async (
  url: string,
  body: BodyInit,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | null = AbortSignal.timeout(PATIENCE_MS),
) => {
  const response = await fetch(url, { method: 'POST', body, headers, signal }).catch(() => null);
  await response?.arrayBuffer().catch(() => null);
};
const asJson = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Each root field of a schema with its first text as long as may be, and with a list of many items. */
export function ofSchema(schema: GraphQLSchema): readonly LargeRequest[] {
  return (['query', 'mutation'] as const).flatMap((kind) => {
    const root = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
    return Object.values(root?.getFields() ?? {}).flatMap((field) => requestsOf(kind, field));
  });
}

function requestsOf(
  kind: 'query' | 'mutation',
  field: GraphQLField<unknown, unknown>,
): readonly LargeRequest[] {
  const places = field.args.flatMap(({ name, type }) => placesIn(type, [name]));
  const isLeaf = !isComposite(field);
  return Object.entries(TEXTS).flatMap(([shape, text]) =>
    places.map((place): LargeRequest => {
      const length = Math.floor(TEXT);
      const args = Object.fromEntries(
        field.args.flatMap(({ name, type }) => {
          const value = valueOf(type, [name], place, text(length));
          return value === undefined ? [] : [[name, value]];
        }),
      );
      const used = field.args.filter(({ name }) => name in args);
      const variables = used.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
      const given = used.map(({ name }) => `${name}: $${name}`).join(', ');
      const query = `${kind}(${variables}) { ${field.name}(${given})${isLeaf ? '' : ' { __typename }'} }`;
      return {
        what: `${kind} ${field.name}, ${place.join('.')} of ${shape}`,
        send: (url) => post(`${url}/graphql`, JSON.stringify({ query, variables: args }), asJson),
      };
    }),
  );
}

function isComposite({ type }: GraphQLField<unknown, unknown>): boolean {
  let inner: unknown = type;
  while (isNonNullType(inner) || isListType(inner)) inner = inner.ofType;
  return isObjectType(inner) || isUnionType(inner) || isInterfaceType(inner);
}

const NUMBERS: ReadonlySet<string> = new Set(['Int', 'Float', 'Boolean', 'PositiveInt', 'NonNegativeInt']);
const DEEPEST = 4;

/** Where a text may stand in an argument, as the path to it; `*` is an item of a list. */
function placesIn(type: GraphQLInputType, path: readonly string[]): readonly (readonly string[])[] {
  if (isNonNullType(type)) return placesIn(type.ofType, path);
  if (isListType(type)) return placesIn(type.ofType, [...path, '*']);
  if (isInputObjectType(type)) {
    if (path.length > DEEPEST) return [];
    return Object.values(type.getFields()).flatMap((each) => placesIn(each.type, [...path, each.name]));
  }
  return isEnumType(type) || NUMBERS.has(type.name) ? [] : [path];
}

/** A value with `text` at its place, and otherwise with the least that it needs; undefined for what may be left out. */
function valueOf(
  type: GraphQLInputType,
  path: readonly string[],
  place: readonly string[],
  text: string,
): unknown {
  const isOnTheWay = path.every((part, index) => place[index] === part);
  if (isNonNullType(type))
    return valueOf(type.ofType, path, place, text) ?? leastOf(type.ofType, path, place, text);
  if (!isOnTheWay) return undefined;
  return leastOf(type, path, place, text);
}

const ITEMS = 10_000;

function leastOf(
  type: GraphQLInputType,
  path: readonly string[],
  place: readonly string[],
  text: string,
): unknown {
  if (isNonNullType(type)) return leastOf(type.ofType, path, place, text);
  const isOnTheWay = path.every((part, index) => place[index] === part);
  if (isListType(type)) {
    if (!isOnTheWay) return [];
    // A list has many short texts.
    const item = valueOf(type.ofType, [...path, '*'], place, text.slice(0, Math.floor(text.length / ITEMS)));
    return Array.from({ length: ITEMS / 10 ** (path.length - 1) }, () => item);
  }
  if (isInputObjectType(type)) {
    return Object.fromEntries(
      Object.values(type.getFields()).flatMap((each) => {
        const value = valueOf(each.type, [...path, each.name], place, text);
        return value === undefined ? [] : [[each.name, value]];
      }),
    );
  }
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (type.name === 'Boolean') return false;
  if (NUMBERS.has(type.name)) return 1;
  return isOnTheWay ? text : 'demo-64';
}

const toolList = z.object({
  result: z.object({
    tools: z.array(
      z.object({
        name: z.string(),
        inputSchema: z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() }),
      }),
    ),
  }),
});

/** Every tool of MCP with each of its arguments as a long text, and as a list of many. */
export async function ofTools(url: string): Promise<readonly LargeRequest[]> {
  const call = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: asJson,
    body: call('tools/list', {}),
  });
  const text = await response.text();
  const json = text.startsWith('{') ? text : (/^data: (.*)$/mu.exec(text)?.[1] ?? '{}');
  const { tools } = toolList.parse(JSON.parse(json)).result;
  return tools.flatMap(({ name, inputSchema }) =>
    Object.keys(inputSchema.properties ?? {}).flatMap((argument) =>
      Object.entries(TEXTS).flatMap(([shape, text]) =>
        [text(TEXT), Array.from({ length: ITEMS }, () => text(80))].map((value): LargeRequest => {
          const body = call('tools/call', { name, arguments: { chip_id: 'demo-64', [argument]: value } });
          const kind = Array.isArray(value) ? `${ITEMS} texts` : 'a text';
          return {
            what: `tool ${name}, ${argument}: ${kind} of ${shape}`,
            send: () => post(`${url}/mcp`, body, asJson),
          };
        }),
      ),
    ),
  );
}

/** Bodies at the limits of the other doors, and documents of GraphQL that are nothing else. */
export function ofDoors(): readonly LargeRequest[] {
  const MB = 1024 * 1024;
  const bodies = [
    ['/graphql', TEXT],
    ['/mcp', TEXT],
    ['/ag-ui', 23 * MB],
    ['/ai-sdk', 23 * MB],
    ['/auth/sign-in/email', TEXT],
    ['/auth/sign-up/email', TEXT],
    ['/auth/oauth2/register', TEXT],
    ['/auth/oauth2/token', TEXT],
  ] as const;
  const nested = (length: number): string => '['.repeat(length / 2) + ']'.repeat(length / 2);
  return [
    ...bodies.flatMap(([path, length]): readonly LargeRequest[] => [
      { what: `${path}, JSON that is nested`, send: (url) => post(url + path, nested(length), asJson) },
      {
        what: `${path}, JSON of empty lists`,
        send: (url) => post(url + path, `{"messages":[${'[],'.repeat(length / 3 - 20)}[]]}`, asJson),
      },
    ]),
    ...['{ a '.repeat(TEXT / 4), `{ ${'a'.repeat(TEXT)} }`, `{ ${'chips{size}'.repeat(80_000)} }`].map(
      (query, index): LargeRequest => ({
        what: `/graphql, a document of 900 kB (${['nested', 'one name', 'the same field'][index]})`,
        send: (url) => post(`${url}/graphql`, JSON.stringify({ query }), asJson),
      }),
    ),
  ];
}

/** A table of so many rows of `qid,parameter,value,unit,time`, four parameters of 100 qubits each half an hour. */
export function longTable(rows: number): string {
  const parameters = ['t1', 't2_echo', 'qubit_frequency', 'readout_fidelity'];
  const units = ['us', 'us', 'GHz', ''];
  const begin = Date.UTC(2023, 0, 1);
  const lines = Array.from({ length: rows }, (_, row) => {
    const kind = row % 4;
    const value = [
      30 + (row % 977) / 16,
      20 + (row % 883) / 16,
      4.5 + (row % 911) / 1_000,
      0.9 + (row % 89) / 1_000,
    ];
    const time = new Date(begin + Math.floor(row / 400) * 1_440_000).toISOString();
    return `${Math.floor(row / 4) % 100},${parameters[kind]},${value[kind]},${units[kind]},${time}`;
  });
  return `qid,parameter,value,unit,time\n${lines.join('\n')}\n`;
}

/** An import; `step` is `preview` or `yes`. */
export function ofImport(what: string, file: Blob, name: string, step: 'preview' | 'yes'): LargeRequest {
  return {
    what: `import, ${step === 'yes' ? 'written' : 'previewed'}: ${what}`,
    async send(url) {
      const form = new FormData();
      form.append('files', file, name);
      for (const [field, value] of Object.entries({ chip: 'large', create: '1', [step]: '1' }))
        form.append(field, value);
      await post(`${url}/import/demo`, form, {}, null);
    },
  };
}
