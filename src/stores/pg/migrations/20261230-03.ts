import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

type Account = {
  readonly id: string;
  readonly userId: string;
  readonly accountId: string;
  readonly idToken: string | null;
};

/** The issuer that an ID token names, which was verified when it was stored. */
function issuerOf(idToken: string | null): string | null {
  try {
    const claims: unknown = JSON.parse(
      Buffer.from(idToken?.split('.')[1] ?? '', 'base64url').toString('utf8'),
    );
    const issuer = typeof claims === 'object' && claims !== null && 'iss' in claims ? claims.iss : null;
    return typeof issuer === 'string' ? issuer : null;
  } catch {
    return null;
  }
}

/**
 * Accounts of a provider were found by subject alone, or by address. Each becomes one of (issuer, subject) and stays the same
 * person. A second subject of one issuer that came to a person by their address is taken off; its next sign-in is somebody new.
 */
async function accountsBySubject(db: Kysely<never>): Promise<void> {
  await sql`alter table auth."user" add column "address" text`.execute(db);
  await sql`update auth."user" set "address" = "email" where "email" not like '%.invalid'`.execute(db);
  const { rows } = await sql<Account>`
    select "id", "userId", "accountId", "idToken" from auth."account" where "providerId" = 'oidc' order by "createdAt", "id"
  `.execute(db);
  const taken = new Set<string>();
  for (const { id, userId, accountId, idToken } of rows) {
    const issuer = issuerOf(idToken);
    if (issuer === null) continue; // a provider without ID tokens, which can sign nobody in any more
    const key = JSON.stringify([issuer, accountId]);
    const first = JSON.stringify([userId, issuer]);
    if (taken.has(first) || taken.has(key))
      await sql`delete from auth."account" where "id" = ${id}`.execute(db);
    else await sql`update auth."account" set "accountId" = ${key} where "id" = ${id}`.execute(db);
    taken.add(first).add(key);
  }
  // Only the door knows whether a proxy sent plain headers or assertions of an issuer; it renames these when it opens.
  await sql`update auth."account" set "providerId" = 'proxy of 0.3' where "providerId" = 'proxy'`.execute(db);
  await sql`
    update auth."user" as u set "email" = u."id" || '@account.invalid', "emailVerified" = false
    where not exists (select from auth."account" as a where a."userId" = u."id" and a."providerId" = 'credential')
  `.execute(db);
  await sql`
    delete from auth."account" as a using auth."account" as b
    where a."providerId" = b."providerId" and a."accountId" = b."accountId"
      and (a."createdAt", a."id") > (b."createdAt", b."id")
  `.execute(db);
  await sql`
    create unique index "account_of_provider" on auth."account" ("providerId", "accountId")
  `.execute(db);
}

/** Sessions and codes end, whose tokens were stored as they are; tokens of providers are not needed after a sign-in. */
async function noTokens(db: Kysely<never>): Promise<void> {
  for (const table of ['session', 'deviceCode', 'verification'])
    await sql`delete from auth.${sql.table(table)}`.execute(db);
  await sql`
    update auth."account" set "accessToken" = null, "refreshToken" = null, "idToken" = null,
      "accessTokenExpiresAt" = null, "refreshTokenExpiresAt" = null
  `.execute(db);
}

/** These migrations by name. */
export const MIGRATIONS_20261230_03: Readonly<Record<string, Migration>> = {
  '20261230-03-1-accounts-by-subject': { up: accountsBySubject },
  '20261230-03-2-no-tokens': { up: noTokens },
};
