import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { servicesOf } from "../api/store-services"
import { gatewayIn } from "../modules/gateway"
import { AccessLog } from "./access-log"
import { FrontDoor } from "./door"

const DOORS = new WeakMap<object, FrontDoor>()

/**
 * Opens the door of a store. `container` is Medusa's own, with all modules in it. A process that is a worker alone has a
 * server too, but answers nobody.
 */
export function openFrontDoor(container: MedusaContainer): void {
  if (container.resolve(ContainerRegistrationKeys.CONFIG_MODULE).projectConfig.workerMode === "worker") {
    return
  }
  gatewayIn(container).connectionGuard.openDoor(doorOf(container))
}

/** The door of the store that a request's container belongs to. */
export function doorOf(container: MedusaContainer): FrontDoor {
  const gateway = gatewayIn(container)
  const door = DOORS.get(gateway) ?? makeDoor(container)
  DOORS.set(gateway, door)
  return door
}

function makeDoor(container: MedusaContainer): FrontDoor {
  const services = servicesOf(container)
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  return new FrontDoor(services, new AccessLog(logger, services.gateway.options.trustedProxies))
}
