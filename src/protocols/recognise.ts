/** Who sends a request: recognised anew for each, and again while it is answered. */
import type { IncomingMessage } from 'node:http';
import { ForbiddenError, UserError } from '../base/errors.ts';
import type { Actor } from '../domain/audit/audit.ts';
import type { Viewer } from '../domain/conversation/session.ts';
import { pageIn } from '../domain/members/pages.ts';
import { SignedOutError } from '../identity/identity.ts';
import { originOf } from '../identity/oauth/addresses.ts';
import type { Access, Caller } from '../services/members/access.ts';

export type RecogniserDeps = {
  readonly access: Pick<Access, 'viewer'>;
  readonly identify: (knock: { readonly req: IncomingMessage; readonly since?: Date }) => Promise<Caller>;
  readonly addressOf: (request: IncomingMessage) => string;
  /** Origin that browsers use; null for the host that a request names. */
  readonly publicOrigin: string | null;
  /** How often somebody who waits for a long answer is checked, in milliseconds. */
  readonly recheckMs: number;
};

export type Recognised = {
  readonly caller: Caller;
  readonly viewer: Viewer;
  readonly actor: Actor;
  readonly origin: string;
  /** The address that pages of their project begin with. */
  readonly pages: string;
};

export type Recogniser = {
  /** @throws SignedOutError; ForbiddenError for a project that the sender may not use */
  recognise(request: IncomingMessage): Promise<Recognised>;
  /** Calls `end` once the sender may not go on as `viewer`; returns what stops the watch. */
  watch(request: IncomingMessage, viewer: Viewer, end: (why: Error) => void): () => void;
};

export function createRecogniser(deps: RecogniserDeps): Recogniser {
  const { access, identify, addressOf, publicOrigin, recheckMs } = deps;
  const recognise = async (req: IncomingMessage, since?: Date): Promise<Recognised> => {
    const caller = await identify({ req, ...(since && { since }) });
    const named = req.headers['x-project-id'];
    const viewer = await access.viewer(caller, typeof named === 'string' && named !== '' ? named : null);
    const actor = {
      personId: viewer.id,
      personName: viewer.name,
      keyId: caller.keyId,
      address: addressOf(req),
      projectId: viewer.projectId,
    };
    const origin = originOf(req, publicOrigin);
    return { caller, viewer, actor, origin, pages: origin + pageIn(viewer.projectId, '') };
  };
  return {
    recognise: (request) => recognise(request),
    watch(request, { role }, end) {
      const since = new Date();
      let isChecking = false;
      const check = async (): Promise<void> => {
        if (isChecking) return;
        isChecking = true;
        try {
          if ((await recognise(request, since)).viewer.role !== role)
            end(new ForbiddenError('your role has changed'));
        } catch (error) {
          // While the database is away nobody's rights change.
          if (error instanceof SignedOutError || error instanceof UserError) end(error);
        } finally {
          isChecking = false;
        }
      };
      const timer = setInterval(() => void check(), recheckMs).unref();
      return () => clearInterval(timer);
    },
  };
}
