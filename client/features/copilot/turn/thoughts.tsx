import { Collapse, Loader, Text, UnstyledButton } from '@mantine/core';
import { isFinal, type Thought, type TurnView } from '@qpilot/client/view';
import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useQuery } from 'urql';
import { CopilotThoughtsDocument } from '../../../gql/graphql.ts';
import { LoadError } from '../../../components/load-error.tsx';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { stepDurationText, thinkingMs } from '../model/turn-rules.ts';
import { MarkdownText } from './markdown.tsx';
import classes from './steps.module.css';

type ThoughtsProps = { readonly turn: Pick<TurnView, 'id' | 'status' | 'thoughts'> };

/** What the model thought on the way to an answer: folded, and live where it is opened while the model thinks. */
export function Thoughts({ turn }: ThoughtsProps) {
  const { copilot } = useWords();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const last = turn.thoughts.at(-1);
  if (last === undefined) return null;
  const isThinking = !isFinal(turn) && last.durationMs === null;
  const ms = thinkingMs(turn.thoughts);
  return (
    <div className={classes['thoughts']}>
      <UnstyledButton
        className={classes['header']}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <IconChevronRight size={14} className={classes['chevron']} data-open={isOpen} aria-hidden />
        <Text size="xs" c="dimmed">
          {isThinking
            ? copilot.thinking
            : ms === 0
              ? copilot.thoughts
              : copilot.thoughtFor(stepDurationText(ms))}
        </Text>
      </UnstyledButton>
      <Collapse expanded={isOpen} transitionDuration={120} id={id}>
        {isOpen && <ThoughtTexts turnId={turn.id} thoughts={turn.thoughts} isThinking={isThinking} />}
      </Collapse>
    </div>
  );
}

type ThoughtTextsProps = {
  readonly turnId: string;
  readonly thoughts: readonly Thought[];
  readonly isThinking: boolean;
};

/** The words of thoughts that were seen live; those of a stored turn are read when they are asked for. */
function ThoughtTexts({ turnId, thoughts, isThinking }: ThoughtTextsProps) {
  const isStored = thoughts.some(({ text }) => text === null);
  const [{ data, error }, again] = useQuery({
    query: CopilotThoughtsDocument,
    variables: { turnId },
    pause: !isStored,
    requestPolicy: 'cache-first',
  });
  if (isStored && error) {
    return <LoadError error={error} onRetry={() => again({ requestPolicy: 'network-only' })} />;
  }
  const node = data?.node;
  const stored = node && 'thoughts' in node ? node.thoughts : null;
  if (isStored && !stored) return <Loader size="xs" />;
  return (
    <div className={classes['list']}>
      {(stored ?? thoughts).map(({ number, text }, index) => (
        <Text key={number} component="div" size="xs" c="dimmed" className={classes['thought']}>
          <MarkdownText
            text={text ?? ''}
            offset={0}
            numbers={[]}
            isGrowing={isThinking && index === thoughts.length - 1}
          />
        </Text>
      ))}
    </div>
  );
}
