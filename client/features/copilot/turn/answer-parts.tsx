import { isFinal, type TurnView } from '@qpilot/client/view';
import { memo, use, useMemo } from 'react';
import { PictureSourceContext, pictureSource } from '../../logbook/picture-source.ts';
import { answerLayout } from '../model/answer-layout.ts';
import { chipOfAnswer } from '../model/logbook-entry.ts';
import { AnswerExhibit } from '../visuals/answer-exhibit.tsx';
import { Evidence } from '../visuals/evidence.tsx';
import classes from './answer-parts.module.css';
import { LinkContext } from './link-context.ts';
import { JoinedMessage } from './joined-message.tsx';
import { MarkdownText } from './markdown.tsx';
import { NumberTips } from './number-tip.tsx';

const NO_NUMBERS: NonNullable<TurnView['answer']>['numbers'] = [];

/** An answer: its words, each number with its source, one visual beside them, and folded what else it rests on. */
export const AnswerParts = memo(function AnswerParts({ turn }: { readonly turn: TurnView }) {
  const { words, picture, evidence } = useMemo(
    () => answerLayout(turn.parts, turn.question.text),
    [turn.parts, turn.question.text],
  );
  const numbers = turn.answer?.numbers ?? NO_NUMBERS;
  const isGrowing = !isFinal(turn);
  const source = pictureSource(chipOfAnswer(turn, use(LinkContext)), turn.answer?.freshness ?? []);
  if (words.length === 0 && picture === null && evidence.length === 0) return null;
  return (
    <PictureSourceContext value={source}>
      <NumberTips numbers={numbers} steps={turn.steps}>
        <div className={classes['answer']}>
          <div className={classes['body']} data-growing={isGrowing}>
            <div className={classes['words']} data-words>
              {words.map(({ part, offset, isLast }) =>
                part.type === 'text' ? (
                  <MarkdownText
                    key={`text ${offset}`}
                    text={part.text}
                    offset={offset}
                    numbers={numbers}
                    isGrowing={isGrowing && isLast}
                  />
                ) : (
                  <JoinedMessage key={part.message.id} message={part.message} />
                ),
              )}
            </div>
            {picture && (
              <div className={classes['picture']}>
                <AnswerExhibit exhibit={picture} />
              </div>
            )}
          </div>
          {!isGrowing && <Evidence exhibits={evidence} isOpen={words.length === 0} />}
        </div>
      </NumberTips>
    </PictureSourceContext>
  );
});
