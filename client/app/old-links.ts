/** Addresses that name no project, such as those of before: which project they are of. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { createConnection } from '@qpilot/client';
import {
  FindChipDocument,
  FindCouplingDocument,
  FindNodeDocument,
  FindQubitDocument,
  FindRecordDocument,
  FindSharedAnswerDocument,
  OpenSharedDocument,
} from '../gql/graphql.ts';
import type { Me, OwnProject } from '../lib/auth/auth.ts';
import { lastProject } from '../lib/graphql/project.ts';
import { asOperation } from '../lib/live/connection.ts';

/** Finds a thing in one project; resolves with an object that has it, or null in its place. */
export type Find = (projectId: string) => Promise<object>;

const find =
  <Data extends object, Variables extends Record<string, unknown>>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
  ): Find =>
  (projectId) =>
    createConnection({ projectId }).request(asOperation(document), variables);

const KINDS: readonly { readonly is: RegExp; readonly find: (...names: readonly string[]) => Find }[] = [
  {
    is: /^\/chips\/([^/]+)\/qubits\/([^/?#]+)/u,
    find: (chipId = '', qid = '') => find(FindQubitDocument, { chipId, qid }),
  },
  {
    is: /^\/chips\/([^/]+)\/couplings\/([^/?#]+)/u,
    find: (chipId = '', couplingId = '') => find(FindCouplingDocument, { chipId, couplingId }),
  },
  {
    is: /^(?:\/chips\/|\/compare\?(?:.*&)?b=)([^/?&#]+)/u,
    find: (chipId = '') => find(FindChipDocument, { chipId }),
  },
  {
    is: /^(?:\/(?:copilot|boards)\/|\/jobs\/(?!new\b)|\/jobs\/new\?(?:.*&)?(?:from|builder)=)([^/?&#]+)/u,
    find: (id = '') => find(FindNodeDocument, { id }),
  },
  { is: /^\/records\/([^/?#]+)/u, find: (taskId = '') => find(FindRecordDocument, { taskId }) },
  { is: /^\/answers\/([^/?#]+)/u, find: (key = '') => find(FindSharedAnswerDocument, { key }) },
  {
    // What the page behind the link does first, too; elsewhere it is refused.
    is: /^\/shared\/([^/?#]+)/u,
    find: (key = '') => find(OpenSharedDocument, { input: { key } }),
  },
];

/** How to find what an address shows; null for a page that every project has. */
export function findIn(address: string): Find | null {
  for (const kind of KINDS) {
    const found = kind.is.exec(address);
    try {
      if (found) return kind.find(...found.slice(1).map((name) => decodeURIComponent(name)));
    } catch {
      return null; // no name is written so
    }
  }
  return null;
}

/** A refusal of a mutation is an object, too. */
const isThere = (data: object): boolean =>
  Object.values(data).some((value) => typeof value === 'object' && value !== null && !('code' in value));

/** So many projects are looked into for one link, so many at once. */
const MOST_LOOKED_INTO = 40;
const AT_ONCE = 4;

/** The project that an address is opened in, or those among which its reader chooses. */
export type OldLink = { readonly projectId: string } | { readonly among: readonly OwnProject[] };

/**
 * Where an address without a project leads: to what it shows, if one project has that, or the last one used has it too; else
 * to the last one used, to the usual one of the server, or to a choice.
 */
export async function resolveOldLink(
  me: Me,
  thing: Find | null,
  last: string | null = lastProject(me),
): Promise<OldLink> {
  const { projects, usual } = me;
  const [only, ...others] = projects;
  if (only !== undefined && others.length === 0) return only;
  const isIn = async ({ projectId }: OwnProject): Promise<boolean> =>
    thing !== null && thing(projectId).then(isThere, () => false); // refused like what does not exist
  const isOwn = ({ projectId }: OwnProject): boolean => projectId === last;
  const lastUsed = projects.find(isOwn) ?? null;
  if (lastUsed !== null && (thing === null || (await isIn(lastUsed)))) return lastUsed;
  const having: OwnProject[] = [];
  const looked = thing === null ? [] : projects.filter((each) => !isOwn(each)).slice(0, MOST_LOOKED_INTO);
  for (let from = 0; from < looked.length; from += AT_ONCE) {
    const some = looked.slice(from, from + AT_ONCE);
    const found = await Promise.all(some.map(isIn));
    having.push(...some.filter((_each, index) => found[index]));
  }
  const [one, ...more] = having;
  if (one !== undefined) return more.length === 0 ? one : { among: having };
  const place = lastUsed ?? projects.find(({ projectId }) => projectId === usual);
  return place ?? { among: projects };
}
