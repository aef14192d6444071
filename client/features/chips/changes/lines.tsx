import { Button, Group, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useI18n } from '../../../lib/i18n/i18n.tsx';
import type { PageSubject } from '../../../lib/page-subject.tsx';
import { useAsk } from '../../../lib/use-ask.ts';
import classes from '../chip.module.css';

/** Shown until all are asked for. */
const FIRST = 8;

/** A list below its heading with its count; its first rows until all are asked for. */
export function Lines<Row>({
  of,
  text,
  children,
}: {
  readonly of: readonly Row[];
  readonly text: (count: number) => string;
  readonly children: (row: Row) => ReactNode;
}) {
  const { copilot } = useI18n().words;
  const [isWhole, setWhole] = useState(false);
  if (of.length === 0) return null;
  return (
    <>
      <Group gap="xs" mt={6}>
        <Text size="sm" fw={600}>
          {text(of.length)}
        </Text>
        {of.length > FIRST && (
          <Button size="compact-xs" variant="subtle" onClick={() => setWhole(!isWhole)}>
            {isWhole ? copilot.showLess : copilot.showAll}
          </Button>
        )}
      </Group>
      <ul className={`${classes['problems']} ${classes['lines']}`} style={{ maxHeight: 'none' }}>
        {(isWhole ? of : of.slice(0, FIRST)).map(children)}
      </ul>
    </>
  );
}

/** What a change of a part is about; couplings are no subject of their own. */
export const subjectOf = ({
  partId,
  scope,
}: {
  readonly partId: string;
  readonly scope: 'QUBIT' | 'COUPLING';
}): Partial<PageSubject> => (scope === 'QUBIT' ? { qid: partId } : {});

/** Asks the copilot about what a line is about. */
export function Explain({
  name,
  draft,
  about,
}: {
  /** Of the button, for those who do not see the line. */
  readonly name: string;
  readonly draft: string;
  readonly about: Partial<PageSubject>;
}) {
  const { changes } = useI18n().words.chip;
  const ask = useAsk();
  return (
    <Button size="compact-xs" variant="subtle" aria-label={name} onClick={() => ask(draft, about)}>
      {changes.explainButton}
    </Button>
  );
}
