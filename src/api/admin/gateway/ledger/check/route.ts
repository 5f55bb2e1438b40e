import { storeEndpoint } from "../../../../admin-kit/endpoint"

/** Checks all money invariants: returns each broken one with examples. An empty list means that all is well. */
export const GET = storeEndpoint(async ({ gateway }) => ({ broken: await gateway.invariants.check() }))
