/** Charts of results as pictures, which assistants show and models look at; each stays linked as data, too. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Logger } from '../../base/log.ts';
import { pictureWords } from '../../domain/pictures/picture-words.ts';
import type { PictureSource } from '../../domain/pictures/source.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { Visual } from '../../domain/visuals.ts';
import type { Pictures } from '../../pictures/pictures.ts';
import { visualUri } from './uris.ts';

export type PictureDeps = { readonly pictures: Pictures; readonly log: Logger };

/** A chart or table of a result, where it can be read again, and of what it is. */
export type LinkedVisual = { readonly id: string; readonly visual: Visual; readonly source: PictureSource };

type Content = CallToolResult['content'];

/** Pictures in one result; further charts are links. */
const MOST_PICTURES = 4;

const PICTURES = 'pictures';

/** Whether the address of a client asks for pictures, as all do that say nothing; null for a word that says neither. */
export function asksForPictures(url: string | undefined): boolean | null {
  const asked = new URL(url ?? '/', 'http://qpilot').searchParams.get(PICTURES) ?? 'true';
  return asked === 'true' ? true : asked === 'false' ? false : null;
}

/** Links to charts and tables, each chart with its picture before it where the client wants pictures. */
export async function contentOf(
  deps: PictureDeps,
  viewer: Viewer,
  visuals: readonly LinkedVisual[],
  withPictures: boolean,
): Promise<Content> {
  const drawn = new Set(visuals.filter(({ visual }) => visual.type === 'chart').slice(0, MOST_PICTURES));
  const content: Content = [];
  for (const linked of visuals) {
    if (withPictures && drawn.has(linked)) content.push(...(await pictureOf(deps, viewer, linked)));
    content.push(linkTo(linked));
  }
  return content;
}

/** One picture; none where it is refused or the server is busy: the result is worth more than its pictures. */
async function pictureOf(
  { pictures, log }: PictureDeps,
  viewer: Viewer,
  { visual, source }: LinkedVisual,
): Promise<Content> {
  if (visual.type !== 'chart') return [];
  try {
    const drawn = await pictures.draw(viewer.id, { chart: visual, source, format: 'png' });
    if ('body' in drawn)
      return [{ type: 'image', data: drawn.body.toString('base64'), mimeType: 'image/png' }];
    log.info({ title: visual.title, reason: drawn.refused }, 'a chart was sent without a picture');
  } catch (error) {
    log.warn({ err: error, title: visual.title }, 'a chart was sent without a picture');
  }
  return [];
}

/** A chart or table to read as a resource. Of a chart, its words are what a picture shows, for those who do not see it. */
function linkTo({ id, visual, source }: LinkedVisual): Content[number] {
  return {
    type: 'resource_link',
    uri: visualUri(visual.type, id),
    name: visual.title,
    mimeType: 'application/json',
    description:
      visual.type === 'chart'
        ? `${pictureWords(visual, source)}. Chart: data and layout for Plotly`
        : 'Table: columns and rows',
  };
}
