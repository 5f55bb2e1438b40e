const transform = {
  "^.+\\.[jt]sx?$": [
    "@swc/jest",
    {
      jsc: {
        parser: { syntax: "typescript", tsx: true, decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true, react: { runtime: "automatic" } },
        target: "es2022",
      },
      module: { type: "commonjs" },
    },
  ],
}

const shared = {
  rootDir: __dirname,
  testEnvironment: "node",
  transform,
  moduleFileExtensions: ["ts", "tsx", "js", "mjs", "cjs", "json"],
  modulePathIgnorePatterns: ["<rootDir>/.medusa/", "<rootDir>/.demo/", "<rootDir>/.test/"],
  testPathIgnorePatterns: ["/node_modules/", "<rootDir>/.medusa/", "<rootDir>/.demo/", "<rootDir>/.test/"],
}

/** Suites that boot a store: each file has its own database, copied from a template that the run's set-up migrates once. */
const integration = {
  ...shared,
  testPathIgnorePatterns: [
    ...shared.testPathIgnorePatterns,
    ...(process.env.TEST_WITHOUT_REDIS ? ["\\.redis\\.spec\\.ts$"] : []),
  ],
  globalSetup: "<rootDir>/integration-tests/support/setup.mjs",
  setupFilesAfterEnv: ["<rootDir>/integration-tests/support/each-file.js"],
}

/*
 * Run it through `npm test`: Medusa's loaders import modules dynamically, which jest allows only under
 * NODE_OPTIONS=--experimental-vm-modules.
 */
module.exports = {
  // A store takes about 300 MB, and jest keeps a file's modules until its worker ends.
  workerIdleMemoryLimit: "1500MB",
  projects: [
    { ...shared, displayName: "unit", testMatch: ["<rootDir>/{src,scripts,examples}/**/__tests__/**/*.unit.spec.ts"] },
    { ...integration, displayName: "http", testMatch: ["<rootDir>/integration-tests/{http,scenarios}/**/*.spec.ts"] },
    { ...integration, displayName: "browser", testMatch: ["<rootDir>/integration-tests/browser/**/*.spec.ts"] },
  ],
}
