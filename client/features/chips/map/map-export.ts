import { saveFile } from '../../../lib/save-file.ts';
import type { Legend } from './map-legend.tsx';

/** What a saved map says of itself. */
export type MapCaption = {
  readonly title: string;
  /** Chip, dates and what it is compared with. */
  readonly subtitle: string;
  readonly legends: readonly Legend[];
  readonly isDark: boolean;
};

const HEAD_PX = 56;
const LEGEND_PX = 26;
const EDGE_PX = 16;
const BAR_PX = 120;
/** So that title and legends have room above and below a small map. */
const MIN_WIDTH_PX = 560;
const PNG_SCALE = 2;

/** A drawn map as a picture of its own: title, chip, dates and colour scales are in it. */
export function mapPicture(map: SVGSVGElement, { title, subtitle, legends, isDark }: MapCaption) {
  const [mapWidth, mapHeight] = [Number(map.getAttribute('width')), Number(map.getAttribute('height'))];
  const width = Math.max(MIN_WIDTH_PX, mapWidth + 2 * EDGE_PX);
  const height = HEAD_PX + mapHeight + LEGEND_PX * legends.length + EDGE_PX;
  const ink = isDark ? '#e6e8eb' : '#1f2328';
  const drawing = map.cloneNode(true) as SVGSVGElement;
  for (const overlay of drawing.querySelectorAll('[data-overlay]')) overlay.remove();
  for (const part of drawing.querySelectorAll('[data-part]'))
    for (const name of part.getAttributeNames()) part.removeAttribute(name);
  for (const text of drawing.querySelectorAll('[aria-hidden]')) text.removeAttribute('aria-hidden');
  const parts = [...drawing.children].map((child) => new XMLSerializer().serializeToString(child)).join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" fill="${ink}"><rect width="${width}" height="${height}" fill="${isDark ? '#16191d' : '#ffffff'}"/><text x="${EDGE_PX}" y="24" font-size="16" font-weight="600">${escaped(title)}</text><text x="${EDGE_PX}" y="43" font-size="12">${escaped(subtitle)}</text><g transform="translate(${(width - mapWidth) / 2} ${HEAD_PX})">${parts}</g>${legends
    .map((legend, index) => legendSvg(legend, index, HEAD_PX + mapHeight + LEGEND_PX * index + 17))
    .join('')}</svg>`;
  return { svg, width, height };
}

/** One line: the title, the bar of colours between its ends, and the states. Text is as wide as it is, so it flows. */
function legendSvg({ title, scale, states, note }: Legend, index: number, y: number): string {
  const id = `scale-${index}`;
  const words = [...states.map(({ text }) => text), note].filter((text) => text !== '').join(' · ');
  if (scale === null) {
    const marks = states
      .map(
        ({ color, text }) =>
          `<tspan fill="${color}" stroke="#868e96" stroke-width="0.5">■</tspan> ${escaped(text)}`,
      )
      .join('   ');
    return `<text x="${EDGE_PX}" y="${y}" font-size="12" xml:space="preserve"><tspan font-weight="600">${escaped(title)}</tspan>  ${marks}</text>`;
  }
  const stops = scale.colors
    .map((color, at) => `<stop offset="${at / (scale.colors.length - 1)}" stop-color="${color}"/>`)
    .join('');
  return `<linearGradient id="${id}">${stops}</linearGradient><rect x="${EDGE_PX}" y="${y - 10}" width="${BAR_PX}" height="11" fill="url(#${id})"/><text x="${EDGE_PX + BAR_PX + 10}" y="${y}" font-size="12"><tspan font-weight="600">${escaped(title)}</tspan> ${escaped(`${scale.low} – ${scale.high}${words === '' ? '' : ` · ${words}`}`)}</text>`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Has the browser save a map. */
export async function saveMap(map: SVGSVGElement, format: 'svg' | 'png', caption: MapCaption): Promise<void> {
  const { svg, width, height } = mapPicture(map, caption);
  const name = `${caption.title}.${format}`;
  if (format === 'svg') return saveFile(name, new Blob([svg], { type: 'image/svg+xml' }));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = new OffscreenCanvas(width * PNG_SCALE, height * PNG_SCALE);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  saveFile(name, await canvas.convertToBlob({ type: 'image/png' }));
}
