/** As what exact search is known on the command line, in settings and between threads. */
export const EXACT = "exact";
