/** A chip and its parts. Objects of these types were read within one project and carry its id. */
import type { GridPosition } from './topology.ts';

/**
 * A chip that its reader may see: only the chips service makes one, within the viewer's project, so that a function
 * that takes a `Chip` needs no further permission. One chip id may exist in several projects.
 */
export type Chip = {
  readonly projectId: string;
  readonly chipId: string;
  /** Declared number of qubits; labels are padded by it. */
  readonly size: number;
  readonly installedAt: Date | null;
  /** As stored; may name a topology that is not in the catalogue. */
  readonly topologyId: string | null;
  /** Places that came with an imported device; used where the catalogue has no topology of that id. */
  readonly layout: ReadonlyMap<string, GridPosition> | null;
  /** Of a chip that is imported whole: its newest snapshot. Null for chips whose parts are recorded one by one. */
  readonly snapshotAt?: Date | null;
  /** Cool-down that the chip is in; null where the database does not say. */
  readonly currentCooldownId: string | null;
  /** False for chips that the lab has retired. */
  readonly isActive: boolean;
};

/** A qubit's identity and place; its values are loaded apart. */
export type Qubit = {
  readonly projectId: string;
  readonly chipId: string;
  readonly qid: string;
  /** `Q07` on chips of up to 99 qubits, `Q007` on larger ones. */
  readonly label: string;
  /** Null where neither a topology nor couplings place it. */
  readonly position: GridPosition | null;
};

/** A directed coupling: for cross-resonance gates control and target are not interchangeable. */
export type Coupling = {
  readonly projectId: string;
  readonly chipId: string;
  /** `control-target`, for example `4-1`. */
  readonly couplingId: string;
  readonly controlQid: string;
  readonly targetQid: string;
  /** Of a past coupling, which the newest snapshot of its chip lacks: the last snapshot that had it. Else null. */
  readonly lastSeenAt: Date | null;
};

type Seen = { readonly lastSeenAt: Date | null };

/** Without past couplings. */
export const presentOf = <Part extends Seen>(parts: readonly Part[]): readonly Part[] =>
  parts.filter(({ lastSeenAt }) => lastSeenAt === null);

/**
 * One cycle of a cryostat from cooling down to warming up. Values of different cool-downs are not of the same device
 * state.
 */
export type Cooldown = {
  readonly cooldownId: string;
  readonly cryostatId: string | null;
  readonly description: string;
  readonly startedAt: Date | null;
  /** Null while it lasts. */
  readonly endedAt: Date | null;
  readonly chipIds: readonly string[];
  readonly note: string | null;
  readonly noteBy: string | null;
  readonly noteAt: Date | null;
};
