import { shareStore } from "../support/store"

// In groups.json the audit log's file follows what admins do, because it looks at every entry. Lists as CSV come last: the
// money is checked after each file, and their tens of thousands of payments take a second each time.
shareStore("admin", { production: true, shop: true })
