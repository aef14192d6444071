/** Enums. Each is tied to its domain type: a value that only one side has does not compile. */
import type { ChipChangeKind } from '../src/domain/chip/chip-comparison.ts';
import type { ChangeRanking } from '../src/domain/chip/worst-changes.ts';
import type { HealthComponentName, HealthLabel } from '../src/domain/chip/chip-health.ts';
import type { MetricSelection } from '../src/domain/chip/chip-metric.ts';
import type {
  Assessment,
  Effort,
  MessageRole,
  ToolCallStatus,
  TurnStatus,
} from '../src/domain/conversation/session.ts';
import type {
  FallbackReason,
  NoticeKind,
  ThinkingKind,
  TurnPhase,
} from '../src/domain/conversation/session-event.ts';
import type { NoteSource, NoteSubject } from '../src/domain/records/notes.ts';
import type { ProvenanceNode, ProvenanceRelationKind } from '../src/domain/records/provenance.ts';
import type { PartState } from '../src/domain/values/current.ts';
import type { DataSource } from '../src/domain/values/freshness.ts';
import type { Direction, MetricScope, Rating } from '../src/domain/values/metric.ts';
import type { EntityLevel } from '../src/domain/values/period-comparison.ts';
import type { TaskStatus } from '../src/domain/values/task-result.ts';
import type { Trend } from '../src/domain/values/trend.ts';
import type { ChartKind } from '../src/domain/visuals.ts';
import type { UserErrorCode } from '../src/base/errors.ts';
import { builder } from './builder.ts';

/** Makes a GraphQL enum of a string union, with a description for each value. */
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
  'State of a turn. All but the first two are final.',
  {
    QUEUED: 'Waits for an earlier turn of the session, or in line for a free place.',
    RUNNING: 'Running.',
    COMPLETED: 'Answered.',
    FAILED: 'Failed for the reason in `error`.',
    CANCELLED: 'Stopped by the user; partial text is kept.',
    INTERRUPTED: 'The server stopped while it ran; partial text is kept and a retry is offered.',
    JOINED:
      'Its message joined the turn in `joins`, whose answer has it at its place; see STEER of `WhenBusy`.',
  },
);

export const NoticeKindEnum = enumOf<NoticeKind>('TurnNoticeKind', 'Kind of a notice about an answer.', {
  SOURCE_FALLBACK: 'Another source was used: see SourceFallbackEvent.',
  STEP_RESET: 'Text was taken back: see StepResetEvent.',
});

export const ThinkingKindEnum = enumOf<ThinkingKind>('ThinkingKind', "Who worded a model's thinking.", {
  THOUGHT: 'The words of the model itself.',
  SUMMARY: 'A summary that its provider made.',
});

export const EffortEnum = enumOf<Effort>('Effort', 'How hard a model thinks before it answers.', {
  LOW: 'Quick and cheap.',
  MEDIUM: 'In between.',
  HIGH: 'Slow and thorough.',
});

export const ToolCallStatusEnum = enumOf<ToolCallStatus>('ToolCallStatus', 'State of a tool call.', {
  RUNNING: 'Running.',
  OK: 'Returned a result.',
  ERROR: 'Failed for the reason in `error`.',
  TIMEOUT: 'Exceeded its time limit.',
  SKIPPED: 'Not run because a limit was reached.',
  CANCELLED: 'Stopped with its turn.',
});

export const DataSourceEnum = enumOf<DataSource>('DataSource', 'Where the rows behind a result came from.', {
  SNAPSHOT: 'Stored calibration results.',
  LIVE: 'The live control system.',
  SANDBOX: 'Computed by Python from stored results.',
  DATASET: 'A table that a user uploaded.',
  NOTES: 'Notes of people and machines.',
  KNOWLEDGE: 'Descriptions of calibration tasks.',
  CONFIG: 'Settings and catalogues of this server.',
  WEB: 'Public web pages.',
  MCP: "One of the lab's own MCP servers: never a stored record of a chip.",
});

export const TurnPhaseEnum = enumOf<TurnPhase>('TurnPhase', 'Phase of a running turn.', {
  QUEUED: 'Waits for an earlier turn of the session, or in line for a free place.',
  THINKING: 'The model has the question and has not produced any output yet.',
  CALLING_TOOLS: 'Tools are running.',
  ANSWERING: 'The answer is being written.',
  VERIFYING: 'Stored values are compared with live ones.',
  SUMMARIZING: 'Earlier messages are being summarised to free space in the context.',
  WAITING:
    'The model failed for a reason that passes, such as an overloaded provider; the text says when it is asked again.',
});

export const FallbackReasonEnum = enumOf<FallbackReason>(
  'FallbackReason',
  'Why values of another source are used in addition to or instead of the usual ones.',
  {
    STALE: 'Stored values exceed their age limit.',
    USER_REQUESTED: 'The user asked for live values.',
    NOT_STORED: 'A requested value is not stored.',
    DISPUTED: 'The user disputed stored values.',
    RATE_LIMITED: 'The rate limit of the live source was reached.',
    TIMEOUT: 'The live source did not answer in time.',
    UNREACHABLE: 'The live source cannot be reached, or returned an invalid response.',
  },
);

export const ChartKindEnum = enumOf<ChartKind>(
  'ChartKind',
  'Kind of a chart, for clients that reserve space for it. All but INDICATOR can be drawn with plotly.js-cartesian.',
  {
    HEATMAP: 'Values on the grid of the chip.',
    LINE: 'Values over time or another ordered axis.',
    BAR: 'One bar per entity, or one or two dots if bars from zero would look alike.',
    SCATTER: 'Points of two values.',
    HISTOGRAM: 'Counts per range of values.',
    BOX: 'Quartiles per group.',
    GRAPH: 'Nodes and edges, such as a topology, as scatter traces: lines for edges, markers for nodes.',
    INDICATOR:
      "Single values, one card each, which the client renders itself. A trace has `meta.value` (else `value`), `number.suffix`, and lines of text in `meta.notes`; the heading is the chart's title.",
  },
);

export const MessageRoleEnum = enumOf<MessageRole>('MessageRole', 'Who wrote a message.', {
  USER: 'A person.',
  ASSISTANT: 'The copilot.',
});

export const AssessmentEnum = enumOf<Assessment>('Assessment', 'Judgement given in an answer.', {
  GOOD: 'As it should be.',
  WARNING: 'Usable, but something needs attention.',
  BAD: 'Not usable as it is.',
});

export const UserErrorCodeEnum = enumOf<UserErrorCode>(
  'UserErrorCode',
  'Outcomes that a caller can act on.',
  {
    INVALID_INPUT: 'The input cannot be used as it is.',
    NOT_FOUND: 'Not found in the project of the request.',
    SESSION_BUSY: 'The session already runs a turn.',
    RATE_LIMITED: 'Too many requests; the same one may succeed later.',
    BUDGET_EXCEEDED: 'The token budget of the session or of the day is used up.',
    CONFLICT: 'The same key was used with other content, or another change came first.',
    STALE_ARTIFACTS: 'The artifacts have changed since the given revision.',
    UNDO_OVERLAP: 'Undoing would take later changes along.',
    SESSION_LINKED: 'A job was created with the builder session; reopen it first.',
    TURN_IN_PROGRESS: 'A turn is writing the artifacts.',
    FORBIDDEN: 'The viewer may not do this.',
  },
);

export const TaskStatusEnum = enumOf<TaskStatus>('TaskStatus', 'State of a calibration task.', {
  SCHEDULED: 'Scheduled.',
  RUNNING: 'Running.',
  COMPLETED: 'Ended with a result.',
  FAILED: 'Ended without a result.',
  PENDING: 'Pending.',
  SKIPPED: 'Skipped.',
  CANCELLED: 'Cancelled.',
});

export const MetricSelectionEnum = enumOf<MetricSelection>(
  'MetricSelection',
  'How several results of a qubit become one value. BEST and AVERAGE only use the current cool-down, if there is one.',
  {
    LATEST: 'The newest value.',
    BEST: 'The best value by the direction of the metric; for NEUTRAL metrics the newest.',
    AVERAGE: 'The mean.',
  },
);

export const RatingEnum = enumOf<Rating>('Rating', 'Rating of a value by the thresholds of its metric.', {
  EXCELLENT: 'At the excellent threshold or better.',
  GOOD: 'At the good threshold or better.',
  FAIR: 'Between the bad and the good threshold.',
  BAD: 'At the bad threshold or worse.',
  UNKNOWN: 'Not rated: no value, no thresholds, or a metric without a direction.',
});

export const PartStateEnum = enumOf<PartState>(
  'PartState',
  'Whether a qubit or coupling, or one of its parameters, can be relied on.',
  {
    ENABLED: 'It has a current value.',
    DISABLED: 'Its newest result marks it as disabled; it has no current value.',
    MISSING: 'It has no value, though others have one, or the newest snapshot lacks it.',
    DOUBTFUL: 'It has a current value that is implausible or too old.',
  },
);
export const HealthComponentEnum = enumOf<HealthComponentName>(
  'HealthComponentName',
  'What the health of a chip is made of.',
  {
    QUBITS: 'Ratings of current values of qubits.',
    GATES: 'Ratings of current values of couplings.',
    DISABLED: 'Worth that disabled gates take away.',
    MISSING: 'Worth that missing values take away.',
    AGE: 'Worth that values older than allowed lose.',
  },
);
export const HealthLabelEnum = enumOf<HealthLabel>(
  'HealthLabel',
  'Health of a chip in one word, from its score.',
  {
    EXCELLENT: 'A score of 2.5 or more.',
    GOOD: 'A score of 2.0 or more.',
    FAIR: 'A score of 1.0 or more.',
    POOR: 'A score below 1.0.',
    UNKNOWN: 'No value is rated.',
  },
);

export const TrendEnum = enumOf<Trend>(
  'Trend',
  'Direction of a series over time; whether that is good depends on the metric.',
  {
    UP: 'Rises: a Mann–Kendall test finds it unlikely by chance (below 2 %).',
    DOWN: 'Falls, by the same test.',
    STABLE: 'All values are equal.',
  },
);

export const DirectionEnum = enumOf<Direction>('Direction', 'Which direction is better.', {
  HIGHER_IS_BETTER: 'For example coherence times.',
  LOWER_IS_BETTER: 'For example errors.',
  NEUTRAL: 'Neither; shown without a rating, for example frequencies.',
});

export const MetricScopeEnum = enumOf<MetricScope>('MetricScope', 'What a metric is measured on.', {
  QUBIT: 'One qubit.',
  COUPLING: 'A directed pair of qubits.',
});

export const EntityLevelEnum = enumOf<EntityLevel>(
  'EntityLevel',
  'What each row of a comparison describes.',
  {
    QUBIT: 'Each qubit, or each directed coupling for a coupling parameter.',
    MUX: 'The qubits of each multiplexed readout unit of the topology.',
    CHIP: 'All qubits or all couplings of the chip.',
  },
);

export const NoteSubjectEnum = enumOf<NoteSubject>('NoteSubject', 'Subject of a remark.', {
  PROJECT: 'The project: it names no chip.',
  CHIP: 'The chip.',
  QUBIT: 'A qubit.',
  COUPLING: 'A coupling.',
  TASK_RESULT: 'One task result.',
});

export const NoteSourceEnum = enumOf<NoteSource>('NoteSource', 'Where a remark was left.', {
  NOTE: 'The note on a chip, qubit or coupling, or on a metric of one.',
  COMMENT: 'A comment below the note on a qubit or coupling.',
  RESULT_NOTE: 'The note on a task result.',
  COOLDOWN: 'The note on a cool-down that the chip is in.',
  ISSUE: 'An issue on a task result, or a reply in it.',
  KNOWLEDGE: 'A case learnt from an issue, approved by a person.',
  FORUM: 'A forum thread, or a reply in it.',
  AI_REVIEW: 'A review of a task result by a language model.',
});

export const ProvenanceKindEnum = enumOf<ProvenanceNode['kind']>('ProvenanceKind', 'Kind of a node.', {
  ENTITY: 'A version of a parameter.',
  ACTIVITY: 'A run of a task.',
});

export const ProvenanceRelationEnum = enumOf<ProvenanceRelationKind>(
  'ProvenanceRelation',
  'How one thing came from another.',
  {
    WAS_GENERATED_BY: 'The version is an output of the run.',
    USED: 'The run started from the version.',
    WAS_DERIVED_FROM: 'The version was measured using the other.',
  },
);

export const ChipChangeKindEnum = enumOf<ChipChangeKind>(
  'ChipChangeKind',
  'What happened to a part of a chip, or to one of its values, between two points in time.',
  {
    APPEARED: 'The part, or its first result of the parameter, is there only at the later time.',
    DISAPPEARED: 'The part is there only at the earlier time.',
    DISABLED: 'Its newest result marks it as disabled; at the earlier time it did not.',
    ENABLED: 'It was marked as disabled and has a value again.',
    MOVED: 'Its value differs.',
  },
);

export const ChangeRankingEnum = enumOf<ChangeRanking>(
  'ChipChangeRanking',
  'By what changes of different parameters are ranked.',
  {
    SIGMA: 'By the difference in standard errors.',
    SHARE: 'By the difference as a share of the earlier value.',
  },
);
