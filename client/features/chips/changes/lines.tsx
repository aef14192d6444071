import { Button, Group, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useI18n } from '../../../lib/i18n/i18n.tsx';
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
      <ul className={classes['problems']} style={{ maxHeight: 'none' }}>
        {(isWhole ? of : of.slice(0, FIRST)).map(children)}
      </ul>
    </>
  );
}

/** Asks the copilot about a change, with its part as the subject. */
export function Explain({
  label,
  draft,
  partId,
  scope,
}: {
  readonly label: string;
  readonly draft: string;
  readonly partId: string;
  readonly scope: 'QUBIT' | 'COUPLING';
}) {
  const { changes } = useI18n().words.chip;
  const ask = useAsk();
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      aria-label={changes.explainPart(label)}
      onClick={() => ask(draft, scope === 'QUBIT' ? { qid: partId } : {})}
    >
      {changes.explainButton}
    </Button>
  );
}
