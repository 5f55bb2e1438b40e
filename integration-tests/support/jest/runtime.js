const { Script } = require("node:vm")
const { default: Runtime } = require("jest-runtime")

/** Of this worker: its compiled modules by file, `{ source, script }`, and the runtime of the test file that it runs. */
const worker = { compiled: new Map(), runtime: null }

/**
 * jest's runtime, which compiles each module once per worker and not once per test file: it is Medusa's thousands of
 * modules that most of our test files load. Each file still runs its modules anew.
 */
module.exports = {
  __esModule: true,
  default: class extends Runtime {
    constructor(...args) {
      super(...args)
      worker.runtime = this
    }

    createScriptFromCode(source, filename) {
      const known = worker.compiled.get(filename)
      if (known?.source === source) {
        return known.script
      }
      const script = new Script(this.wrapCodeInModuleWrapper(source), {
        columnOffset: this._fileTransforms.get(filename)?.wrapperLength,
        filename,
        importModuleDynamically: async (specifier) => {
          const { runtime } = worker
          const context = runtime._environment.getVmContext()
          return runtime.linkAndEvaluateModule(await runtime.resolveModule(specifier, filename, context))
        },
      })
      worker.compiled.set(filename, { source, script })
      return script
    }
  },
}
