// Keeps the page for times without a network. The build puts VERSION and FILES in.
// A file with a hash in its name never changes; everything else is asked for first and kept for when nobody answers, so
// that an installed page is never older than its server.

const VERSION = "__VERSION__";
const FILES = ["__FILES__"];

const PREFIX = "stemma-studio-";
const SHELL = `${PREFIX}${VERSION}`;
/** Models outlive versions of the page: they are large. */
const MODELS = `${PREFIX}models`;

addEventListener("install", (event) => {
  const install = async () => {
    const cache = await caches.open(SHELL);
    await cache.addAll(FILES);
    await skipWaiting();
  };
  event.waitUntil(install());
});

addEventListener("activate", (event) => {
  const activate = async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith(PREFIX) && name !== SHELL && name !== MODELS) await caches.delete(name);
    }
    await clients.claim();
  };
  event.waitUntil(activate());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const scope = new URL(registration.scope);
  if (request.method !== "GET" || url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return;
  const path = url.pathname.slice(scope.pathname.length);
  if (path.startsWith("assets/")) event.respondWith(fromCache(request));
  else event.respondWith(fromNetwork(event, path));
});

async function fromCache(request) {
  return (await caches.match(request)) ?? fetch(request);
}

async function fromNetwork(event, path) {
  const { request } = event;
  const cache = await caches.open(path.endsWith(".stemma") ? MODELS : SHELL);
  // The page is the same with and without ?embed.
  const key = path === "" || path === "index.html" ? "./" : request;
  try {
    const answer = await fetch(request);
    // The page does not wait until it is kept.
    if (answer.ok) event.waitUntil(cache.put(key, answer.clone()));
    return answer;
  } catch (error) {
    const kept = await cache.match(key);
    if (kept) return kept;
    throw error;
  }
}
