import { Alert } from '@mantine/core';
import { useRef, useState } from 'react';
import type { ExpertWholeFragment } from '../../../../gql/graphql.ts';
import { useWords } from '../../../../lib/i18n/i18n.tsx';
import { baseOf, DEFAULTS_ID, hasEdits, withExpert } from '../job-form.ts';
import { isExpertGone } from '../job-input.ts';
import { useNewJob } from '../use-job-form.ts';
import { ExpertCards } from './expert-cards.tsx';
import { ExpertSwitch } from './expert-switch.tsx';
import { SavedExperts } from './saved-experts.tsx';
import { useExpertReader } from './use-expert.ts';

/** Which expert does the job. Choosing another one asks first if changes could be lost. */
export function ExpertField() {
  const { newJob } = useWords();
  const { inputs, form, edit, choices } = useNewJob();
  const [wanted, setWanted] = useState<ExpertWholeFragment | null>(null);
  const { read, loadingId } = useExpertReader();
  const usable = choices.experts.filter(({ loadError }) => loadError === null);
  const isGone = isExpertGone(
    form,
    usable.map(({ expertId }) => expertId),
  );
  const latest = useRef(form);
  latest.current = form;
  const change = (expert: ExpertWholeFragment, edits: 'KEEP' | 'REPLACE'): void => {
    edit((now) => withExpert(now, baseOf(expert), edits));
    setWanted(null);
  };
  const choose = async (expertId: string): Promise<void> => {
    const chosenId = form.expert?.expertId;
    const expert = await read(expertId === chosenId ? DEFAULTS_ID : expertId);
    if (!expert || expert.expertId === chosenId) return;
    // The user may have typed while the expert was loading.
    if (hasEdits(latest.current)) setWanted(expert);
    else change(expert, 'REPLACE');
  };
  return (
    <div data-path="expert" tabIndex={-1} style={{ outline: 'none' }}>
      <ExpertCards
        loadingId={loadingId}
        onChosen={(expertId) => void choose(expertId)}
        problem={isGone && form.expert !== null ? newJob.expertGone(form.expert.displayName) : null}
        footer={<SavedExperts />}
      />
      {!isGone && inputs.errors['expert'] != null && (
        <Alert color="red" py="xs" role="alert">
          {inputs.errors['expert']}
        </Alert>
      )}
      <ExpertSwitch expert={wanted} onClose={() => setWanted(null)} onChosen={change} />
    </div>
  );
}
