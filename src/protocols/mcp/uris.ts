/** Addresses of what can be read as resources. */

export const CHIPS_URI = 'qpilot://chips';
export const chipUri = (chipId: string): string => `${CHIPS_URI}/${encodeURIComponent(chipId)}`;
export const BOARDS_URI = 'qpilot://boards';
export const boardUri = (boardId: string): string => `${BOARDS_URI}/${encodeURIComponent(boardId)}`;
export const reportUri = (jobId: string): string => `qpilot://jobs/${encodeURIComponent(jobId)}/report`;
/** Of a chart by its id; `{id}` gives the template of all. */
export const pictureUri = (id: string): string => `${visualUri('chart', id)}/picture`;
export const visualUri = (type: 'chart' | 'table', id: string): string => `qpilot://${type}s/${id}`;
