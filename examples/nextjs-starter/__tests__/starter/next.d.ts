declare module "next/cache" {
  export function revalidateTag(tag: string): void
}
declare module "next/headers" {
  type Options = { httpOnly?: boolean; sameSite?: "strict" | "lax"; secure?: boolean; maxAge?: number; path?: string }
  type Cookies = {
    get(name: string): { value: string } | undefined
    set(name: string, value: string, options?: Options): void
  }
  export function headers(): Promise<Headers>
  export function cookies(): Promise<Cookies>
}
