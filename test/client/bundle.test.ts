/** What is in the built web client, and how much of it a first visit loads. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { findBuild } from '../../src/server/build-folder.ts';
import { BUILD_PARTS, CLIENT } from '../../src/server/client-build/build-client.ts';
import type { ClientBuild } from '../../src/server/client-build/client-files.ts';
import { initialScripts } from '../../src/server/client-build/client-files.ts';
import { builtClient } from '../support/built-client.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');
const INITIAL_JS_BYTES = 300_000;

describe('the built client', () => {
  let build: ClientBuild;
  let modules: readonly string[];
  beforeAll(async () => {
    const state = (await builtClient()).state();
    if (state.kind !== 'ready') throw new Error(`the client is ${JSON.stringify(state)}`);
    ({ build } = state);
    const { folder } = await findBuild(ROOT, CLIENT);
    modules = (await readFile(join(folder, BUILD_PARTS.modules), 'utf8')).split('\n');
  });

  test('nothing of the server is in it but pure rules and names that both use', () => {
    expect(modules).toContain('client/app/main.tsx');
    const shared =
      /^src\/domain\/(?:artifacts\/[\w-]+|audit\/export-url|members\/pages|visuals|text\/(?:csv|short-hash|utf8)|tool-catalogue)\.ts$/;
    const foreign = /^(src|schema|test|bench)\/|node_modules\/(pg|mongodb|openai|kysely|graphql-yoga|pino)\//;
    expect(modules.filter((path) => foreign.test(path) && !shared.test(path))).toEqual([]);
  });

  test('a first visit loads less than 300 KB of scripts, and neither Plotly nor the editor', () => {
    const scripts = initialScripts(build);
    const bytes = scripts.reduce((sum, path) => sum + (build.files.get(path)?.gzip?.length ?? Infinity), 0);
    expect(scripts.length).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(INITIAL_JS_BYTES);
    expect(scripts.filter((path) => /plotly|codemirror/i.test(path))).toEqual([]);
    expect([...build.files.keys()].filter((path) => /plotly/.test(path))).toHaveLength(1);
  });

  test('the licence of every package in it lies beside it', () => {
    const notices = build.files.get('/third-party-notices.txt');
    expect(notices?.contentType).toContain('text/plain');
    const text = notices?.body.toString() ?? '';
    const inScripts = modules.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
    expect(inScripts.length).toBeGreaterThan(50);
    for (const name of new Set(inScripts)) {
      expect(text).toMatch(new RegExp(`^${name} \\d`, 'mu'));
    }
    expect(text).toContain('Permission is hereby granted, free of charge');
  });

  test('its scripts are production code', () => {
    const texts = initialScripts(build).map((path) => build.files.get(path)?.body.toString() ?? '');
    expect(texts.some((text) => text.includes('This will cause a hydration error'))).toBe(false);
  });

  test('every operation that it sends is known by its hash, and asks for type names', () => {
    expect(build.documents.size).toBeGreaterThan(5);
    const overview = [...build.documents.values()].find((text) => text.includes('query ChipOverview'));
    expect(overview).toContain('chip(chipId: $chipId) { __typename');
    const scripts = [...build.files].filter(([path]) => path.endsWith('.js'));
    const hashes = [...build.documents].filter(([, text]) => text.includes('query ChipOverview'));
    for (const [hash] of hashes) {
      expect(scripts.some(([, { body }]) => body.includes(hash))).toBe(true);
    }
  });
});
