/** A sentence in JSON, as the core writes it, with a number for its id. */
export function numberedJson(json: string, number: number): string {
  return json.replace(/^\{"version":\d+,/, (version) => `${version}"id":"${number}",`);
}
