import { Button, Group, TextInput } from '@mantine/core';
import { chooseProject } from '../../lib/graphql/project.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';

/** Names the project by hand: without one a server that has several does not say who the viewer is. */
export function ProjectByName() {
  const { settings } = useWords();
  const choose = (form: FormData): void => {
    const name = form.get('project');
    if (typeof name === 'string' && name.trim() !== '') chooseProject(name.trim());
  };
  return (
    <form action={choose}>
      <Group align="flex-end" mt="sm" gap="xs">
        <TextInput name="project" label={settings.project} size="xs" />
        <Button type="submit" size="xs">
          {settings.useProject}
        </Button>
      </Group>
    </form>
  );
}
