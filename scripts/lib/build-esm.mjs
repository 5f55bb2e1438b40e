import { writeFile } from "node:fs/promises"
import { join, relative, resolve } from "node:path"
import { build } from "esbuild"
import { ROOT } from "./console.mjs"

const BUILT = join(ROOT, ".medusa/server/src")
/** What package.json exports for `import` as well: for browsers, workers, and bundlers that drop what is not used. */
const ENTRIES = ["client/index", "storefront/index", "storefront/next/index"]

/**
 * Writes ES modules beside the CommonJS files of `medusa plugin:build`, one for each file that the entries reach, so that
 * a "use client" stays at the head of its own module. The types of an entry are those of its CommonJS file.
 * @param {{ entries?: string[], base?: string, outDir?: string }} options default: all, below `src`, to where `medusa
 * plugin:build` writes; `base` is the folder of sources that becomes `outDir`
 */
export async function buildEsm({ entries = ENTRIES, base = join(ROOT, "src"), outDir = BUILT } = {}) {
  const reached = new Set()
  await build({
    entryPoints: await sourcesFrom(
      entries.map((entry) => join(base, entry)),
      reached
    ),
    outdir: outDir,
    outbase: base,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    jsx: "automatic",
    logLevel: "warning",
    plugins: [keepModulesApart],
  })
  for (const entry of entries) {
    await writeFile(join(outDir, `${entry}.d.mts`), `export * from "./${entry.split("/").at(-1)}.js"\n`)
  }
}

/** The files that the entries import, directly or not. */
async function sourcesFrom(entryPoints, reached) {
  const { metafile } = await build({
    entryPoints: entryPoints.map((path) => `${path}.ts`),
    bundle: true,
    write: false,
    outdir: BUILT,
    metafile: true,
    packages: "external",
    jsx: "automatic",
    logLevel: "silent",
    absWorkingDir: ROOT,
  })
  Object.keys(metafile.inputs).forEach((path) => reached.add(resolve(ROOT, path)))
  return [...reached]
}

/** Every import stays an import: of a file beside it by the name of its ES module, of a package by its own. */
const keepModulesApart = {
  name: "keep-modules-apart",
  setup({ onResolve, resolve: find }) {
    onResolve({ filter: /.*/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (kind === "entry-point" || pluginData === keepModulesApart) {
        return undefined
      }
      if (!path.startsWith(".")) {
        return { path, external: true }
      }
      const found = await find(path, { kind, resolveDir, pluginData: keepModulesApart })
      const from = relative(resolveDir, found.path).replace(/\.tsx?$/, ".mjs")
      return { path: from.startsWith(".") ? from : `./${from}`, external: true }
    })
  },
}
