/** Who sends a request: what every door gives, whatever it takes. */
import type { AuditIds } from '../domain/audit/audit.ts';
import type { Role } from '../domain/members/role.ts';
import type { Caller } from '../services/members/access.ts';
import type { KeyCap } from '../stores/pg/people.ts';

/** Where everything about signing in is answered. */
export const AUTH_PATH = '/auth';

/** How somebody was recognised. */
export type Via = 'session' | 'key' | 'proxy' | 'qdash';

/** Somebody who was recognised. */
export type Identity = {
  readonly userId: string;
  readonly name: string;
  readonly email: string | null;
  /** As an identity provider or proxy names them. */
  readonly groups: readonly string[];
  readonly isInstallationAdmin: boolean;
  /** Their role in every project, members or not; null: as their memberships say. */
  readonly everywhere: Role | null;
  readonly hasTwoFactor: boolean;
  /** What the door itself knows of their roles, beside QPilot's own members. */
  readonly granted: readonly { readonly projectId: string; readonly role: Role }[];
  /** What a key or an assistant may do at most; null for people. */
  readonly cap: KeyCap | null;
  /** That key or assistant; null for people. */
  readonly keyId: string | null;
  /** The session of better-auth; null where something else says who it is. */
  readonly sessionId: string | null;
  readonly via: Via;
};

/** What somebody who keeps records of sign-ins hears of. Nothing in it is secret. */
export type DoorEvents = {
  readonly onSignedIn?: (event: {
    readonly userId: string;
    readonly name: string | null;
    /** `password`, `oidc`, … */
    readonly by: string;
    readonly address: string;
    readonly ids?: AuditIds;
  }) => void;
  readonly onRefused?: (event: {
    readonly what: 'sign-in' | 'request';
    readonly reason: 'not signed in' | 'too many tries' | 'wrong address or password' | 'unknown token';
    readonly address: string;
    /** As it was typed, where a sign-in asks for it. */
    readonly email?: string | null;
  }) => void;
  /** A change below `/auth`, or a sign-out, that was done or refused. */
  readonly onActed?: (event: {
    readonly route: string;
    readonly kind: 'SIGN_OUT' | 'ADMINISTER';
    /** `DONE`, or a code. */
    readonly outcome: string;
    /** Null for nobody known. */
    readonly by: Pick<Identity, 'userId' | 'name' | 'keyId'> | null;
    readonly ids: AuditIds;
    readonly address: string;
  }) => void;
};

/** Nobody is signed in, or not any more. */
export class SignedOutError extends Error {
  readonly code = 'UNAUTHENTICATED';
  constructor() {
    super(
      'sign in first, in a terminal by npm run login; programs send an API key as a bearer token, assistants at /mcp also sign in by OAuth',
    );
  }
}

/** The identity as the services know it. A key never administers the installation. */
export const callerOf = (identity: Identity): Caller => {
  const { userId, name, isInstallationAdmin, everywhere, granted, cap, keyId } = identity;
  return {
    id: userId,
    name,
    isOperator: isInstallationAdmin && cap === null,
    everywhere,
    granted,
    cap,
    keyId,
  };
};
