import { Button, Code, Group, NumberInput, Select, Stack, Table, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useConfirm } from '../../components/second-thoughts.tsx';
import { Panel } from '../../components/panel.tsx';
import { callAuth, type OwnProject } from '../../lib/auth/auth.ts';
import { useAuth, useAuthAction } from '../../lib/auth/use-auth.ts';
import { enteredProject } from '../../lib/graphql/project.ts';
import { useFormat, useWords } from '../../lib/i18n/i18n.tsx';
import { wordFor } from '../../lib/i18n/word-for.ts';
import { AuthFailure } from './auth-card.tsx';
import { ShownOnce } from './shown-once.tsx';

type Key = {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly cap: { readonly role: string; readonly projectId: string | null };
  readonly expiresAt: string;
  readonly usedAt: string | null;
};

const ROLES = ['viewer', 'editor', 'admin', 'owner'];

/** Keys with which programs act for somebody. A new one is shown once. */
export function KeysPanel({ projects }: { readonly projects: readonly OwnProject[] }) {
  const { account, settings, common } = useWords();
  const format = useFormat();
  const confirm = useConfirm();
  const { answer: keys, error, again } = useAuth<readonly Key[]>('/keys');
  const action = useAuthAction();
  const [made, setMade] = useState<string | null>(null);
  const make = (form: FormData): void =>
    action.run(async () => {
      const projectId = form.get('project');
      const { key } = await callAuth<{ key: string }>('/keys', {
        name: form.get('name'),
        days: Number(form.get('days')),
        role: form.get('role'),
        projectId: projectId === '' ? null : projectId,
      });
      setMade(key);
      again();
    });
  const remove = (id: string): void =>
    action.run(async () => {
      await callAuth('/keys/remove', { id });
      again();
    });
  return (
    <Panel title={account.keys}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {account.keysHint}
        </Text>
        <AuthFailure error={error ?? action.error} />
        <ShownOnce title={account.keyOnce} text={made} />
        {keys?.length === 0 && <Text size="sm">{account.noKeys}</Text>}
        {keys !== null && keys.length > 0 && (
          <Table.ScrollContainer minWidth={500}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  {[
                    account.name,
                    account.keyBegins,
                    settings.role,
                    settings.project,
                    account.expires,
                    account.used,
                    '',
                  ].map((head, index) => (
                    <Table.Th key={index}>{head}</Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {keys.map(({ id, name, hint, cap, expiresAt, usedAt }) => (
                  <Table.Tr key={id}>
                    <Table.Td>{name}</Table.Td>
                    <Table.Td>
                      <Code>{hint}…</Code>
                    </Table.Td>
                    <Table.Td>{wordFor(settings.roles, cap.role)}</Table.Td>
                    <Table.Td>{cap.projectId ?? common.all}</Table.Td>
                    <Table.Td>{format.time(expiresAt)}</Table.Td>
                    <Table.Td>{usedAt === null ? account.never : format.time(usedAt)}</Table.Td>
                    <Table.Td>
                      <Button
                        size="compact-xs"
                        variant="default"
                        aria-label={account.removeNamed(name)}
                        onClick={() =>
                          confirm({
                            title: `${account.removeNamed(name)}?`,
                            text: account.removeKeyText,
                            confirm: account.remove,
                            cancel: account.keepKey,
                            onConfirm: () => remove(id),
                          })
                        }
                      >
                        {account.remove}
                      </Button>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
        <form action={make}>
          <Group align="flex-end" gap="xs">
            <TextInput name="name" label={account.name} size="xs" maxLength={100} required />
            <Select
              name="role"
              label={settings.role}
              size="xs"
              allowDeselect={false}
              defaultValue="viewer"
              data={ROLES.map((role) => ({ value: role, label: wordFor(settings.roles, role) }))}
            />
            <Select
              name="project"
              label={settings.project}
              size="xs"
              placeholder={common.all}
              clearable
              // A program that names no project then still has one.
              defaultValue={projects.length > 1 ? enteredProject() : null}
              data={projects.map(({ projectId, name }) => ({ value: projectId, label: name }))}
            />
            <NumberInput
              name="days"
              label={account.days}
              size="xs"
              w={90}
              min={1}
              max={366}
              defaultValue={90}
              required
            />
            <Button type="submit" size="xs" loading={action.isBusy}>
              {account.makeKey}
            </Button>
          </Group>
        </form>
      </Stack>
    </Panel>
  );
}
