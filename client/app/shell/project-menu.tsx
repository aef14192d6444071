import { Button, Menu, Text } from '@mantine/core';
import { IconCheck, IconChevronDown } from '@tabler/icons-react';
import { useLocation } from 'react-router';
import { enteredProject, nameOfProject, sameIn, useMe, useProjectName } from '../../lib/graphql/project.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import classes from './header.module.css';

/** The project whose pages these are; a way to the others of the reader, where there are any. */
export function ProjectMenu() {
  const { projects: words } = useWords();
  const { pathname } = useLocation();
  const projects = useMe()?.projects ?? [];
  const current = enteredProject();
  const name = useProjectName();
  if (projects.length < 2)
    return (
      <Text
        span
        size="xs"
        c="dimmed"
        truncate
        title={words.current(name)}
        className={classes['project'] ?? ''}
      >
        {name}
      </Text>
    );
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="default"
          title={words.current(name)}
          aria-label={words.change(name)}
          rightSection={<IconChevronDown size={14} />}
          className={classes['project'] ?? ''}
        >
          <Text span inherit truncate>
            {name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="70dvh" style={{ overflowY: 'auto' }}>
        <Menu.Label>{words.title}</Menu.Label>
        {projects.map((project) => {
          const { projectId } = project;
          const isCurrent = projectId === current;
          const shown = nameOfProject(project);
          return (
            <Menu.Item
              key={projectId}
              component="a"
              href={sameIn(projectId, pathname)}
              fw={isCurrent ? 600 : 400}
              {...(isCurrent && { 'aria-current': 'true' as const, rightSection: <IconCheck size={14} /> })}
            >
              {shown}
              {shown !== projectId && (
                <Text span display="block" size="xs" c="dimmed">
                  {projectId}
                </Text>
              )}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
