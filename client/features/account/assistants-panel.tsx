import { Button, Stack, Table, Text } from '@mantine/core';
import { useConfirm } from '../../components/second-thoughts.tsx';
import { Panel } from '../../components/panel.tsx';
import { callAuth } from '../../lib/auth/auth.ts';
import { useAuth, useAuthAction } from '../../lib/auth/use-auth.ts';
import { useFormat, useWords } from '../../lib/i18n/i18n.tsx';
import { AuthFailure } from './auth-card.tsx';

export type Scope = 'read' | 'ask';
/** Where access goes: another server, a program on this computer, or an app by its scheme. */
export type Destination = { readonly kind: 'server' | 'computer' | 'app'; readonly name: string };

type Assistant = {
  readonly id: string;
  readonly name: string;
  readonly goesTo: Destination;
  readonly projectId: string;
  readonly scopes: readonly Scope[];
  readonly connectedAt: string;
  readonly expiresAt: string;
  readonly usedAt: string | null;
};

/** Assistants of other makers that somebody let in. */
export function AssistantsPanel() {
  const { account, settings } = useWords();
  const format = useFormat();
  const confirm = useConfirm();
  const { answer: assistants, error, again } = useAuth<readonly Assistant[]>('/assistants');
  const action = useAuthAction();
  const end = (id: string): void =>
    action.run(async () => {
      await callAuth('/assistants/remove', { id });
      again();
    });
  const heads = [
    account.name,
    account.goesTo,
    settings.project,
    account.may,
    account.connected,
    account.expires,
    account.used,
    '',
  ];
  return (
    <Panel title={account.assistants}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {assistants?.length === 0 ? account.noAssistants : account.assistantsHint}
        </Text>
        <AuthFailure error={error ?? action.error} />
        {assistants !== null && assistants.length > 0 && (
          <Table.ScrollContainer minWidth={600}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  {heads.map((head, index) => (
                    <Table.Th key={index}>{head}</Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {assistants.map(({ id, name, goesTo, projectId, scopes, connectedAt, expiresAt, usedAt }) => (
                  <Table.Tr key={id}>
                    <Table.Td>{name}</Table.Td>
                    <Table.Td>{goesTo.name}</Table.Td>
                    <Table.Td>{projectId}</Table.Td>
                    <Table.Td>{scopes.map((scope) => account.scopesShort[scope]).join(', ')}</Table.Td>
                    <Table.Td>{format.time(connectedAt)}</Table.Td>
                    <Table.Td>{format.time(expiresAt)}</Table.Td>
                    <Table.Td>{usedAt === null ? account.never : format.time(usedAt)}</Table.Td>
                    <Table.Td>
                      <Button
                        size="compact-xs"
                        variant="default"
                        aria-label={account.endAssistant(name)}
                        onClick={() =>
                          confirm({
                            title: `${account.endAssistant(name)}?`,
                            text: account.endAssistantText,
                            confirm: account.end,
                            cancel: account.keepAssistant,
                            onConfirm: () => end(id),
                          })
                        }
                      >
                        {account.end}
                      </Button>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Stack>
    </Panel>
  );
}
