import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { presentWhole } from "../resource"

/** One dispute with its evidence and its history. */
export const GET = tenantEndpoint(async (context) => presentWhole(context, context.params.id))
