import { describe, readCatalog } from "./columns.mjs"
import { mistakesOf } from "./compare.mjs"
import { programOf, statementsOf } from "./statements.mjs"
import { STAND_IN } from "./syntax.mjs"

const UNKNOWN_TEXT =
  "the text is not known before the program runs; make it of constants, of parameters that calls give, or of conditions"
const UNKNOWN_ROW = "the row type is not known; name it at the call"

/**
 * Checks every statement below the folders against the database of `client`.
 * @returns `{ counts, mistakes }`. `counts`: `calls` of `query`, those with a row type (`typed`), those whose row type
 *   was compared in all their forms (`compared`), distinct statements (`texts`), and how many of these have a stand-in
 *   for a condition that only a request knows (`standIns`). `mistakes`: sentences that begin with file and line.
 */
export async function checkStatements(client, folders) {
  const sources = programOf(folders)
  const checker = sources.program.getTypeChecker()
  const catalog = await readCatalog(client)
  const counts = { calls: 0, typed: 0, compared: 0, texts: 0, standIns: 0 }
  const mistakes = new Set()
  for (const { file, line, node, texts, isTyped, missed } of statementsOf(sources)) {
    const found = missed.length > 0 || texts.size === 0 ? [UNKNOWN_TEXT, ...missed.flat().map(calledFrom)] : []
    for (const [text, row] of texts) {
      const { error, columns } = await describe(client, text)
      if (error !== undefined) {
        found.push(`${error}, in: ${text.replace(/\s+/g, " ").trim()}`)
      } else if (row !== null) {
        found.push(...mistakesOf(checker, row, columns, { text, catalog, node }))
      } else if (isTyped) {
        found.push(UNKNOWN_ROW)
      }
    }
    found.forEach((mistake) => mistakes.add(`${file}:${line}: ${mistake}`))
    counts.calls += 1
    counts.typed += isTyped ? 1 : 0
    counts.compared += isTyped && ![UNKNOWN_TEXT, UNKNOWN_ROW].some((mistake) => found.includes(mistake)) ? 1 : 0
    counts.texts += texts.size
    counts.standIns += [...texts.keys()].filter((text) => text.includes(STAND_IN)).length
  }
  return { counts, mistakes: [...mistakes] }
}

function calledFrom({ file, line }) {
  return `called from ${file}:${line}`
}
