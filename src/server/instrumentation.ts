import { existsSync } from "node:fs"
import { join } from "node:path"
import { dynamicImport, isFileSkipped } from "@medusajs/framework/utils"

const NAME = "instrumentation"

/**
 * Runs `register` of the store's instrumentation file, as Medusa does at the start of a store: traces of a payment then
 * begin where its request is answered. A store without the file is not traced. An error in it stops the process.
 */
export async function registerInstrumentation(directory: string): Promise<void> {
  const file = join(directory, NAME)
  if (!["ts", "js"].some((extension) => existsSync(`${file}.${extension}`))) {
    return
  }
  const instrumentation = (await dynamicImport(file)) as { register?: unknown }
  if (typeof instrumentation.register === "function" && !isFileSkipped(instrumentation)) {
    await instrumentation.register()
  }
}
