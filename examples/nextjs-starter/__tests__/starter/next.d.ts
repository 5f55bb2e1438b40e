declare module "next/cache" {
  export function revalidateTag(tag: string): void
}
