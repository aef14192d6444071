/** Pictures of task results: labels and URLs. */

/** A picture of a task result; `index` is its place among the stored paths. */
export type Figure = { readonly label: string; readonly index: number };

export type FigureAddress = { readonly projectId: string; readonly taskId: string; readonly index: number };

/** Route of the server for figures. */
export const FIGURES_PATH = '/figures/';

/**
 * Labels by the stem of the file, as QDash reads them: `marked` and `raw` for what contains these words, the others
 * numbered. No two figures share a label.
 */
export function labelFigures(paths: readonly string[]): readonly Figure[] {
  const counts = new Map<string, number>();
  return paths.map((path, index) => {
    const word = wordOf(path);
    const count = (counts.get(word) ?? 0) + 1;
    counts.set(word, count);
    return { index, label: count === 1 && word !== 'figure' ? word : `${word} ${count}` };
  });
}

function wordOf(path: string): 'marked' | 'raw' | 'figure' {
  const stem =
    path
      .split(/[/\\]/u)
      .at(-1)
      ?.replace(/\.[^.]*$/u, '')
      .toLowerCase() ?? '';
  if (stem.includes('marked')) return 'marked';
  return stem.includes('raw') ? 'raw' : 'figure';
}

/** The path of a figure's URL. The project is in it, since an image element cannot send a header. */
export function figureUrl({ projectId, taskId, index }: FigureAddress): string {
  const [project, task] = [projectId, taskId].map((id) => encodeURIComponent(id.toWellFormed()));
  return `${FIGURES_PATH}${project}/${task}/${index}`;
}

/** The figure that a path of {@link figureUrl} means, null for any other path. */
export function parseFigureUrl(path: string): FigureAddress | null {
  const [project, task, index, ...rest] = path.slice(FIGURES_PATH.length).split('/');
  const isFigure = path.startsWith(FIGURES_PATH) && rest.length === 0 && /^\d{1,4}$/u.test(index ?? '');
  if (!isFigure || !project || !task) return null;
  try {
    return {
      projectId: decodeURIComponent(project),
      taskId: decodeURIComponent(task),
      index: Number(index),
    };
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
