/** Closed sets of words. Each is tied to its domain type: a value that only one side knows does not compile. */
import type { HealthLabel } from '../src/domain/chip/chip-health.ts';
import type { MetricSelection } from '../src/domain/chip/chip-metric.ts';
import type {
  Assessment,
  MessageRole,
  ToolCallStatus,
  TurnStatus,
} from '../src/domain/conversation/session.ts';
import type { FallbackReason, TurnPhase, NoticeKind } from '../src/domain/conversation/session-event.ts';
import type { NoteSubject } from '../src/domain/records/notes.ts';
import type { ProvenanceNode, ProvenanceRelationKind } from '../src/domain/records/provenance.ts';
import type { DataSource } from '../src/domain/values/freshness.ts';
import type { Direction, MetricScope, Rating } from '../src/domain/values/metric.ts';
import type { EntityLevel } from '../src/domain/values/period-comparison.ts';
import type { TaskStatus } from '../src/domain/values/task-result.ts';
import type { Trend } from '../src/domain/values/trend.ts';
import type { ChartKind } from '../src/domain/visuals.ts';
import type { UserErrorCode } from '../src/base/errors.ts';
import { builder } from './builder.ts';

/** Makes a GraphQL enum of a union of words, with a description for each. */
export function enumOf<Value extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Value, string>>,
) {
  const config = Object.fromEntries(
    Object.entries<string>(values).map(([value, text]) => [value, { value, description: text }]),
  );
  // Object.fromEntries forgets which keys it was given.
  return builder.enumType(name, {
    description,
    values: config as Record<Value, { value: Value; description: string }>,
  });
}

export const TurnStatusEnum = enumOf<TurnStatus>(
  'TurnStatus',
  'Life of a turn. All but the first two are final.',
  {
    QUEUED: 'Waits for an earlier turn of the session.',
    RUNNING: 'Is being answered.',
    COMPLETED: 'Was answered.',
    FAILED: 'Could not be answered; `error` says why.',
    CANCELLED: 'Was stopped by the user; partial text is kept.',
    INTERRUPTED: 'The server stopped while it ran; partial text is kept and a retry is offered.',
  },
);

export const NoticeKindEnum = enumOf<NoticeKind>(
  'TurnNoticeKind',
  'What happened beside the steps of an answer.',
  {
    SOURCE_FALLBACK: 'Another source was asked: see SourceFallbackEvent.',
    STEP_RESET: 'What was said already was taken back: see StepResetEvent.',
  },
);

export const ToolCallStatusEnum = enumOf<ToolCallStatus>(
  'ToolCallStatus',
  'How a tool call ended, or that it has not.',
  {
    RUNNING: 'Is running.',
    OK: 'Gave a result.',
    ERROR: 'Failed; `error` says why.',
    TIMEOUT: 'Took longer than a tool may.',
    SKIPPED: 'Was not run because a limit was reached.',
    CANCELLED: 'Was stopped with its turn.',
  },
);

export const DataSourceEnum = enumOf<DataSource>('DataSource', 'Where the rows behind a result came from.', {
  SNAPSHOT: 'Stored calibration results.',
  LIVE: 'The live control system.',
  SANDBOX: 'Computed by Python from stored results.',
  DATASET: 'A table that a user uploaded.',
  NOTES: 'Notes of people and machines.',
  KNOWLEDGE: 'Descriptions of calibration tasks.',
  CONFIG: 'Settings and catalogues of this server.',
  WEB: 'Public web pages.',
});

export const TurnPhaseEnum = enumOf<TurnPhase>('TurnPhase', 'What a running turn is busy with.', {
  QUEUED: 'Waits for an earlier turn.',
  THINKING: 'The model has the question and has put out nothing yet.',
  CALLING_TOOLS: 'Tools are running.',
  ANSWERING: 'The answer is being written.',
  VERIFYING: 'Stored values are compared with live ones.',
  SUMMARIZING: 'Earlier messages are being summarised to make room.',
});

export const FallbackReasonEnum = enumOf<FallbackReason>(
  'FallbackReason',
  'Why values of one source stand beside or in the place of those of another.',
  {
    STALE: 'Stored values are older than they may be.',
    USER_REQUESTED: 'The user asked for live values.',
    NOT_STORED: 'A value that was asked for is not stored.',
    DISPUTED: 'The user doubted stored values.',
    RATE_LIMITED: 'The live source may not be asked that often.',
    TIMEOUT: 'The live source did not answer in time.',
    UNREACHABLE: 'The live source cannot be reached, or did not answer what it should.',
  },
);

export const ChartKindEnum = enumOf<ChartKind>(
  'ChartKind',
  'What a chart is, for clients that prepare a place for it. All but INDICATOR are drawn by plotly.js-cartesian.',
  {
    HEATMAP: 'Values on the grid of the chip.',
    LINE: 'Values over time or another ordered axis.',
    BAR: 'One bar per entity, or one dot or pair of dots where bars from zero would look alike.',
    SCATTER: 'Points of two values.',
    HISTOGRAM: 'Counts per range of values.',
    BOX: 'Quartiles per group.',
    GRAPH: 'Nodes and edges, such as a topology, as scatter traces: lines for edges, marks for nodes.',
    INDICATOR:
      "Single figures: a card each, which the client sets itself, since plotly.js-cartesian cannot. Of each trace: `meta.value` (else `value`), `number.suffix`, and the lines of `meta.notes`; the heading is the chart's title.",
  },
);

export const MessageRoleEnum = enumOf<MessageRole>('MessageRole', 'Who wrote a message.', {
  USER: 'A person.',
  ASSISTANT: 'The copilot.',
});

export const AssessmentEnum = enumOf<Assessment>('Assessment', 'The judgement of an answer.', {
  GOOD: 'As it should be.',
  WARNING: 'Usable, but something needs attention.',
  BAD: 'Not usable as it is.',
});

export const UserErrorCodeEnum = enumOf<UserErrorCode>(
  'UserErrorCode',
  'Outcomes that a caller can act on.',
  {
    INVALID_INPUT: 'The input cannot be used as it is.',
    NOT_FOUND: 'No such thing in the project of the request.',
    SESSION_BUSY: 'The session already runs a turn.',
    RATE_LIMITED: 'Too many requests; later the same one may succeed.',
    BUDGET_EXCEEDED: 'The token budget of the session or of the day is used up.',
    CONFLICT: 'Something else came first: the same key with other content, or another change.',
    STALE_ARTIFACTS: 'The artifacts changed since the revision that was named.',
    SESSION_LINKED: 'A job was made with the builder session; reopen it first.',
    TURN_IN_PROGRESS: 'A turn is writing the artifacts.',
    FORBIDDEN: 'The viewer is known but may not do this.',
  },
);

export const TaskStatusEnum = enumOf<TaskStatus>('TaskStatus', 'Life of a calibration task.', {
  SCHEDULED: 'Is planned.',
  RUNNING: 'Is running.',
  COMPLETED: 'Ended with a result.',
  FAILED: 'Ended without a result.',
  PENDING: 'Waits for something.',
  SKIPPED: 'Was left out.',
  CANCELLED: 'Was stopped.',
});

export const MetricSelectionEnum = enumOf<MetricSelection>(
  'MetricSelection',
  'How several results of a qubit become one value. Best and average are of the current cool-down, where the chip is in one.',
  {
    LATEST: 'The newest one.',
    BEST: 'The best by the direction of the metric; for NEUTRAL metrics the newest.',
    AVERAGE: 'The mean.',
  },
);

export const RatingEnum = enumOf<Rating>('Rating', 'How good a value is by the thresholds of its metric.', {
  EXCELLENT: 'At least the excellent threshold.',
  GOOD: 'At least the good threshold.',
  FAIR: 'Between bad and good.',
  BAD: 'At the bad threshold or beyond it.',
  UNKNOWN: 'Not rated: no value, no thresholds, or a metric without a direction.',
});

export const HealthLabelEnum = enumOf<HealthLabel>('HealthLabel', 'A chip in one word, from its score.', {
  EXCELLENT: 'A score of 2.5 or more.',
  GOOD: 'A score of 2.0 or more.',
  FAIR: 'A score of 1.5 or more.',
  POOR: 'A score below 1.5.',
  UNKNOWN: 'No rated value.',
});

export const TrendEnum = enumOf<Trend>(
  'Trend',
  'Which way a series goes over time; good or bad is for the metric to say.',
  {
    UP: 'Rises by more than 1 % of its median over its time span.',
    DOWN: 'Falls by more than 1 % of its median over its time span.',
    STABLE: 'Neither.',
  },
);

export const DirectionEnum = enumOf<Direction>('Direction', 'Which way is better.', {
  HIGHER_IS_BETTER: 'For example coherence times.',
  LOWER_IS_BETTER: 'For example errors.',
  NEUTRAL: 'Shown, not rated, for example frequencies.',
});

export const MetricScopeEnum = enumOf<MetricScope>('MetricScope', 'What a metric is measured on.', {
  QUBIT: 'One qubit.',
  COUPLING: 'A directed pair of qubits.',
});

export const EntityLevelEnum = enumOf<EntityLevel>('EntityLevel', 'What figures are about.', {
  QUBIT: 'Each qubit; for a parameter of couplings each coupling, in its direction.',
  MUX: 'The qubits of each multiplexed readout unit, as the topology says.',
  CHIP: 'All qubits, or all couplings, of the chip.',
});

export const NoteSubjectEnum = enumOf<NoteSubject>('NoteSubject', 'What a person wrote about.', {
  CHIP: 'The chip.',
  QUBIT: 'A qubit.',
  COUPLING: 'A coupling.',
  TASK_RESULT: 'One task result.',
});

export const ProvenanceKindEnum = enumOf<ProvenanceNode['kind']>('ProvenanceKind', 'What a node is.', {
  ENTITY: 'A version of a parameter.',
  ACTIVITY: 'A run of a task.',
});

export const ProvenanceRelationEnum = enumOf<ProvenanceRelationKind>(
  'ProvenanceRelation',
  'How one thing came from another.',
  {
    WAS_GENERATED_BY: 'The version is an output of the run.',
    USED: 'The run started from the version.',
    WAS_DERIVED_FROM: 'The version was measured with the help of the other.',
  },
);
