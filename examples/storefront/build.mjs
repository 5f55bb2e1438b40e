import { createHash } from "node:crypto"
import { cp, mkdir, readFile, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

/**
 * Builds the shop into a folder that any static file server can serve: index.html, app.js, app.css, fonts, images. The server
 * adds `config.json` beside them (see README.md).
 * @param {{ outDir: string, minify?: boolean }} options `outDir` is created when missing; files with the same names are
 * replaced.
 * @returns {Promise<void>} Rejects with esbuild's error when the source does not compile.
 */
export async function build({ outDir, minify = true }) {
  // Imported here so that a script may import this file before dependencies are installed.
  const { build: bundle } = await import("esbuild")

  await mkdir(outDir, { recursive: true })
  await cp(here("./public"), outDir, { recursive: true })
  await bundle({
    entryPoints: { app: here("./src/main.ts") },
    outdir: outDir,
    tsconfig: here("./tsconfig.json"),
    bundle: true,
    minify,
    // Bangla has half the length of its escapes. Modules are always read as UTF-8.
    charset: "utf8",
    // Named by their content, so that a server may let browsers keep them for good.
    loader: { ".woff2": "file" },
    assetNames: "fonts/[name].[hash]",
    sourcemap: "linked",
    format: "esm",
    target: ["es2022"],
    logLevel: "warning",
  })
  await addressByContent(join(outDir, "index.html"))
}

/** So that a server may let browsers keep the script and the styles for good: another version has another address. */
async function addressByContent(page) {
  let html = await readFile(page, "utf8")
  for (const name of ["app.js", "app.css"]) {
    const version = createHash("sha256")
      .update(await readFile(join(page, "..", name)))
      .digest("hex")
    html = html.replace(`"./${name}"`, `"./${name}?v=${version.slice(0, 12)}"`)
  }
  await writeFile(page, html)
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const outDir = resolve(process.argv[2] ?? here("./dist"))
  await build({ outDir })
  process.stdout.write(`The shop is built in ${outDir}\n`)
}
