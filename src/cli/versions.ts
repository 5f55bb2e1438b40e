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
