import { Alert, Button, Group, Text } from '@mantine/core';
import { isFinal, textOf, type TurnView } from '@qpilot/client/view';
import { IconArrowBackUp, IconRefresh } from '@tabler/icons-react';
import { memo } from 'react';
import { ARTIFACT_TOOL_NAMES } from '../../../../src/domain/artifacts/artifact-calls.ts';
import { useFormat, useWords } from '../../../lib/i18n/i18n.tsx';
import { MarkdownText } from '../../copilot/turn/markdown.tsx';
import { Notices } from '../../copilot/turn/notices.tsx';
import { Steps } from '../../copilot/turn/steps.tsx';
import type { ArtifactEdit } from '../model/builder-view.ts';
import { answerPieces, chipStates, isUndoable } from '../model/chips.ts';
import { EditChip } from './edit-chip.tsx';
import classes from './panel.module.css';

type BuilderTurnProps = {
  readonly sessionId: string;
  readonly turn: TurnView;
  readonly edits: readonly ArtifactEdit[];
  /** The session as it was read last. */
  readonly stored: Parameters<typeof chipStates>[2];
  /** Messages that were summarised before it was answered. */
  readonly summarised: number | null;
  /** It may be undone, or asked again. */
  readonly mayChange: boolean;
  readonly onUndo: (turnId: string) => void;
  readonly onRetry: (turnId: string) => void;
};

const ARTIFACT_TOOLS: ReadonlySet<string> = new Set(ARTIFACT_TOOL_NAMES);
const NO_NUMBERS: readonly never[] = [];

/** A message and the builder's reply: text, with each edit where it was made. */
export const BuilderTurn = memo(function BuilderTurn(props: BuilderTurnProps) {
  const { sessionId, turn, edits, stored, summarised, mayChange, onUndo, onRetry } = props;
  const { builder, copilot } = useWords();
  const isDone = isFinal(turn);
  const text = textOf(turn.parts);
  const states = chipStates(turn.id, edits, stored);
  const others = turn.steps.filter(({ tool }) => !ARTIFACT_TOOLS.has(tool));
  return (
    <article className={classes['turn']} aria-label={turn.question.text} aria-busy={!isDone}>
      {summarised !== null && (
        <Text size="xs" c="dimmed" ta="center" mb={6}>
          {builder.summarised(summarised)}
        </Text>
      )}
      <Text size="sm" className={classes['bubble']}>
        {turn.question.text}
      </Text>
      <Steps turn={{ ...turn, steps: others }} />
      {answerPieces(text, edits).map((piece) =>
        piece.type === 'text' ? (
          <MarkdownText
            key={`text ${piece.offset}`}
            text={piece.text}
            offset={piece.offset}
            numbers={NO_NUMBERS}
            isGrowing={!isDone && piece.offset + piece.text.length === text.length}
          />
        ) : (
          <ul key={piece.edits[0]?.callId} className={classes['chips']}>
            {piece.edits.map((edit) => (
              <li key={edit.callId}>
                <EditChip edit={edit} state={states.get(edit.callId) ?? null} sessionId={sessionId} />
              </li>
            ))}
          </ul>
        ),
      )}
      {isDone && text === '' && turn.status === 'COMPLETED' && (
        <Text size="xs" c="dimmed">
          {builder.noText}
        </Text>
      )}
      <Notices notices={turn.notices} />
      <Ending turn={turn} />
      {isDone && (
        <Group gap={6}>
          {isUndoable(states) && mayChange && (
            <Button
              size="compact-xs"
              variant="subtle"
              leftSection={<IconArrowBackUp size={14} />}
              onClick={() => onUndo(turn.id)}
            >
              {builder.undo}
            </Button>
          )}
          {turn.error?.retryable === true && mayChange && (
            <Button
              size="compact-xs"
              variant="subtle"
              leftSection={<IconRefresh size={14} />}
              onClick={() => onRetry(turn.id)}
            >
              {copilot.retry}
            </Button>
          )}
          <TurnUsage turn={turn} />
        </Group>
      )}
    </article>
  );
});

function TurnUsage({ turn: { usage } }: { readonly turn: TurnView }) {
  const { copilot } = useWords();
  const format = useFormat();
  if (usage === null || usage.totalTokens === 0) return null;
  const { inputTokens, cachedTokens, outputTokens } = usage;
  const details = copilot.usage(
    format.count(inputTokens),
    format.count(cachedTokens),
    format.count(outputTokens),
  );
  return (
    <Text size="xs" c="dimmed" ml="auto" title={details}>
      {copilot.tokens(format.count(usage.totalTokens))}
      {usage.model && ` · ${usage.model}`}
    </Text>
  );
}

function Ending({ turn: { status, error } }: { readonly turn: TurnView }) {
  const { copilot } = useWords();
  if (status === 'CANCELLED') {
    return (
      <Text size="xs" c="dimmed">
        {error?.message ? copilot.stoppedFor(error.message) : copilot.stopped}
      </Text>
    );
  }
  if (status !== 'FAILED' && status !== 'INTERRUPTED') return null;
  return (
    <Alert color={status === 'FAILED' ? 'red' : 'yellow'} p="xs" my={6} title={copilot.endings[status]}>
      {error?.message}
    </Alert>
  );
}
