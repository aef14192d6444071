import type { ModelInput } from '../../model.ts';

/** The tool that a call named, for servers that want outputs under its name; empty for a call that is not there. */
export function toolNameOf(callId: string, all: readonly ModelInput[]): string {
  const calls = all.flatMap((input) => (input.type === 'round' ? input.calls : []));
  return calls.findLast((call) => call.callId === callId)?.name ?? '';
}
