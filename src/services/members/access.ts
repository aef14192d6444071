import type { Viewer } from '../../domain/conversation/session.ts';
import { atLeast, type Role } from '../../domain/members/role.ts';
import type { Scope } from '../../domain/members/scope.ts';
import type { Members } from '../../stores/pg/members.ts';
import type { Project, ProjectsService } from '../calibration/chips.ts';

/** Who sends a request, as the door recognised them: not yet within a project. */
export type Caller = {
  readonly id: string;
  readonly name: string;
  /** Whether they administer the installation. */
  readonly isOperator: boolean;
  /** Their role in every project, members or not; null: as their memberships say. */
  readonly everywhere: Role | null;
  /** Roles beside their memberships, which the door itself knows: from groups, or from members of another system. */
  readonly granted: readonly { readonly projectId: string; readonly role: Role }[];
  /** The most that they may do, and where (null: in all of their projects); null for no such limit. `scopes` are those of assistants. */
  readonly cap: {
    readonly role: Role;
    readonly projectId: string | null;
    readonly scopes?: readonly Scope[];
  } | null;
  /** The API key or the assistant that signs the request; null for people. */
  readonly keyId: string | null;
};

/** Whoever reaches the loopback address of a server without sign-in. */
export const LOCAL_CALLER: Caller = {
  id: 'local',
  name: 'local',
  isOperator: true,
  everywhere: 'owner',
  granted: [],
  cap: null,
  keyId: null,
};

/** A project that a caller may use. */
export type OpenProject = Project & { readonly role: Role };

export type ProjectChoice = { readonly projects: readonly OpenProject[]; readonly usual: string | null };

/** Which projects a caller may use, and as what. Read anew for each request, so that a removed member is out at once. */
export type Access = ReturnType<typeof createAccess>;

export type AccessDeps = {
  readonly projects: Pick<ProjectsService, 'all' | 'pick' | 'usual'>;
  readonly members: Pick<Members, 'projectsOf'>;
};

/** Access by memberships. */
export function createAccess({ projects, members }: AccessDeps) {
  const projectsOf = async ({ id, everywhere, granted, cap }: Caller): Promise<readonly OpenProject[]> => {
    const all = await projects.all();
    const given = everywhere === null ? [...granted, ...(await members.projectsOf(id))] : [];
    return all.flatMap((project) => {
      const { projectId } = project;
      if (cap?.projectId != null && cap.projectId !== projectId) return [];
      const role = given
        .filter((each) => each.projectId === projectId)
        .reduce<Role | null>(
          (most, { role: one }) => (most === null || atLeast(one, most) ? one : most),
          everywhere,
        );
      if (role === null) return [];
      return [{ ...project, role: cap !== null && atLeast(role, cap.role) ? cap.role : role }];
    });
  };
  return {
    /** The projects that the caller may select, and the one that is meant where they name none; null: they must. */
    async choiceOf(caller: Caller): Promise<ProjectChoice> {
      const open = await projectsOf(caller);
      return { projects: open, usual: projects.usual(open)?.projectId ?? null };
    },
    /** The projects that the caller may select. */
    projectsOf,
    /**
     * The caller within the requested project, or within the configured or only one of theirs. A project of others is refused
     * like one that does not exist.
     * @throws NotFoundError, InvalidInputError where several are possible, ForbiddenError for a member of none
     */
    async viewer(caller: Caller, requested: string | null): Promise<Viewer> {
      const { projectId, role } = projects.pick(await projectsOf(caller), requested);
      const { id, name, isOperator } = caller;
      return { id, name, projectId, role, isOperator };
    },
  };
}
