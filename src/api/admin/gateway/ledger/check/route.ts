import { storeEndpoint } from "../../../../admin-kit/endpoint"

/** Whether all the money adds up: every invariant that is broken, with examples. An empty list is good news. */
export const GET = storeEndpoint(async ({ gateway }) => ({ broken: await gateway.invariants.check() }))
