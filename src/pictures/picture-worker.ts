/** Entry of the thread that draws: a job at a time, until the thread is ended. */
import { parentPort } from 'node:worker_threads';
import { drawChart } from '../domain/pictures/draw-chart.ts';
import type { PictureJob, PictureReport } from './pictures.ts';
import { openRaster } from './raster.ts';

/** A PNG is a little larger than the page that it is drawn for, which small words need. */
const ZOOM = 1.25;
const MOST_WIDTH_PX = 1_000;
/** The size of a PNG that a message can carry, and how much smaller it is tried where it is larger. */
const MOST_BYTES = 200_000;
const SMALLER = [1, 0.75, 0.5];

if (!parentPort) throw new Error('picture-worker.ts runs as a worker thread only; pictures.ts starts it');
const port = parentPort;
const raster = openRaster();
raster.catch(() => undefined); // each job reports it

port.on('message', (job: PictureJob) => void work(job).then((report) => port.postMessage(report)));

async function work({ chart, source, format }: PictureJob): Promise<PictureReport> {
  try {
    const picture = drawChart(chart, source);
    if ('refused' in picture) return { refused: picture.refused };
    if (format === 'svg') return { body: Buffer.from(picture.svg, 'utf8') };
    const draw = await raster;
    const widthPx = Math.min(MOST_WIDTH_PX, picture.width * ZOOM);
    for (const part of SMALLER) {
      const body = draw(picture.svg, Math.round(widthPx * part));
      if (body.length <= MOST_BYTES) return { body };
    }
    return { refused: `it would be larger than ${MOST_BYTES} bytes` };
  } catch (error) {
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
