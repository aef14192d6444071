import { IconChartBar, IconTable } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useVisualWords } from '../../../components/chart/use-visual-words.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { PinButton } from '../../pins/pin-button.tsx';
import { exhibitIn, type Exhibit } from '../model/answer-layout.ts';
import { AnswerChart } from './answer-chart.tsx';
import { AnswerTable } from './answer-table.tsx';
import { VisualTool } from './visual-tool.tsx';

/** A chart, which can be turned into the table of its values and back, or a table. */
export function AnswerExhibit({ exhibit: given }: { readonly exhibit: Exhibit }) {
  const { copilot } = useWords();
  const words = useVisualWords();
  const exhibit = useMemo(() => exhibitIn(words, given), [words, given]);
  const [shown, setShown] = useState<'chart' | 'table' | null>(null);
  if (exhibit.type === 'table') return <AnswerTable table={exhibit.table} tool={pinOf(exhibit.table)} />;
  const { chart, table } = exhibit;
  if (table === null) return <AnswerChart chart={chart} pin={pinOf(chart)} />;
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
  if (!isTable) return <AnswerChart chart={chart} tool={turn} pin={pinOf(chart)} />;
  const tools = (
    <>
      {turn}
      {pinOf(table)}
    </>
  );
  return <AnswerTable table={table} tool={tools} />;
}

/** Pins what a tool made; what a model drew by itself cannot be read again. */
const pinOf = ({ id, callId, title }: { id: string; callId: string | null; title: string }) =>
  callId === null ? null : <PinButton title={title} pinned={{ visualId: id }} />;
