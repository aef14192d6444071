/**
 * Topologies as files: `config/topologies/*.yaml`. Regular lattices are a line of numbers; others list every
 * qubit.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { linearLattice, squareMuxLattice } from '../../domain/chip/lattices.ts';
import { type GridPosition, sideOf, type Topology } from '../../domain/chip/topology.ts';
import { StartupError } from '../../base/errors.ts';
import { readYamlFile } from '../../config/yaml-file.ts';

const qubitNumber = z.number().int().min(0);
const id = z.string().min(1);

const explicit = z
  .strictObject({
    id,
    lattice: z.literal('explicit'),
    layoutType: z.enum(['grid', 'hex', 'linear']),
    gridSize: z.number().int().positive(),
    rows: z.array(z.array(z.tuple([qubitNumber, z.number().int().min(0)]))).min(1),
    couplings: z.array(z.array(z.tuple([qubitNumber, qubitNumber]))),
  })
  .superRefine(({ rows, couplings, gridSize }, context) => {
    const qubits = rows.flat().map(([qubit]) => qubit);
    const known = new Set(qubits);
    if (known.size !== qubits.length) {
      context.addIssue({ code: 'custom', path: ['rows'], message: 'a qubit appears in two places' });
    }
    for (const end of couplings.flat(2).filter((qubit) => !known.has(qubit))) {
      context.addIssue({ code: 'custom', path: ['couplings'], message: `qubit ${end} is in no row` });
    }
    if (sideOf(positionsOf(rows).values()) > gridSize) {
      context.addIssue({ code: 'custom', path: ['gridSize'], message: 'is too small for the rows' });
    }
  });

const topologyFile = z.discriminatedUnion('lattice', [
  z.strictObject({ id, lattice: z.literal('square-mux'), side: z.number().int().positive().multipleOf(2) }),
  z.strictObject({ id, lattice: z.literal('linear'), length: z.number().int().positive() }),
  explicit,
]);

/**
 * Reads every topology of a folder, by id. A file is named after the id in it, so that a chip's topology is easy
 * to find.
 * @throws StartupError naming the file that cannot be used.
 */
export async function readTopologies(folder: string): Promise<ReadonlyMap<string, Topology>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).toSorted();
  const topologies = await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name);
      const topology = build(await readYamlFile(file, topologyFile));
      if (`${topology.topologyId}.yaml` === name) return topology;
      throw new StartupError(`${file} describes ${topology.topologyId}: name it ${topology.topologyId}.yaml`);
    }),
  );
  return new Map(topologies.map((topology) => [topology.topologyId, topology]));
}

function build(file: z.output<typeof topologyFile>): Topology {
  switch (file.lattice) {
    case 'square-mux':
      return squareMuxLattice(file.id, file.side);
    case 'linear':
      return linearLattice(file.id, file.length);
    case 'explicit':
      return {
        topologyId: file.id,
        gridSize: file.gridSize,
        layoutType: file.layoutType,
        muxSize: null,
        muxOf: new Map(),
        couplings: file.couplings.flat().map(([a, b]) => [String(a), String(b)] as const),
        positions: positionsOf(file.rows),
        placedBy: 'CATALOGUE',
      };
    default:
      return file satisfies never;
  }
}

function positionsOf(
  rows: readonly (readonly (readonly [number, number])[])[],
): ReadonlyMap<string, GridPosition> {
  return new Map(
    rows.flatMap((qubits, row) => qubits.map(([qubit, column]) => [String(qubit), { row, column }] as const)),
  );
}
