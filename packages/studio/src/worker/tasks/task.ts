/** Work that takes long. */
export interface Task {
  /** Reports how far it is, lets other requests through, and says whether to go on. */
  tick(done: number): Promise<boolean>;
}

/** A task that remembers whether it was stopped. */
export function watched(task: Task): Task & { readonly isStopped: boolean } {
  let isStopped = false;
  return {
    get isStopped() {
      return isStopped;
    },
    tick: async (done) => (await task.tick(done)) || !(isStopped = true),
  };
}
