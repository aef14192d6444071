export { QPilotProvider, useQPilot } from './provider.ts';
export type { TurnState } from './turn-store.ts';
export { useChart, type LoadedChart } from './use-chart.ts';
export { useChip, type LoadedChip } from './use-chip.ts';
export { useTurn, type Turn, type TurnOptions } from './use-turn.ts';
