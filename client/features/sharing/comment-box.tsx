import { Button, Combobox, Group, Textarea, useCombobox } from '@mantine/core';
import { useRef, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { useDraft } from '../copilot/composer/use-draft.ts';
import { AddCommentDocument, SharingMembersDocument } from '../../gql/graphql.ts';
import { useRefusal } from '../../lib/graphql/refusal.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { completed, mentionAt, mentionedIn, type Named } from './mentions.ts';

const LONGEST = 2_000;
const MOST_OFFERED = 8;

/** Where a reader writes a comment; `@` offers the members. */
export function CommentBox({
  subjectId,
  onSent,
}: {
  readonly subjectId: string;
  readonly onSent?: () => void;
}) {
  const { sharing } = useWords();
  const client = useClient();
  const refusal = useRefusal();
  const [{ data }] = useQuery({ query: SharingMembersDocument });
  const members: readonly Named[] = data?.members ?? [];
  const [text, setText] = useDraft(`comment.${subjectId}`);
  const [caret, setCaret] = useState(0);
  const [failure, setFailure] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() });
  const sought = mentionAt(text, caret);
  const offered =
    sought === null
      ? []
      : members
          .filter(({ name }) => name.toLocaleLowerCase().includes(sought.toLocaleLowerCase()))
          .slice(0, MOST_OFFERED);
  const write = (value: string, at: number): void => {
    setText(value);
    setCaret(at);
    setFailure(null);
    if (mentionAt(value, at) === null) box.closeDropdown();
    else {
      box.openDropdown();
      box.selectFirstOption();
    }
  };
  const choose = (userId: string): void => {
    const member = members.find((each) => each.userId === userId);
    if (member === undefined) return;
    const next = completed(text, caret, member.name);
    setText(next.text);
    setCaret(next.caret);
    box.closeDropdown();
    requestAnimationFrame(() => field.current?.setSelectionRange(next.caret, next.caret));
  };
  const send = async (): Promise<void> => {
    setSending(true);
    const input = { subjectId, text, mentions: [...mentionedIn(text, members)] };
    const { data: done, error } = await client.mutation(AddCommentDocument, { input }).toPromise();
    setSending(false);
    const message = refusal(done?.addComment, error);
    setFailure(message);
    if (message !== null) return;
    setText('');
    onSent?.();
  };
  return (
    <div>
      <Combobox store={box} onOptionSubmit={choose} position="top-start" withinPortal={false}>
        <Combobox.Target withExpandedAttribute>
          <Textarea
            ref={field}
            size="xs"
            autosize
            minRows={2}
            maxRows={8}
            maxLength={LONGEST}
            label={sharing.yourComment}
            description={sharing.commentHint}
            error={failure}
            value={text}
            onChange={({ currentTarget }) => write(currentTarget.value, currentTarget.selectionStart)}
            onBlur={() => box.closeDropdown()}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={offered.length === 0}>
          <Combobox.Options aria-label={sharing.members}>
            {offered.map(({ userId, name }) => (
              <Combobox.Option key={userId} value={userId}>
                {name}
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      <Group mt={6}>
        <Button
          size="compact-sm"
          loading={isSending}
          disabled={text.trim() === ''}
          onClick={() => void send()}
        >
          {sharing.send}
        </Button>
      </Group>
    </div>
  );
}
