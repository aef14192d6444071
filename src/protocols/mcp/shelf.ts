/**
 * What the calls of one person leave for their later calls: whole results for analysis code, and charts and tables behind
 * links. In memory only, since a call has no conversation to keep it in: each may be made again.
 */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createSessionData, type DataStore } from '../../agent/data/session-data.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { PictureSource } from '../../domain/pictures/source.ts';
import type { Visual } from '../../domain/visuals.ts';

/** Of all people together, in bytes: results and visuals each. The least recently used go first. */
const SHELF_BYTES = 32_000_000;
/** Of one result. */
const RESULT_BYTES = 8_000_000;
const KEPT_MS = 30 * 60_000;

type Store = Parameters<typeof createSessionData>[0];
type Body = Parameters<Store['put']>[2];
/** A chart or table as JSON text, and of what it is. */
type KeptVisual = { readonly json: string; readonly source: PictureSource };
type Kept = Body & { readonly key: string; readonly updatedAt: Date; readonly order: number };

export type Shelf = ReturnType<typeof createShelf>;

export function createShelf(now: () => Date) {
  const bounds = { maxSize: SHELF_BYTES, ttl: KEPT_MS };
  const results = new LRUCache<string, Kept>({
    ...bounds,
    sizeCalculation: ({ key, json }) => key.length + json.length,
  });
  const visuals = new LRUCache<string, KeptVisual>({ ...bounds, sizeCalculation: ({ json }) => json.length });
  let puts = 0;
  const of = (owner: string): readonly Kept[] =>
    [...results]
      .flatMap(([name, kept]) => (name.startsWith(`${owner}\n`) ? [kept] : []))
      .toSorted((a, b) => a.order - b.order);
  const store: Store = {
    put: async (owner, key, body) =>
      void results.set(`${owner}\n${key}`, { ...body, key, updatedAt: now(), order: (puts += 1) }),
    get: async (owner, key) => results.get(`${owner}\n${key}`)?.json ?? null,
    list: async (owner) =>
      of(owner).map(({ key, json, updatedAt, freshness }) => ({
        key,
        bytes: Buffer.byteLength(json),
        updatedAt,
        freshness,
      })),
    all: async (owner) => of(owner),
  };
  return {
    /** The results of a person. */
    dataOf: (viewer: Viewer): DataStore => createSessionData(store, ownerOf(viewer), RESULT_BYTES),
    /** Keeps a chart or table; returns its id. */
    keep(viewer: Viewer, visual: Visual, source: PictureSource): string {
      const id = randomUUID();
      visuals.set(`${ownerOf(viewer)}\n${id}`, { json: JSON.stringify(visual), source });
      return id;
    },
    /** Null if it is somebody else's, or not kept any more. */
    visual: (viewer: Viewer, id: string): KeptVisual | null =>
      visuals.get(`${ownerOf(viewer)}\n${id}`) ?? null,
  };
}

const ownerOf = ({ projectId, id }: Viewer): string => JSON.stringify([projectId, id]);
