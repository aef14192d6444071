import { Select } from '@mantine/core';
import { Panel } from '../../components/panel.tsx';
import type { SettingsViewerQuery } from '../../gql/graphql.ts';
import { chooseProject } from '../../lib/graphql/project.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { wordFor } from '../../lib/i18n/word-for.ts';
import { Facts } from './facts.tsx';

/** Who asks, and within which project. */
export function ViewerPanel({ viewer }: { readonly viewer: SettingsViewerQuery['viewer'] }) {
  const { settings } = useWords();
  const { name, role, projectId, projects } = viewer;
  return (
    <Panel title={settings.viewer}>
      <Facts
        facts={[
          [settings.name, name],
          [settings.role, wordFor(settings.roles, role)],
          [
            settings.project,
            <Select
              key="project"
              aria-label={settings.project}
              size="xs"
              w={200}
              allowDeselect={false}
              data={projects.map((project) => ({ value: project.projectId, label: project.name }))}
              value={projectId}
              onChange={(chosen) => chosen !== null && chosen !== projectId && chooseProject(chosen)}
            />,
          ],
        ]}
      />
    </Panel>
  );
}
