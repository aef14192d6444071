import { Anchor, Paper, Stack, Text } from '@mantine/core';
import { AuthCard } from '../features/account/auth-card.tsx';
import type { Me, OwnProject } from '../lib/auth/auth.ts';
import { lastProject, nameOfProject } from '../lib/graphql/project.ts';
import { useWords } from '../lib/i18n/i18n.tsx';
import { wordFor } from '../lib/i18n/word-for.ts';
import { pageIn } from '../../src/domain/members/pages.ts';

type ProjectsPageProps = {
  readonly me: Me;
  readonly projects: readonly OwnProject[];
  /** The page that is opened in the one that is chosen. */
  readonly path: string;
  /** A project that was asked for and is none of theirs. */
  readonly notMine?: string;
};

/** Lists projects by their names to choose one: `/projects`, and wherever an address does not say which. */
export function ProjectsPage({ me, projects, path, notMine }: ProjectsPageProps) {
  const { projects: words, account, sharing } = useWords();
  const last = lastProject(me);
  return (
    <AuthCard title={notMine === undefined ? words.choose : words.notMineTitle}>
      <Text size="sm">
        {notMine !== undefined
          ? words.notMine(notMine)
          : projects.length === 0
            ? account.connectNoProject
            : path === '' || path === '/'
              ? words.chooseText
              : words.chooseForPage}
      </Text>
      {notMine !== undefined && projects.length > 0 && (
        <Text size="sm" fw={600}>
          {words.yours}
        </Text>
      )}
      <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        {projects.map((project) => {
          const { projectId, role } = project;
          const name = nameOfProject(project);
          const details = [
            ...(name === projectId ? [] : [projectId]),
            wordFor(sharing.roles, role.toUpperCase()),
            ...(projectId === last ? [words.lastUsed] : []),
          ];
          return (
            <li key={projectId}>
              <Paper withBorder px="sm" py="xs">
                <Anchor href={pageIn(projectId, path)} fw={600} style={{ overflowWrap: 'anywhere' }}>
                  {name}
                </Anchor>
                <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {details.join(' · ')}
                </Text>
              </Paper>
            </li>
          );
        })}
      </Stack>
      {me.person !== null && projects.length === 0 && (
        <Anchor href="/account" size="sm">
          {account.title}
        </Anchor>
      )}
    </AuthCard>
  );
}
