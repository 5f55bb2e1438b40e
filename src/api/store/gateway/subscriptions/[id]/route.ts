import { ownSubscription } from "../endpoint"
import { presentOwn } from "../present"

export const GET = ownSubscription(async ({ row }) => ({ subscription: presentOwn(row) }))
