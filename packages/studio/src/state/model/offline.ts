import { embedded } from "../address/embed.js";
import { reason, say } from "../shown/say.js";

/** The service worker's own name for the cache of models. */
const MODELS = "stemma-studio-models";

/** Makes the page work without a network from the next time on; where that is not possible, it goes on without. */
export async function keepForOffline(model: string): Promise<void> {
  if (embedded || import.meta.env.MODE !== "production" || !("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("service-worker.js");
    // The first model came before the service worker was there; its bytes are still in the browser's own cache.
    const cache = await caches.open(MODELS);
    if (!(await cache.match(model))) await cache.put(model, await fetch(model, { cache: "force-cache" }));
  } catch (error) {
    // Private windows and some settings forbid it. Everything else works.
    say(`The page cannot be kept for times without a network: ${reason(error)}`, false);
  }
}
