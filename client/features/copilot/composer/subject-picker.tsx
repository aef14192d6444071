import { Badge, Group, Pill, Select } from '@mantine/core';
import { useQuery } from 'urql';
import {
  CopilotChipQubitsDocument,
  CopilotTaskNameDocument,
  type CopilotSetupQuery,
  type Effort,
} from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import type { PageSubject } from '../../../lib/page-subject.tsx';

/** What a conversation is about. */
export type Subject = PageSubject;

/** Chip, qubit and task result of a conversation; read-only once it has started. */
export function SubjectPicker({
  chips,
  subject,
  onSubject,
}: {
  readonly chips: CopilotSetupQuery['chips'];
  readonly subject: Subject;
  readonly onSubject: ((subject: Subject) => void) | null;
}) {
  const { copilot } = useWords();
  const [{ data }] = useQuery({
    query: CopilotChipQubitsDocument,
    variables: { chipId: subject.chipId ?? '' },
    requestPolicy: 'cache-first',
    pause: subject.chipId === null || onSubject === null,
  });
  if (onSubject === null) return <SubjectBadges subject={subject} />;
  const qubits = data?.chip?.qubits.map(({ qid, label }) => ({ value: qid, label })) ?? [];
  const isListed = subject.qid === null || qubits.some(({ value }) => value === subject.qid);
  return (
    <>
      <Select
        size="xs"
        w={130}
        clearable
        aria-label={copilot.chip}
        placeholder={copilot.anyChip}
        data={[...new Set(chips.map(({ chipId }) => chipId))]}
        value={subject.chipId}
        onChange={(chipId) => onSubject({ chipId, qid: null, taskId: null })}
      />
      {subject.chipId !== null && (
        <Select
          size="xs"
          w={110}
          clearable
          searchable
          limit={200}
          aria-label={copilot.qubit}
          placeholder={copilot.anyQubit}
          data={isListed ? qubits : [{ value: subject.qid, label: `Q${subject.qid}` }, ...qubits]}
          value={subject.qid}
          onChange={(qid) => onSubject({ ...subject, qid, taskId: null })}
        />
      )}
      {subject.taskId !== null && (
        <TaskPill taskId={subject.taskId} onRemove={() => onSubject({ ...subject, taskId: null })} />
      )}
    </>
  );
}

function SubjectBadges({ subject: { chipId, qid, taskId } }: { readonly subject: Subject }) {
  return (
    <Group gap={4}>
      {chipId !== null && <SubjectBadge>{chipId}</SubjectBadge>}
      {qid !== null && <SubjectBadge>{`Q${qid}`}</SubjectBadge>}
      {taskId !== null && <TaskBadge taskId={taskId} />}
    </Group>
  );
}

const SubjectBadge = ({ children }: { readonly children: string }) => (
  <Badge size="sm" variant="light" color="gray" tt="none">
    {children}
  </Badge>
);

const TaskBadge = ({ taskId }: { readonly taskId: string }) => (
  <SubjectBadge>{useTaskName(taskId)}</SubjectBadge>
);

function TaskPill({ taskId, onRemove }: { readonly taskId: string; readonly onRemove: () => void }) {
  const { copilot } = useWords();
  const name = useTaskName(taskId);
  return (
    <Pill
      withRemoveButton
      onRemove={onRemove}
      removeButtonProps={{ 'aria-label': copilot.removeTask(name), tabIndex: 0, 'aria-hidden': false }}
    >
      {name}
    </Pill>
  );
}

/** Name of the task that a result is of; its id until that is known. */
function useTaskName(taskId: string): string {
  const [{ data }] = useQuery({
    query: CopilotTaskNameDocument,
    variables: { taskId },
    requestPolicy: 'cache-first',
  });
  return data?.taskResult?.name ?? taskId;
}

type Models = CopilotSetupQuery['copilotConfig']['models'];

const EFFORTS = ['AUTO', 'LOW', 'MEDIUM', 'HIGH'] as const;
type Choice = (typeof EFFORTS)[number];

/** How hard the model thinks about the next question; null: as it does by itself. */
export function EffortPicker({
  effort,
  onEffort,
}: {
  readonly effort: Effort | null;
  readonly onEffort: (effort: Effort | null) => void;
}) {
  const { copilot } = useWords();
  return (
    <Select<Choice>
      size="xs"
      w={130}
      aria-label={copilot.effort}
      allowDeselect={false}
      data={EFFORTS.map((value) => ({ value, label: copilot.efforts[value] }))}
      value={effort ?? 'AUTO'}
      onChange={(value) => onEffort(value === null || value === 'AUTO' ? null : value)}
    />
  );
}

/** Who is to answer, grouped by provider; null is the default. */
export function ModelPicker({
  models,
  defaultModel,
  model,
  onModel,
}: {
  readonly models: Models;
  readonly defaultModel: string;
  readonly model: string | null;
  readonly onModel: (model: string | null) => void;
}) {
  const { copilot } = useWords();
  if (models.length < 2) return null;
  const groups = Map.groupBy(models, ({ provider }) => provider);
  return (
    <Select
      size="xs"
      w={150}
      aria-label={copilot.model}
      allowDeselect={false}
      data={[...groups].map(([group, items]) => ({
        group,
        items: items.map(({ name, available }) => ({ value: name, label: name, disabled: !available })),
      }))}
      value={model ?? defaultModel}
      onChange={(name) => onModel(name === defaultModel ? null : name)}
    />
  );
}
