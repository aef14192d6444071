import { Loader, Text, Timeline } from '@mantine/core';
import { isFinal, type TurnView } from '@qpilot/client/view';
import { IconCheck, IconClockPause, IconPlayerStop, IconX } from '@tabler/icons-react';
import { memo } from 'react';
import { Panel } from '../../../components/panel.tsx';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { AnswerParts } from '../../copilot/turn/answer-parts.tsx';
import { Ending } from '../../copilot/turn/ending.tsx';
import { Notices } from '../../copilot/turn/notices.tsx';
import { Steps } from '../../copilot/turn/steps.tsx';

/** The phases of a job as they happen; planning and working take turns. */
export function PhasesPanel({ phases }: { readonly phases: readonly TurnView[] }) {
  const { jobs } = useWords();
  return (
    <Panel title={jobs.phases}>
      {phases.length === 0 ? (
        <Text c="dimmed">{jobs.noPhases}</Text>
      ) : (
        <Timeline active={phases.length} bulletSize={22} lineWidth={2}>
          {phases.map((phase) => (
            <Timeline.Item
              key={phase.id}
              bullet={<PhaseMark status={phase.status} />}
              title={
                <Text span fw={600}>
                  {phase.question.text}
                </Text>
              }
            >
              <Phase phase={phase} />
            </Timeline.Item>
          ))}
        </Timeline>
      )}
    </Panel>
  );
}

const Phase = memo(function Phase({ phase }: { readonly phase: TurnView }) {
  return (
    <article aria-label={phase.question.text} aria-busy={!isFinal(phase)}>
      <Steps turn={phase} />
      <AnswerParts turn={phase} />
      <Notices notices={phase.notices} />
      <Ending turn={phase} />
    </article>
  );
});

function PhaseMark({ status }: { readonly status: TurnView['status'] }) {
  switch (status) {
    case 'QUEUED':
      return <IconClockPause size={13} aria-hidden />;
    case 'RUNNING':
      return <Loader size={12} color="white" aria-hidden />;
    case 'COMPLETED':
    case 'JOINED': // of conversations only
      return <IconCheck size={13} aria-hidden />;
    case 'CANCELLED':
      return <IconPlayerStop size={13} aria-hidden />;
    case 'FAILED':
    case 'INTERRUPTED':
      return <IconX size={13} aria-hidden />;
    default:
      return status satisfies never;
  }
}
