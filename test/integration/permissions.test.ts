/**
 * Walks everything that has a rule as everybody, and compares what they get with the rule: each field, type, event, tool and
 * file route, as each role, as a stranger, as a member of another project, and as nobody.
 */
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { format, resolveConfig } from 'prettier';
import { v4 as uuid } from 'uuid';
import { encodeNodeId, NODE_TYPES } from '../../schema/node-ids.ts';
import { createLogger } from '../../src/base/log.ts';
import { ForbiddenError } from '../../src/base/errors.ts';
import { CHIP_METRICS_PATH } from '../../src/server/chip-metrics.ts';
import { AUDIT_EXPORT_PATH, auditExportUrl } from '../../src/domain/audit/export-url.ts';
import { MESSAGE_IMAGES_PATH, messageImageUrl } from '../../src/domain/conversation/message-image.ts';
import type { Message, Session } from '../../src/domain/conversation/session.ts';
import { JOB_FILES_PATH, jobFileUrl } from '../../src/domain/jobs/job-file.ts';
import { allows, isForAll, type Rule } from '../../src/domain/members/rule.ts';
import { ROLES, type Role } from '../../src/domain/members/role.ts';
import { IMPORT_PATH } from '../../src/domain/imports/file-import.ts';
import { CHARTS_PATH, pictureUrl } from '../../src/domain/pictures/picture-url.ts';
import { FIGURES_PATH, figureUrl } from '../../src/domain/records/figure.ts';
import { ALL_TOOLS } from '../../src/agent/tools/all-tools.ts';
import { CHAT_ROUTES } from '../../src/protocols/chat/chat-door.ts';
import { ASK, ASK_RULE } from '../../src/protocols/mcp/ask.ts';
import { boardUri, pictureUri, reportUri, visualUri } from '../../src/protocols/mcp/uris.ts';
import { mcp } from '../support/mcp-client.ts';
import { EVERY_TOOL } from '../../src/operations/permissions/every-tool.ts';
import {
  permissions,
  permissionsPage,
  type Permission,
} from '../../src/operations/permissions/permissions.ts';
import { FILE_ROUTES } from '../../src/server/file-routes.ts';
import { openDatabase, type OpenDatabase } from '../../src/stores/pg/database.ts';
import { insertJobDraft } from '../../src/stores/pg/job-drafts.ts';
import { insertMessageImages } from '../../src/stores/pg/message-images.ts';
import { insertSummary } from '../../src/stores/pg/summaries.ts';
import { insertUpload } from '../../src/stores/pg/uploads.ts';
import { send, sse } from '../support/graphql-client.ts';
import { png } from '../support/pictures.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { filesFolder } from '../../src/workspace/workspace.ts';
import { addMembers, headerDoor, signedIn } from '../support/signed-in.ts';
import { operation, rootOperation, waysToFields, type Ids } from '../support/permission-walk.ts';

/** Who asks, for which project. Eve made the things that the others try to reach. */
type Person = {
  readonly user: string | null;
  readonly project: string;
  readonly role: Role | null;
  readonly isOperator?: true;
};
const PEOPLE = {
  viewer: { user: 'vera', project: 'demo', role: 'viewer' },
  editor: { user: 'edda', project: 'demo', role: 'editor' },
  admin: { user: 'adam', project: 'demo', role: 'admin' },
  owner: { user: 'olga', project: 'demo', role: 'owner' },
  operator: { user: 'root', project: 'demo', role: 'viewer', isOperator: true },
  'other member': { user: 'otto', project: 'other', role: 'owner' },
  intruder: { user: 'otto', project: 'demo', role: null },
  stranger: { user: 'stan', project: 'demo', role: null },
  nobody: { user: null, project: 'demo', role: null },
} as const satisfies Record<string, Person>;
const EVE: Person = { user: 'eve', project: 'demo', role: 'editor' };
const everybody = Object.entries<Person>(PEOPLE);

type Answer = {
  readonly data: Record<string, unknown> | null;
  readonly errors: readonly { readonly extensions: { readonly code: string } }[];
};

let app: TestApp;
let database: OpenDatabase;
/** Global ids of what Eve made, and of what is in her project, by type. */
const made: Record<string, string> = {};
/** The same as keys: of rows, and in paths. */
const keys: Record<string, string> = {};
const nowhere: Record<string, string> = Object.fromEntries(
  NODE_TYPES.map((type) => [type, encodeNodeId(type, type === 'Chip' ? 'no-chip' : `${uuid()}`)]),
);

beforeAll(async () => {
  app = await createTestApp({
    demo: true,
    // Each text is run a few times only; what is compiled calls the same resolvers.
    env: { GRAPHQL_JIT: '0' },
    projects: ['other'],
    door: headerDoor,
  });
  database = openDatabase(app.environment['DATABASE_URL'] ?? '', { log: createLogger('silent') });
  await addMembers(
    app,
    [EVE, ...Object.values<Person>(PEOPLE)].flatMap(({ user, project, role }) =>
      user === null || role === null ? [] : [[user, project, role] as const],
    ),
  );
  await makeThings();
});
afterAll(async () => {
  await database.close();
  await app.stop();
});

/** Runs an operation; of a subscription, its first result. */
async function ask({ user, project }: Person, query: string): Promise<Answer> {
  const leave = new AbortController();
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...signedIn(user, project),
    },
    body: JSON.stringify({ query }),
    signal: leave.signal,
  });
  if (!response.headers.get('content-type')?.includes('event-stream')) {
    return { data: null, errors: [], ...((await response.json()) as object) };
  }
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const first = /^data: (\{.*\})$/m.exec(text)?.[1];
    if (first === undefined) continue;
    leave.abort();
    return { data: null, errors: [], ...(JSON.parse(first) as object) };
  }
  throw new Error(`the stream ended without a result: ${text}`);
}

/** Eve asks a question, plans a job with the builder, creates one, and saves an expert. */
async function makeThings(): Promise<void> {
  const run = async (query: string) => {
    const { data, errors } = await ask(EVE, query);
    expect(errors).toEqual([]);
    return data as Record<string, Record<string, unknown>>;
  };
  const sent =
    await run(`mutation { sendMessage(input: { clientMessageId: "a", content: "Which five qubits have the shortest T1? Show a T1 heatmap.",
    chipId: "demo-64" }) { ... on SendMessagePayload { session { id } turn { id } } ... on UserError { message } } }`);
  const { session, turn } = sent['sendMessage'] as Record<string, { id: string }>;
  Object.assign(made, { CopilotSession: session?.id, Turn: turn?.id });
  await untilFinished(made['CopilotSession'] ?? '');
  const read =
    await run(`{ copilotSession(id: "${made['CopilotSession']}") { turns(first: 1) { nodes { toolCalls { id }
    message { id blocks { ... on ChartBlock { chart { id } } ... on TableBlock { table { id } } } } } } }
    chip(chipId: "demo-64") { id qubits { id } couplings { id } taskResults(first: 1) { nodes { id taskId } } executions(first: 1) { nodes { id } } } }`);
  const found = JSON.stringify(read);
  for (const type of NODE_TYPES) {
    const prefix = Buffer.from(`${type}:`).toString('base64url').slice(0, -2);
    const id = [...found.matchAll(/"id":"([^"]+)"/g)]
      .map(([, each = '']) => each)
      .find((each) => each.startsWith(prefix));
    if (id !== undefined) made[type] ??= id;
  }
  const comment = await run(`mutation { addComment(input: { subjectId: "${made['Message']}", text: "x" }) {
    ... on AddCommentPayload { comment { id } } ... on UserError { message } } }`);
  const builder = await run(`mutation { createBuilderSession(input: { clientRequestId: "b" }) {
    ... on CreateBuilderSessionPayload { session { id } } } }`);
  const job =
    await run(`mutation { createJob(input: { description: "x", instructions: "x", idempotencyKey: "c" }) {
    ... on CreateJobPayload { job { id } } ... on UserError { message } } }`);
  const expert =
    await run(`mutation { saveExpert(input: { expertId: "eves", displayName: "E", instructions: "x" }) {
    ... on SaveExpertPayload { expert { id } } ... on UserError { message } } }`);
  const board = await run(`mutation { createBoard(input: { title: "x" }) {
    ... on CreateBoardPayload { board { id } } ... on UserError { message } } }`);
  for (const [type, holder] of Object.entries({
    Board: board,
    BuilderSession: builder,
    Job: job,
    Expert: expert,
    Comment: comment,
  })) {
    made[type] = /"id":"([^"]+)"/.exec(JSON.stringify(holder))?.[1] ?? '';
  }
  Object.assign(made, await storedThings());
  for (const [type, id] of Object.entries(made))
    keys[type] = Buffer.from(id, 'base64')
      .toString()
      .slice(type.length + 1);
}

/** What takes a model, a form or a long conversation to make. */
async function storedThings(): Promise<Record<string, string>> {
  const { db } = database;
  const eve = { id: 'eve', name: 'eve', projectId: 'demo', role: 'editor', isOperator: false } as const;
  const keyOf = (type: string) =>
    Buffer.from(made[type] ?? '', 'base64')
      .toString()
      .slice(type.length + 1);
  const draft = {
    expertId: 'eves',
    description: 'x',
    instructions: 'x',
    configOverride: {},
    chipId: 'demo-64',
    context: {},
  };
  const upload = { id: uuid(), name: 'x.csv', sizeBytes: 1, rowCount: 1, columns: [] };
  const session = { id: keyOf('CopilotSession'), projectId: 'demo', viewerId: 'eve' } as Session;
  const summary = { throughTurnId: keyOf('Turn'), messageCount: 1, text: 'x', model: 'x' };
  const header = { mediaType: 'image/png', width: 8, height: 8 } as const;
  await db
    .transaction()
    .execute((tx) =>
      insertMessageImages(tx, eve, { id: keyOf('Message'), sessionId: session.id } as Message, [
        { ...header, body: png(8, 8), digest: 'x' },
      ]),
    );
  return {
    JobDraft: encodeNodeId('JobDraft', (await insertJobDraft(db, eve, draft)).id),
    Upload: encodeNodeId('Upload', (await insertUpload(db, eve, upload)).id),
    HistorySummary: encodeNodeId('HistorySummary', (await insertSummary(db, session, summary)).id),
  };
}

/** A file of Eve's job. */
async function writeReport(): Promise<void> {
  const folder = filesFolder(join(app.environment['DATA_DIR'] ?? '', 'jobs'), keys['Job'] ?? '');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'report.md'), 'x');
}

/** Follows Eve's session to the end of its turn. */
async function untilFinished(sessionId: string): Promise<void> {
  const headers = signedIn(EVE.user, EVE.project);
  const query = `subscription { copilotEvents(sessionId: "${sessionId}") { __typename } }`;
  for await (const { data } of sse(app.url, query, {}, headers)) {
    const event = data?.['copilotEvents'] as { readonly __typename: string } | undefined;
    if (event?.__typename === 'TurnFinishedEvent') return;
  }
}

const all = permissions();
const ways = waysToFields();
const ruleOf = (subject: Permission['subject'], name: string) =>
  all.find((each) => each.subject === subject && each.name === name)?.rule ?? null;
/** Whether a rule is about what somebody made. Eve shares nothing. */
const isOfSomebody = (rule: Rule | null): boolean => rule !== null && /own$|shared$/.test(rule);
const isOwn = (type: string): boolean => isOfSomebody(ruleOf('Type', type));

/** Names of arguments beside ids. */
const REAL_NAMES = {
  chipId: 'demo-64',
  qid: '0',
  couplingId: '0-1',
  expertId: 'eves',
  parameter: 't1',
  metric: 't1',
  userId: 'vera',
};
const NO_NAMES = { ...REAL_NAMES, chipId: 'no-chip', expertId: 'no-expert', userId: 'no-user' };

const real: Ids = (name) => made[name] ?? Object.entries(REAL_NAMES).find(([key]) => key === name)?.[1];
/** Nothing that exists anywhere. */
const none: Ids = (name) => nowhere[name] ?? Object.entries(NO_NAMES).find(([key]) => key === name)?.[1];
/** What all members share is real, what somebody made is not. */
const noneOfOwn: Ids = (name) => (isOwn(name) ? nowhere[name] : real(name));

/** The answer without what the request was about: two requests for different things are answered alike. */
function blank(answer: unknown): string {
  let text = JSON.stringify(answer).replaceAll(/"requestId":"[^"]*"/g, '');
  const names = [made, nowhere, keys, keysOf(nowhere), REAL_NAMES, NO_NAMES].flatMap((each) =>
    Object.entries<string>(each),
  );
  for (const [type, id] of names) if (id.length > 3) text = text.replaceAll(id, type);
  return text;
}

const keysOf = (ids: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(ids).map(([type, id]) => [
      type,
      Buffer.from(id, 'base64')
        .toString()
        .slice(type.length + 1),
    ]),
  );

const ROLE_REFUSED = /this needs the role|only administrators of this installation/;
const isRefusedByRole = (answer: Answer): boolean =>
  JSON.stringify(answer).includes('"ForbiddenError"') || ROLE_REFUSED.test(JSON.stringify(answer));

/** What a request of somebody must come to. */
type Walk = {
  readonly permission: Permission;
  /** Of its root field, where that is narrower. */
  readonly rule: Rule | null;
  readonly write: (ids: Ids) => string;
  /** Whether asking for real things changes them, or waits for them to change. */
  readonly isOnlyRefused: boolean;
  /** Whether the way leads through things that somebody made. */
  readonly isOwn: boolean;
};

/** How what a person got differs from the rule; null if it does not. */
async function differs({ rule, ...walk }: Walk, person: Person): Promise<string | null> {
  if (rule === null) return 'has no rule';
  const [query, forNothing] = [walk.write(real), walk.write(none)];
  const standing = { role: person.role ?? 'viewer', isOperator: person.isOperator ?? false };
  if (person.role === null || !allows(standing, rule)) {
    const [answer, other] = [await ask(person, query), await ask(person, forNothing)];
    if (blank(answer) !== blank(other)) return `says what exists: ${JSON.stringify([answer, other])}`;
    const isRefused =
      person.role === null ? answer.data === null && answer.errors.length > 0 : isRefusedByRole(answer);
    return isRefused ? null : `is let in: ${JSON.stringify(answer)}`;
  }
  const isForeign = person.project !== EVE.project;
  if (isForeign || walk.isOwn) {
    const unknown = isForeign ? forNothing : walk.write(noneOfOwn);
    if (unknown === query) return null; // nothing of anybody is named, so there are only one's own
    const [answer, other] = [await ask(person, query), await ask(person, unknown)];
    if (isRefusedByRole(answer)) return `is refused: ${JSON.stringify(answer)}`;
    return blank(answer) === blank(other) ? null : `says what exists: ${JSON.stringify([answer, other])}`;
  }
  const answer = walk.isOnlyRefused ? null : await ask(person, query);
  return answer !== null && isRefusedByRole(answer) ? `is refused: ${JSON.stringify(answer)}` : null;
}

/** How to walk a permission of the schema; null for tools, routes and resources. */
function walkOf(permission: Permission): Walk | null {
  const { subject, name, rule } = permission;
  if (subject === 'Tool' || subject === 'Route' || subject === 'Mcp' || subject === 'Chat') return null;
  if (subject === 'Query' || subject === 'Mutation' || subject === 'Subscription') {
    return {
      permission,
      rule,
      write: (ids) => rootOperation(subject, name, ids),
      isOnlyRefused: subject !== 'Query',
      isOwn: isOfSomebody(rule),
    };
  }
  // A type is reached by each of its fields.
  const way =
    ways.get(subject === 'Field' ? name : `${name}.__typename`) ??
    ways.get(`${name}.id`) ??
    ways.get(`${name}.seq`);
  if (way === undefined) throw new Error(`no way leads to ${name}`);
  const [first] = way.steps;
  const ofRoot = ruleOf(way.root, first?.field ?? '');
  return {
    permission,
    rule: rule !== null && ofRoot !== null && !isForAll(ofRoot) ? ofRoot : rule,
    write: (ids) => operation(way, ids),
    isOnlyRefused: way.root !== 'Query',
    isOwn: isOfSomebody(ofRoot) || way.steps.some(({ on }) => isOwn(on)),
  };
}

test('everything has a rule, and everybody gets what it says: the schema', async () => {
  const failures: string[] = [];
  const walks = all.flatMap((permission) => walkOf(permission) ?? []);
  for (const walk of walks) {
    const outcomes = await Promise.all(
      everybody.map(async ([name, person]) => [name, await differs(walk, person)]),
    );
    const { subject, name } = walk.permission;
    failures.push(
      ...outcomes.flatMap(([who, how]) => (how === null ? [] : [`${subject} ${name}: ${who} ${how}`])),
    );
  }
  expect(failures).toEqual([]);
  const open = all.filter(({ rule }) => rule === null).length;
  process.stdout.write(
    `permissions: ${all.length} fields, types, events, tools and routes × ${everybody.length} people = ${all.length * everybody.length}, ${open} without a rule\n`,
  );
}, 300_000);

test('Eve reaches what the others do not', async () => {
  const own = all
    .flatMap((permission) => walkOf(permission) ?? [])
    .filter((walk) => walk.isOwn && !walk.isOnlyRefused);
  const unreached: string[] = [];
  for (const { permission, write } of own) {
    const [query, unknown] = [write(real), write(noneOfOwn)];
    if (query === unknown) continue;
    if (blank(await ask(EVE, query)) === blank(await ask(EVE, unknown))) unreached.push(permission.name);
  }
  // Nothing of Eve's: she has no such message, her job no such result.
  expect(unreached).toEqual([]);
}, 60_000);

test.each(EVERY_TOOL.map((tool) => [tool.name, tool] as const))(
  'the tool %s is called by who may',
  async (_name, tool) => {
    for (const role of ROLES) {
      const viewer = { id: 'vera', name: 'vera', projectId: 'demo', role, isOperator: false };
      // Whatever else it touches is not there, so that it fails there.
      const context = { viewer } as unknown as Parameters<typeof tool.run>[1];
      const call = (async () => tool.run({}, context))();
      const error: unknown = await call.then(
        () => null,
        (reason: unknown) => reason,
      );
      expect([role, error instanceof ForbiddenError]).toEqual([role, !allows(viewer, tool.rule)]);
    }
  },
);

test('files are for whom their rule names, and for others as if they did not exist', async () => {
  await writeReport();
  const { rows } = await database.pool.query<{ id: string }>('select id from message_images');
  const urls: Readonly<Record<string, (exists: boolean) => string>> = {
    [AUDIT_EXPORT_PATH]: (exists) =>
      auditExportUrl({ projectId: exists ? 'demo' : 'nowhere', format: 'csv' }),
    [CHARTS_PATH]: (exists) =>
      pictureUrl({
        projectId: 'demo',
        chartId: encodeNodeId('Chart', exists ? (keys['Chart'] ?? '') : uuid()),
        format: 'png',
      }),
    [CHIP_METRICS_PATH]: (exists) => CHIP_METRICS_PATH + (exists ? 'demo' : 'nowhere'),
    [FIGURES_PATH]: (exists) =>
      figureUrl({ projectId: 'demo', taskId: exists ? (keys['TaskResult'] ?? '') : uuid(), index: 0 }),
    [IMPORT_PATH]: (exists) => IMPORT_PATH + (exists ? 'demo' : 'nowhere'),
    [JOB_FILES_PATH]: (exists) =>
      jobFileUrl({ projectId: 'demo', jobId: exists ? (keys['Job'] ?? '') : uuid(), path: 'report.md' }),
    [MESSAGE_IMAGES_PATH]: (exists) =>
      messageImageUrl({ projectId: 'demo', id: exists ? (rows[0]?.id ?? '') : uuid() }),
  };
  const get = async (person: Person, path: string) => {
    const response = await fetch(app.url + path, { headers: signedIn(person.user, null) });
    return { status: response.status, text: await response.text() };
  };
  for (const { path, rule } of FILE_ROUTES) {
    const [file = '', nothing = ''] = [urls[path]?.(true), urls[path]?.(false)];
    if (isOfSomebody(rule)) expect([path, (await get(EVE, file)).status]).toEqual([path, 200]);
    for (const [name, person] of everybody) {
      const standing = { role: person.role ?? 'viewer', isOperator: false } as const;
      const isMember = person.role !== null && person.project === EVE.project;
      if (isMember && !isOfSomebody(rule) && allows(standing, rule)) continue;
      const missing = await get(person, nothing);
      expect(missing.status).toBe(404);
      expect([name, path, await get(person, file)]).toEqual([name, path, missing]);
    }
  }
});

const called = async ({ user, project }: Person, method: string, params: object) => {
  const { status, result, error } = await mcp(app.url, method, params, signedIn(user, project));
  return { status, result, error };
};
const byUser = ([, { user, project }]: readonly [string, Person]): string => `${user} in ${project}`;

test.each(everybody.map((each) => [byUser(each), each[1]] as const))(
  'tools at /mcp give %s what the rules say',
  async (_name, person) => {
    const listed = await called(person, 'tools/list', {});
    if (person.role === null) {
      expect([listed.status, listed.result]).toEqual([person.user === null ? 401 : 403, undefined]);
      expect(blank(await called({ ...person, project: 'nowhere' }, 'tools/list', {}))).toBe(
        blank(listed).replaceAll(person.project, 'nowhere'),
      );
    }
    for (const { name, rule, example, args } of [
      ...ALL_TOOLS,
      { name: ASK, rule: ASK_RULE, example: {}, args: null },
    ]) {
      const given = typeof example === 'function' ? {} : example;
      // A role is refused before anything is read, so one person reads the chip, and the others one that is not there.
      const chipId = person.role === 'viewer' || person.project !== EVE.project ? 'demo-64' : NO_NAMES.chipId;
      const ofChip = args === null || !('chip_id' in args.shape) ? {} : { chip_id: chipId };
      const call = { name, arguments: { ...given, ...ofChip } };
      const answer = await called(person, 'tools/call', call);
      if (person.role === null) {
        expect([name, answer.status, answer.result]).toEqual([name, listed.status, undefined]);
        continue;
      }
      const standing = { role: person.role, isOperator: person.isOperator ?? false };
      expect([name, JSON.stringify(answer).includes('FORBIDDEN')]).toEqual([name, !allows(standing, rule)]);
      if (person.project === EVE.project || !('chip_id' in ofChip)) continue;
      const other = await called(person, 'tools/call', {
        name,
        arguments: { ...given, chip_id: NO_NAMES.chipId },
      });
      expect([name, blank(answer)]).toEqual([name, blank(other)]);
    }
  },
  60_000,
);

test('what Eve made is no resource for others, and no turn to wait for', async () => {
  const [job, board, turn, chart] = [
    made['Job'] ?? '',
    made['Board'] ?? '',
    made['Turn'] ?? '',
    keys['Chart'] ?? '',
  ];
  const [noJob, noBoard, noTurn, noChart] = [
    nowhere['Job'] ?? '',
    nowhere['Board'] ?? '',
    nowhere['Turn'] ?? '',
    uuid(),
  ];
  const mine = { name: ASK, arguments: { turn } };
  expect(JSON.stringify(await called(EVE, 'tools/call', mine))).toContain('COMPLETED');
  expect((await called(EVE, 'resources/read', { uri: visualUri('chart', chart) })).error).toBeUndefined();
  expect((await called(EVE, 'resources/read', { uri: pictureUri(chart) })).error).toBeUndefined();
  for (const [name, person] of everybody) {
    const alike = [
      ['resources/read', { uri: reportUri(job) }, { uri: reportUri(noJob) }],
      ['resources/read', { uri: boardUri(board) }, { uri: boardUri(noBoard) }],
      ['resources/read', { uri: visualUri('chart', chart) }, { uri: visualUri('chart', noChart) }],
      ['resources/read', { uri: pictureUri(chart) }, { uri: pictureUri(noChart) }],
      ['tools/call', mine, { name: ASK, arguments: { turn: noTurn } }],
      [
        'tools/call',
        { name: ASK, arguments: { turn, stop: true } },
        { name: ASK, arguments: { turn: noTurn } },
      ],
    ] as const;
    for (const [method, given, unknown] of alike) {
      const [answer, other] = [await called(person, method, given), await called(person, method, unknown)];
      const text = blank(answer);
      expect([name, text]).toEqual([name, blank(other).replaceAll(noChart, 'Chart')]);
      expect([name, answer.result?.isError ?? answer.error !== undefined]).toEqual([name, true]);
    }
  }
});

test('what Eve asked is no thread of others, by any route of chat', async () => {
  const [session, none] = [made['CopilotSession'] ?? '', nowhere['CopilotSession'] ?? ''];
  const body = (threadId: string, path: string): string => {
    const content = 'what was the answer?';
    const run = { threadId, runId: 'run', messages: [{ id: 'm', role: 'user', content }] };
    const chat = {
      id: threadId,
      messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: content }] }],
    };
    return JSON.stringify(path.startsWith('/ag-ui') ? run : chat);
  };
  for (const [name, { user, project }] of everybody) {
    for (const route of CHAT_ROUTES) {
      const [method = '', path = ''] = route.split(' ');
      const ask = (thread: string) =>
        send(`${app.url}${path.replace('{thread}', thread)}`, {
          method,
          headers: { ...signedIn(user, project), 'content-type': 'application/json' },
          ...(method === 'POST' && { body: body(thread, path) }),
        });
      const [answer, other] = [await ask(session), await ask(none)];
      expect([name, route, answer.status, blank(answer.body)]).toEqual([
        name,
        route,
        other.status,
        blank(other.body),
      ]);
      expect([name, route, answer.status === 204 || answer.status >= 400]).toEqual([name, route, true]);
    }
  }
});

test('the page of permissions is what the code says', async () => {
  const file = new URL('../../docs/permissions.md', import.meta.url).pathname;
  expect(readFileSync(file, 'utf8')).toBe(
    await format(permissionsPage(), { ...(await resolveConfig(file)), parser: 'markdown' }),
  );
});
