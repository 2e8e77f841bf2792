export async function buildTester() { return undefined; }
