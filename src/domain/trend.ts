/** Which way a series goes over time. Whether that is good is the metric's direction to say. */
export const TRENDS = ['UP', 'DOWN', 'STABLE'] as const;
/** One of {@link TRENDS}. */
export type Trend = (typeof TRENDS)[number];
