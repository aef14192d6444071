import { Button, Group, Popover, Rating, Select, Text, Textarea, UnstyledButton } from '@mantine/core';
import type { TurnView } from '@qpilot/client/view';
import { useState } from 'react';
import type { CopilotRatingFragment, RateMessageInput } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';

const KINDS = ['CORRECT', 'WRONG_NUMBERS', 'OUTDATED', 'INCOMPLETE', 'UNCLEAR', 'OTHER'] as const;

/** The reader's rating of an answer: stars, and optionally a reason. */
export function AnswerRating({
  answer: { id, rating },
  onRate,
}: {
  readonly answer: NonNullable<TurnView['answer']>;
  readonly onRate: (input: RateMessageInput) => void;
}) {
  const { copilot } = useWords();
  const [isOpen, setOpen] = useState(false);
  const save = (change: Partial<CopilotRatingFragment>): void => {
    const { rating: stars, kind, comment } = { rating: 0, kind: null, comment: null, ...rating, ...change };
    onRate({ messageId: id, rating: stars, kind: kind ?? null, comment: comment ?? null });
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} position="top-start" width={300} withArrow shadow="md">
      <Popover.Target>
        <UnstyledButton
          component="div"
          ml={6}
          role="group"
          aria-label={copilot.rate}
          style={{ display: 'inline-flex' }}
        >
          <Rating
            size="xs"
            value={rating?.rating ?? 0}
            getSymbolLabel={(stars) => copilot.stars(stars)}
            onChange={(stars) => {
              setOpen(true);
              save({ rating: stars });
            }}
          />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <RatingReasons
          key={`${rating?.kind} ${rating?.comment}`}
          rating={rating}
          onSave={(change) => {
            setOpen(false);
            save(change);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function RatingReasons({
  rating,
  onSave,
}: {
  readonly rating: CopilotRatingFragment | null;
  readonly onSave: (change: Partial<CopilotRatingFragment>) => void;
}) {
  const { copilot } = useWords();
  const [kind, setKind] = useState(rating?.kind ?? null);
  const [comment, setComment] = useState(rating?.comment ?? '');
  return (
    <>
      <Text size="xs" c="dimmed" mb={6}>
        {copilot.ratingSaved}
      </Text>
      <Select
        size="xs"
        clearable
        label={copilot.ratingKind}
        data={KINDS.map((value) => ({ value, label: copilot.ratingKinds[value] }))}
        value={kind}
        onChange={(value) => setKind(KINDS.find((known) => known === value) ?? null)}
        comboboxProps={{ withinPortal: false }}
      />
      <Textarea
        size="xs"
        mt={6}
        autosize
        minRows={2}
        label={copilot.ratingComment}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
      <Group justify="flex-end" mt={8}>
        <Button size="compact-sm" onClick={() => onSave({ kind, comment: comment.trim() || null })}>
          {copilot.save}
        </Button>
      </Group>
    </>
  );
}
