import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { type Encoded, encode } from "../compress"
import { START_SCRIPT } from "./start-script"
import { GUIDE_STYLES, REFERENCE_STYLES } from "./styles"

export type ReferenceFile = { url: string; type: string; encoded: Encoded }
export type ReferenceFiles = Readonly<Record<"renderer" | "start" | "styles" | "guideStyles", ReferenceFile>>

/** `scripts/finish-build.mjs` copies the renderer to here in a build and in the package. */
const PACKED = join(__dirname, "renderer.js")

async function renderer(): Promise<Buffer> {
  try {
    return await readFile(PACKED)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
      throw error
    }
  }
  // In the repository: Scalar's file for browsers, from the development dependency.
  const entry = require.resolve("@scalar/fastify-api-reference")
  return await readFile(join(dirname(entry), "js/standalone.js"))
}

async function fileOf(name: string, extension: "js" | "css", body: Buffer): Promise<ReferenceFile> {
  const hash = createHash("sha256").update(body).digest("hex").slice(0, 16)
  const type = extension === "js" ? "text/javascript; charset=utf-8" : "text/css; charset=utf-8"
  return { url: `/gateway/reference/${name}.${hash}.${extension}`, type, encoded: await encode(body) }
}

async function readFiles(): Promise<ReferenceFiles> {
  return {
    renderer: await fileOf("renderer", "js", await renderer()),
    start: await fileOf("start", "js", Buffer.from(START_SCRIPT)),
    styles: await fileOf("page", "css", Buffer.from(REFERENCE_STYLES)),
    guideStyles: await fileOf("guide", "css", Buffer.from(GUIDE_STYLES)),
  }
}

let made: Promise<ReferenceFiles> | undefined

/**
 * The files of the reference pages. They are read, hashed and compressed at the first request for the page: the renderer
 * has 3.5 MB, and a store starts without them. The compression runs outside the event loop.
 */
export function referenceFiles(): Promise<ReferenceFiles> {
  made ??= readFiles()
  // A file that could not be read may be there at the next request.
  made.catch(() => (made = undefined))
  return made
}
