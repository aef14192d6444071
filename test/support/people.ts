import type { TestApp } from './create-test-app.ts';
import { send } from './graphql-client.ts';

export const PASSWORD = 'ten cold qubits';

/** An answer of `/auth`. */
export type AuthAnswer = {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly cookie: string;
};

/** A request below `/auth`; a body makes it a POST. */
export async function auth(
  url: string,
  path: string,
  { body, cookie, headers }: { body?: object; cookie?: string; headers?: Record<string, string> } = {},
): Promise<AuthAnswer> {
  const answer = await send(`${url}/auth${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json', origin: url }),
      ...(cookie !== undefined && { cookie }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const cookies = [answer.headers['set-cookie'] ?? []].flat();
  return {
    status: answer.status,
    body: (answer.body === '' ? {} : JSON.parse(answer.body)) as Record<string, unknown>,
    cookie: cookies.map((each) => each.split(';', 1)[0]).join('; '),
  };
}

/** Makes the first owner of an installation with accounts; returns their cookie. */
export async function becomeOwner({ app, url }: TestApp, email = 'owner@lab.example'): Promise<string> {
  const token = app.ownerLink?.split('#')[1] ?? '';
  const { cookie, body } = await auth(url, '/accept', {
    body: { token, name: 'Olga', email, password: PASSWORD },
  });
  if (cookie === '') throw new Error(`the first owner was not made: ${JSON.stringify(body)}`);
  return cookie;
}

/** Invites somebody and follows the invitation for them; returns their cookie. */
export async function join(
  url: string,
  inviter: string,
  who: { readonly email: string; readonly projectId?: string; readonly role?: string },
): Promise<string> {
  const { email, projectId = null, role = null } = who;
  const { body } = await auth(url, '/invitations', { body: { email, projectId, role }, cookie: inviter });
  const token = String(body['link']).split('#')[1] ?? '';
  const name = email.split('@')[0] ?? '';
  const accepted = await auth(url, '/accept', { body: { token, name, email, password: PASSWORD } });
  if (accepted.cookie === '')
    throw new Error(`${email} could not join: ${JSON.stringify([body, accepted.body])}`);
  return accepted.cookie;
}
