/** Serves the current values of a project's chips to Prometheus. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Registry } from 'prom-client';
import { UserError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { Viewer } from '../domain/conversation/session.ts';
import type { CalibrationServices } from '../services/calibration/calibration-services.ts';
import { chipGauges } from '../services/calibration/chip-gauges.ts';
import {
  plainAnswer,
  projectBelow,
  viewerWithin,
  type PictureAnswer,
  type ViewerDeps,
} from './picture-response.ts';
import { newRequestId } from './request-id.ts';

/** Route of the server for them: `/chip-metrics/{project}`. */
export const CHIP_METRICS_PATH = '/chip-metrics/';

export type ChipMetricsDeps = ViewerDeps & {
  readonly services: Pick<CalibrationServices, 'chips' | 'chipSummaries'>;
  readonly log: Logger;
};

/** The same text in all cases, so that a foreign project looks like an unknown one. */
const NOT_FOUND = plainAnswer(404, 'there is no such project');

/** Answers `GET /chip-metrics/{project}`; `?chip=` leaves out all chips but one, and can be repeated. Never rejects. */
export async function respondWithChipMetrics(
  deps: ChipMetricsDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, contentType, body } = await answerOf(deps, request).catch((error: unknown) => {
    if (error instanceof UserError) return plainAnswer(404, error.message);
    const requestId = newRequestId();
    deps.log.error({ err: error, requestId }, 'the values of chips could not be read');
    return plainAnswer(503, `the values could not be read; the server's log has why under ${requestId}`);
  });
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' });
  response.end(body);
}

async function answerOf(deps: ChipMetricsDeps, request: IncomingMessage): Promise<PictureAnswer> {
  const projectId = projectBelow(CHIP_METRICS_PATH, request);
  const viewer = projectId === null ? null : await viewerWithin(deps, request, projectId);
  if (viewer === null) return NOT_FOUND;
  if (request.method !== 'GET') return plainAnswer(405, 'values of chips are read by GET');
  const asked = new URL(request.url ?? '', 'http://localhost').searchParams.getAll('chip');
  return {
    status: 200,
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
    body: await textOf(deps, viewer, asked),
  };
}

async function textOf(
  { services: { chips, chipSummaries } }: ChipMetricsDeps,
  viewer: Viewer,
  asked: readonly string[],
): Promise<string> {
  const wanted =
    asked.length === 0
      ? await chips.list(viewer)
      : await Promise.all(asked.map((chipId) => chips.get(viewer, chipId)));
  const summaries = await chipSummaries.getMany(wanted.map((chip) => ({ chip, parameters: null })));
  return chipGauges(
    wanted.flatMap((chip, at) => {
      const summary = summaries[at];
      if (summary instanceof Error) throw summary;
      return summary == null ? [] : [[chip, summary] as const];
    }),
  );
}
