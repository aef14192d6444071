import { ActionIcon, Button, Group, Stack, Text, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconMessage, IconTrash } from '@tabler/icons-react';
import { createContext, useContext, useMemo, useState, type ReactNode } from 'react';
import { useClient, useSubscription } from 'urql';
import { useConfirm } from '../../components/second-thoughts.tsx';
import { Age } from '../../components/age.tsx';
import { Panel } from '../../components/panel.tsx';
import {
  CommentsUpdatedDocument,
  DeleteCommentDocument,
  type CommentShownFragment,
} from '../../gql/graphql.ts';
import { useRefusal } from '../../lib/graphql/refusal.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { CommentBox } from './comment-box.tsx';
import { useViewer } from './use-viewer.ts';

const NONE: readonly CommentShownFragment[] = [];

/** The comments of a conversation or job, live; none without sign-in, where there is nobody to talk to. */
function useComments(id: string | null): readonly CommentShownFragment[] | null {
  const viewer = useViewer();
  const isOff = id === null || viewer === null || viewer.isAlone;
  const [{ data }] = useSubscription({
    query: CommentsUpdatedDocument,
    variables: { id: id ?? '' },
    pause: isOff,
  });
  if (isOff) return null;
  return data?.commentsUpdated.comments ?? NONE;
}

const Comments = createContext<readonly CommentShownFragment[] | null>(null);

/** Follows the comments of a conversation for the answers within. */
export function CommentsOfSession({
  sessionId,
  children,
}: {
  readonly sessionId: string | null;
  readonly children: ReactNode;
}) {
  return <Comments value={useComments(sessionId)}>{children}</Comments>;
}

/** What members say about an answer, and where one says something. */
export function AnswerComments({ messageId }: { readonly messageId: string }) {
  const { sharing } = useWords();
  const all = useContext(Comments);
  const [isWriting, setWriting] = useState(false);
  const comments = useMemo(
    () => (all ?? NONE).filter(({ message }) => message?.id === messageId),
    [all, messageId],
  );
  if (all === null) return null;
  return (
    <Stack gap="xs" component="section" aria-label={sharing.comments} mt={4}>
      <CommentList comments={comments} />
      {isWriting ? (
        <CommentBox subjectId={messageId} onSent={() => setWriting(false)} />
      ) : (
        <Group>
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            leftSection={<IconMessage size={14} />}
            onClick={() => setWriting(true)}
          >
            {sharing.comment}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** What members say about a job. */
export function JobComments({ jobId }: { readonly jobId: string }) {
  const { sharing } = useWords();
  const comments = useComments(jobId);
  if (comments === null) return null;
  return (
    <Panel title={sharing.comments}>
      <Stack gap="xs">
        <CommentList comments={comments} />
        <CommentBox subjectId={jobId} />
      </Stack>
    </Panel>
  );
}

function CommentList({ comments }: { readonly comments: readonly CommentShownFragment[] }) {
  const { sharing } = useWords();
  if (comments.length === 0) return null;
  return (
    <Stack gap={6} component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label={sharing.comments}>
      {comments.map((comment) => (
        <CommentRow key={comment.id} comment={comment} />
      ))}
    </Stack>
  );
}

function CommentRow({ comment }: { readonly comment: CommentShownFragment }) {
  const { sharing } = useWords();
  const confirm = useConfirm();
  const client = useClient();
  const refusal = useRefusal();
  const { id, author, createdAt, text, mayDelete } = comment;
  const remove = async (): Promise<void> => {
    const { data, error } = await client
      .mutation(DeleteCommentDocument, { input: { commentId: id } })
      .toPromise();
    const message = refusal(data?.deleteComment, error);
    if (message !== null) notifications.show({ color: 'red', message });
  };
  const label = sharing.deleteComment(author.name);
  return (
    <Group component="li" wrap="nowrap" align="flex-start" gap="xs">
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text size="xs" c="dimmed">
          <Text span inherit fw={600}>
            {author.name}
          </Text>
          {' · '}
          <Age at={createdAt} />
        </Text>
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {text}
        </Text>
      </div>
      {mayDelete && (
        <Tooltip label={label}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={label}
            onClick={() =>
              confirm({
                title: label,
                text: sharing.deleteCommentText(text),
                confirm: sharing.remove,
                cancel: sharing.keepComment,
                onConfirm: () => void remove(),
              })
            }
          >
            <IconTrash size={14} />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  );
}
