/**
 * Whether tests look at everything that they can: `npm run test:exhaustive`. Otherwise a few are content with shorter
 * sentences, or with a sample of what is longest.
 */
export const EXHAUSTIVE = process.env.STEMMA_EXHAUSTIVE === "1";
