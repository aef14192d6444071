/**
 * Declares the object types that other types refer to, each with the domain object behind it. The files named after the
 * types implement them; separate declarations avoid import cycles.
 */
import type { Board as DomainBoard, BoardContent as DomainBoardContent } from '../src/domain/boards/board.ts';
import type {
  ChipTimeseries as Timeseries,
  ParameterSeries as OneSeries,
} from '../src/domain/chip/chip-timeseries.ts';
import type {
  Chip as DomainChip,
  Coupling as DomainCoupling,
  Qubit as DomainQubit,
} from '../src/domain/chip/chip.ts';
import type { BuilderSession as DomainBuilderSession } from '../src/domain/conversation/builder-session.ts';
import type {
  HistorySummary as DomainHistorySummary,
  MessageRating as DomainMessageRating,
  Message as DomainMessage,
  Session,
  TokenTotals as DomainTokenTotals,
  ToolCall as DomainToolCall,
  Turn as DomainTurn,
  TurnError as DomainTurnError,
  Usage as DomainUsage,
} from '../src/domain/conversation/session.ts';
import type { Upload as DomainUpload } from '../src/domain/datasets/dataset.ts';
import type { Job as DomainJob } from '../src/domain/jobs/job.ts';
import type { Comment as DomainComment, NamedUser } from '../src/domain/members/sharing.ts';
import type { Execution as DomainExecution } from '../src/domain/records/execution.ts';
import type { Freshness as DomainFreshness } from '../src/domain/values/freshness.ts';
import type { ParameterValue as Value } from '../src/domain/values/parameter-value.ts';
import type { ParameterStatistics as Statistics } from '../src/domain/values/statistics.ts';
import type { TaskResult as Result } from '../src/domain/values/task-result.ts';
import type { ChartSpec, TableSpec } from '../src/domain/visuals.ts';
import type { CopilotConfig } from '../src/services/copilot/copilot-config.ts';
import type { ListedExpert } from '../src/services/experts/experts.ts';
import { builder } from './builder.ts';

/** Something computed for a chip, with that chip. */
export type OfChip<Part> = Part & { readonly chip: DomainChip };

/** A chart with its key: the id of a stored chart, the inputs of a computed one. */
export type KeyedChart = { readonly key: string; readonly callId: string | null; readonly spec: ChartSpec };

/** A stored table with its id. */
export type KeyedTable = { readonly key: string; readonly callId: string | null; readonly spec: TableSpec };

/** What an item of a board shows, with the key under which it can be had again. */
export type ContentOfItem = DomainBoardContent & { readonly key: string };

export const Chip = builder.objectRef<DomainChip>('Chip');
export const Qubit = builder.objectRef<DomainQubit>('Qubit');
export const Coupling = builder.objectRef<DomainCoupling>('Coupling');
export const TaskResult = builder.objectRef<Result>('TaskResult');
export const Execution = builder.objectRef<DomainExecution>('Execution');
export const ParameterValue = builder.objectRef<Value>('ParameterValue');
export const ParameterStatistics = builder.objectRef<Statistics>('ParameterStatistics');
export const ChipTimeseries = builder.objectRef<OfChip<Timeseries>>('ChipTimeseries');
export const CouplingTimeseries = builder.objectRef<OfChip<Timeseries>>('CouplingTimeseries');
export const Series = builder.interfaceRef<OfChip<OneSeries>>('Series');
export const ParameterSeries = builder.objectRef<OfChip<OneSeries>>('ParameterSeries');
export const CouplingSeries = builder.objectRef<OfChip<OneSeries>>('CouplingSeries');
export const Freshness = builder.objectRef<DomainFreshness>('Freshness');

export const CopilotSession = builder.objectRef<Session>('CopilotSession');
export const BuilderSession = builder.objectRef<DomainBuilderSession>('BuilderSession');
export const Job = builder.objectRef<DomainJob>('Job');
export const Turn = builder.objectRef<DomainTurn>('Turn');
export const Message = builder.objectRef<DomainMessage>('Message');
export const MessageRating = builder.objectRef<DomainMessageRating>('MessageRating');
export const HistorySummary = builder.objectRef<DomainHistorySummary>('HistorySummary');
export const ToolCall = builder.objectRef<DomainToolCall>('ToolCall');
export const TokenTotals = builder.objectRef<DomainTokenTotals>('TokenTotals');
export const Usage = builder.objectRef<DomainUsage>('Usage');
export const TurnError = builder.objectRef<DomainTurnError>('TurnError');
export const Chart = builder.objectRef<KeyedChart>('Chart');
export const DataTable = builder.objectRef<KeyedTable>('DataTable');
export const User = builder.objectRef<NamedUser>('User');
export const Board = builder.objectRef<DomainBoard>('Board');
export const Comment = builder.objectRef<DomainComment>('Comment');
export const Upload = builder.objectRef<DomainUpload>('Upload');

export const Expert = builder.objectRef<ListedExpert>('Expert');
export const ModelOption = builder.objectRef<CopilotConfig['models'][number]>('ModelOption');
