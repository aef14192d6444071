/** The audit: who did what, when, from where. It holds names and ids, and no words of conversations. */

/** What somebody did, roughly. */
export const AUDIT_KINDS = [
  'SIGN_IN',
  'SIGN_OUT',
  'SIGN_IN_FAILED',
  'VIEW',
  'EXPORT',
  'DOWNLOAD',
  'SUBMIT',
  'CHANGE',
  'DELETE',
  'ADMINISTER',
] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

/** What a field, route or page says of itself: the kind of its records. */
export type AuditedKind = Exclude<AuditKind, 'SIGN_IN' | 'SIGN_OUT' | 'SIGN_IN_FAILED'>;

/** Who acts, and from where. */
export type Actor = {
  /** Null for somebody who was not recognised. */
  readonly personId: string | null;
  /** Their name at that time. */
  readonly personName: string | null;
  /** The API key, or the assistant, that the request was signed with. */
  readonly keyId: string | null;
  /** Of the network; behind trusted proxies that of the client. */
  readonly address: string | null;
  /** Null for what belongs to no project, as a sign-in. */
  readonly projectId: string | null;
};

/** What an act was about: ids by name, as `jobId`. */
export type AuditIds = Readonly<Record<string, string>>;

/** A record before it is stored. */
export type NewAuditEntry = Actor & {
  readonly kind: AuditKind;
  /** The mutation, route or command. */
  readonly action: string;
  /** `DONE`, or the code of the error that prevented it. */
  readonly outcome: string;
  readonly ids: AuditIds;
};

/** A stored record. Its number grows with time. */
export type AuditEntry = NewAuditEntry & { readonly number: string; readonly at: Date };

/** Of an act that did what was asked. */
export const DONE = 'DONE';

/** Arguments that name or set something: ids, roles, verdicts, bounds. Keys that clients make up say nothing later. */
const NAMING = /(?:^id|Ids?|^email|^role|^verdict|^isAdmin|^disabled|^days|PerDay)$/u;
const MADE_UP = /^client|^idempotency/u;
/** An id has no spaces, so no sentence can be taken for one. */
const PLAIN_ID = /^[\p{L}\p{N}_.:@/|+=-]{1,100}$/u;
const MOST_IDS = 20;

/** The ids in the arguments of an operation or the payload of its result; an object with an id is named by its field. */
export function idsIn(given: unknown): AuditIds {
  const found: [string, string][] = [];
  const add = (name: string, value: unknown): void => {
    const id = idOf(value);
    // Somebody may type a password in its place.
    if (id !== null && (name !== 'email' || EMAIL.test(id))) found.push([name, id]);
  };
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > 3) return;
    for (const [name, inner] of Object.entries(value)) {
      if (MADE_UP.test(name)) continue;
      if (Array.isArray(inner)) {
        if (NAMING.test(name))
          inner.forEach((each, index) => add(index === 0 ? name : `${name}.${index}`, each));
      } else if (NAMING.test(name)) add(name, inner);
      else if (depth < 3) visit(inner, depth + 1);
    }
  };
  visit(given, 0);
  return Object.fromEntries(found.slice(0, MOST_IDS));
}

/** Ids of the objects in the payload of a mutation, as `{ job: { id } }`. */
export function idsOfPayload(payload: unknown): AuditIds {
  if (typeof payload !== 'object' || payload === null) return {};
  return Object.fromEntries(
    Object.entries(payload).flatMap(([name, value]) => {
      const id = typeof value === 'object' && value !== null ? idOf((value as { id?: unknown }).id) : null;
      return id === null ? [] : [[`${name}Id`, id]];
    }),
  );
}

const EMAIL = /^[^\s@]+@[^\s@]+$/u;

/** Opaque ids of the API are kept as what they stand for: `Type:key`, without the type. */
function idOf(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return null;
  const text = Buffer.from(value, 'base64url').toString('utf8');
  const [, key] = /^[A-Z]\w+:(.+)$/u.exec(text) ?? [];
  const id = key ?? value;
  return PLAIN_ID.test(id) ? id : null;
}
