import { IconChartBar, IconTable } from '@tabler/icons-react';
import { useState } from 'react';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import type { Exhibit } from '../model/answer-layout.ts';
import { AnswerChart } from './answer-chart.tsx';
import { AnswerTable } from './answer-table.tsx';
import { VisualTool } from './visual-tool.tsx';

/** A chart, which can be turned into the table of its values and back, or a table. */
export function AnswerExhibit({ exhibit }: { readonly exhibit: Exhibit }) {
  const { copilot } = useWords();
  const [shown, setShown] = useState<'chart' | 'table' | null>(null);
  if (exhibit.type === 'table') return <AnswerTable table={exhibit.table} />;
  const { chart, table } = exhibit;
  if (table === null) return <AnswerChart chart={chart} />;
  const isTable = shown === 'table';
  const turn = (
    <VisualTool
      label={isTable ? copilot.asChart(chart.title) : copilot.asTable(chart.title)}
      // The button that was pressed is gone with its visual: this one takes its place.
      autoFocus={shown !== null}
      onClick={() => setShown(isTable ? 'chart' : 'table')}
    >
      {isTable ? <IconChartBar size={16} /> : <IconTable size={16} />}
    </VisualTool>
  );
  return isTable ? <AnswerTable table={table} tool={turn} /> : <AnswerChart chart={chart} tool={turn} />;
}
