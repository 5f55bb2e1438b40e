import { METHODS } from "node:http"
import type { MiddlewareVerb } from "@medusajs/framework/http"

/**
 * Every method is listed because Medusa otherwise exempts only the usual ones from its parser: a SEARCH or TRACE with a
 * malformed body would be refused in Medusa's shape, before our own 405.
 */
export const EVERY_METHOD = METHODS as MiddlewareVerb[]
