import { container } from "@medusajs/framework"
import type { MedusaContainer } from "@medusajs/framework/types"
import { openFrontDoor } from "../front-door"
import { connectStore } from "../store"

/*
 * The one place that connects the store and opens its front door. Medusa calls no function of a plugin between loading
 * the modules and starting them: it only imports the files of src/workflows, in every mode (server, worker, exec,
 * migration scripts), with the modules in its container. So this file is for Medusa's loader alone: whatever else imports
 * it too early gets an error.
 */
connectStore(container as MedusaContainer)
openFrontDoor(container as MedusaContainer)
