/*
 * npm run chaos                            kill -9 while webhooks are being delivered (scripts/chaos/webhook-dispatch.mjs)
 * npm run chaos -- refunds                 kill -9 while money goes back (scripts/chaos/refunds.mjs)
 * npm run chaos -- billing                 kill -9 while subscriptions are being billed (scripts/chaos/billing.mjs)
 * npm run chaos -- acquirers               kill -9 while acquirers are paying (scripts/chaos/acquirers.mjs)
 * npm run chaos -- hostile                 what strangers may try, at a store in production mode (scripts/chaos/hostile.mjs)
 * npm run chaos -- cluster                 kill -9 at a whole deployment: proxy, pooler, database (scripts/chaos/cluster.mjs)
 * npm run chaos -- refunds --kills 20      what follows the name is the program's own
 */
const PROGRAMS = {
  webhooks: "./chaos/webhook-dispatch.mjs",
  refunds: "./chaos/refunds.mjs",
  billing: "./chaos/billing.mjs",
  acquirers: "./chaos/acquirers.mjs",
  hostile: "./chaos/hostile.mjs",
  cluster: "./chaos/cluster.mjs",
}

const [name] = process.argv.slice(2)
const program = Object.hasOwn(PROGRAMS, name ?? "") ? process.argv.splice(2, 1)[0] : "webhooks"
await import(PROGRAMS[program])
