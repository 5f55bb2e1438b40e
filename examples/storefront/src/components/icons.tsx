import { h, type View } from "../lib/dom"

const icon = (path: string): View => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={path} />
  </svg>
)

export const CartIcon = (): View =>
  icon("M4 5h2.2l2 10.2a1.5 1.5 0 0 0 1.5 1.2h7.4a1.5 1.5 0 0 0 1.5-1.2L20 8.500H7M10 20h.01M17 20h.01")
export const CheckIcon = (): View => icon("m5 12.500 4.500 4.500L19 7.500")
export const AlertIcon = (): View => icon("M12 8v5M12 16.500h.01M12 3.500 21.500 20h-19z")
export const PersonIcon = (): View => icon("M12 12.500a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4.500 20.500a7.500 7.500 0 0 1 15 0")
export const LockIcon = (): View => icon("M7 11V8a5 5 0 0 1 10 0v3M5.500 11h13v9h-13z")
