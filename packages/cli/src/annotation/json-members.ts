/** The members of a JSON object without its braces, so that others can be written before them. */
export function membersOf(object: object): string {
  const members: string[] = [];
  for (const [name, value] of Object.entries(object)) {
    if (value !== undefined) members.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
  }
  return members.join();
}
