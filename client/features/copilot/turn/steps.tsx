import { Badge, Collapse, Group, Loader, Text, UnstyledButton } from '@mantine/core';
import { isFinal, type Step, type StepStatus, type TurnView } from '@qpilot/client/view';
import {
  IconAlertTriangle,
  IconCheck,
  IconChevronRight,
  IconClockX,
  IconPlayerSkipForward,
} from '@tabler/icons-react';
import { memo, use, useEffect, useId, useRef, useState } from 'react';
import { CopyLink } from '../../../components/copy-link.tsx';
import { useAnswerText } from '../../../components/chart/use-visual-words.ts';
import { turnPath } from '../../../lib/part-path.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { useServerNames } from '../../../lib/i18n/use-server-names.ts';
import {
  isAccordionOpen,
  stepDurationText,
  stepsMs,
  wallClockMs,
  type AccordionChoice,
} from '../model/turn-rules.ts';
import { LinkContext } from './link-context.ts';
import { StepRecord } from './step-record.tsx';
import classes from './steps.module.css';
import { Thoughts } from './thoughts.tsx';
import { useActivityText } from './use-activity-text.ts';

/** What was thought and done for an answer. */
export function Steps({ turn }: { readonly turn: TurnView }) {
  return (
    <>
      <Thoughts turn={turn} />
      <StepList turn={turn} />
    </>
  );
}

/** What was done, step by step. Open while the answer is written, unless the reader closes it. */
function StepList({ turn }: { readonly turn: TurnView }) {
  const { stepId } = use(LinkContext);
  const hasLinked = turn.steps.some(({ callId }) => callId === stepId);
  const [choice, setChoice] = useState<AccordionChoice>(hasLinked ? 'open' : null);
  const id = useId();
  const { copilot } = useWords();
  const busyWith = useActivityText(turn.activity);
  const isRunning = !isFinal(turn);
  if (turn.steps.length === 0) return isRunning ? <Busy text={busyWith} /> : null;
  const isOpen = isAccordionOpen(turn, choice);
  const wallMs = wallClockMs(turn);
  return (
    <div className={classes['steps']}>
      <UnstyledButton
        className={classes['header']}
        aria-expanded={isOpen}
        aria-controls={id}
        title={copilot.stepsTogether(stepDurationText(stepsMs(turn.steps)))}
        onClick={() => setChoice(isOpen ? 'closed' : 'open')}
      >
        <IconChevronRight size={14} className={classes['chevron']} data-open={isOpen} aria-hidden />
        {isRunning ? (
          <Busy text={busyWith} />
        ) : (
          <Text size="xs" c="dimmed">
            {copilot.steps(turn.steps.length)}
            {wallMs !== null && ` · ${stepDurationText(wallMs)}`}
          </Text>
        )}
      </UnstyledButton>
      <Collapse expanded={isOpen} transitionDuration={120} id={id}>
        <ol className={classes['list']}>
          {turn.steps.map((step) => (
            <StepRow key={step.callId} step={step} turnId={turn.id} />
          ))}
        </ol>
      </Collapse>
    </div>
  );
}

function Busy({ text }: { readonly text: string }) {
  return (
    <span className={classes['busy']}>
      <Loader size={12} aria-hidden />
      <Text span size="xs" c="dimmed">
        {text}
      </Text>
    </span>
  );
}

const StepRow = memo(function StepRow({ step, turnId }: { readonly step: Step; readonly turnId: string }) {
  const { copilot } = useWords();
  const { tools } = useServerNames();
  const { sessionId, stepId } = use(LinkContext);
  const isLinked = step.callId === stepId;
  const read = useAnswerText();
  const [isOpen, setOpen] = useState(isLinked);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    // Behind the turn, which is shown from its beginning.
    if (isLinked) requestAnimationFrame(() => row.current?.scrollIntoView({ block: 'nearest' }));
  }, [isLinked]);
  return (
    <li ref={row} className={classes['step']} data-status={step.status} data-linked={isLinked}>
      <div className={classes['line']}>
        <StatusIcon status={step.status} />
        <Text span size="xs" fw={550}>
          {tools[step.tool] ?? step.label}
        </Text>
        {step.dataSource && (
          <Badge size="xs" variant="light" color="gray" tt="none" fw={500}>
            {copilot.sources[step.dataSource]}
          </Badge>
        )}
        <Text span size="xs" c="dimmed" ml="auto">
          <StepDuration step={step} />
        </Text>
      </div>
      <Text size="xs" c="dimmed" className={classes['words']}>
        {read(step.description)}
      </Text>
      {(step.error !== null || step.preview !== '') && (
        <Text size="xs" className={classes['words']} {...(step.error && { c: 'red' })}>
          {read(step.error?.message ?? step.preview)}
        </Text>
      )}
      {step.recordId !== null && (
        <Group gap={4}>
          <UnstyledButton className={classes['more']} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? copilot.hideRecord : copilot.showRecord}
          </UnstyledButton>
          {sessionId !== null && <CopyLink path={turnPath(sessionId, turnId, step.callId)} />}
        </Group>
      )}
      {isOpen && step.recordId !== null && <StepRecord id={step.recordId} />}
    </li>
  );
});

const TICK_MS = 100;

/** How long a step took, or has taken so far. */
function StepDuration({ step: { startedAt, durationMs } }: { readonly step: Step }) {
  const [now, setNow] = useState(Date.now);
  const [shownAt] = useState(Date.now);
  useEffect(() => {
    if (startedAt === null) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [startedAt]);
  if (startedAt === null) return durationMs === null ? null : stepDurationText(durationMs);
  // Clocks of server and reader may differ; a step that lies in the future began when it was shown.
  return stepDurationText(Math.max(0, now - Math.min(Date.parse(startedAt), shownAt)));
}

function StatusIcon({ status }: { readonly status: StepStatus }) {
  const { copilot } = useWords();
  const label = copilot.stepStatus[status];
  switch (status) {
    case 'RUNNING':
      return <Loader size={12} role="img" aria-label={label} />;
    case 'OK':
      return <IconCheck size={14} color="var(--mantine-color-teal-6)" role="img" aria-label={label} />;
    case 'ERROR':
      return <IconAlertTriangle size={14} color="var(--mantine-color-red-6)" role="img" aria-label={label} />;
    case 'TIMEOUT':
      return <IconClockX size={14} color="var(--mantine-color-red-6)" role="img" aria-label={label} />;
    case 'SKIPPED':
    case 'CANCELLED':
      return <IconPlayerSkipForward size={14} role="img" aria-label={label} />;
    default:
      return status satisfies never;
  }
}
