import * as cardRules from "../form/card-rules"
import * as choosing from "./choosing"
import * as comingBack from "./coming-back"
import * as page from "./page"

/** Without indentation: no text of theirs spans lines. */
function sources(module: Readonly<Record<string, (...args: never[]) => unknown>>): string {
  return Object.values(module).map(String).join("\n").replace(/^ +/gm, "")
}

/**
 * The page's script: typed functions of this code base as their own source text. So the browser checks a card by the
 * server's very rules, and neither the build nor the package needs a bundler.
 */
export const SCRIPT = `"use strict";
(() => {
${sources(cardRules)}
${sources(page)}
${sources(choosing)}
${sources(comingBack)}
sendOnlyOnline()
openChosenMethod()
start({ ${Object.keys(cardRules).join(", ")} })
followInstalments()
forgetPost()
keepTyped()
goStraight()
})()
`
