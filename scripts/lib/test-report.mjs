import { relative } from "node:path"
import { stripVTControlCharacters } from "node:util"

const MOST_TESTS = 15
const LINES_OF_A_MESSAGE = 6
const WIDTH = 160

/** The first lines of what a test or a file failed with, without colours and empty lines. */
function firstLines(message) {
  const lines = stripVTControlCharacters(message ?? "").split("\n")
  const kept = lines.filter((line) => line.trim() !== "").slice(0, LINES_OF_A_MESSAGE)
  return kept.map((line) => `      ${line.trimEnd().slice(0, WIDTH)}`)
}

/**
 * What failed, of a report that jest wrote with --json: the first 15 failed tests with the beginning of their messages,
 * then each file with the number of its failed tests. It ends a long log, of which often only the end is kept.
 */
export function failuresIn(report, root) {
  const failed = report.testResults
    .map(({ name, status, message, assertionResults }) => ({
      path: relative(root, name),
      status,
      message,
      tests: assertionResults.filter((test) => test.status === "failed"),
    }))
    .filter(({ status, tests }) => status === "failed" || tests.length > 0)
  const details = failed.flatMap(({ path, tests, message }) =>
    tests.length === 0
      ? [[`  ${path}`, ...firstLines(message)]]
      : tests.map((test) => [`  ${path}: ${test.fullName}`, ...firstLines(test.failureMessages[0])])
  )
  const more = details.length > MOST_TESTS ? [`  ... and ${details.length - MOST_TESTS} more`] : []
  const files = failed.map(({ path, tests }) => `  ${path}: ${tests.length || "could not run"}`)
  return failed.length === 0 ? [] : ["Failed:", ...details.slice(0, MOST_TESTS).flat(), ...more, "Files:", ...files]
}
