/** Whether a quantity grows with time: the slope of a line through it, with its error. */

/** A value at a time in hours. */
export type Sample = { readonly at: number; readonly value: number };

/** In units of the value, an hour. */
export type Trend = {
  readonly mean: number;
  readonly slope: number;
  /** Half of the 95 % interval of the slope. */
  readonly error: number;
  readonly is: 'flat' | 'grows' | 'shrinks' | 'too noisy to say';
};

/** Neighbouring samples depend on each other; means of blocks hardly do. */
const BLOCKS = 10;
/** Student's t of 97.5 % with two degrees of freedom fewer than blocks. */
const T = 2.306;
/** Of the mean, an hour: less is flat, also where it is certain. */
const MATTERS = 0.02;
/** Of the mean, an hour: a wider interval says nothing. */
const MOST_ERROR = 0.5;

/** The first third is left out, while caches fill. `least` takes the least of each block, for what garbage sits on. */
export function trendOf(samples: readonly Sample[], of: 'mean' | 'least' = 'mean'): Trend | null {
  const settled = samples.slice(Math.ceil(samples.length / 3));
  if (settled.length < 2 * BLOCKS) return null;
  const points = Array.from({ length: BLOCKS }, (_, index) => {
    const [from, to] = [index, index + 1].map((edge) => Math.floor((edge * settled.length) / BLOCKS));
    const block = settled.slice(from, to);
    const values = block.map(({ value }) => value);
    return {
      x: meanOf(block.map(({ at }) => at)),
      y: of === 'mean' ? meanOf(values) : Math.min(...values),
    };
  });
  const [mx, mean] = [meanOf(points.map(({ x }) => x)), meanOf(points.map(({ y }) => y))];
  const spread = sumOf(points.map(({ x }) => (x - mx) ** 2));
  const slope = sumOf(points.map(({ x, y }) => (x - mx) * (y - mean))) / spread;
  const residual = sumOf(points.map(({ x, y }) => (y - mean - slope * (x - mx)) ** 2));
  const error = T * Math.sqrt(residual / (BLOCKS - 2) / spread);
  return { mean, slope, error, is: judged({ mean, slope, error }) };
}

function judged({ mean, slope, error }: Omit<Trend, 'is'>): Trend['is'] {
  const size = Math.abs(mean);
  if (Math.abs(slope) > error && Math.abs(slope) > MATTERS * size) return slope > 0 ? 'grows' : 'shrinks';
  return error > MOST_ERROR * size ? 'too noisy to say' : 'flat';
}

const sumOf = (all: readonly number[]): number => all.reduce((sum, each) => sum + each, 0);
const meanOf = (all: readonly number[]): number => sumOf(all) / all.length;
