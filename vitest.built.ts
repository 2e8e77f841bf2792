// For `npm test`, which has just built everything: the tests run what the sources were compiled into, as Node itself
// loads it. That takes a quarter less time than modules that Vite has transformed, in which every use of an import
// calls a function. Of the core it is the modules, also for the packages that import it, and not the few files that Node
// gets elsewhere (packages/core/bundle.mjs): a class must not be there twice.
import { posix } from "node:path";
import { defineConfig } from "vitest/config";
import config from "./vitest.config.js";

export default defineConfig({
  ...config,
  resolve: {},
  ssr: { resolve: { conditions: ["stemma-modules", "module", "node"] } },
  plugins: [
    {
      name: "built",
      enforce: "pre",
      resolveId(path, importer) {
        if (!importer || !/^\.\.?\//.test(path)) return undefined;
        // Vite has "/" in paths on Windows, too.
        const [, before, after] =
          /^(.*\/packages\/(?:core|server|cli)\/)src(\/.*\.js)$/.exec(posix.join(posix.dirname(importer), path)) ?? [];
        return before && `${before}dist${after}`;
      },
    },
  ],
  test: { ...config.test, server: { deps: { external: [/\/packages\/(core|server|cli)\/dist\//] } } },
});
