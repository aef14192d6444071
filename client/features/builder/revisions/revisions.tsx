import { ActionIcon, Button, Modal, Radio, Skeleton, Stack, Table, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconVersions } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Age } from '../../../components/age.tsx';
import { LoadError } from '../../../components/load-error.tsx';
import { MoreRows } from '../../../components/more-rows.tsx';
import { BuilderRevisionsDocument, type BuilderRevisionsQuery } from '../../../gql/graphql.ts';
import { usePages } from '../../../lib/graphql/use-pages.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useBuilder } from '../session/builder-provider.tsx';
import { RevisionDiff } from './diff-dialog.tsx';

const PAGE = 50;

const revisionsOf = ({ builderSession }: BuilderRevisionsQuery) => builderSession?.revisions;

/** Every state of the artifacts with its author; two of them are compared, and any can be gone back to. */
export function Revisions({
  sessionId,
  newest,
  onDone,
}: {
  readonly sessionId: string;
  readonly newest: number;
  readonly onDone: () => void;
}) {
  const { builder: words } = useWords();
  const { goBack, isFree } = useBuilder();
  const [range, setRange] = useState({ from: newest - 1, to: newest });
  const variables = useMemo(() => ({ id: sessionId, first: PAGE }), [sessionId]);
  const list = usePages({ query: BuilderRevisionsDocument, variables, connectionOf: revisionsOf });
  const { rows, error, again } = list;
  if (rows === null) return error ? <LoadError error={error} onRetry={again} /> : <Skeleton h={160} />;
  const [older, newer] = [Math.min(range.from, range.to), Math.max(range.from, range.to)];
  return (
    <Stack gap="sm">
      <Table.ScrollContainer minWidth={460} mah={260}>
        <Table verticalSpacing={4} fz="xs" aria-label={words.revisions}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.compareFrom}</Table.Th>
              <Table.Th>{words.compareTo}</Table.Th>
              <Table.Th colSpan={3}>{words.revisions}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ revision, author, createdAt, turn, undoneTurn }) => (
              <Table.Tr key={revision}>
                {(['from', 'to'] as const).map((end) => (
                  <Table.Td key={end}>
                    <Radio
                      size="xs"
                      name={end}
                      aria-label={`${end === 'from' ? words.compareFrom : words.compareTo}: ${words.revision(revision)}`}
                      checked={range[end] === revision}
                      onChange={() => setRange({ ...range, [end]: revision })}
                    />
                  </Table.Td>
                ))}
                <Table.Td>
                  {words.revision(revision)} · {undoneTurn ? words.undidTurn : words.authors[author]}
                  <Text size="xs" c="dimmed" lineClamp={1}>
                    {(turn ?? undoneTurn)?.question.text}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Age at={createdAt} />
                </Table.Td>
                <Table.Td ta="right">
                  {revision === newest ? (
                    <Text size="xs" c="dimmed">
                      {words.newest}
                    </Text>
                  ) : (
                    <Button
                      size="compact-xs"
                      variant="default"
                      disabled={!isFree}
                      onClick={() => void goBack(revision).then((isDone) => isDone && onDone())}
                    >
                      {words.goBackTo(revision)}
                    </Button>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <MoreRows list={list} as="div" />
      <Text size="sm" fw={600}>
        {words.compare(older, newer)}
      </Text>
      <RevisionDiff sessionId={sessionId} from={older} to={newer} />
    </Stack>
  );
}

/** Opens the revisions of the session. */
export function RevisionsButton({ newest }: { readonly newest: number }) {
  const { builder: words, common } = useWords();
  const { sessionId } = useBuilder();
  const [isOpen, dialog] = useDisclosure();
  return (
    <>
      <Tooltip label={words.revisions}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={words.revisions}
          disabled={newest === 0}
          onClick={dialog.open}
        >
          <IconVersions size={16} />
        </ActionIcon>
      </Tooltip>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        size="xl"
        title={words.revisions}
        closeButtonProps={{ 'aria-label': common.close }}
      >
        {sessionId !== null && <Revisions sessionId={sessionId} newest={newest} onDone={dialog.close} />}
      </Modal>
    </>
  );
}
