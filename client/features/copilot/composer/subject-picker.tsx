import { Badge, Group, Select } from '@mantine/core';
import { useQuery } from 'urql';
import { CopilotChipQubitsDocument, type CopilotSetupQuery } from '../../../gql/graphql.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import type { PageSubject } from '../../../lib/page-subject.tsx';

/** What a conversation is about. */
export type Subject = PageSubject;

/** Chip and qubit that a conversation is to be about; once it has begun they are only told. */
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
  const qids = data?.chip?.qubits.map(({ qid }) => qid) ?? [];
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
          w={92}
          clearable
          searchable
          limit={200}
          aria-label={copilot.qubit}
          placeholder={copilot.anyQubit}
          data={subject.qid !== null && !qids.includes(subject.qid) ? [subject.qid, ...qids] : qids}
          value={subject.qid}
          onChange={(qid) => onSubject({ ...subject, qid, taskId: null })}
        />
      )}
    </>
  );
}

function SubjectBadges({ subject: { chipId, qid, taskId } }: { readonly subject: Subject }) {
  return (
    <Group gap={4}>
      {[chipId, qid === null ? null : `Q${qid}`, taskId].map(
        (name) =>
          name !== null && (
            <Badge key={name} size="sm" variant="light" color="gray" tt="none">
              {name}
            </Badge>
          ),
      )}
    </Group>
  );
}
