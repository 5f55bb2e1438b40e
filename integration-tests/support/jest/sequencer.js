const { default: Sequencer } = require("@jest/test-sequencer")

/**
 * What begins first: what takes minutes. Without durations of an earlier run jest would begin with the largest files, and
 * one worker would end minutes after the others.
 */
const FIRST = [
  ...[
    "groups/browser/shop",
    "groups/shop",
    "groups/orders",
    "groups/core",
    "groups/production",
    "groups/billing",
    "groups/admin",
    "groups/browser/admin",
    "http/command-line",
  ],
  ...["scenarios/faults.cluster", "http/hostile", "groups/browser/pages", "groups/browser/admin-money"],
  ...["scenarios/store-renewals", "http/store-subscriptions", "http/store-checkout", "http/rbac", "http/workflows"],
  ...["groups/acquirers", "groups/live"],
]

const rank = ({ path, context }) => {
  const found = FIRST.findIndex((name) => path.replaceAll("\\", "/").endsWith(`/${name}.spec.ts`))
  const isUnit = context.config.displayName.name === "unit"
  return found < 0 ? FIRST.length + Number(isUnit) : found
}

/** Unit tests run last: they are short, and so all workers end at about the same time. */
module.exports = class extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => rank(one) - rank(other))
  }
}
