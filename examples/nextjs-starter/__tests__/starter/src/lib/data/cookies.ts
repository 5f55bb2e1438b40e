export const getAuthHeaders = async (): Promise<{ authorization: string } | object> => ({})
export const getCacheTag = async (tag: string): Promise<string> => tag
export const getCartId = async (): Promise<string | undefined> => "cart_1"
export const removeCartId = async (): Promise<void> => undefined
