/** The page of a chip. */
export const chipPath = (chipId: string): string => `/chips/${encodeURIComponent(chipId)}`;

/** The page of a qubit (`7`) or a coupling (`4-1`), with the history of a parameter if one is named. */
export const partPath = (chipId: string, partId: string, parameter?: string | null): string =>
  `${chipPath(chipId)}/${/^\d+$/u.test(partId) ? 'qubits' : 'couplings'}/${encodeURIComponent(partId)}${parameter ? `?${new URLSearchParams({ parameter })}` : ''}`;

/** The address of one answer, or of a step behind it, whatever branch of its conversation it is in. */
export const turnPath = (sessionId: string, turnId: string, stepId?: string): string =>
  `/copilot/${sessionId}?${new URLSearchParams({ turn: turnId, ...(stepId !== undefined && { step: stepId }) }).toString()}`;

/** The address of one record of the lab. */
export const recordPath = (taskId: string): string => `/records/${encodeURIComponent(taskId)}`;
