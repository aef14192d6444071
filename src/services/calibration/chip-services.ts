/** What there is: projects, chips, their parts, and what the parts are called and set to. */
import type { Chip, Coupling, Qubit } from '../../domain/chip/chip.ts';
import type { Cooldown } from '../../domain/chip/cooldown.ts';
import type { Topology } from '../../domain/chip/topology.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { MetricScope } from '../../domain/values/metric.ts';
import type { ParameterValue } from '../../domain/values/parameter-value.ts';
import type { CurrentValuesReader } from './shared-current-values.ts';

/** A project of the deployment. */
export type Project = { readonly projectId: string; readonly name: string };

/** Projects and which of them a request is about. */
export type ProjectsService = {
  list(): Promise<readonly Project[]>;
  /**
   * The project of a request: the one asked for, else the configured one, else the only one.
   * @throws InvalidInputError when none of these says which; NotFoundError when the one asked for does not exist.
   */
  resolve(requested: string | null): Promise<Project>;
};

/** Chips of a project. */
export type ChipsService = {
  /** Newest installation first. */
  list(viewer: Viewer): Promise<readonly Chip[]>;
  /** In the order of `chipIds`, null where the project has no such chip. One read. */
  getMany(viewer: Viewer, chipIds: readonly string[]): Promise<readonly (Chip | null)[]>;
  /** @throws NotFoundError naming the project's chips. */
  get(viewer: Viewer, chipId: string): Promise<Chip>;
  /** The newest active chip, null in an empty project. */
  defaultChip(viewer: Viewer): Promise<Chip | null>;
};

/** News of chips. */
export type ChipUpdatesService = {
  /**
   * The chip, again and again: once after each change that was seen since the stream began. What a chip was at the beginning is not
   * told; ends when `signal` fires. @throws NotFoundError as {@link ChipsService.get}, also when the chip goes away.
   */
  follow(viewer: Viewer, chipId: string, signal: AbortSignal): Promise<AsyncIterable<Chip>>;
};

/** Layouts. */
export type TopologiesService = {
  /** In the order of `chips`; derived from couplings where the catalogue has none, null where there are none either. */
  ofChips(chips: readonly Chip[]): Promise<readonly (Topology | null)[]>;
};

/** Qubits and what is set on them now. `names` null means all parameters. */
export type QubitsService = {
  /** In the order of `chips`, each in numeric order. */
  ofChips(chips: readonly Chip[]): Promise<readonly (readonly Qubit[])[]>;
  /**
   * The qubit that `qid` means: `7`, `Q7` and `Q07` are the same.
   * @throws NotFoundError naming the chip's qubits.
   */
  get(chip: Chip, qid: string): Promise<Qubit>;
  /** As {@link get} for several, in the order given, each once. */
  getMany(chip: Chip, qids: readonly string[]): Promise<readonly Qubit[]>;
  /**
   * Current values in the order of `qubits`; empty where nothing was calibrated. One read for any number; `reader` shares it with
   * others.
   */
  parameters(
    qubits: readonly Qubit[],
    names: readonly string[] | null,
    reader?: CurrentValuesReader,
  ): Promise<readonly (readonly ParameterValue[])[]>;
};

/** A coupling found; `reversed` when it is the twin of the direction asked for, which holds no values itself. */
export type FoundCoupling = { readonly coupling: Coupling; readonly reversed: boolean };

/** Couplings and what is set on them now. */
export type CouplingsService = {
  /** In the order of `chips`; the empty twin of a direction that has values is left out. */
  ofChips(chips: readonly Chip[]): Promise<readonly (readonly Coupling[])[]>;
  /** @throws NotFoundError naming the chip's couplings when neither direction exists. */
  get(chip: Chip, couplingId: string): Promise<FoundCoupling>;
  /** As `get` for several, in the order given. One read. */
  getMany(chip: Chip, couplingIds: readonly string[]): Promise<readonly FoundCoupling[]>;
  /** As `QubitsService.parameters`. */
  parameters(
    couplings: readonly Coupling[],
    names: readonly string[] | null,
  ): Promise<readonly (readonly ParameterValue[])[]>;
};

/** Which parameters there are. */
export type ParameterNamesService = {
  /** Sorted names of what was ever set on the chip's qubits and couplings, or on one qubit or coupling. */
  list(chip: Chip, qid?: string | null): Promise<readonly string[]>;
  /** What a parameter is set on, or put out by a task of: qubits, couplings, both, or nothing where the chip never had it. */
  kinds(chip: Chip, parameter: string): Promise<readonly MetricScope[]>;
};

/** Cycles of cryostats. */
export type CooldownsService = {
  /** Newest first; empty where the database keeps none. */
  list(viewer: Viewer): Promise<readonly Cooldown[]>;
};
