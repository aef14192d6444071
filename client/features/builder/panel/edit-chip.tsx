import { Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import type { ArtifactEdit } from '../model/builder-view.ts';
import { chipTone, type ChipState } from '../model/chips.ts';
import { DiffDialog } from '../revisions/diff-dialog.tsx';
import classes from './panel.module.css';

/** What became of one edit. Where it changed something, it opens what it changed. */
export function EditChip({
  edit,
  state,
  sessionId,
}: {
  readonly edit: ArtifactEdit;
  readonly state: ChipState;
  readonly sessionId: string;
}) {
  const { builder } = useWords();
  const [isOpen, setOpen] = useState(false);
  const { artifact, outcome, note, revisionBefore, revisionAfter } = edit;
  const tone = chipTone(edit, state);
  const words = (
    <>
      <Text span size="xs" fw={600}>
        {builder.artifacts[artifact]}
      </Text>
      <span>{state === null || state === 'APPLIED' ? builder.outcomes[outcome] : builder.states[state]}</span>
      {revisionAfter > revisionBefore && (
        <Text span size="xs" c="dimmed" ml="auto">
          {builder.revisionStep(revisionBefore, revisionAfter)}
        </Text>
      )}
      {note !== null && <span className={classes['note']}>{note}</span>}
    </>
  );
  if (revisionAfter === revisionBefore) {
    return (
      <div className={classes['chip']} data-tone={tone}>
        {words}
      </div>
    );
  }
  return (
    <>
      <UnstyledButton
        className={classes['chip']}
        data-tone={tone}
        title={builder.showChange(builder.artifacts[artifact])}
        onClick={() => setOpen(true)}
      >
        {words}
      </UnstyledButton>
      {isOpen && (
        <DiffDialog
          sessionId={sessionId}
          from={revisionBefore}
          to={revisionAfter}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
