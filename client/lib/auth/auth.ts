/** Requests below `/auth`, which sign people in and out; everything else is GraphQL. */

/** A project that somebody may use. */
export type OwnProject = { readonly projectId: string; readonly name: string; readonly role: string };

/** Who is signed in, and how people sign in here. */
export type Me = {
  readonly mode: 'none' | 'accounts' | 'oidc' | 'proxy' | 'qdash';
  /** What people call the provider that signs them in. */
  readonly provider?: string | null;
  readonly person: {
    readonly id: string;
    readonly name: string;
    readonly email: string | null;
    readonly isAdmin: boolean;
    readonly hasTwoFactor: boolean;
  } | null;
  readonly projects: readonly OwnProject[];
  /** The project that the server takes where none is named; null where one must be. */
  readonly usual: string | null;
};

/** Why a request below `/auth` was refused; the message is for people, in English. */
export class AuthError extends Error {
  readonly status: number;
  /** Ours or that of the sign-in library; empty if there is none. */
  readonly code: string;
  /** Of the request, without its query. */
  readonly path: string;
  constructor(path: string, status: number, refusal: Refusal = {}) {
    super(refusal.message ?? refusal.error_description ?? '');
    this.path = path.split('?', 1)[0] ?? '';
    this.status = status;
    this.code = refusal.code ?? refusal.error ?? '';
  }
}

/** The body of a refusal; the flow of devices has the names of OAuth. */
type Refusal = {
  readonly code?: string;
  readonly message?: string;
  readonly error?: string;
  readonly error_description?: string;
};

/** Texts by code, or by code and path where a code means different things. */
export const refusalIn = (
  texts: Readonly<Record<string, string>>,
  { code, path }: AuthError,
): string | null => texts[`${code} ${path}`] ?? texts[code] ?? null;

/** Sends a request below `/auth`; a body makes it a POST. @throws AuthError */
export async function callAuth<Answer>(path: string, body?: object): Promise<Answer> {
  const response = await fetch(`/auth${path}`, {
    ...(body !== undefined && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  }).catch(() => null);
  if (response === null) throw new AuthError(path, 0);
  const answer = (await response.json().catch(() => null)) as (Answer & Refusal) | null;
  if (response.ok && answer !== null) return answer;
  throw new AuthError(path, response.status, answer ?? {});
}

/** Opens the page to sign in, which comes back to this one. */
export function openSignIn(): void {
  if (location.pathname === '/sign-in') return;
  location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
}

/** Where to go after a sign-in: a page of this server, never another address. */
export function pageAfter(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/';
  const url = URL.parse(next, location.origin);
  return url?.origin === location.origin ? url.pathname + url.search : '/';
}

/** The code in a form, as people copy it, with spaces. */
export function codeIn(form: FormData): string {
  const code = form.get('code');
  return typeof code === 'string' ? code.replaceAll(/\s/g, '') : '';
}
