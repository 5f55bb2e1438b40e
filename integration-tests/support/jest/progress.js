const { relative } = require("node:path")

/** While no file ends for this long, a line says which ones run. */
const QUIET_MS = 30_000

const minutes = (ms) => {
  const seconds = Math.round(ms / 1_000)
  return `${String(Math.floor(seconds / 60)).padStart(2)}:${String(seconds % 60).padStart(2, "0")}`
}

/**
 * Says what a run does while it does it, in a pipe as in a terminal: a line for each file as it ends, with how many are
 * left, and the whole failure at once. What a test has printed follows its file's line.
 */
module.exports = class Progress {
  constructor(globalConfig, _options, { write = (text) => void process.stderr.write(text), now = Date.now } = {}) {
    this.root = globalConfig.rootDir
    this.write = write
    this.now = now
    this.running = new Set()
    this.done = 0
    this.tests = { passed: 0, failed: 0 }
  }

  onRunStart({ numTotalTestSuites }) {
    this.startedAt = this.now()
    this.files = numTotalTestSuites
    this.say(`${this.files} test files`)
    this.waitQuietly()
  }

  onTestFileStart({ path }) {
    this.running.add(path)
  }

  onTestFileResult({ path }, result) {
    const { numPassingTests: passed, numFailingTests: failed, failureMessage, perfStats } = result
    this.running.delete(path)
    this.done += 1
    this.tests.passed += passed
    this.tests.failed += failed
    const hasFailed = failed > 0 || Boolean(result.testExecError)
    const seconds = ((perfStats.end - perfStats.start) / 1_000).toFixed(1)
    const count = failed > 0 ? `${passed} passed, ${failed} failed` : `${passed} passed`
    this.say(`${hasFailed ? "FAIL" : "pass"} ${this.named(path)}: ${count} in ${seconds} s`)
    for (const { message } of result.console ?? []) {
      this.write(`${message}\n`)
    }
    if (hasFailed) {
      this.write(`${failureMessage ?? ""}\n`)
    }
    this.waitQuietly()
  }

  onRunComplete() {
    clearTimeout(this.timer)
    const { passed, failed } = this.tests
    this.say(`all files have ended: ${passed} tests passed, ${failed} failed`)
  }

  getLastError() {
    return undefined
  }

  waitQuietly() {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.say(`still running: ${[...this.running].map((path) => this.named(path)).join(", ")}`)
      this.waitQuietly()
    }, QUIET_MS)
    this.timer.unref()
  }

  named(path) {
    return relative(this.root, path)
      .replaceAll("\\", "/")
      .replace(/\.spec\.ts$/, "")
  }

  say(text) {
    this.write(`${minutes(this.now() - this.startedAt)} [${this.done}/${this.files}] ${text}\n`)
  }
}
