import { Anchor, Badge, Button, Group, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useClient } from 'urql';
import { LoadError } from '../../components/load-error.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { BoardsDocument, CreateBoardDocument } from '../../gql/graphql.ts';
import { useRefusal } from '../../lib/graphql/refusal.ts';
import { useKeptQuery } from '../../lib/graphql/use-kept-query.ts';
import { useI18n } from '../../lib/i18n/i18n.tsx';
import { useRefresh } from '../../lib/use-refresh.ts';
import { TitleDialog } from './title-dialog.tsx';

/** How soon it is seen that somebody else shares or changes one. */
const EVERY_MS = 60_000;

/** The boards of the viewer and of the project: `/boards`. */
export function BoardsPage() {
  const { words, format } = useI18n();
  const { boards } = words;
  const client = useClient();
  const refusal = useRefusal();
  const navigate = useNavigate();
  const [isMaking, setMaking] = useState(false);
  const [{ data, error }, execute] = useKeptQuery({ query: BoardsDocument });
  const again = useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]);
  useRefresh(again, EVERY_MS);
  const make = async (title: string): Promise<void> => {
    const { data: made, error: failure } = await client
      .mutation(CreateBoardDocument, { input: { title } })
      .toPromise();
    if (made?.createBoard.__typename === 'CreateBoardPayload')
      return void navigate(`/boards/${encodeURIComponent(made.createBoard.board.id)}`);
    notifications.show({ color: 'red', message: refusal(made?.createBoard, failure) ?? '' });
  };
  return (
    <Stack p="md" gap="sm">
      <PageTitle>{boards.title}</PageTitle>
      <Group justify="space-between">
        <Title order={1}>{boards.title}</Title>
        <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => setMaking(true)}>
          {boards.make}
        </Button>
      </Group>
      <Text c="dimmed">{boards.intro}</Text>
      {error && <LoadError error={error} onRetry={again} />}
      {!data && !error && <Skeleton height={120} />}
      {data?.boards.length === 0 && <Text>{boards.none}</Text>}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
        {data?.boards.map(({ id, title, visibility, isOwn, owner, itemCount, updatedAt }) => (
          <Paper key={id} withBorder p="sm" component="section" aria-label={title}>
            <Group justify="space-between" wrap="nowrap">
              <Anchor component={Link} to={`/boards/${encodeURIComponent(id)}`} fw={650} size="lg">
                {title}
              </Anchor>
              {visibility !== 'PRIVATE' && <Badge variant="light">{boards.visibility[visibility]}</Badge>}
            </Group>
            <Text size="sm" c="dimmed">
              {[
                boards.items(itemCount),
                boards.changed(format.time(updatedAt)),
                ...(isOwn ? [] : [boards.by(owner.name)]),
              ].join(' · ')}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
      {isMaking && (
        <TitleDialog
          label={boards.name}
          title=""
          onTitle={(title) => void make(title)}
          onClose={() => setMaking(false)}
        />
      )}
    </Stack>
  );
}
