import { shareStore } from "../support/store"

// http/cash-checkout comes last in groups.json: it starts a second server, whose worker does what falls due from then on.
shareStore("orders", { container: true, shop: true })
