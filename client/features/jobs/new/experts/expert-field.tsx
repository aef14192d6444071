import { Alert } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ExpertWholeFragment, NewJobChoicesQuery } from '../../../../gql/graphql.ts';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { problemText, type CheckedFieldProps } from '../field.ts';
import { baseOf } from '../filled-form.ts';
import { hasEdits, isExpertGone } from '../form-input.ts';
import { DEFAULTS_ID } from '../use-filling.ts';
import { ExpertCards } from './expert-cards.tsx';
import { ExpertSwitch } from './expert-switch.tsx';
import { SavedExperts } from './saved-experts.tsx';
import { useExpertReader } from './use-expert-reader.ts';

type ExpertFieldProps = CheckedFieldProps & {
  readonly choices: NewJobChoicesQuery;
  /** An expert was saved or deleted. */
  readonly onSaved: () => void;
};

/** Who does the job. Choosing another one asks first where something would be lost. */
export function ExpertField(props: ExpertFieldProps) {
  const { form, dispatch, choices, problems, onFocusable, onSaved } = props;
  const { newJob } = useWords();
  const [wanted, setWanted] = useState<ExpertWholeFragment | null>(null);
  const { read, loadingId } = useExpertReader();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => onFocusable('expert', () => place.current?.focus()), [onFocusable]);
  const chosenId = form.expert?.expertId ?? null;
  const usable = choices.experts.filter(({ loadError }) => loadError === null);
  const isGone = isExpertGone(
    form,
    usable.map(({ expertId }) => expertId),
  );
  const choose = async (expertId: string): Promise<void> => {
    const expert = await read(expertId === chosenId ? DEFAULTS_ID : expertId);
    if (!expert || expert.expertId === chosenId) return;
    if (hasEdits(form)) setWanted(expert);
    else dispatch({ type: 'expert', expert: baseOf(expert), edits: 'REPLACE' });
  };
  return (
    <div ref={place} tabIndex={-1} style={{ outline: 'none' }}>
      <ExpertCards
        experts={choices.experts}
        chosenId={chosenId}
        loadingId={loadingId}
        isLocked={form.lock !== null}
        onChosen={(expertId) => void choose(expertId)}
        problem={isGone && form.expert !== null ? newJob.expertGone(form.expert.displayName) : null}
        footer={<SavedExperts form={form} dispatch={dispatch} experts={choices.experts} onSaved={onSaved} />}
      />
      {!isGone && problemText(problems, 'expert') !== null && (
        <Alert color="red" py="xs" role="alert">
          {problemText(problems, 'expert')}
        </Alert>
      )}
      <ExpertSwitch
        form={form}
        expert={wanted}
        onClose={() => setWanted(null)}
        onChosen={(expert, edits) => {
          dispatch({ type: 'expert', expert: baseOf(expert), edits });
          setWanted(null);
        }}
      />
    </div>
  );
}
