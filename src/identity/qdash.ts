/**
 * Sign-in by the access token of a QDash. Programs send it as a bearer token; a browser gets a cookie that holds it encrypted,
 * so that each request is decided by what that deployment says now, and the cookie is of no use there.
 */
import { createHash } from 'node:crypto';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import type { QdashPeople, QdashPerson } from '../stores/mongo/qdash-people.ts';
import type { KeyCap, People } from '../stores/pg/people.ts';
import type { Person } from '../stores/pg/person-columns.ts';
import type { Identity } from './identity.ts';

/** Who names these people, beside their id there. */
const PROVIDER = 'qdash';

/** How long a browser stays signed in. */
const SESSION_S = 7 * 24 * 3600;

const encryption = { alg: 'dir', enc: 'A256GCM' } as const;

export type QdashDeps = {
  readonly users: QdashPeople;
  readonly people: Pick<People, 'enter' | 'subjectOf'>;
  /** Encrypts cookies. */
  readonly secret: string;
  readonly publicOrigin: string | null;
};

/** What recognises people of a QDash. */
export type Qdash = ReturnType<typeof createQdash>;

export const createQdash = ({ users, people, secret, publicOrigin }: QdashDeps) => ({
  cookie: createQdashCookie(secret, publicOrigin),

  /** The person of a token; null if there is none, or if they are disabled there or here. */
  async ofToken(token: string): Promise<Identity | null> {
    const user = await users.byToken(token);
    if (user === null) return null;
    const { subject, name } = user;
    const account = { providerId: PROVIDER, accountId: subject };
    const person = await people.enter({ ...account, name, email: null, groups: [] });
    return person && identityOf(person, user, 'qdash');
  },

  /** The owner of one of our API keys, who may do what they may there now. */
  async ofKey({ person, ...key }: Key & { readonly person: Person }): Promise<Identity | null> {
    const subject = await people.subjectOf(person.id, PROVIDER);
    const user = subject === null ? null : await users.bySubject(subject);
    return user && identityOf(person, user, 'key', key);
  },
});

type Key = { readonly keyId: string; readonly cap: KeyCap };

/** Administrators of a QDash administer the installation, and see the projects that they are in. */
const identityOf = (
  person: Person,
  { isAdmin, roles }: QdashPerson,
  via: Identity['via'],
  key: Key | null = null,
): Identity => ({
  userId: person.id,
  name: person.name,
  email: null,
  groups: [],
  isInstallationAdmin: person.isAdmin || isAdmin,
  everywhere: null,
  hasTwoFactor: false,
  granted: roles,
  cap: key?.cap ?? null,
  keyId: key?.keyId ?? null,
  sessionId: null,
  via,
});

/** The cookie of a browser. */
export function createQdashCookie(secret: string, publicOrigin: string | null, now = () => new Date()) {
  const key = createHash('sha256').update(`cookie of QDash ${secret}`).digest();
  const isSecure = publicOrigin?.startsWith('https:') ?? false;
  const name = `${isSecure ? '__Host-' : ''}qpilot.qdash`;
  const header = (value: string, seconds: number) =>
    `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`;
  return {
    name,
    /** The header that signs a browser in. */
    async seal(token: string): Promise<string> {
      const expiresAt = new Date(now().getTime() + SESSION_S * 1000);
      const sealed = new EncryptJWT({ token }).setProtectedHeader(encryption).setExpirationTime(expiresAt);
      return header(await sealed.encrypt(key), SESSION_S);
    },
    /** The token in a cookie; null if it is not ours, or has expired. */
    async open(cookie: string): Promise<string | null> {
      try {
        const { payload } = await jwtDecrypt(cookie, key, {
          keyManagementAlgorithms: [encryption.alg],
          contentEncryptionAlgorithms: [encryption.enc],
          requiredClaims: ['exp'],
          currentDate: now(),
        });
        return typeof payload['token'] === 'string' ? payload['token'] : null;
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
    /** The header that signs a browser out. */
    clear: header('', 0),
  };
}
