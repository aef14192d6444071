import { isFinal, textOf, type TurnView } from '../model/session-view.ts';
import { AnswerChart } from '../visuals/answer-chart.tsx';
import { AnswerTable } from '../visuals/answer-table.tsx';
import { JoinedMessage } from './joined-message.tsx';
import { MarkdownText } from './markdown.tsx';
import { NumberTips } from './number-tip.tsx';

const NO_NUMBERS: NonNullable<TurnView['answer']>['numbers'] = [];

/** Text, charts and tables of an answer in reading order, each number with its source. */
export function AnswerParts({ turn }: { readonly turn: TurnView }) {
  const isGrowing = !isFinal(turn);
  const parts = turn.parts.map((part, index) => {
    switch (part.type) {
      case 'text':
        return (
          <MarkdownText
            key={`text ${index}`}
            text={part.text}
            offset={textOf(turn.parts.slice(0, index)).length}
            numbers={turn.answer?.numbers ?? NO_NUMBERS}
            isGrowing={isGrowing && index === turn.parts.length - 1}
          />
        );
      case 'chart':
        return <AnswerChart key={part.chart.id} chart={part.chart} />;
      case 'message':
        return <JoinedMessage key={part.message.id} message={part.message} />;
      case 'table':
        return <AnswerTable key={part.table.id} table={part.table} />;
      default:
        return part satisfies never;
    }
  });
  return (
    <NumberTips numbers={turn.answer?.numbers ?? NO_NUMBERS} steps={turn.steps}>
      {parts}
    </NumberTips>
  );
}
