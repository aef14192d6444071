import { resolve } from 'node:path';
import { readMetricCatalog } from '../../src/stores/catalogue/metrics-file.ts';
import { readTopologies } from '../../src/stores/catalogue/topology-files.ts';

/** The catalogue that QPilot ships, as every test uses it. */
export const shippedMetrics = await readMetricCatalog(resolve('config/metrics.yaml'));
/** The topologies that QPilot ships, by id. */
export const shippedTopologies = await readTopologies(resolve('config/topologies'));
