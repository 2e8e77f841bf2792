declare module "*.css";

/** What Vite puts in the place of these. */
interface ImportMeta {
  readonly env: { readonly MODE: string };
}
