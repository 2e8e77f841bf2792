/**
 * The header of a file of format 3, which models in this repository still have, as that of format 1; the sections are
 * the same. It goes when they are trained again.
 */
export function fromEarlierFormat({ roles, ...header }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return roles ? { needs: ["roles"], ...header, roles: { program: "roles", ...roles } } : { needs: [], ...header };
}
