/** Charts by their id, and chips that are kept fresh. */
import { createBell } from '../bell.ts';
import type { Connection } from '../connection.ts';
import { NotFoundError, TryLaterError, UnreachableError } from '../errors.ts';
import type { FollowOptions } from '../follow-log.ts';
import { CHART as CHART_FIELDS } from '../fragments.ts';
import type {
  ChipQuery,
  ChipQueryVariables,
  ChipUpdatesSubscription,
  ChipUpdatesSubscriptionVariables,
  StoredChartQuery,
  StoredChartQueryVariables,
} from '../gql/graphql.ts';
import type { RequestOptions } from '../http.ts';
import { operation } from '../operation.ts';
import { chartOf } from './parts.ts';
import type { Chart } from './session-view.ts';

const STORED_CHART = /* GraphQL */ `
  query StoredChart($id: ID!) {
    node(id: $id) {
      __typename
      ... on Chart {
        ...CopilotChart
      }
    }
  }
`;

const CHIP = /* GraphQL */ `
  query Chip($chipId: String!, $metric: String!, $withMetric: Boolean!) {
    chip(chipId: $chipId) {
      chipId
      size
      summary {
        qubitCount
        couplingCount
        freshness {
          newestAt
          oldestAt
          isStale
        }
        health {
          score
          label
          excellent
          good
          fair
          bad
          partProblems {
            kind
            qid
            label
            title
            rating
            value
            threshold
            unit
            severity
          }
        }
        parameters {
          ...ChipStatistics
        }
        couplingParameters {
          ...ChipStatistics
        }
      }
      metric(name: $metric) @include(if: $withMetric) {
        heatmap {
          ...CopilotChart
        }
      }
    }
  }

  fragment ChipStatistics on ParameterStatistics {
    name
    title
    unit
    count
    missing
    median
    mean
    stdev
    min
    max
  }
`;

const CHIP_UPDATES = /* GraphQL */ `
  subscription ChipUpdates($chipId: String!) {
    chipUpdated(chipId: $chipId) {
      chipId
    }
  }
`;

const READ_CHART = operation<StoredChartQuery, StoredChartQueryVariables>(STORED_CHART + CHART_FIELDS);
const READ_CHIP = operation<ChipQuery, ChipQueryVariables>(CHIP + CHART_FIELDS);
const FOLLOW_CHIP = operation<ChipUpdatesSubscription, ChipUpdatesSubscriptionVariables>(CHIP_UPDATES);

/**
 * A chart of a conversation.
 * @throws NotFoundError if there is none with this id that the caller may read
 */
export async function readChart(
  qpilot: Pick<Connection, 'request'>,
  id: string,
  options?: RequestOptions,
): Promise<Chart> {
  const { node } = await qpilot.request(READ_CHART, { id }, options);
  if (node?.__typename !== 'Chart')
    throw new NotFoundError('NOT_FOUND', `there is no chart with the id ${id}`);
  return chartOf(node);
}

type StoredChip = NonNullable<ChipQuery['chip']>;

/** A chip as it is now. Its `summary` has health and the statistics of each parameter; null for one without qubits. */
export type Chip = Omit<StoredChip, 'metric'> & {
  /** The values of the metric that was asked for on the grid of the chip; null for none. */
  readonly heatmap: Chart | null;
};

/** What to watch of a chip, and how. */
export type ChipOptions = Omit<FollowOptions, 'after'> & {
  /** Key of a qubit metric, for example `t1`: its map is read along. */
  readonly metric?: string | undefined;
};

/** How long the first read waits for the subscription to open, which reports every later change. */
const READY_WITHIN_MS = 1_000;
/** How often a chip is read again at most, while its results arrive one after the other. */
const QUIET_MS = 2_000;

/**
 * A chip, and again each time that something about it has changed or may have, until the signal fires. While the server
 * is away nothing comes, and the chip as it is then once it is back.
 * @throws NotFoundError if there is no such chip, and what else the server refuses
 */
export async function* watchChip(
  qpilot: Pick<Connection, 'request' | 'subscribe'>,
  chipId: string,
  { metric, signal, onStatus, ...options }: ChipOptions = {},
): AsyncGenerator<Chip, void, undefined> {
  if (signal?.aborted) return;
  const left = new AbortController();
  const over = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
  const changes = createBell();
  const end = createBell();
  over.addEventListener('abort', () => [changes, end].forEach(({ ring }) => ring()));
  let failure: unknown = null;
  const watch = async (): Promise<void> => {
    const updates = qpilot.subscribe(
      FOLLOW_CHIP,
      { chipId },
      {
        patienceMs: Infinity,
        ...options,
        signal: over,
        onStatus: (status) => {
          onStatus?.(status);
          if (status === 'live') changes.ring();
        },
      },
    );
    for await (const _update of updates) changes.ring();
  };
  const watching = watch().catch((error: unknown) => {
    failure = error;
    changes.ring();
  });
  try {
    await changes.rung(READY_WITHIN_MS);
    while (!over.aborted) {
      if (failure !== null) throw failure;
      const variables = { chipId, metric: metric ?? '', withMetric: metric !== undefined };
      const answer = await qpilot.request(READ_CHIP, variables, { signal: over }).catch((error: unknown) => {
        if (over.aborted || error instanceof UnreachableError || error instanceof TryLaterError) return null;
        throw error;
      });
      if (over.aborted) return;
      if (answer && !answer.chip) throw new NotFoundError('NOT_FOUND', `there is no chip ${chipId}`);
      if (answer?.chip) yield chipOf(answer.chip);
      await end.rung(QUIET_MS);
      await changes.rung(answer ? undefined : QUIET_MS);
    }
  } finally {
    left.abort();
    await watching;
  }
}

const chipOf = ({ metric, ...chip }: StoredChip): Chip => ({
  ...chip,
  heatmap: metric ? chartOf(metric.heatmap) : null,
});
