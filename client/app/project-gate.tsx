import { Anchor, Box, Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { RouterProvider } from 'react-router/dom';
import { pageIn, PROJECTS_PAGE } from '../../src/domain/members/pages.ts';
import { PageSkeleton } from '../components/page-skeleton.tsx';
import { AuthCard, AuthFailure } from '../features/account/auth-card.tsx';
import { openSignIn, type AuthError, type Me } from '../lib/auth/auth.ts';
import { useAuth } from '../lib/auth/use-auth.ts';
import { enterProject, MeContext, projectIn } from '../lib/graphql/project.ts';
import { useWords } from '../lib/i18n/i18n.tsx';
import { findIn, resolveOldLink, type OldLink } from './old-links.ts';
import { ProjectsPage } from './projects-page.tsx';
import { createRouter, createRouterOutside, isOutside } from './router.tsx';

/**
 * All pages but those around a sign-in are of a project. This opens the one that the address names, finds it where the
 * address names none, and asks where it cannot know.
 */
export function ProjectGate() {
  const { answer: me, error, again } = useAuth<Me>('/me');
  const isSignedOut = me !== null && me.mode !== 'none' && me.person === null;
  useEffect(() => {
    if (isSignedOut) openSignIn();
  }, [isSignedOut]);
  const named = projectIn(location.pathname);
  if (isSignedOut || (me === null && error === null)) return <PageSkeleton />;
  if (named === null) return me === null ? <Unknown error={error} onRetry={again} /> : <Unnamed me={me} />;
  // Where the server cannot say whose the project is, its pages say why.
  if (me === null || me.projects.some(({ projectId }) => projectId === named.projectId))
    return <Entered projectId={named.projectId} base={named.base} me={me} />;
  return <ProjectsPage me={me} projects={me.projects} path="" notMine={named.projectId} />;
}

let router: ReturnType<typeof createRouter> | null = null;

/** The pages of a project; a tab has them once. */
function Entered(props: { readonly projectId: string; readonly base: string; readonly me: Me | null }) {
  const { projectId, base, me } = props;
  enterProject(projectId, me);
  router ??= createRouter(base);
  return (
    <MeContext value={me}>
      <RouterProvider router={router} />
    </MeContext>
  );
}

/** An address without a project: of before, typed, or where somebody begins. */
function Unnamed({ me }: { readonly me: Me }) {
  const { pathname, search, hash } = location;
  const [{ path, isQuestion }] = useState(() => {
    const asked = pathname === PROJECTS_PAGE || pathname === `${PROJECTS_PAGE}/`;
    return { path: asked ? '' : pathname + search + hash, isQuestion: asked };
  });
  const [link, setLink] = useState<OldLink | null>(null);
  const hasNone = me.projects.length === 0;
  useEffect(() => {
    if (!isQuestion && !hasNone) void resolveOldLink(me, findIn(path)).then(setLink);
  }, [me, path, isQuestion, hasNone]);
  const isUndecided = hasNone || (link !== null && 'among' in link);
  if (isUndecided && pathname === '/account') return <AccountOutside hasProjects={!hasNone} />;
  if (isQuestion || hasNone) return <ProjectsPage me={me} projects={me.projects} path="" />;
  if (link === null) return <PageSkeleton />;
  if ('among' in link) return <ProjectsPage me={me} projects={link.among} path={path} />;
  const { projectId } = link;
  const address = pageIn(projectId, path);
  if (projectIn(pathname) === null) history.replaceState(null, '', address);
  return <Entered projectId={projectId} base={pageIn(projectId, '')} me={me} />;
}

/** The account is of the person: nobody has to choose a project for it, but may from there. */
function AccountOutside({ hasProjects }: { readonly hasProjects: boolean }) {
  const { projects } = useWords();
  const [outside] = useState(createRouterOutside);
  return (
    <>
      {hasProjects && (
        <Box p="md" pb={0}>
          <Anchor href={PROJECTS_PAGE}>{projects.choose}</Anchor>
        </Box>
      )}
      <RouterProvider router={outside} />
    </>
  );
}

function Unknown({ error, onRetry }: { readonly error: AuthError | null; readonly onRetry: () => void }) {
  const { common } = useWords();
  return (
    <AuthCard title={common.cannotLoad}>
      <AuthFailure error={error} />
      <Box>
        <Button variant="default" onClick={onRetry}>
          {common.retry}
        </Button>
      </Box>
    </AuthCard>
  );
}

/** Whatever the address is of. */
export function Pages() {
  const [outside] = useState(() => (isOutside(location.pathname) ? createRouterOutside() : null));
  return outside === null ? <ProjectGate /> : <RouterProvider router={outside} />;
}
