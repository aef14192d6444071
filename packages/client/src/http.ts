import { NotQPilotError, UnreachableError, refusal, refusalOf } from './errors.ts';
import { payloadOf, type Operation } from './operation.ts';
import type { Server } from './server.ts';

type Answer<Data> = {
  readonly data?: Data | null;
  readonly errors?: Parameters<typeof refusalOf>[0];
};

/** How to send an operation. */
export type RequestOptions = {
  /** Gives it up; the promise is then rejected with the signal's reason. Whether the server did it is unknown. */
  readonly signal?: AbortSignal | undefined;
};

/** What a proxy answers when there is nothing behind it. */
const AWAY = new Set([502, 503, 504]);

/**
 * Sends a query or mutation; files in the variables are sent along as a form. The answer is believed to be what the
 * operation asks for.
 * @throws QPilotError, and the signal's reason once it fires
 */
export async function request<Data, Variables extends Record<string, unknown>>(
  server: Server,
  what: Operation<Data, Variables>,
  variables: Variables,
  { signal }: RequestOptions = {},
): Promise<Data> {
  const { projectId } = server;
  const payload = payloadOf(what, variables);
  const form = formOf(payload);
  const response = await send(server, '/graphql', {
    method: 'POST',
    headers: {
      // Other sites cannot make a browser send these.
      ...(form === null ? { 'content-type': 'application/json' } : { 'graphql-require-preflight': '1' }),
      ...(projectId !== null && { 'x-project-id': projectId }),
    },
    body: form ?? JSON.stringify(payload),
    signal: signal ?? null,
  });
  const answer = (await response.json().catch(() => {
    signal?.throwIfAborted();
    return null;
  })) as Answer<Data> | null;
  return dataOf(answer, response.status, server.url);
}

function dataOf<Data>(answer: Answer<Data> | null, status: number, url: string): Data {
  if (answer?.errors) throw refusalOf(answer.errors);
  if (answer?.data) return answer.data;
  if (AWAY.has(status)) throw new UnreachableError(`no QPilot answers at ${url} (status ${status})`);
  throw new NotQPilotError(`what answers at ${url} (status ${status}) is not QPilot`);
}

/** A project that the caller may use. */
export type OwnProject = { readonly projectId: string; readonly name: string; readonly role: string };

/** The projects of the caller, whatever project is named: for choosing one. @throws QPilotError */
export async function ownProjects(server: Server): Promise<readonly OwnProject[]> {
  const response = await send(server, '/auth/me');
  const me = (await response.json().catch(() => null)) as Me | null;
  if (me?.person === null && me.mode !== 'none') throw refusal('UNAUTHENTICATED', 'nobody known asks');
  return dataOf({ data: me?.projects ?? null }, response.status, server.url);
}

type Me = {
  readonly mode: string;
  readonly person: object | null;
  readonly projects?: readonly OwnProject[];
};

type Sent = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: FormData | string;
  readonly signal?: AbortSignal | null;
};

/** Sends a request as the caller. */
function send({ url, token, fetch }: Server, path: string, sent: Sent = {}): Promise<Response> {
  const headers = {
    accept: 'application/json',
    ...(token !== null && { authorization: `Bearer ${token}` }),
    ...sent.headers,
  };
  return fetch(url + path, { ...sent, headers }).catch((error: unknown) => {
    sent.signal?.throwIfAborted();
    throw new UnreachableError(`no QPilot answers at ${url}`, { cause: error });
  });
}

/** As the GraphQL multipart request specification has files; null for a payload without files. */
function formOf(payload: object): FormData | null {
  const files: { readonly path: string; readonly file: Blob }[] = [];
  const withoutFiles = (value: unknown, path: string): unknown => {
    if (value instanceof Blob) {
      files.push({ path, file: value });
      return null;
    }
    if (Array.isArray(value)) return value.map((item, index) => withoutFiles(item, `${path}.${index}`));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        withoutFiles(item, path === '' ? key : `${path}.${key}`),
      ]),
    );
  };
  const operations = withoutFiles(payload, '');
  if (files.length === 0) return null;
  const form = new FormData();
  form.set('operations', JSON.stringify(operations));
  form.set('map', JSON.stringify(Object.fromEntries(files.map(({ path }, index) => [index, [path]]))));
  files.forEach(({ file }, index) => form.set(String(index), file));
  return form;
}
