import { Alert, Anchor, Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { useClient, useQuery } from 'urql';
import {
  BoardsToPinToDocument,
  CreateBoardDocument,
  PinToBoardDocument,
  type PinToBoardInput,
} from '../../gql/graphql.ts';
import { LoadError } from '../../components/load-error.tsx';
import { keyInProject } from '../../lib/graphql/project.ts';
import { useRefusal } from '../../lib/graphql/refusal.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';

/** A chart or table of an answer, a whole answer, or a read. */
export type Pinned =
  | { readonly visualId: string }
  | Pick<PinToBoardInput, 'messageId' | 'title' | 'span'>
  | Pick<PinToBoardInput, 'tool' | 'arguments' | 'show' | 'index' | 'span' | 'title'>;

const NEW = 'new';
const LAST = 'qpilot.board';

type PinDialogProps = { readonly title: string; readonly pinned: Pinned; readonly onClose: () => void };

/** Asks which board, makes a new one where that is wanted, and pins. */
export function PinDialog({ title, pinned, onClose }: PinDialogProps) {
  const { boards: words, common } = useWords();
  const client = useClient();
  const refusal = useRefusal();
  const navigate = useNavigate();
  const [{ data, fetching, error: unread }, read] = useQuery({ query: BoardsToPinToDocument });
  const own = data?.boards.filter(({ mayChange }) => mayChange) ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const remembered = own.find(({ id }) => id === localStorage.getItem(keyInProject(LAST)));
  const boardId = chosen ?? remembered?.id ?? own[0]?.id ?? NEW;
  // Not before it is known that there is no board: a field that goes again would take the words with it.
  const isNew = data !== undefined && boardId === NEW;

  const make = async (): Promise<string | null> => {
    const { data: made, error } = await client
      .mutation(CreateBoardDocument, { input: { title: name } })
      .toPromise();
    setProblem(refusal(made?.createBoard, error));
    return made?.createBoard.__typename === 'CreateBoardPayload' ? made.createBoard.board.id : null;
  };
  const pin = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const to = isNew ? await make() : boardId;
    if (to !== null) {
      // Another try goes to the board that was made.
      setChosen(to);
      const { data: done, error } = await client
        .mutation(PinToBoardDocument, { input: { boardId: to, ...pinned } })
        .toPromise();
      setProblem(refusal(done?.pinToBoard, error));
      if (done?.pinToBoard.__typename === 'PinToBoardPayload') {
        localStorage.setItem(keyInProject(LAST), to);
        const { board } = done.pinToBoard;
        notifications.show({
          message: (
            <>
              {words.pinned(board.title)} {/* No Link: notes are shown outside of the router. */}
              <Anchor
                component="button"
                size="sm"
                onClick={() => void navigate(`/boards/${encodeURIComponent(board.id)}`)}
              >
                {words.open}
              </Anchor>
            </>
          ),
        });
        onClose();
      }
    }
    setBusy(false);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.pinOf(title)}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <form onSubmit={(event) => void pin(event)}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {words.pinText}
          </Text>
          {!data && unread && (
            <LoadError error={unread} onRetry={() => read({ requestPolicy: 'network-only' })} />
          )}
          <Select
            label={words.board}
            allowDeselect={false}
            disabled={fetching && !data}
            data={[
              ...own.map(({ id, title: of }) => ({ value: id, label: of })),
              { value: NEW, label: words.newBoard },
            ]}
            value={boardId}
            onChange={setChosen}
          />
          {isNew && (
            <TextInput
              label={words.name}
              maxLength={120}
              required
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          )}
          {problem !== null && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          <Group justify="end">
            <Button variant="default" onClick={onClose}>
              {words.cancel}
            </Button>
            <Button
              type="submit"
              loading={isBusy}
              disabled={data === undefined || (isNew && name.trim() === '')}
            >
              {words.pinIt}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
