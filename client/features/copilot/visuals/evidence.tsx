import { Text, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import type { Exhibit } from '../model/answer-layout.ts';
import classes from '../turn/steps.module.css';
import { AnswerExhibit } from './answer-exhibit.tsx';

/** Further charts and tables of an answer, folded to a line that counts them; `isOpen` where there is nothing else. */
export function Evidence({
  exhibits,
  isOpen: isOpenAtFirst,
}: {
  readonly exhibits: readonly Exhibit[];
  readonly isOpen: boolean;
}) {
  const { copilot } = useWords();
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const id = useId();
  if (exhibits.length === 0) return null;
  const charts = exhibits.filter(({ type }) => type === 'chart').length;
  return (
    <div className={classes['steps']}>
      <UnstyledButton
        className={classes['header']}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <IconChevronRight size={14} className={classes['chevron']} data-open={isOpen} aria-hidden />
        <Text span size="xs" c="dimmed">
          {copilot.evidence(charts, exhibits.length - charts)}
        </Text>
      </UnstyledButton>
      <div id={id}>
        {isOpen &&
          exhibits.map((exhibit) => (
            <AnswerExhibit
              key={exhibit.type === 'chart' ? exhibit.chart.id : exhibit.table.id}
              exhibit={exhibit}
            />
          ))}
      </div>
    </div>
  );
}
