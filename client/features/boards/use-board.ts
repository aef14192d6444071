import { notifications } from '@mantine/notifications';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useClient, type CombinedError } from 'urql';
import { BoardDocument, SaveBoardDocument, type BoardPartsFragment } from '../../gql/graphql.ts';
import { userErrorOf, useRefusal } from '../../lib/graphql/refusal.ts';
import { useKeptQuery } from '../../lib/graphql/use-kept-query.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import type { BoardChange } from './board-changes.ts';

type UsedBoard = {
  /** Undefined until it is known; null where there is none. */
  readonly board: BoardPartsFragment | null | undefined;
  readonly error: CombinedError | undefined;
  /** Whether changes are on their way to the server. */
  readonly isSaving: boolean;
  readonly retry: () => void;
  /** Shown at once; taken back where the server refuses it. */
  readonly change: (change: BoardChange) => void;
};

/** A board, and changes of it, which are sent one after the other: each needs the version that the one before it made. */
export function useBoard(id: string): UsedBoard {
  const { boards } = useWords();
  const client = useClient();
  const refusal = useRefusal();
  const [{ data, error }, execute] = useKeptQuery({ query: BoardDocument, variables: { id } });
  const [shown, setShown] = useState<BoardPartsFragment | null>(null);
  const stored = useRef<BoardPartsFragment | null>(null);
  const waiting = useRef<readonly BoardChange[]>([]);
  const isSending = useRef(false);
  const [isSaving, setSaving] = useState(false);
  const read = data?.board;
  useEffect(() => {
    // While changes are under way, what is read may be older than they.
    if (read === undefined || isSending.current) return;
    stored.current = read;
    setShown(read);
  }, [read]);
  const retry = useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]);

  const send = useCallback(async (): Promise<void> => {
    if (isSending.current) return;
    isSending.current = true;
    setSaving(true);
    for (;;) {
      const [next] = waiting.current;
      const before = stored.current;
      if (next === undefined || before === null) break;
      const { title, visibility, range, items } = next(before);
      const { data: sent, error: failure } = await client
        .mutation(SaveBoardDocument, {
          input: {
            boardId: before.id,
            version: before.version,
            title,
            visibility,
            range: range && { kind: range.kind, hours: range.hours, from: range.from, to: range.to },
            items: items.map(({ itemId, title: own, tool, arguments: given, show, index, span }) => ({
              itemId,
              title: own,
              tool,
              arguments: given,
              show,
              index,
              span,
            })),
          },
        })
        .toPromise();
      const result = sent?.saveBoard;
      if (result?.__typename === 'SaveBoardPayload') {
        stored.current = result.board;
        waiting.current = waiting.current.slice(1);
        setShown(waiting.current.reduce((board, each) => ({ ...board, ...each(board) }), result.board));
        continue;
      }
      const isConflict = userErrorOf(result)?.code === 'CONFLICT';
      const message = isConflict ? boards.conflict : refusal(result, failure);
      notifications.show({ color: 'red', message: message ?? '' });
      waiting.current = [];
      setShown(before);
      if (isConflict) retry();
    }
    isSending.current = false;
    setSaving(false);
  }, [boards, client, refusal, retry]);

  const change = useCallback(
    (wanted: BoardChange): void => {
      waiting.current = [...waiting.current, wanted];
      setShown((board) => board && { ...board, ...wanted(board) });
      void send();
    },
    [send],
  );
  return { board: shown ?? read, error, isSaving, retry, change };
}
