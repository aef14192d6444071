export { answerIn, beginAnswer, viewAnswer } from './answer.ts';
export { applyEvent, withSentTurn } from './apply-event.ts';
export { readChart, watchChip, type Chip, type ChipOptions } from './calibration.ts';
export { createFrameStore, type FrameStore } from './frame-store.ts';
export { cutAtNumbers, type AnswerNumber, type Piece } from './numbers.ts';
export { partsOf } from './parts.ts';
export {
  activeTurnOf,
  EMPTY_SESSION,
  isFinal,
  newTurn,
  shownTurns,
  textOf,
  type Activity,
  type Chart,
  type Notice,
  type Part,
  type SessionView,
  type Step,
  type StepStatus,
  type Thought,
  type TurnPlace,
  type TurnView,
} from './session-view.ts';
