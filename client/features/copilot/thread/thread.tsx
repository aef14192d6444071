import { Button, Text } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { activeTurnOf, shownTurns, type SessionView } from '@qpilot/client/view';
import { IconArrowDown } from '@tabler/icons-react';
import { useEffect, type ReactNode } from 'react';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import type { TurnActions } from '../turn/turn-actions.ts';
import { Turn } from '../turn/turn.tsx';
import { Announcer } from './announcer.tsx';
import classes from './thread.module.css';
import { useAutoscroll } from './use-autoscroll.ts';

/** The turns of a conversation, the newest at the end. `pending` is a message that is being sent. */
export function Thread({
  view,
  pending,
  linked = null,
  actions,
  onOlder,
  children,
}: {
  readonly view: SessionView | null;
  readonly pending: string | null;
  /** The turn that the address leads to, once it is there. */
  readonly linked?: string | null;
  readonly actions: TurnActions;
  readonly onOlder: () => void;
  /** Shown while there are no turns. */
  readonly children?: ReactNode;
}) {
  const { copilot } = useWords();
  const turns = view === null ? [] : shownTurns(view);
  const { viewport, content, isAtEnd, toEnd, toItem } = useAutoscroll(turns[0]?.id ?? null);
  const active = view === null ? null : activeTurnOf(view);
  const newest = turns.at(-1);
  useEffect(toEnd, [pending, newest?.id, toEnd]);
  useEffect(() => {
    if (linked !== null) toItem(linked);
  }, [linked, toItem]);
  return (
    <div className={classes['frame']}>
      <div
        className={classes['viewport']}
        ref={viewport}
        tabIndex={0}
        role="region"
        aria-label={copilot.conversation}
      >
        <div className={classes['content']} ref={content}>
          {view?.olderCursor != null && <Older key={view.olderCursor} onOlder={onOlder} />}
          {turns.map((turn) => (
            <Turn
              key={turn.id}
              turn={turn}
              isBusy={active !== null}
              isNext={active?.id === turn.id}
              isLinked={turn.id === linked}
              actions={actions}
            />
          ))}
          {pending !== null && (
            <div className={classes['pending']}>
              <Text size="sm" className={classes['bubble']}>
                {pending}
              </Text>
            </div>
          )}
          {turns.length === 0 && pending === null && children}
        </div>
      </div>
      {!isAtEnd && (
        <Button
          className={classes['toEnd']}
          size="compact-sm"
          radius="xl"
          variant="default"
          leftSection={<IconArrowDown size={14} />}
          onClick={toEnd}
        >
          {copilot.toEnd}
        </Button>
      )}
      <Announcer turn={newest ?? null} />
    </div>
  );
}

/** Where earlier turns come in: by themselves when one scrolls there, or when they are asked for. */
function Older({ onOlder }: { readonly onOlder: () => void }) {
  const { copilot } = useWords();
  const { ref, inViewport } = useInViewport<HTMLButtonElement>();
  useEffect(() => {
    if (inViewport) onOlder();
  }, [inViewport, onOlder]);
  return (
    <Button ref={ref} variant="subtle" size="compact-sm" onClick={onOlder} mx="auto" display="block">
      {copilot.older}
    </Button>
  );
}
