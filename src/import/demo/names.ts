/** Project and chip of the demo. */
export const DEMO_PROJECT = 'demo';
/** See {@link DEMO_PROJECT}. */
export const DEMO_CHIP = 'demo-64';
