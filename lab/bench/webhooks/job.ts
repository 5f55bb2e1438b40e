export const QUEUE = "deliveries"

/** The job contains all that sending needs: the peer looks nothing up. */
export type DeliveryJob = { url: string; secret: string; event_id: string; body: string }
