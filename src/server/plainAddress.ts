/** A peer's address as people write it: IPv4 never in its IPv6-mapped form. */
export const plainAddress = (address: string | undefined): string => (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '')
