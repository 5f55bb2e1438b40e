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

type Supported = { wanted: string; accepts: (version: string) => boolean }

const partsOf = (version: string) => version.split(".").map((part) => Number.parseInt(part, 10))

/** What the gateway runs with. */
export const SUPPORTED: Readonly<Record<"node" | "medusa", Supported>> = {
  node: {
    wanted: "20.12",
    accepts: (version) => {
      const [major, minor] = partsOf(version)
      return major > 20 || (major === 20 && minor >= 12)
    },
  },
  medusa: {
    wanted: "2.21.2 or a later 2.21",
    accepts: (version) => {
      const [major, minor, patch] = partsOf(version)
      return major === 2 && minor === 21 && patch >= 2
    },
  },
}
