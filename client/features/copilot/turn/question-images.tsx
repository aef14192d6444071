import type { TurnView } from '@qpilot/client/view';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import classes from './turn.module.css';

/** Pictures that the user sent with a message. */
export function QuestionImages({ images }: Pick<TurnView['question'], 'images'>) {
  const { copilot } = useWords();
  return images.map(({ url, width, height }) => (
    <a key={url} href={url} target="_blank" rel="noopener noreferrer">
      <img src={url} width={width} height={height} alt={copilot.attachedImage} className={classes['image']} />
    </a>
  ));
}
