/** What the audit records of signing in. */
import { LRUCache } from 'lru-cache';
import { DONE } from '../domain/audit/audit.ts';
import type { DoorEvents } from '../identity/identity.ts';
import type { Audit } from '../services/audit/audit.ts';

/** Of an address that tries too often, one record for each such time, so that tries cannot fill the audit. */
const SAME_MS = 60_000;

/** Records what a door reports; requests of people who were never signed in are not acts. */
export function doorRecords({ record }: Pick<Audit, 'record'>): DoorEvents {
  const blocked = new LRUCache<string, true>({ max: 10_000, ttl: SAME_MS });
  const nobody = { personId: null, personName: null, keyId: null, projectId: null, ids: {} };
  return {
    onSignedIn: ({ userId, name, by, address, ids = {} }) =>
      void record({
        ...nobody,
        kind: 'SIGN_IN',
        action: by,
        outcome: DONE,
        personId: userId,
        personName: name,
        address,
        ids,
      }),
    onRefused({ what, reason, address, email = null }) {
      if (what !== 'sign-in') return;
      const isBlocked = reason === 'too many tries';
      if (isBlocked && blocked.has(address)) return;
      if (isBlocked) blocked.set(address, true);
      const outcome = isBlocked ? 'RATE_LIMITED' : 'UNAUTHENTICATED';
      const ids = email === null ? {} : { email };
      void record({ ...nobody, kind: 'SIGN_IN_FAILED', action: 'sign-in', outcome, ids, address });
    },
    onActed: ({ route, kind, outcome, by, ids, address }) =>
      void record({
        ...nobody,
        kind,
        action: route,
        outcome,
        personId: by?.userId ?? null,
        personName: by?.name ?? null,
        keyId: by?.keyId ?? null,
        projectId: ids['projectId'] ?? null,
        ids,
        address,
      }),
  };
}
