import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { presentWhole } from "../whole"

/** A cash order with the cash that came. */
export const GET = tenantEndpoint((context) => presentWhole(context, context.params.id))
