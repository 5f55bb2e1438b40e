import * as cardRules from "../form/card-rules"
import * as emi from "./emi"
import * as page from "./page"

function sources(module: Readonly<Record<string, (...args: never[]) => unknown>>): string {
  return Object.values(module).map(String).join("\n")
}

/**
 * The page's script: typed functions of this code base as their own source text. So the browser checks a card by
 * the very rules the server uses, and no bundler is needed to build or to install the package.
 */
export const SCRIPT = `"use strict";
(() => {
${sources(cardRules)}
${sources(page)}
${sources(emi)}
start({ ${Object.keys(cardRules).join(", ")} })
followInstalments()
})()
`
