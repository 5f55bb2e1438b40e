import medusa from "@medusajs/eslint-plugin"
import tseslint from "typescript-eslint"

export default tseslint.config(
  {
    ignores: [
      "node_modules/",
      ".medusa/",
      ".demo/",
      ".cluster/",
      ".test/",
      "**/dist/",
      "src/modules/*/migrations/",
      "**/generated/",
      // The build of the plugin keeps it there for some seconds.
      "src/admin/__admin-extensions__.js",
    ],
  },
  ...medusa.configs.recommended,
  ...tseslint.configs.recommended,
  // Medusa's set leaves every test out.
  { ignores: ["!**/integration-tests/**", "!**/__tests__/**", "!**/*.spec.*"] },
  {
    rules: {
      "@typescript-eslint/consistent-type-imports": [
        "error",
        { fixStyle: "inline-type-imports", disallowTypeAnnotations: false },
      ],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      // What a store needs later, or never, is loaded then: these packages took half of the time that the plugin added to
      // the start of a store. `import()` would make their callers asynchronous.
      "@typescript-eslint/no-require-imports": [
        "error",
        {
          allowAsImport: false,
          allow: [
            "^(undici|ioredis|graphile-worker)$",
            "^libphonenumber-js/min$",
            "^prom-client/lib/",
            "^rate-limiter-flexible/lib/",
            "^\\./(adapter|canvas)$",
            "^@medusajs/framework/opentelemetry/api$",
          ],
        },
      ],
      eqeqeq: "error",
      "no-console": "error",
      "prefer-const": "error",
      // The gateway names every refusal by a code of its own; what it throws besides stops the process at boot.
      "@medusajs/use-medusa-error-not-generic-error": "off",
    },
  },
  {
    files: ["src/**/*.{ts,tsx}", "scripts/**/*.{mjs,cjs}", "lab/**/*.{mjs,cjs}", "examples/**/*.{ts,tsx}"],
    rules: {
      "max-lines": ["error", { max: 300 }],
      "max-lines-per-function": ["error", { max: 70 }],
    },
  },
  {
    files: ["src/{api,providers}/**/*.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector:
            "CallExpression[callee.property.name=/^(min|max|length|nonempty)$/] > MemberExpression > CallExpression[callee.name='text']",
          message: "text(…) has its bounds: zod's own throw at an object with a `length` of its own",
        },
        {
          selector:
            "CallExpression[callee.property.name=/^(min|max|length|nonempty)$/] CallExpression[callee.object.name='z'][callee.property.name='string']",
          message: "Use refine: zod's bounds throw at an object with a `length` of its own",
        },
        {
          selector: "CallExpression[callee.object.name='z'][callee.property.name=/^(array|tuple|record|map|set)$/]",
          message: "Use listOf, choicesOf or mapOf: they count before anything is parsed",
        },
      ],
    },
  },
  {
    // Answers, which we make; the schemas of what is counted.
    files: ["src/api/v2-kit/openapi/**", "src/api/v2-kit/lists.ts", "**/__tests__/**"],
    rules: { "no-restricted-syntax": "off" },
  },
  {
    files: ["src/{api,i18n,modules,providers,store,subscribers,workflows}/**/*.ts"],
    ignores: ["**/__tests__/**"],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    // String() throws at an object with a `toString` of its own, which any JSON body can contain: use textOf.
    rules: { "@typescript-eslint/no-base-to-string": ["error", { checkUnknown: true }] },
  },
  {
    // `h` is the JSX factory: every .tsx file of the sample shop uses it without naming it.
    files: ["examples/**/*.tsx"],
    rules: { "@typescript-eslint/no-unused-vars": ["error", { varsIgnorePattern: "^h$" }] },
  },
  {
    files: ["**/__tests__/**", "integration-tests/**"],
    rules: { "max-lines": "off", "max-lines-per-function": "off" },
  },
  {
    // A file of tests that is longer holds more than one topic.
    files: ["integration-tests/**"],
    rules: { "max-lines": ["error", { max: 700, skipBlankLines: true, skipComments: true }] },
  },
  {
    files: ["**/*.{cjs,js}", "scripts/**", "lab/**", "medusa-config.ts", "**/*.mjs", "examples/**"],
    rules: { "no-console": "off", "@typescript-eslint/no-require-imports": "off" },
  }
)
