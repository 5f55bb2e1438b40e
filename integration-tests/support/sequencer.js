const { default: Sequencer } = require("@jest/test-sequencer")

/** The shop's group takes longest: each of its carts is dozens of Medusa's statements. */
const FIRST = ["groups/shop.spec.ts", "groups/core.spec.ts", "groups/production.spec.ts", "groups/proxies.spec.ts"]

const rank = ({ path }) => {
  const found = FIRST.findIndex((name) => path.replaceAll("\\", "/").endsWith(name))
  return found < 0 ? FIRST.length : found
}

/**
 * The groups first. Without durations of an earlier run jest begins with the largest files. Those of the groups are tiny
 * and run longest: the last of them would keep one worker busy for minutes after the others have ended.
 */
module.exports = class extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => rank(one) - rank(other))
  }
}
