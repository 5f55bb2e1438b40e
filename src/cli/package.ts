import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

export const PACKAGE = "medusa-payment-gateway"

/** The folder of this package: the nearest one above this file with the package's own package.json. */
function packageFolder(): string {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    if (nameIn(folder) === PACKAGE) {
      return folder
    }
    if (dirname(folder) === folder) {
      throw new Error(`${__dirname} is in no folder of ${PACKAGE}`)
    }
  }
}

export function packageVersion(): string {
  return manifestIn(packageFolder())?.version ?? "unknown"
}

/** The path of a module as the store resolves it; null when it is not installed. */
export function resolveFrom(directory: string, name: string): string | null {
  try {
    return createRequire(join(directory, "package.json")).resolve(name)
  } catch {
    return null
  }
}

/** What commands read of a package.json. */
type Manifest = {
  name?: string
  version?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/** The package.json of a folder; null when there is none that can be read. */
export function manifestIn(folder: string): Manifest | null {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest
  } catch {
    return null
  }
}

function nameIn(folder: string): string | undefined {
  return manifestIn(folder)?.name
}
