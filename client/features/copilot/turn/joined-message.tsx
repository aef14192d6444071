import { Text } from '@mantine/core';
import type { TurnView } from '@qpilot/client/view';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { QuestionImages } from './question-images.tsx';
import classes from './turn.module.css';

/** What the user added while the answer was made, where it was read. */
export function JoinedMessage({ message }: { readonly message: TurnView['question'] }) {
  const { copilot } = useWords();
  return (
    <div className={classes['question']} role="note" aria-label={copilot.joined}>
      <div className={classes['bubble']}>
        <QuestionImages images={message.images} />
        <Text size="sm" className={classes['words']}>
          {message.text}
        </Text>
      </div>
    </div>
  );
}
