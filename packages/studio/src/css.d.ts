declare module "*.css";

/** Vite puts this in the place of these. */
interface ImportMeta {
  readonly env: { readonly MODE: string };
}
