/** As what merging in a graph-structured stack is known on the command line, in settings and between threads. */
export const STACK_GRAPH = "stack-graph";
