/** Where qubits stand and which are connected. */

/** Place of a qubit on the drawing grid, from 0 at the top left. */
export type GridPosition = { readonly row: number; readonly column: number };

/** A chip's layout. */
export type Topology = {
  readonly topologyId: string;
  /** Side of the square drawing grid. */
  readonly gridSize: number;
  /** `grid`, `hex`, `linear`, or `derived` when it was made from the chip's couplings. */
  readonly layoutType: string;
  /** Qubits of one multiplexed readout unit; null on chips without MUX. */
  readonly muxSize: number | null;
  /** Edges as declared; order is meaningful where a direction is. */
  readonly couplings: readonly (readonly [string, string])[];
  readonly positions: ReadonlyMap<string, GridPosition>;
  /** True when the layout was derived from couplings, because the catalogue has none of that name. */
  readonly isDerived: boolean;
};
