const { execFileSync } = require("node:child_process")
const { join } = require("node:path")
const GROUPS = require("./integration-tests/groups.json")

// Where jest is started without `npm test`.
execFileSync(process.execPath, [join(__dirname, "scripts/generate.mjs")], { stdio: "inherit" })

/** Folders that programs of this repository make. */
const MADE = [".medusa", ".demo", ".cluster", ".test"].map((name) => `<rootDir>/${name}/`)

const transform = {
  "^.+\\.[jt]sx?$": [
    "@swc/jest",
    {
      jsc: {
        parser: { syntax: "typescript", tsx: true, decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true, react: { runtime: "automatic" } },
        target: "es2022",
      },
      // An import() stays one: it loads ES modules.
      module: { type: "commonjs", ignoreDynamic: true },
    },
  ],
}

const shared = {
  rootDir: __dirname,
  testEnvironment: "<rootDir>/integration-tests/support/jest/environment.js",
  runtime: "<rootDir>/integration-tests/support/jest/runtime.js",
  transform,
  // As a shop that has installed the package: the sample shop's alias, and the changed files of Medusa's starter.
  moduleNameMapper: { "^medusa-payment-gateway/(storefront(?:/next)?)$": "<rootDir>/src/$1" },
  moduleFileExtensions: ["ts", "tsx", "js", "mjs", "cjs", "json"],
  modulePathIgnorePatterns: MADE,
  testPathIgnorePatterns: ["/node_modules/", ...MADE],
}

/** Suites that boot a store: each file has its own database, copied from a template that the run's set-up migrates once. */
const integration = {
  ...shared,
  testPathIgnorePatterns: [
    ...shared.testPathIgnorePatterns,
    ...(process.env.TEST_WITHOUT_REDIS ? ["\\.redis\\.spec\\.ts$"] : []),
    ...(process.env.TEST_WITHOUT_CLUSTER ? ["\\.cluster\\.spec\\.ts$"] : []),
  ],
  globalSetup: "<rootDir>/integration-tests/support/setup.mjs",
  setupFilesAfterEnv: ["<rootDir>/integration-tests/support/each-file.ts"],
}

const specs = (names) => names.map((name) => `<rootDir>/integration-tests/${name}.spec.ts`)

/** Files that share a store run within their group, unless files are named on the command line: then each runs alone. */
const grouped = specs(Object.values(GROUPS).flat())

/**
 * What `npm test` runs of the files that boot stores, in under eight minutes on two cores: the sections of the contract,
 * races and kills where money moves, and a walk through the payment page, the shop and the admin. `npm run test:all` runs
 * the others too.
 */
const SHORT = [
  ...["groups/production", "groups/billing", "groups/strict", "groups/limits", "http/front-door", "http/races"],
  ...["scenarios/killed-server", "browser/one-order", "browser/admin-walkthrough"],
]

/** The files of a project by TEST_SCOPE: `short`, `rest` (all but those), or all of them. */
function filesOf(names) {
  const isOurs = (name) => name.startsWith("browser/") === names.some((one) => one.startsWith("browser/"))
  switch (process.env.TEST_SCOPE) {
    case "short":
      return { testMatch: specs(SHORT.filter(isOurs)), left: [] }
    case "rest":
      return { testMatch: specs(names), left: specs(SHORT) }
    default:
      return { testMatch: specs(names), left: [] }
  }
}

/** A project of files that boot stores, and of their groups. */
const withStores = (displayName, files, groups) => {
  const isAlone = Boolean(process.env.TEST_FILES_ALONE)
  const { testMatch, left } = filesOf(isAlone ? [files] : [files, groups])
  return {
    ...integration,
    displayName,
    testMatch,
    testPathIgnorePatterns: [...integration.testPathIgnorePatterns, ...(isAlone ? [] : grouped), ...left],
  }
}

/*
 * Run it through `npm test`: Medusa's loaders import modules dynamically, which jest allows only under
 * NODE_OPTIONS=--experimental-vm-modules.
 */
module.exports = {
  // A store takes about 300 MB, and jest keeps a file's modules until its worker ends.
  workerIdleMemoryLimit: "1500MB",
  // A hung unit test ends; on a busy machine the slow ones take over jest's five seconds.
  testTimeout: 30_000,
  testSequencer: "<rootDir>/integration-tests/support/jest/sequencer.js",
  projects: [
    {
      ...shared,
      displayName: "unit",
      testMatch: [
        "<rootDir>/{src,scripts,lab,examples}/**/__tests__/**/*.unit.spec.ts",
        // Adapters against the stand-ins of their providers: http on loopback, but no store.
        "<rootDir>/integration-tests/acquirers/**/*.unit.spec.ts",
      ],
    },
    withStores("http", "{http,scenarios}/**/*", "groups/*"),
    withStores("browser", "browser/**/*", "groups/browser/*"),
  ],
}
